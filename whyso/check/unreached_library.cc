// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/unreached_library.h"

#include <algorithm>
#include <map>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/mend.h"
#include "whyso/check/written_path.h"

namespace whyso::check {
namespace {

/// One library that is there, with all who do not reach it.
struct Unreached {
  std::set<NativeId> requirers;
  std::set<std::string> modules;
  std::optional<std::uint32_t> file;  ///< in Ownership::files(); nothing: see file_in_variable
};

using ByName = std::map<std::string, Unreached>;

ByName unreached_names(const Diagnosis& diagnosis, const World& world) {
  ByName names;
  for (const auto& broken : diagnosis.broken) {
    for (const auto& reason : broken.reasons) {
      if (reason.cause != CauseKind::unreached) continue;
      Unreached& unreached = names[reason.request.name];
      unreached.file = reason.file;
      unreached.requirers.insert(reason.requirer.value_or(broken.load->module));
      if (!broken.is_plugin) unreached.modules.insert(world.natives[broken.load->module].module);
    }
  }
  return names;
}

std::string owner_or_path(const World& world, NativeId id) {
  const std::string owner = owner_title(world, world.natives[id]);
  return owner.empty() ? shown_path(world, world.natives[id].path) : owner;
}

void tell_file_entry(const std::string& entry, Finding& finding) {
  finding.because.push_back(
      {.text = "LD_LIBRARY_PATH lists the file " + entry + " itself; its entries must be folders"});
  const std::string folder = entry.substr(0, entry.rfind('/'));
  finding.fixes.push_back({.id = "name-folder",
                           .applicability = Applicability::unsafe,
                           .commands = {{"export", "LD_LIBRARY_PATH=" + folder}},
                           .summary = "names the folder"});
}

void tell_listed_file(const World& world, const Unreached& unreached, Finding& finding) {
  const auto& ownership = world.environment.ownership;
  const auto& file = ownership.files()[*unreached.file];
  const Path path = ownership.path(file);
  const auto owners = ownership.owners(file);
  const std::string folder = path.parent().text();
  finding.because.push_back({.text = enumerated(titles_of(world, owners), 3) + " put it at " +
                                     shown_path(world, path) + ", and no folder that is searched " +
                                     "is " + shown_path(world, path.parent())});
  finding.fixes.push_back(
      manual_fix("library-path", "for one run: LD_LIBRARY_PATH=" + shell_word(folder)));
}

Finding finding_of(const World& world, const Diagnosis& diagnosis, const std::string& name,
                   const Unreached& unreached) {
  Finding finding{.code = "SO101"};
  auto effects =
      effects_of(world, diagnosis, unreached.modules, owners_of_modules(world, unreached.modules));
  finding.severity = effects.severity(Severity::warning);
  finding.breaks =
      effects.breaks.empty() ? std::move(effects.may_break) : std::move(effects.breaks);
  std::set<std::string> packages;
  Subject subject{.soname = name, .state = "it is there, and no search reaches it"};
  for (const auto id : unreached.requirers) {
    packages.insert(owner_or_path(world, id));
    subject.needed_by.push_back(shown_path(world, world.natives[id].path));
  }
  finding.subjects.push_back(std::move(subject));
  finding.message = name + " is there, but " +
                    enumerated(std::vector(packages.begin(), packages.end()), 3) +
                    (packages.size() == 1 ? " does" : " do") + " not reach it";
  finding.because.push_back(
      {.text = shown_path(world, world.natives[*unreached.requirers.begin()].path) + " needs it"});
  if (unreached.file) {
    tell_listed_file(world, unreached, finding);
  } else {
    tell_file_entry(file_in_variable(world, name), finding);
  }
  if (finding.breaks.empty()) {
    finding.breaks.push_back(
        {.kind = "first-use",
         .name = "the first use of " +
                 std::string(world.natives[*unreached.requirers.begin()].path.name())});
  }
  return finding;
}

}  // namespace

std::vector<Finding> unreached_findings(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  for (const auto& [name, unreached] : unreached_names(diagnosis, world)) {
    findings.push_back(finding_of(world, diagnosis, name, unreached));
  }
  return findings;
}

}  // namespace whyso::check
