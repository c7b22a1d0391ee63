// SPDX-License-Identifier: Apache-2.0
// SO103: a file is there under the right name and this machine's loader cannot use it. Files whose
// bytes are not the recorded ones are SO204's.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/file_nature.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

/// Files of one owner that cannot be used, with the modules that fail for it.
struct Unusable {
  std::map<NativeId, FileNature> files;
  std::set<std::string> modules;
  DistributionIds owners;
};

/// Its bytes are not the recorded ones: SO204 tells it.
bool is_altered(const World& world, NativeId id) {
  const auto& ownership = world.environment.ownership;
  const auto* file = ownership.find(world.natives[id].path);
  if (file == nullptr) return false;
  const auto index = static_cast<std::uint32_t>(file - ownership.files().data());
  const auto& altered = world.compared.altered;
  return std::ranges::find(world.listed.resized, index) != world.listed.resized.end() ||
         std::ranges::find(altered, index, &AlteredFile::file) != altered.end();
}

void add(const World& world, std::map<std::string, Unusable>& by_owner, const Broken& broken,
         const Explained& reason) {
  const bool is_ours = reason.cause == CauseKind::foreign || reason.cause == CauseKind::damaged;
  if (!is_ours || !reason.native || is_altered(world, *reason.native)) return;
  const NativeObject& object = world.natives[*reason.native];
  const FileNature nature = nature_of(world, object);
  if (nature.nature == Nature::usable) return;
  Unusable& unusable = by_owner[owner_title(world, object)];
  unusable.files.emplace(*reason.native, nature);
  unusable.owners = object.owners;
  if (!broken.is_plugin) unusable.modules.insert(world.natives[broken.load->module].module);
}

std::string message_of(const World& world, const Unusable& unusable) {
  const auto& [first, nature] = *unusable.files.begin();
  std::string text = shown_path(world, world.natives[first].path) + " " + nature.words;
  if (unusable.files.size() > 1) {
    text = counted(unusable.files.size(), "file") + " of " +
           (unusable.owners.empty() ? "nobody" : title_of(world, unusable.owners.front())) +
           " cannot be loaded here; the first " + nature.words;
  }
  return text;
}

std::string advice_for(const World& world, const Unusable& unusable) {
  const std::string owner = enumerated(titles_of(world, unusable.owners), 3);
  const Nature nature = unusable.files.begin()->second.nature;
  if (nature == Nature::other_machine) {
    return "a build of " + owner + " for " + elf::name_of(world.loader->rules().abi);
  }
  return "another release or build of " + owner + ", if the file is as it was published";
}

Finding finding_of(const World& world, const Diagnosis& diagnosis, const Unusable& unusable) {
  Finding finding{.code = "SO103"};
  auto effects =
      effects_of(world, diagnosis, unusable.modules, owners_of_modules(world, unusable.modules));
  finding.severity = effects.severity(Severity::note);
  finding.breaks = std::move(effects.breaks);
  finding.message = message_of(world, unusable);
  for (const auto& [id, nature] : unusable.files) {
    const NativeObject& object = world.natives[id];
    Subject subject{.path = shown_path(world, object.path), .state = nature.words};
    if (!object.owners.empty()) {
      const auto& owner = world.environment.distributions[object.owners.front()];
      subject.package = std::string(owner.name);
      subject.version = std::string(owner.version);
    }
    finding.subjects.push_back(std::move(subject));
  }
  const auto& [first, nature] = *unusable.files.begin();
  finding.because.push_back(
      {.text = "the file is there: " + shown_path(world, world.natives[first].path) + " " +
               nature.words});
  if (nature.nature == Nature::cut_short) {
    finding.because.push_back(
        {.text = "the loader maps such a file, and the process dies of SIGBUS, without a message"});
  }
  if (unusable.owners.empty()) {
    finding.fixes.push_back(manual_fix("replace", "remove it or put the right file in its place"));
    return finding;
  }
  finding.fixes.push_back(manual_fix("other-build", advice_for(world, unusable)));
  if (nature.nature != Nature::other_machine) {
    finding.fixes.push_back(reinstall_fix(world, unusable.owners, "if the file was damaged here"));
    finding.fixes.back().applicability = Applicability::unsafe;
  }
  return finding;
}

}  // namespace

std::vector<Finding> find_wrong_architecture(const World& world, const Diagnosis& diagnosis) {
  std::map<std::string, Unusable> by_owner;
  for (const auto& broken : diagnosis.broken) {
    for (const auto& reason : broken.reasons) add(world, by_owner, broken, reason);
  }
  std::vector<Finding> findings;
  for (const auto& [owner, unusable] : by_owner) {
    if (unusable.modules.empty()) continue;  // foreign files that nothing loads are usual in wheels
    findings.push_back(finding_of(world, diagnosis, unusable));
  }
  return findings;
}

}  // namespace whyso::check
