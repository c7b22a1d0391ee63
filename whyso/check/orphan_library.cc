// SPDX-License-Identifier: Apache-2.0
// SO205: a library in a folder of packages that no distribution lists, and that is loaded in the
// place of one that is listed.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

bool is_orphan(const World& world, NativeId id) {
  return world.environment.ownership.find(world.natives[id].path) == nullptr;
}

/// A listed library of the same name.
std::optional<NativeId> listed_twin(const World& world, NativeId orphan) {
  const auto named = world.index.by_name.find(world.natives[orphan].path.name());
  if (named == world.index.by_name.end()) return std::nullopt;
  for (const auto id : named->second) {
    if (id != orphan && !is_orphan(world, id)) return id;
  }
  return std::nullopt;
}

Finding shadowing(const World& world, const Diagnosis& diagnosis, const Diagnosis::Doubted& doubted,
                  NativeId orphan) {
  Finding finding{.code = "SO205"};
  const std::set<std::string> modules = {world.natives[doubted.load->module].module};
  auto effects = effects_of(world, diagnosis, modules, owners_of_modules(world, modules));
  finding.severity = effects.severity(Severity::warning);
  finding.breaks = std::move(effects.breaks);
  const std::string path = shown_path(world, world.natives[orphan].path);
  const auto& gap = doubted.gaps.front();
  finding.message = path + " belongs to no package and lacks " + std::string(gap.symbol);
  finding.subjects.push_back({.soname = std::string(world.natives[orphan].path.name()),
                              .path = path,
                              .needed_by = {shown_path(world, gap.requirer)},
                              .state = "listed by no package"});
  if (const auto twin = listed_twin(world, orphan)) {
    finding.because.push_back({.text = "the search finds it before " +
                                       shown_path(world, world.natives[*twin].path) + " of " +
                                       owner_title(world, world.natives[*twin])});
  }
  std::vector<std::string> symbols;
  for (const auto& missing : doubted.gaps) symbols.push_back(std::string(missing.symbol));
  finding.because.push_back({.text = shown_path(world, gap.requirer) + " needs " +
                                     enumerated(symbols, 3) + ", which it does not define"});
  finding.because.push_back(
      {.text = "it is left from an earlier installation or was copied there: a reinstall does not "
               "remove what no RECORD lists",
       .confidence = Confidence::likely,
       .reason = "a package lists a library of the same name"});
  finding.fixes.push_back({.id = "remove-orphan",
                           .applicability = Applicability::unsafe,
                           .commands = {{"rm", world.natives[orphan].path.text()}},
                           .summary = "removes " + path + ", which no package lists"});
  return finding;
}

/// Orphans that nothing tells against.
Finding orphans_note(const World& world, const std::vector<NativeId>& orphans) {
  Finding finding{.code = "SO205", .severity = Severity::note};
  finding.message =
      counted(orphans.size(), "library") + (orphans.size() == 1 ? " belongs" : " belong") +
      " to no package: no reinstall or uninstall touches " + (orphans.size() == 1 ? "it" : "them");
  for (const auto id : orphans) {
    finding.subjects.push_back({.soname = std::string(world.natives[id].path.name()),
                                .path = shown_path(world, world.natives[id].path),
                                .state = "listed by no package"});
  }
  return finding;
}

/// The system's package manager keeps its own lists, which are not read here.
bool is_of_system(const World& world, NativeId id) {
  const std::string& path = world.natives[id].path.text();
  return path.contains("/dist-packages/") || path.contains("/lib-dynload/");
}

}  // namespace

std::vector<Finding> find_orphan_library(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  std::set<NativeId> told;
  for (const auto& doubted : diagnosis.doubted) {
    for (const auto suspect : doubted.suspects) {
      const bool is_new = is_orphan(world, suspect) && told.insert(suspect).second;
      if (is_new) findings.push_back(shadowing(world, diagnosis, doubted, suspect));
    }
  }
  std::vector<NativeId> orphans;
  for (std::size_t i = 0; i < world.natives.size(); ++i) {
    const NativeId id = world.natives.id(i);
    const bool counts = is_orphan(world, id) && !told.contains(id) && !is_of_system(world, id);
    if (counts) orphans.push_back(id);
  }
  if (!orphans.empty()) findings.push_back(orphans_note(world, orphans));
  return findings;
}

}  // namespace whyso::check
