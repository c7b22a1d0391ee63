// SPDX-License-Identifier: Apache-2.0
// SO102: metadata is intact, files are gone. Libraries, and the files by which a package is
// imported, count; documents and tests that somebody left out of an image do not.
#include <algorithm>
#include <numeric>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using environment::FileState;
using environment::OwnedFile;
using DistributionId = Id<Distribution>;

/// One library that a distribution lists and that is gone.
struct LostLibrary {
  std::uint32_t file = 0;
  std::string name;
  std::vector<NativeId> needed_by;
};

/// What one distribution lost.
struct Loss {
  DistributionId owner;
  std::vector<LostLibrary> libraries;
  std::set<std::string> modules;  ///< whose files are gone, by dotted name
  Effects effects;
};

std::set<DistributionId> stale_ones(const World& world) {
  std::set<DistributionId> stale;
  for (const auto& group : duplicates(world)) stale.insert(group.begin(), group.end());
  return stale;
}

std::vector<NativeId> needing(const World& world, const std::string& name) {
  const auto found = world.index.needing.find(name);
  return found == world.index.needing.end() ? std::vector<NativeId>() : found->second;
}

/// Tests are left out of images on purpose.
bool is_test(std::string_view path) {
  return path.contains("/tests/") || path.contains("/test/") || path.contains("/testing/");
}

/// Modules of the distribution whose file is listed and gone.
std::set<std::string> lost_modules(const World& world, DistributionId owner) {
  constexpr std::size_t most = 20'000;
  std::set<std::string> lost;
  const auto& ownership = world.environment.ownership;
  const auto* files = world.environment.distributions[owner].files.find();
  for (std::uint32_t row = 0; files != nullptr && row < files->rows().size(); ++row) {
    const std::string_view path = files->rows()[row].path;
    const bool is_gone = ownership.file({owner, row}).state == FileState::absent &&
                         is_payload(path) && !is_test(path) && lost.size() < most;
    if (!is_gone) continue;
    if (auto module = module_of_file(path); !module.empty()) lost.insert(std::move(module));
  }
  return lost;
}

std::set<std::string> modules_without(const World& world, const Diagnosis& diagnosis,
                                      DistributionId owner) {
  return modules_where(world, diagnosis, [&](const Broken&, const Explained& reason) {
    if (reason.cause != CauseKind::gutted) return false;
    const auto& ownership = world.environment.ownership;
    const auto owners = ownership.owners(ownership.files()[*reason.file]);
    return std::ranges::find(owners, owner) != owners.end();
  });
}

Effects effects_of_loss(const World& world, const Diagnosis& diagnosis, const Loss& loss) {
  std::set<std::string> modules = modules_without(world, diagnosis, loss.owner);
  auto owners = owners_of_modules(world, modules);
  modules.insert(loss.modules.begin(), loss.modules.end());
  if (!loss.modules.empty()) owners.push_back(loss.owner);
  return effects_of_damage(world, diagnosis, modules, owners);
}

std::vector<Loss> losses_by_owner(const World& world, const Diagnosis& diagnosis) {
  std::map<DistributionId, Loss> losses;
  const auto stale = stale_ones(world);
  const auto& ownership = world.environment.ownership;
  for (const auto index : world.listed.missing) {
    const OwnedFile& file = ownership.files()[index];
    for (const auto owner : ownership.owners(file)) {
      if (stale.contains(owner)) continue;
      Loss& loss = losses[owner];
      loss.owner = owner;
      const std::string name(file.name());
      if (is_library_name(name)) loss.libraries.push_back({index, name, needing(world, name)});
    }
  }
  std::vector<Loss> result;
  for (auto& [owner, loss] : losses) {
    loss.modules = lost_modules(world, owner);
    loss.effects = effects_of_loss(world, diagnosis, loss);
    const auto& counts = world.listed.counts[owner.index];
    const bool is_emptied = counts.missing == counts.files && counts.files > 0;
    const bool counts_as_loss =
        !loss.libraries.empty() || !loss.effects.breaks.empty() || is_emptied;
    if (counts_as_loss) result.push_back(std::move(loss));
  }
  return result;
}

