// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/failing_import.h"

#include <algorithm>
#include <map>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/rival_copies.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using process::PredictedFailure;
using process::PredictedImport;

/// A process in which the modules of a package and of all that it requires are loaded, as far as
/// they load.
class Company {
 public:
  explicit Company(const World& world) : world_(&world) {}

  bool can_load(NativeId id) {
    const NativeObject& object = world_->natives[id];
    if (object.owners.empty()) return false;
    loader::Process process = of(object.owners.front());
    const auto outcome = process.open({.name = object.import_path});
    return !outcome.error && outcome.failed.empty();
  }

 private:
  const loader::Process& of(Id<Distribution> owner) {
    const auto known = processes_.find(owner);
    if (known != processes_.end()) return known->second;
    loader::Process process = *world_->python.process;
    // The second time those load that needed others.
    for (int round = 0; round < 2; ++round) {
      for (const auto& load : world_->modules) {
        const NativeObject& module = world_->natives[load.module];
        const bool counts = !module.owners.empty() && is_companion(module.owners.front(), owner);
        if (counts) open_if_it_works(process, module.import_path);
      }
    }
    return processes_.emplace(owner, std::move(process)).first->second;
  }

  static void open_if_it_works(loader::Process& process, const std::string& path) {
    loader::Process trial = process;
    const auto outcome = trial.open({.name = path});
    if (!outcome.error && outcome.failed.empty()) process = std::move(trial);
  }

  [[nodiscard]] bool is_companion(Id<Distribution> one, Id<Distribution> owner) const {
    if (one == owner) return true;
    const auto users = dependents(world_->environment, world_->imports->requirements(), one);
    return std::ranges::find(users, owner) != users.end();
  }

  const World* world_;
  std::map<Id<Distribution>, loader::Process> processes_;
};

std::set<NativeId> suspects_of(const World& world, const Diagnosis& diagnosis) {
  std::set<NativeId> suspects;
  Company company(world);
  for (const auto& broken : diagnosis.broken) {
    const bool lacks_what_is_here = std::ranges::any_of(
        broken.reasons,
        [](const Explained& reason) { return reason.cause == CauseKind::elsewhere; });
    const bool has_other_cause = std::ranges::any_of(broken.reasons, [](const Explained& reason) {
      return reason.cause != CauseKind::elsewhere && reason.cause != CauseKind::driver;
    });
    const NativeId id = broken.load->module;
    if (lacks_what_is_here && !has_other_cause && !company.can_load(id)) suspects.insert(id);
  }
  return suspects;
}

/// Code that opens a library whose sequel is known, or none that is not read to the end: what is
/// opened by a computed name elsewhere may be what is missing.
bool is_understood(const World& world, const PredictedImport& import) {
  std::string known_code;
  for (const auto& load : import.loads) {
    const std::string name = load.path.substr(load.path.rfind('/') + 1);
    const bool has_habit =
        std::ranges::any_of(world.habits.preloads,
                            [&](const process::PreloadList& list) { return list.after == name; });
    if (has_habit) known_code = load.by.substr(0, load.by.rfind(':'));
  }
  return std::ranges::all_of(import.unknown, [&](const Error& unknown) {
    return !known_code.empty() && unknown.where.starts_with(known_code + ":");
  });
}

/// The failure that ends the import; nothing where it is not certain, or where a library could not
/// be opened before, so that other code ran.
const PredictedFailure* decisive_failure(const PredictedImport& import) {
  const PredictedFailure* decisive = nullptr;
  for (const auto& failure : import.failures) {
    if (failure.missing.empty()) continue;
    if (failure.is_handled) return nullptr;
    if (decisive == nullptr && failure.likelihood == process::Likelihood::certain) {
      decisive = &failure;
    }
  }
  return import.is_ok ? nullptr : decisive;
}

std::string owner_of(const World& world, const Path& path) {
  const auto native = world.index.by_path.find(path);
  return native == world.index.by_path.end() ? std::string()
                                             : owner_title(world, world.natives[native->second]);
}

void add_missing(const World& world, const process::MissingName& missing, Finding& finding) {
  const auto here = world.index.by_name.find(missing.name);
  if (here == world.index.by_name.end()) return;
  const NativeObject& copy = world.natives[here->second.front()];
  const std::string owner = owner_title(world, copy);
  const auto requirer = world.resolver->resolve(missing.requirer);
  const std::string by = shown_path(world, missing.requirer);
  finding.subjects.push_back({.soname = missing.name,
                              .path = shown_path(world, copy.path),
                              .needed_by = {by},
                              .state = "it is there, and no search reaches it"});
  const std::string asks = requirer.is_found() ? owner_of(world, requirer.real) : std::string();
  finding.because.push_back(
      {.text = by + (asks.empty() ? "" : " of " + asks) + " needs " + missing.name +
               ", and no folder that is searched for it holds it; " +
               (owner.empty() ? "it lies" : owner + " has it") + " at " + copy.path.text()});
  finding.fixes.push_back(manual_fix(
      "library-path", "for one run: LD_LIBRARY_PATH=" + shell_word(copy.path.parent().text())));
  if (!asks.empty() && !owner.empty()) {
    finding.fixes.push_back(manual_fix(
        "one-folder", "install " + asks + " and " + owner +
                          " into one folder of packages, as a venv whose lib64 is a link has it"));
  }
}

std::optional<Finding> finding_of(const World& world, const PredictedImport& import) {
  const auto* failure = decisive_failure(import);
  if (failure == nullptr || !is_understood(world, import)) return std::nullopt;
  Finding finding{.code = "SO101", .severity = Severity::error};
  for (const auto& missing : failure->missing) add_missing(world, missing, finding);
  if (finding.subjects.size() != failure->missing.size()) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& subject : finding.subjects) names.push_back(subject.soname);
  finding.message = enumerated(names, 3) + (names.size() == 1 ? " is" : " are") +
                    " there, and `import " + import.name + "` does not reach " +
                    (names.size() == 1 ? "it" : "them");
  finding.breaks.push_back({.kind = "import", .name = import.name, .text = import.error});
  return finding;
}

}  // namespace

std::vector<Finding> failing_import_findings(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  if (!world.python.process) return findings;
  const auto suspects = suspects_of(world, diagnosis);
  for (const auto& import : predict_each(world, imports_of(world, suspects))) {
    auto finding = finding_of(world, import);
    if (!finding) continue;
    const auto told = std::ranges::find_if(findings, [&](const Finding& other) {
      return other.subjects.front().soname == finding->subjects.front().soname;
    });
    if (told == findings.end()) {
      findings.push_back(*std::move(finding));
    } else {
      told->breaks.push_back(finding->breaks.front());
    }
  }
  return findings;
}

}  // namespace whyso::check
