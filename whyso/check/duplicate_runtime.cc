// SPDX-License-Identifier: Apache-2.0
// SO305: a library that keeps state for the whole process is there in several copies.
#include <algorithm>
#include <map>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

using loader::KnownFile;

/// By the name under which it is loaded, so that what is loaded once counts once.
struct CopyOfRuntime {
  Path path;
  std::set<std::string> users;  ///< packages whose imports load it
};

using Copies = std::map<std::string, CopyOfRuntime>;

std::map<std::string, Copies> copies_by_family(const World& world) {
  std::map<std::string, Copies> families;
  const auto& files = world.loader->files();
  for (const auto& load : world.modules) {
    for (const auto id : load.mapped) {
      const KnownFile& file = files.file(id);
      const std::string name =
          file.soname ? files.text(*file.soname) : std::string(file.object.real.name());
      const auto* family = world.knowledge.family_of(name, FamilyRule::runtime);
      if (family == nullptr) continue;
      auto& copy = families[family->name][name];
      copy.path = file.object.real;
      const std::string owner = owner_title(world, world.natives[load.module]);
      copy.users.insert(owner.empty() ? world.natives[load.module].module : owner);
    }
  }
  return families;
}

/// Do two packages bring one each? One that has two of its own knows what it does.
bool is_between_packages(const Copies& copies) {
  std::set<std::string> users;
  for (const auto& [name, copy] : copies) users.insert(copy.users.begin(), copy.users.end());
  return copies.size() > 1 && users.size() > 1;
}

Finding note_of(const World& world, const std::string& family, const Copies& copies) {
  Finding finding{.code = "SO305", .severity = Severity::note};
  std::vector<std::string> names;
  for (const auto& [name, copy] : copies) {
    names.push_back(name);
    const std::vector<std::string> users(copy.users.begin(), copy.users.end());
    finding.subjects.push_back({.soname = name,
                                .path = shown_path(world, copy.path),
                                .state = "loaded by " + enumerated(users, 4)});
    finding.because.push_back(
        {.text = shown_path(world, copy.path) + " is loaded by " + enumerated(users, 4)});
  }
  finding.message = family + " is there in " + counted(copies.size(), "library") +
                    " that do not share their state: " + enumerated(names, 4);
  return finding;
}

}  // namespace

std::vector<Finding> find_duplicate_runtime(const World& world, const Diagnosis& /*diagnosis*/) {
  std::vector<Finding> findings;
  if (!world.loader) return findings;
  for (const auto& [family, copies] : copies_by_family(world)) {
    if (is_between_packages(copies)) findings.push_back(note_of(world, family, copies));
  }
  return findings;
}

}  // namespace whyso::check
