// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/displaced_story.h"

#include <algorithm>
#include <map>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/mend.h"
#include "whyso/check/owner_story.h"
#include "whyso/check/written_path.h"

namespace whyso::check {
namespace {

using Group = std::vector<const Displaced*>;

std::string shown_folder(const World& world, const Path& file) {
  return shown_path(world, file.parent());
}

std::string step_words(loader::Step step) {
  switch (step) {
    case loader::Step::rpath:
      return "its RPATH";
    case loader::Step::runpath:
      return "its RUNPATH";
    case loader::Step::ld_library_path:
      return "LD_LIBRARY_PATH";
    default:
      return "the loader's own folders";
  }
}

std::string requirer_name(const Displaced& displaced) {
  return std::string(displaced.requirer.name());
}

Subject subject_of(const World& world, const Displaced& displaced) {
  Subject subject{.soname = displaced.name,
                  .path = displaced.winner.real.text(),
                  .needed_by = {shown_path(world, displaced.requirer)},
                  .content_of = owner_of(world, displaced.winner.real),
                  .state = "instead of " + told_copy(world, displaced.meant.real)};
  const auto native = world.index.by_path.find(displaced.meant.real);
  if (native == world.index.by_path.end()) return subject;
  const auto& owners = world.natives[native->second].owners;
  if (owners.empty()) return subject;
  subject.package = world.environment.distributions[owners.front()].name;
  subject.version = world.environment.distributions[owners.front()].version;
  return subject;
}

/// Why the winner wins.
std::string rule_text(const World& world, const Displaced& displaced) {
  const std::string requirer = requirer_name(displaced);
  const std::string folder = shown_folder(world, displaced.winner.real);
  const std::string meant = told_copy(world, displaced.meant.real);
  switch (displaced.by) {
    case Displacer::variable:
      if (!displaced.meant_step) {
        const bool is_beside = displaced.meant.real.parent() == displaced.requirer.parent();
        const std::string more = is_beside ? ", where " + requirer + " itself lies" : "";
        return requirer + " asks for " + displaced.name + ": LD_LIBRARY_PATH names " + folder +
               " before " + shown_folder(world, displaced.meant.real) + more;
      }
      return requirer + " asks for " + displaced.name + ": LD_LIBRARY_PATH, which names " + folder +
             ", is searched before " + step_words(*displaced.meant_step) + ", which leads to " +
             meant;
    case Displacer::own_path:
      if (displaced.meant_step) {
        return "the RPATH of " + requirer + " names " + folder +
               ", and is searched before LD_LIBRARY_PATH, which names " +
               shown_folder(world, displaced.meant.real);
      }
      return "the path in " + requirer + " (RPATH or RUNPATH) names " + folder +
             ", outside the environment; " + meant + " is not reached";
    case Displacer::system:
      break;
  }
  return "no folder that " + requirer + " searches holds " + meant +
         "; the loader's cache and its own folders, which come last, have " + folder;
}

/// What is wrong with the winner; empty where nothing is known to be.
std::string difference_text(const World& world, const Displaced& displaced) {
  if (!displaced.gaps.empty()) {
    const auto& gap = displaced.gaps.front();
    std::string text = std::string(gap.requirer.name()) + " needs " + gap.text();
    if (displaced.gaps.size() > 1) {
      text += " and " + counted(displaced.gaps.size() - 1, "more symbol");
    }
    return text + ", which that copy lacks and " + told_copy(world, displaced.meant.real) + " has";
  }
  const auto& versions = displaced.versions;
  if (versions.age == Age::unknown || versions.age == Age::same) return {};
  const std::string asked =
      versions.function.empty() ? "its file is called" : versions.function + "() answers";
  std::string text = "that copy is " +
                     std::string(versions.age == Age::older ? "older" : "of another release") +
                     ": " + asked + " " + versions.first + ", in " +
                     told_copy(world, displaced.meant.real) + " " + versions.second;
  if (displaced.is_of_family) text += "; parts that open each other must be of one release";
  return text;
}

std::vector<std::string> names_of(const Group& group) {
  std::set<std::string> names;
  for (const auto* displaced : group) names.insert(displaced->name);
  return {names.begin(), names.end()};
}

std::string message_of(const World& world, const Group& group) {
  const Displaced& first = *group.front();
  const auto names = names_of(group);
  const std::string owner = owner_of(world, first.meant.real);
  std::string text = enumerated(names, 3) + (names.size() == 1 ? " is" : " are") + " taken from " +
                     shown_folder(world, first.winner.real);
  if (first.by == Displacer::variable) text += " (LD_LIBRARY_PATH)";
  text += ", not from " + (owner.empty() ? shown_folder(world, first.meant.real) : owner);
  if (!first.gaps.empty()) return text + ", and lacks " + first.gaps.front().symbol;
  if (first.versions.age == Age::older)
    return text + ", and " + (names.size() == 1 ? "is" : "are") + " older";
  return text;
}

/// LD_LIBRARY_PATH without the entries that lead to `folder`.
std::string variable_without(const World& world, const Path& folder) {
  std::vector<std::string> rest;
  for (const auto& entry : library_path_entries(world)) {
    const auto walk = world.resolver->resolve(entry);
    if (!walk.is_found() || walk.real != folder) rest.push_back(entry);
  }
  return join(rest, ":");
}

/// The folder in which the loader looked, before links of the file are followed.
std::string taken_out(const World& world, const Displaced& displaced) {
  for (const auto& entry : library_path_entries(world)) {
    const auto walk = world.resolver->resolve(entry + "/" + displaced.name);
    if (walk.is_found() && walk.real == displaced.winner.real) return entry;
  }
  return displaced.winner.real.parent().text();
}

void add_variable_fixes(const World& world, const Displaced& displaced, Finding& finding) {
  const std::string entry = taken_out(world, displaced);
  const auto walk = world.resolver->resolve(entry);
  const std::string rest = variable_without(world, walk.is_found() ? walk.real : Path());
  Command command = rest.empty() ? Command{"unset", "LD_LIBRARY_PATH"}
                                 : Command{"export", "LD_LIBRARY_PATH=" + rest};
  finding.fixes.push_back({.id = "shorten-library-path",
                           .applicability = Applicability::unsafe,
                           .commands = {std::move(command)},
                           .summary = "takes " + entry +
                                      " out of LD_LIBRARY_PATH; what else comes from there is "
                                      "then looked for elsewhere"});
  finding.fixes.push_back(
      {.id = "prepend-library-path",
       .applicability = Applicability::unsafe,
       .commands = {{"export", "LD_LIBRARY_PATH=" + displaced.meant.real.parent().text() + ":" +
                                   world.variables.ld_library_path.value_or("")}},
       .summary = "puts " + shown_folder(world, displaced.meant.real) + " before it"});
}

void add_fixes(const World& world, const Displaced& displaced, Finding& finding) {
  const std::string requirer_owner = owner_of(world, displaced.requirer);
  const std::string whose = requirer_owner.empty() ? requirer_name(displaced) : requirer_owner;
  switch (displaced.by) {
    case Displacer::variable:
      return add_variable_fixes(world, displaced, finding);
    case Displacer::own_path:
      finding.fixes.push_back(manual_fix(
          "preload", "for one run: LD_PRELOAD=" + shell_word(displaced.meant.real.text()) +
                         ", which goes before every path"));
      finding.fixes.push_back(manual_fix(
          "other-build", "a build of " + whose + " whose RPATH does not leave the environment"));
      return;
    case Displacer::system:
      finding.fixes.push_back(manual_fix(
          "library-path",
          "for one run: LD_LIBRARY_PATH=" + shell_word(displaced.meant.real.parent().text())));
      finding.fixes.push_back(manual_fix(
          "same-folder", "install " + whose + " and " + owner_of(world, displaced.meant.real) +
                             " into one folder of packages (a virtual environment)"));
      return;
  }
}

void add_first_uses(const World& world, const Group& group, Finding& finding) {
  std::set<std::string> users;
  for (const auto* displaced : group) {
    const std::string owner = owner_of(world, displaced->requirer);
    users.insert(owner.empty() ? requirer_name(*displaced) : owner);
  }
  for (const auto& user : users) {
    finding.breaks.push_back({.kind = "first-use", .name = "the first use of " + user});
  }
}

Finding finding_of(const World& world, const Diagnosis& diagnosis, const Group& group,
                   std::string_view code) {
  Finding finding{.code = std::string(code), .severity = Severity::warning};
  std::set<std::string> modules;
  for (const auto* displaced : group) {
    finding.subjects.push_back(subject_of(world, *displaced));
    if (!displaced->gaps.empty())
      modules.insert(displaced->modules.begin(), displaced->modules.end());
    finding.because.push_back({.text = rule_text(world, *displaced)});
    const std::string difference = difference_text(world, *displaced);
    if (difference.empty()) continue;
    finding.because.push_back({.text = difference});
    if (!displaced->is_opened) continue;
    finding.because.back().confidence = Confidence::likely;
    finding.because.back().reason = "the name stands in " + requirer_name(*displaced);
  }
  auto effects = effects_of(world, diagnosis, modules, owners_of_modules(world, modules));
  finding.severity = effects.severity(Severity::warning);
  finding.breaks =
      effects.breaks.empty() ? std::move(effects.may_break) : std::move(effects.breaks);
  if (finding.breaks.empty()) add_first_uses(world, group, finding);
  finding.message = message_of(world, group);
  add_fixes(world, *group.front(), finding);
  return finding;
}

/// Nothing is known to be wrong with them.
Finding note_of(const World& world, const Group& group, std::string_view code) {
  Finding finding{.code = std::string(code), .severity = Severity::note};
  const auto names = names_of(group);
  std::set<std::string> folders;
  for (const auto* displaced : group) {
    finding.subjects.push_back(subject_of(world, *displaced));
    folders.insert(shown_folder(world, displaced->winner.real));
  }
  finding.message = enumerated(names, 3) + (names.size() == 1 ? " is" : " are") + " taken from " +
                    enumerated(std::vector(folders.begin(), folders.end()), 3) +
                    ", not from the environment; nothing that is needed is missing there";
  finding.because.push_back({.text = rule_text(world, *group.front())});
  return finding;
}

}  // namespace

std::vector<Finding> displaced_findings(const World& world, const Diagnosis& diagnosis,
                                        Displacer by, std::string_view code) {
  std::map<Path, Group> by_folder;
  Group quiet;
  for (const auto& displaced : diagnosis.displaced) {
    if (displaced.by != by) continue;
    Group& group = displaced.matters() ? by_folder[displaced.winner.real.parent()] : quiet;
    group.push_back(&displaced);
  }
  std::vector<Finding> findings;
  for (auto& [folder, group] : by_folder) {
    std::ranges::stable_partition(group, [](const Displaced* d) { return !d->gaps.empty(); });
    findings.push_back(finding_of(world, diagnosis, group, code));
  }
  if (!quiet.empty()) findings.push_back(note_of(world, quiet, code));
  return findings;
}

}  // namespace whyso::check
