// SPDX-License-Identifier: Apache-2.0
// SO506: a library that is loaded on first use was built for another generation of CUDA than the
// one that is installed. What an import loads is SO101's matter.
#include <algorithm>
#include <set>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/check/generation.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

struct Stranger {
  NativeId library;
  std::vector<std::string> wanted;
  std::vector<std::string> present;
};

std::string owner_or_path(const World& world, NativeId id) {
  const std::string owner = owner_title(world, world.natives[id]);
  return owner.empty() ? shown_path(world, world.natives[id].path) : owner;
}

std::vector<Stranger> strangers_of(const World& world, const Diagnosis& diagnosis) {
  std::vector<Stranger> strangers;
  for (const auto& broken : diagnosis.broken) {
    if (!broken.is_plugin || !is_of_wrong_generation(world, broken)) continue;
    Stranger stranger{.library = broken.load->module};
    for (const auto& reason : broken.reasons) {
      const auto present = other_generations(world, reason.request.name);
      if (present.empty()) continue;
      stranger.wanted.push_back(reason.request.name);
      for (const auto& [name, id] : present) {
        const std::string owner = owner_title(world, world.natives[id]);
        std::string text = name;
        if (!owner.empty()) text.append(" of ").append(owner);
        stranger.present.push_back(std::move(text));
      }
    }
    strangers.push_back(std::move(stranger));
  }
  return strangers;
}

Finding finding_of(const World& world, const Stranger& stranger) {
  const NativeObject& library = world.natives[stranger.library];
  const std::string whose = owner_or_path(world, stranger.library);
  Finding finding{.code = "SO506", .severity = Severity::warning};
  finding.message = whose + " is built for another CUDA: " + std::string(library.path.name()) +
                    " needs " + enumerated(stranger.wanted, 3) + ", and only " +
                    enumerated(stranger.present, 3) +
                    (stranger.present.size() == 1 ? " is" : " are") + " here";
  for (const auto& name : stranger.wanted) {
    Subject subject{.soname = name,
                    .path = shown_path(world, library.path),
                    .needed_by = {shown_path(world, library.path)},
                    .state = "nothing installed has or lists it"};
    if (!library.owners.empty()) {
      const auto& owner = world.environment.distributions[library.owners.front()];
      subject.package = owner.name;
      subject.version = owner.version;
    }
    finding.subjects.push_back(std::move(subject));
  }
  finding.because.push_back({.text =
                                 "builds for several generations of CUDA can carry one name and "
                                 "version; what a file needs tells which it is"});
  finding.breaks.push_back(
      {.kind = "first-use", .name = "the first use of " + std::string(library.path.name())});
  finding.fixes.push_back(
      manual_fix("other-build", "a build of " + whose + " for the CUDA that is installed"));
  return finding;
}

}  // namespace

std::vector<Finding> find_wrong_cuda_generation(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  for (const auto& stranger : strangers_of(world, diagnosis)) {
    findings.push_back(finding_of(world, stranger));
  }
  return findings;
}

}  // namespace whyso::check
