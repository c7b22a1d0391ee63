// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/plan_finding.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/change/loss_sum.h"
#include "whyso/change/safer_way.h"
#include "whyso/check/effects.h"

namespace whyso::change {
namespace {

using check::Effect;
using check::Finding;
using check::Severity;

bool share_an_import(const Loss& a, const Loss& b) {
  return std::ranges::any_of(a.breaks, [&](const Effect& effect) {
    return std::ranges::any_of(b.breaks,
                               [&](const Effect& other) { return other.name == effect.name; });
  });
}

Severity severity_of(const Loss& loss) {
  if (!loss.breaks.empty()) return Severity::error;
  if (loss.survivors.empty() && loss.has_required_importer()) return Severity::error;
  const bool is_felt =
      !loss.libraries.empty() || !loss.other_libraries.empty() || !loss.requirers.empty();
  return is_felt ? Severity::warning : Severity::note;
}

/// One mend, one finding: what breaks a common import, and all that is equally quiet.
std::vector<LossGroup> groups_of(const std::vector<const Loss*>& losses) {
  std::vector<std::size_t> group(losses.size());
  std::iota(group.begin(), group.end(), std::size_t{0});
  for (std::size_t i = 0; i < losses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool are_quiet = losses[i]->breaks.empty() && losses[j]->breaks.empty() &&
                             severity_of(*losses[i]) == severity_of(*losses[j]);
      if (!are_quiet && !share_an_import(*losses[i], *losses[j])) continue;
      const std::size_t old = group[i];
      std::ranges::replace(group, old, group[j]);
    }
  }
  std::vector<LossGroup> groups(losses.size());
  for (std::size_t i = 0; i < losses.size(); ++i) groups[group[i]].push_back(losses[i]);
  std::erase_if(groups, [](const LossGroup& members) { return members.empty(); });
  return groups;
}

void add_subject(const Comparison& comparison, const Loss& loss, check::Subject subject,
                 const std::set<std::string>& needed_by, Finding& finding) {
  const auto& owners = loss.survivors.empty() ? loss.removers : loss.survivors;
  const auto& owner = comparison.before.environment.distributions[owners.front()];
  subject.package = owner.name;
  subject.version = owner.version;
  subject.needed_by.assign(needed_by.begin(), needed_by.end());
  subject.state = "goes with " + titles(comparison, loss.removers, 4);
  finding.subjects.push_back(std::move(subject));
}

/// Of a package with all its modules only the package is told.
std::vector<const LostModule*> told_modules(const Loss& loss) {
  std::vector<const LostModule*> told;
  for (const auto& module : loss.modules) {
    const bool is_below = !told.empty() && module.name.starts_with(told.back()->name + ".");
    if (!is_below) told.push_back(&module);
  }
  return told;
}

std::set<std::string> names_of(const std::vector<Importer>& importers) {
  std::set<std::string> names;
  for (const auto& importer : importers) names.insert(importer.name);
  return names;
}

void add_subjects(const Comparison& comparison, const Loss& loss, Finding& finding) {
  const auto& world = comparison.before;
  for (const auto& library : loss.libraries) {
    add_subject(comparison, loss,
                {.soname = library.name, .path = check::shown_path(world, library.path)},
                library.needed_by, finding);
  }
  if (loss.libraries.empty()) {
    for (const auto& path : loss.other_libraries) {
      add_subject(comparison, loss,
                  {.soname = std::string(path.name()), .path = check::shown_path(world, path)}, {},
                  finding);
    }
  }
  const bool are_told = !loss.importers.empty() || !loss.survivors.empty();
  if (!are_told) return;
  for (const auto* module : told_modules(loss)) {
    add_subject(comparison, loss, {.path = check::shown_path(world, module->path)},
                names_of(loss.importers), finding);
  }
}

/// "libtorch_cuda.so and 2 more"
std::string first_of(const std::set<std::string>& paths) {
  if (paths.empty()) return "nothing";
  const std::string& first = *paths.begin();
  const std::string name = first.substr(first.rfind('/') + 1);
  return paths.size() == 1 ? name : name + " and " + std::to_string(paths.size() - 1) + " more";
}

using Row = std::vector<std::string>;

void add_rows(const Comparison& comparison, const Loss& loss, Finding& finding) {
  const std::string removers = titles(comparison, loss.removers, 2);
  const std::string survivors = titles(comparison, loss.survivors, 2);
  const auto add = [&](std::string what, std::string needed_by) {
    Row row = {std::move(what), removers};
    if (!loss.survivors.empty()) row.push_back(survivors);
    row.push_back(std::move(needed_by));
    finding.exhibit.rows.push_back(std::move(row));
  };
  std::size_t more = loss.other_libraries.size();
  for (const auto& library : loss.libraries) {
    const std::string rest = more > 0 ? " +" + std::to_string(more) : std::string();
    more = 0;
    add(library.name + rest, first_of(library.needed_by));
  }
  if (loss.libraries.empty()) {
    for (const auto& path : loss.other_libraries) add(std::string(path.name()), "nothing");
  }
  if (loss.importers.empty() && loss.survivors.empty()) return;
  for (const auto* module : told_modules(loss)) {
    add("import " + module->name, first_of(names_of(loss.importers)));
  }
}

void add_exhibit(const Comparison& comparison, const LossGroup& group, Finding& finding) {
  constexpr std::size_t most_rows = 12;
  for (const auto* loss : group) add_rows(comparison, *loss, finding);
  auto& rows = finding.exhibit.rows;
  if (rows.empty()) return;
  finding.exhibit.header = {"would go", "with", "needed by"};
  if (!group.front()->survivors.empty()) {
    finding.exhibit.header.insert(finding.exhibit.header.begin() + 2, "also listed by");
  }
  if (rows.size() > most_rows) rows.resize(most_rows);
}

/// Modules nearest to what users import are told, in few words.
void add_effects(const Sum& sum, bool are_required, Finding& finding) {
  constexpr std::size_t most = 3;
  finding.breaks = sum.breaks;
  if (!sum.breaks.empty() || !are_required) return;
  std::vector<const Importer*> nearest = sum.importers;
  std::ranges::stable_sort(nearest, {}, [](const Importer* importer) {
    return std::ranges::count(importer->name, '.');
  });
  for (std::size_t i = 0; i < nearest.size() && i < most; ++i) {
    finding.breaks.push_back(
        {.kind = "import", .name = nearest[i]->name, .text = nearest[i]->error});
  }
  if (nearest.size() > most) {
    finding.remarks.push_back("and " + counted(nearest.size() - most, "module") + " more");
  }
}

void add_causes(const Comparison& comparison, const LossGroup& group, const Sum& sum,
                Finding& finding) {
  constexpr std::size_t most_evidence = 200;
  const auto& distributions = comparison.before.environment.distributions;
  if (!sum.survivors.empty()) {
    check::Cause cause{
        .text = std::string(comparison.removal.installer == Installer::uv ? "uv" : "pip") +
                " deletes every file that a RECORD lists, whoever else lists it"};
    for (const auto* loss : group) {
      const auto* files = distributions[loss->survivors.front()].files.find();
      for (const auto& library : loss->libraries) {
        if (files == nullptr || cause.evidence.size() == most_evidence) break;
        cause.evidence.push_back(
            {.kind = "RECORD",
             .file = files->source().text(),
             .detail = "lists " + check::shown_path(comparison.before, library.path)});
      }
    }
    finding.because.push_back(std::move(cause));
  }
  const bool is_asked_for = sum.survivors.empty() && sum.libraries > 0;
  if (is_asked_for) {
    finding.because.push_back(
        {.text = "the loader finds no other file of " +
                 std::string(sum.libraries == 1 ? "that name" : "those names")});
  }
  if (!sum.requirers.empty() && !finding.exhibit.rows.empty()) {
    finding.because.push_back({.text = titles(comparison, sum.requirers, 3) + " " +
                                       (sum.requirers.size() == 1 ? "requires " : "require ") +
                                       titles(comparison, sum.removers, 3)});
  }
}

void add_fixes(const Comparison& comparison, const std::vector<Loss>& losses, const Sum& sum,
               Finding& finding) {
  if (auto leave = leave_fix(comparison, losses, harmful(losses))) {
    finding.fixes.push_back(*std::move(leave));
  }
  if (!sum.survivors.empty()) {
    finding.fixes.push_back(put_back_fix(comparison, sum.removers, sum.survivors));
  }
  if (!finding.fixes.empty()) return;
  const std::string with =
      sum.requirers.empty() ? "" : ", or remove " + titles(comparison, sum.requirers, 3) + ", too";
  finding.fixes.push_back({.id = "leave",
                           .applicability = check::Applicability::manual,
                           .summary = "leave " + titles(comparison, sum.removers, 4) + with});
}

Finding finding_of(const Comparison& comparison, const std::vector<Loss>& losses,
                   const LossGroup& group) {
  const Sum sum = sum_of(group);
  Finding finding{.code = sum.survivors.empty() ? "SO601" : "SO603", .severity = Severity::note};
  bool are_required = false;
  for (const auto* loss : group) {
    finding.severity = std::max(finding.severity, severity_of(*loss));
    are_required = are_required || loss->has_required_importer();
    add_subjects(comparison, *loss, finding);
  }
  finding.message = message_of(comparison, group, sum);
  add_exhibit(comparison, group, finding);
  add_causes(comparison, group, sum, finding);
  add_effects(sum, are_required, finding);
  if (sum.libraries > 1 && !sum.breaks.empty()) {
    finding.remarks.push_back("Python names only the first one; there are " +
                              std::to_string(sum.libraries));
  }
  if (!sum.may_break.empty()) {
    std::vector<std::string> names;
    for (const auto& name : sum.may_break) names.push_back("`import " + name + "`");
    finding.remarks.push_back(enumerated(names, 3) +
                              " may fail, too: what code does about that name is not read");
  }
  if (finding.severity != Severity::note) add_fixes(comparison, losses, sum, finding);
  return finding;
}

/// What is loaded from elsewhere afterwards.
std::optional<Finding> moved_finding(const Comparison& comparison, const ModuleLosses& modules,
                                     const LibraryLosses& libraries) {
  const auto& world = comparison.before;
  Finding finding{.code = "SO601", .severity = Severity::warning};
  finding.exhibit.header = {"loaded", "today from", "afterwards from"};
  std::vector<std::string> names;
  const auto add = [&](std::string name, const Path& from, const Path& to) {
    std::string old_place = check::shown_path(world, from);
    std::string new_place = check::shown_path(world, to);
    // Below two folders of packages both are spelled alike.
    if (old_place == new_place) {
      old_place = from.text();
      new_place = to.text();
    }
    finding.subjects.push_back({.soname = name, .path = old_place, .state = "then " + new_place});
    finding.exhibit.rows.push_back({name, std::move(old_place), std::move(new_place)});
    names.push_back(std::move(name));
  };
  for (const auto& moved : libraries.moved) add(moved.name, moved.from, moved.to);
  for (const auto& moved : modules.moved) add("import " + moved.name, moved.from, moved.to);
  if (names.empty()) return std::nullopt;
  finding.message = enumerated(names, 3) + (names.size() == 1 ? " is" : " are") +
                    " taken from another place after " + command_of(comparison);
  finding.because.push_back({.text = "another copy is found where this one goes"});
  return finding;
}

}  // namespace

DistributionIds harmful(const std::vector<Loss>& losses) {
  DistributionIds kept;
  for (const auto& loss : losses) {
    if (severity_of(loss) != Severity::note) add_new(kept, loss.removers);
  }
  return kept;
}

std::vector<Finding> findings_of(const Comparison& comparison, const std::vector<Loss>& losses,
                                 const ModuleLosses& modules, const LibraryLosses& libraries) {
  std::vector<Finding> findings;
  for (const bool is_shared : {true, false}) {
    std::vector<const Loss*> of_kind;
    for (const auto& loss : losses) {
      if (loss.survivors.empty() != is_shared) of_kind.push_back(&loss);
    }
    for (const auto& group : groups_of(of_kind)) {
      findings.push_back(finding_of(comparison, losses, group));
    }
  }
  if (auto moved = moved_finding(comparison, modules, libraries)) {
    findings.push_back(*std::move(moved));
  }
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.code < b.code;
  });
  return findings;
}

}  // namespace whyso::change
