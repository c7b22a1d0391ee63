// SPDX-License-Identifier: Apache-2.0
// SO101: a library that is needed and that nothing installed has or lists.
#include <algorithm>
#include <optional>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/failing_import.h"
#include "whyso/check/generation.h"
#include "whyso/check/provider_fix.h"
#include "whyso/check/registry.h"
#include "whyso/check/unreached_library.h"
#include "whyso/check/written_path.h"

namespace whyso::check {
namespace {

/// A missing name with all who ask for it.
struct Absence {
  std::set<std::string> names;
  std::set<NativeId> requirers;
  std::set<std::string> modules;   ///< extension modules that do not load for want of it
  std::set<std::string> packages;  ///< titles of the requirers' owners, or their paths
  std::string error;
};

void add(const World& world, Absence& absence, const Broken& broken, const Explained& reason) {
  absence.names.insert(reason.request.name);
  if (reason.requirer) absence.requirers.insert(*reason.requirer);
  if (!broken.is_plugin) absence.modules.insert(world.natives[broken.load->module].module);
  const auto& asking = reason.requirer.value_or(broken.load->module);
  const std::string owner = owner_title(world, world.natives[asking]);
  absence.packages.insert(owner.empty() ? shown_path(world, world.natives[asking].path) : owner);
  if (absence.error.empty()) absence.error = broken.load->error;
}

bool share(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::any_of(a, [&](const std::string& text) { return b.contains(text); });
}

void merge(Absence& into, Absence& from) {
  into.names.merge(from.names);
  into.requirers.merge(from.requirers);
  into.modules.merge(from.modules);
  into.packages.merge(from.packages);
}

/// One cause: the same name missed by several, or several names missed by one package.
std::vector<Absence> merged(std::vector<Absence> absences) {
  std::vector<Absence> result;
  for (auto& absence : absences) {
    for (auto other = result.begin(); other != result.end();) {
      const bool is_same =
          share(other->names, absence.names) || share(other->packages, absence.packages);
      if (is_same) merge(absence, *other);
      other = is_same ? result.erase(other) : other + 1;
    }
    result.push_back(std::move(absence));
  }
  return result;
}

std::vector<Absence> absences_of(const World& world, const Diagnosis& diagnosis, bool of_plugins,
                                 CauseKind cause) {
  std::vector<Absence> absences;
  for (const auto& broken : diagnosis.broken) {
    if (broken.is_plugin != of_plugins) continue;
    if (of_plugins && is_of_wrong_generation(world, broken)) continue;  // SO506 tells it
    for (const auto& reason : broken.reasons) {
      if (reason.cause == cause) add(world, absences.emplace_back(), broken, reason);
    }
  }
  return merged(std::move(absences));
}

std::vector<std::string> shown(const World& world, const std::set<NativeId>& natives) {
  std::vector<std::string> paths;
  for (const auto id : natives) paths.push_back(shown_path(world, world.natives[id].path));
  return paths;
}

std::vector<std::string> list_of(const std::set<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

Subject subject_of(const World& world, const Absence& absence, const std::string& name) {
  Subject subject{.soname = std::string(name), .state = "nothing installed has or lists it"};
  for (const auto id : absence.requirers) {
    const auto needing = world.index.needing.find(name);
    const bool needs_it = needing != world.index.needing.end() &&
                          std::ranges::find(needing->second, id) != needing->second.end();
    if (!needs_it) continue;
    subject.needed_by.push_back(shown_path(world, world.natives[id].path));
    const auto& owners = world.natives[id].owners;
    if (owners.empty() || !subject.package.empty()) continue;
    subject.package = std::string(world.environment.distributions[owners.front()].name);
    subject.version = std::string(world.environment.distributions[owners.front()].version);
  }
  return subject;
}

void add_exhibit(Finding& finding) {
  finding.exhibit.header = {"needed by", "of", "library"};
  for (const auto& subject : finding.subjects) {
    std::string by = subject.needed_by.empty() ? "?" : subject.needed_by.front();
    if (subject.needed_by.size() > 1) {
      by += " and " + std::to_string(subject.needed_by.size() - 1) + " more";
    }
    finding.exhibit.rows.push_back(
        {by, subject.package.empty() ? "nobody's" : subject.package + " " + subject.version,
         subject.soname});
  }
}

Finding finding_of(const World& world, const Diagnosis& diagnosis, const Absence& absence) {
  Finding finding{.code = "SO101"};
  auto effects =
      effects_of(world, diagnosis, absence.modules, owners_of_modules(world, absence.modules));
  finding.severity = effects.severity(Severity::note);
  finding.breaks =
      effects.breaks.empty() ? std::move(effects.may_break) : std::move(effects.breaks);
  const auto names = list_of(absence.names);
  const auto packages = list_of(absence.packages);
  finding.message = enumerated(names, 3) + (names.size() == 1 ? " is" : " are") +
                    " not installed; " + enumerated(packages, 3) +
                    (packages.size() == 1 ? " needs " : " need ") +
                    (names.size() == 1 ? "it" : "them");
  for (const auto& name : absence.names) {
    finding.subjects.push_back(subject_of(world, absence, name));
  }
  add_exhibit(finding);
  DistributionIds owners;
  for (const auto id : absence.requirers) {
    const auto& of = world.natives[id].owners;
    owners.insert(owners.end(), of.begin(), of.end());
  }
  for (const auto id : absence.requirers) {
    if (std::string dead = dead_paths_text(world, id); !dead.empty()) {
      finding.because.push_back({.text = std::move(dead)});
      break;
    }
  }
  add_provider_facts(world, absence.names, owners, finding);
  return finding;
}

/// Modules of the standard library that lack one of the system's: usual for _tkinter.
bool is_of_standard_library(const World& world, const Absence& absence) {
  return std::ranges::all_of(absence.requirers, [&](NativeId id) {
    return world.natives[id].role == Role::standard_module;
  });
}

Finding standard_note(const World& world, const std::vector<Absence>& absences) {
  Finding finding{.code = "SO101", .severity = Severity::note};
  std::set<std::string> modules;
  std::set<std::string> names;
  for (const auto& absence : absences) {
    for (const auto id : absence.requirers) modules.insert(world.natives[id].module);
    names.insert(absence.names.begin(), absence.names.end());
    for (const auto& name : absence.names) {
      finding.subjects.push_back(subject_of(world, absence, name));
    }
  }
  finding.message = counted(modules.size(), "module") +
                    " of the standard library cannot be loaded, " +
                    enumerated(list_of(modules), 3) + ": " + enumerated(list_of(names), 3) +
                    (names.size() == 1 ? " is" : " are") + " not installed";
  return finding;
}

/// The interpreter is a load too.
std::optional<Finding> broken_interpreter(const World& world) {
  const auto& interpreter = world.environment.interpreter;
  if (world.python.error.empty() || !interpreter.real_executable) return std::nullopt;
  Finding finding{.code = "SO101", .severity = Severity::error};
  const std::string python = shown_path(world, *interpreter.executable);
  finding.message = python + " does not start: " + world.python.error;
  const std::string name = world.python.error.substr(0, world.python.error.find(':'));
  finding.subjects.push_back({.soname = name, .path = python, .state = world.python.error});
  finding.breaks.push_back({.kind = "start", .name = "python", .text = world.python.error});
  add_provider_facts(world, {name}, {}, finding);
  return finding;
}

/// What no import reaches is told in one note.
Finding plugin_note(const World& world, const std::vector<Absence>& absences) {
  Finding finding{.code = "SO101", .severity = Severity::note};
  std::set<NativeId> requirers;
  std::set<std::string> names;
  for (const auto& absence : absences) {
    requirers.insert(absence.requirers.begin(), absence.requirers.end());
    names.insert(absence.names.begin(), absence.names.end());
    for (const auto& name : absence.names) {
      finding.subjects.push_back(subject_of(world, absence, name));
    }
  }
  const auto paths = shown(world, requirers);
  finding.message = counted(paths.size(), "optional library") + " that no import loads " +
                    (paths.size() == 1 ? "needs " : "need ") + counted(names.size(), "library") +
                    " that " + (names.size() == 1 ? "is" : "are") +
                    " not installed: " + enumerated(list_of(names), 3);
  finding.because.push_back(
      {.text = "they are plug-ins for hardware or programs that may be absent",
       .confidence = Confidence::likely,
       .reason = "no extension module needs them"});
  return finding;
}

Finding driver_note(const World& world, const std::vector<Absence>& absences) {
  Finding finding{.code = "SO101", .severity = Severity::note};
  std::set<std::string> names;
  for (const auto& absence : absences) {
    names.insert(absence.names.begin(), absence.names.end());
    for (const auto& name : absence.names) {
      finding.subjects.push_back(subject_of(world, absence, name));
    }
  }
  finding.message = enumerated(list_of(names), 3) + (names.size() == 1 ? " comes" : " come") +
                    " with NVIDIA's driver, which is not to be seen here";
  return finding;
}

}  // namespace

std::vector<Finding> find_missing_library(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings = unreached_findings(world, diagnosis);
  for (auto& finding : failing_import_findings(world, diagnosis)) {
    findings.push_back(std::move(finding));
  }
  if (auto interpreter = broken_interpreter(world)) findings.push_back(*std::move(interpreter));
  std::vector<Absence> quiet;
  for (auto& absence : absences_of(world, diagnosis, false, CauseKind::absent)) {
    Finding finding = finding_of(world, diagnosis, absence);
    if (finding.severity == Severity::note) {
      quiet.push_back(std::move(absence));
    } else {
      findings.push_back(std::move(finding));
    }
  }
  std::vector<Absence> standard;
  for (const auto cause : {CauseKind::absent, CauseKind::driver}) {
    for (auto& absence : absences_of(world, diagnosis, true, cause)) {
      auto& list = is_of_standard_library(world, absence) ? standard : quiet;
      list.push_back(std::move(absence));
    }
  }
  if (!quiet.empty()) findings.push_back(plugin_note(world, quiet));
  if (!standard.empty()) findings.push_back(standard_note(world, standard));
  const auto driver = absences_of(world, diagnosis, false, CauseKind::driver);
  if (!driver.empty()) findings.push_back(driver_note(world, driver));
  return findings;
}

}  // namespace whyso::check
