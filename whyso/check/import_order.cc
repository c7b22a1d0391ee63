// SPDX-License-Identifier: Apache-2.0
// SO106: a library is taken from what was loaded before under its name, and that copy is not the
// one that is needed: another order of imports, or of modules in a package, gives another result.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/embedded_version.h"
#include "whyso/check/mend.h"
#include "whyso/check/owner_story.h"
#include "whyso/check/registry.h"
#include "whyso/check/rival_copies.h"
#include "whyso/check/written_path.h"

namespace whyso::check {
namespace {

bool is_in_variable(const World& world, const Path& file) {
  return std::ranges::any_of(library_path_entries(world), [&](const std::string& entry) {
    const auto walk = world.resolver->resolve(entry);
    return walk.is_found() && walk.real == file.parent();
  });
}

void add_fixes(const World& world, const Preceded& preceded, Finding& finding) {
  if (is_in_variable(world, preceded.served)) {
    finding.fixes.push_back(
        manual_fix("shorten-library-path", "take " + preceded.served.parent().text() +
                                               " out of LD_LIBRARY_PATH, or put " +
                                               preceded.meant.parent().text() + " before it"));
  }
  finding.fixes.push_back(
      manual_fix("preload", "for one run: LD_PRELOAD=" + shell_word(preceded.meant.text()) +
                                ", so that the copy that has it all is loaded first"));
  const std::string served = owner_of(world, preceded.served);
  if (!served.empty()) {
    finding.fixes.push_back(manual_fix(
        "newer-copy", "a release of " + served + " that has " + preceded.gaps.front().symbol));
  }
}

/// An import that certainly comes to a symbol that the copy loaded before lacks.
Finding broken_import(const World& world, const process::PredictedImport& import,
                      const Preceded& preceded) {
  Finding finding{.code = "SO106", .severity = Severity::error};
  const auto& gap = preceded.gaps.front();
  finding.message = "import " + import.name + " fails: " + std::string(preceded.requirer.name()) +
                    " needs " + gap.text() + ", and " + preceded.name +
                    " was loaded before from another place";
  finding.subjects.push_back({.soname = preceded.name,
                              .path = shown_path(world, preceded.served),
                              .needed_by = {shown_path(world, preceded.requirer)},
                              .content_of = owner_of(world, preceded.served),
                              .state = "loaded before"});
  finding.because.push_back({.text = told_copy(world, preceded.served) +
                                     " is loaded first, and whoever asks for " + preceded.name +
                                     " afterwards is given it"});
  finding.because.push_back({.text = shown_path(world, preceded.requirer) +
                                     (owner_of(world, preceded.requirer).empty()
                                          ? ""
                                          : " of " + owner_of(world, preceded.requirer)) +
                                     " alone would find " + told_copy(world, preceded.meant) +
                                     ", which has " + gap.symbol});
  finding.breaks.push_back(
      {.kind = "import",
       .name = import.name,
       .text = "ImportError: " + preceded.requirer.text() + ": undefined symbol: " + gap.text()});
  add_fixes(world, preceded, finding);
  return finding;
}

std::vector<Finding> broken_imports(const World& world,
                                    const std::map<std::string, TakenCopies>& rivals) {
  std::set<NativeId> users;
  for (const auto& [name, copies] : rivals) {
    for (const auto& [file, natives] : copies) users.insert(natives.begin(), natives.end());
  }
  std::vector<Finding> findings;
  for (const auto& import : predict_each(world, imports_of(world, users))) {
    for (const auto& preceded : preceded_in(world, import)) {
      const std::string served = shown_path(world, preceded.served);
      const auto told = std::ranges::find_if(findings, [&](const Finding& finding) {
        const auto& subject = finding.subjects.front();
        return subject.soname == preceded.name && subject.path == served;
      });
      if (told == findings.end()) {
        findings.push_back(broken_import(world, import, preceded));
      } else if (told->breaks.back().name != import.name) {
        told->breaks.push_back({.kind = "import", .name = import.name});
      }
    }
  }
  return findings;
}

/// Imports of several packages take copies of two releases; in one process the first decides.
std::optional<Finding> race_note(const World& world, const std::string& name,
                                 const TakenCopies& copies) {
  const auto& files = world.loader->files();
  const Path& first = files.file(copies.begin()->first).object.real;
  for (const auto& [file, users] : copies) {
    const Path& other = files.file(file).object.real;
    const auto difference = compare_versions(*world.tree, first, other);
    if (difference.age != Age::older && difference.age != Age::newer) continue;
    Finding finding{.code = "SO106", .severity = Severity::note};
    finding.message = name +
                      " is loaded from two places in two releases: the import that comes "
                      "first decides which one serves the process";
    for (const auto& [copy, natives] : copies) {
      const Path& path = files.file(copy).object.real;
      std::set<std::string> owners;
      for (const auto id : natives) {
        const std::string owner = owner_title(world, world.natives[id]);
        owners.insert(owner.empty() ? shown_path(world, world.natives[id].path) : owner);
      }
      const std::vector<std::string> titles(owners.begin(), owners.end());
      finding.subjects.push_back(
          {.soname = name, .path = shown_path(world, path), .content_of = owner_of(world, path)});
      finding.because.push_back(
          {.text = enumerated(titles, 4) + " take " + told_copy(world, path)});
    }
    const std::string asked =
        difference.function.empty() ? "" : difference.function + "() answers ";
    finding.because.push_back({.text = asked + difference.first + " in " +
                                       shown_path(world, first) + ", " + difference.second +
                                       " in " + shown_path(world, other)});
    finding.fixes.push_back(manual_fix(
        "import-first", "import first what takes the newer copy, or LD_PRELOAD=" +
                            shell_word((difference.age == Age::older ? other : first).text())));
    return finding;
  }
  return std::nullopt;
}

bool are_displaced(const Diagnosis& diagnosis, const std::string& name) {
  return std::ranges::any_of(diagnosis.displaced, [&](const Displaced& displaced) {
    return displaced.name == name && displaced.matters();
  });
}

}  // namespace

std::vector<Finding> find_import_order(const World& world, const Diagnosis& diagnosis) {
  if (!world.loader || !world.python.process) return {};
  auto rivals = rival_copies(world);
  std::erase_if(rivals, [&](const auto& entry) { return are_displaced(diagnosis, entry.first); });
  auto findings = broken_imports(world, rivals);
  for (const auto& [name, copies] : rivals) {
    const bool is_told = std::ranges::any_of(
        findings, [&](const Finding& finding) { return finding.subjects.front().soname == name; });
    if (is_told) continue;
    if (auto note = race_note(world, name, copies)) findings.push_back(*std::move(note));
  }
  return findings;
}

}  // namespace whyso::check