/// All files are gone, modules among them: that nothing can be imported is certain.
bool nothing_can_be_imported(const World& world, const Loss& loss) {
  const ListedCount& counts = world.listed.counts[loss.owner.index];
  if (counts.missing != counts.files) return false;
  const auto* files = world.environment.distributions[loss.owner].files.find();
  return files != nullptr && std::ranges::any_of(files->rows(), [](const auto& row) {
           return row.path.ends_with(".py") || row.path.ends_with(".pth");
         });
}

/// Losses that break a common import have one mend; those that break nothing are told together.
std::vector<std::vector<const Loss*>> with_common_mend(const World& world,
                                                       const std::vector<Loss>& losses) {
  std::vector<std::size_t> group(losses.size());
  std::iota(group.begin(), group.end(), 0);
  const auto share = [&](const Loss& a, const Loss& b) {
    const auto names = b.effects.names();
    const auto is_silent = [&](const Loss& loss) {
      return loss.effects.breaks.empty() && !nothing_can_be_imported(world, loss);
    };
    return (is_silent(a) && is_silent(b)) ||
           std::ranges::any_of(a.effects.names(),
                               [&](const std::string& name) { return names.contains(name); });
  };
  for (std::size_t i = 0; i < losses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!share(losses[i], losses[j])) continue;
      const std::size_t old = group[i];
      std::ranges::replace(group, old, group[j]);
    }
  }
  std::map<std::size_t, std::vector<const Loss*>> by_group;
  for (std::size_t i = 0; i < losses.size(); ++i) by_group[group[i]].push_back(&losses[i]);
  std::vector<std::vector<const Loss*>> groups;
  for (auto& [number, members] : by_group) groups.push_back(std::move(members));
  return groups;
}

std::string left_of(const World& world, DistributionId owner) {
  const ListedCount& counts = world.listed.counts[owner.index];
  const bool has_libraries = counts.libraries > 0;
  const std::uint32_t all = has_libraries ? counts.libraries : counts.files;
  const std::uint32_t gone = has_libraries ? counts.missing_libraries : counts.missing;
  return grouped(all - gone) + " of " + counted(all, has_libraries ? "library" : "file");
}

/// Those that something needs; where nothing needs any, all.
std::vector<const LostLibrary*> told_libraries(const Loss& loss) {
  std::vector<const LostLibrary*> told;
  for (const auto& library : loss.libraries) {
    if (!library.needed_by.empty()) told.push_back(&library);
  }
  if (told.empty()) {
    for (const auto& library : loss.libraries) told.push_back(&library);
  }
  return told;
}

Subject subject_of(const World& world, const Loss& loss, const LostLibrary& library) {
  const auto& distribution = world.environment.distributions[loss.owner];
  const auto& ownership = world.environment.ownership;
  Subject subject{.package = std::string(distribution.name),
                  .version = std::string(distribution.version),
                  .soname = std::string(library.name),
                  .path = shown_path(world, ownership.path(ownership.files()[library.file])),
                  .state = left_of(world, loss.owner) + " left"};
  for (const auto id : library.needed_by) {
    subject.needed_by.push_back(shown_path(world, world.natives[id].path));
  }
  return subject;
}

Subject subject_of(const World& world, const Loss& loss) {
  const auto& distribution = world.environment.distributions[loss.owner];
  return {.package = std::string(distribution.name),
          .version = std::string(distribution.version),
          .path = loss.modules.empty() ? std::string() : *loss.modules.begin(),
          .state = left_of(world, loss.owner) + " left"};
}

void add_subjects(const World& world, const Loss& loss, Finding& finding) {
  const auto told = told_libraries(loss);
  for (const auto* library : told) {
    finding.subjects.push_back(subject_of(world, loss, *library));
  }
  if (told.empty()) finding.subjects.push_back(subject_of(world, loss));
}

/// "0/8": how many are left of how many.
std::string share_of(const World& world, DistributionId owner) {
  const ListedCount& counts = world.listed.counts[owner.index];
  const bool has_libraries = counts.libraries > 0;
  const std::uint32_t all = has_libraries ? counts.libraries : counts.files;
  const std::uint32_t gone = has_libraries ? counts.missing_libraries : counts.missing;
  return std::to_string(all - gone) + "/" + std::to_string(all);
}

/// The first that needs it; of an extension module the import itself.
std::string needed_by_text(const World& world, const Loss& loss, const LostLibrary& library) {
  if (!library.needed_by.empty()) {
    return std::string(world.natives[library.needed_by.front()].path.name());
  }
  const auto& file = world.environment.ownership.files()[library.file];
  const std::string module = module_of_file(file.relative);
  return loss.modules.contains(module) ? "import " + module : std::string("nothing");
}

void add_exhibit(const World& world, const std::vector<const Loss*>& group, Finding& finding) {
  finding.exhibit.header = {"library", "listed by", "left", "needed by"};
  for (const auto* loss : group) {
    for (const auto* library : told_libraries(*loss)) {
      const std::string needed_by = needed_by_text(world, *loss, *library);
      finding.exhibit.rows.push_back({std::string(library->name), title_of(world, loss->owner),
                                      share_of(world, loss->owner), needed_by});
    }
  }
  if (finding.exhibit.rows.empty()) {
    finding.exhibit.header = {"listed by", "on disk"};
    for (const auto* loss : group) {
      finding.exhibit.rows.push_back({title_of(world, loss->owner), left_of(world, loss->owner)});
    }
  }
}

/// The first of them: a list of a million lines proves no more.
std::vector<Evidence> record_lines(const World& world, const Loss& loss) {
  constexpr std::size_t most_lines = 200;
  std::vector<Evidence> evidence;
  const auto* files = world.environment.distributions[loss.owner].files.find();
  for (std::uint32_t row = 0; files != nullptr && row < files->rows().size(); ++row) {
    if (world.environment.ownership.file({loss.owner, row}).state != FileState::absent) continue;
    const auto& listed = files->rows()[row];
    if (!is_payload(listed.path) || evidence.size() >= most_lines) continue;
    evidence.push_back({.kind = "RECORD",
                        .file = std::string(files->source().text()),
                        .detail = "line " + std::to_string(listed.line) + ": " +
                                  std::string(listed.path) + ", absent"});
  }
  return evidence;
}

/// Distributions that are known to ship these libraries and are not installed (any more).
std::vector<std::string> twins_gone(const World& world, const std::vector<const Loss*>& group) {
  std::set<std::string> twins;
  for (const auto* loss : group) {
    for (const auto& library : loss->libraries) {
      for (const auto& known : world.knowledge.providers_of(library.name)) {
        const bool is_there = !world.environment.find_distributions(known.package).empty();
        if (known.kind == "pypi" && !is_there) twins.insert(known.package);
      }
    }
  }
  return {twins.begin(), twins.end()};
}

void add_causes(const World& world, const std::vector<const Loss*>& group, Finding& finding) {
  const bool are_several = group.size() > 1;
  const bool are_condas = std::ranges::all_of(group, [&](const Loss* loss) {
    return world.environment.distributions[loss->owner].kind ==
           environment::DistributionKind::conda;
  });
  Cause intact{.text = std::string(are_several ? "their metadata is intact, their files are not: "
                                               : "its metadata is intact, its files are not: ") +
                       (are_condas ? "conda still calls " : "pip and uv still call ") +
                       (are_several ? "them installed" : "it installed")};
  for (const auto* loss : group) {
    for (auto& line : record_lines(world, *loss)) intact.evidence.push_back(std::move(line));
  }
  finding.because.push_back(std::move(intact));
  const auto twins = twins_gone(world, group);
  Cause removed{
      .text = "a package that lists the same paths was removed, and took the files with it",
      .confidence = Confidence::likely,
      .reason = "that is how files vanish while metadata stays"};
  if (!twins.empty()) {
    removed.reason = enumerated(twins, 4) + (twins.size() == 1 ? " is" : " are") +
                     " known to ship libraries of these names";
  }
  finding.because.push_back(std::move(removed));
}

std::vector<Effect> all_effects(const std::vector<const Loss*>& group,
                                std::vector<Effect> Effects::* list) {
  std::vector<Effect> effects;
  for (const auto* loss : group) {
    for (const auto& effect : loss->effects.*list) {
      const bool is_known = std::ranges::any_of(
          effects, [&](const Effect& other) { return other.name == effect.name; });
      if (!is_known) effects.push_back(effect);
    }
  }
  return effects;
}

std::string message_of(const World& world, const std::vector<const Loss*>& group,
                       const std::vector<Effect>& breaks) {
  std::size_t libraries = 0;
  std::vector<std::string> owners;
  for (const auto* loss : group) {
    owners.push_back(title_of(world, loss->owner));
    if (!loss->libraries.empty()) libraries += told_libraries(*loss).size();
  }
  const std::string whose = enumerated(owners, 4);
  if (libraries == 0) {
    const std::string what = "the files of " + whose + " are gone";
    return breaks.empty() ? what : what + ": " + failing_text(breaks);
  }
  const std::string count = counted(libraries, "library");
  const std::string verb = libraries == 1 ? " is gone" : " are gone";
  if (breaks.empty()) return count + " of " + whose + verb;
  return count + " that " + imports_text(breaks) + (breaks.size() == 1 ? " loads" : " load") + verb;
}

std::string summary_of(const World& world, const std::vector<const Loss*>& group) {
  std::uint64_t libraries = 0;
  std::uint64_t files = 0;
  for (const auto* loss : group) {
    libraries += world.listed.counts[loss->owner.index].missing_libraries;
    files += world.listed.counts[loss->owner.index].missing;
  }
  const std::string what = libraries > 0 ? counted(libraries, "library") : counted(files, "file");
  return "puts back " + what +
         ", changes nothing else; a plain install would say \"already satisfied\" and do nothing";
}

Finding finding_of(const World& world, const std::vector<const Loss*>& group) {
  Finding finding{.code = "SO102", .severity = Severity::warning};
  finding.breaks = all_effects(group, &Effects::breaks);
  const bool is_certain =
      !finding.breaks.empty() || std::ranges::any_of(group, [&](const Loss* loss) {
        return nothing_can_be_imported(world, *loss);
      });
  if (is_certain) finding.severity = Severity::error;
  finding.message = message_of(world, group, finding.breaks);
  DistributionIds owners;
  for (const auto* loss : group) {
    add_subjects(world, *loss, finding);
    owners.push_back(loss->owner);
  }
  add_exhibit(world, group, finding);
  add_causes(world, group, finding);
  if (!finding.breaks.empty() && finding.subjects.size() > 1) {
    finding.remarks.push_back("Python names only the first one; there are " +
                              std::to_string(finding.subjects.size()));
  }
  finding.fixes.push_back(reinstall_fix(world, owners, summary_of(world, group)));
  return finding;
}

}  // namespace

std::vector<Finding> find_gutted_package(const World& world, const Diagnosis& diagnosis) {
  const std::vector<Loss> losses = losses_by_owner(world, diagnosis);
  std::vector<Finding> findings;
  for (const auto& group : with_common_mend(world, losses))
    findings.push_back(finding_of(world, group));
  return findings;
}

}  // namespace whyso::check
