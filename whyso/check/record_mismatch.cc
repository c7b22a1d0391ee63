// SPDX-License-Identifier: Apache-2.0
// SO204: a file is not the one that its only owner recorded. Libraries are told one by one, other
// files, which people edit, in one note.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/file_nature.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

using environment::OwnedFile;

std::uint32_t index_of(const World& world, const OwnedFile& file) {
  return static_cast<std::uint32_t>(&file - world.environment.ownership.files().data());
}

std::string recorded_size(const World& world, const OwnedFile& file) {
  const auto claims = world.environment.ownership.claims(file);
  const auto& row = row_of(world.environment.distributions, claims.front());
  return row.size ? grouped(*row.size) : std::string("no size");
}

/// Debian strips libraries after the wheel's RECORD was written: nothing is wrong with them.
bool is_of_debian(const World& world, Id<environment::Distribution> owner) {
  return tool_for(world.installers, world.environment.distributions[owner]) ==
         environment::Tool::apt;
}

/// Altered libraries by their owner; those of several owners are SO203's.
std::map<Id<environment::Distribution>, std::set<std::uint32_t>> altered_libraries(
    const World& world) {
  std::map<Id<environment::Distribution>, std::set<std::uint32_t>> by_owner;
  const auto& ownership = world.environment.ownership;
  const auto add = [&](std::uint32_t index) {
    const OwnedFile& file = ownership.files()[index];
    by_owner[ownership.owners(file).front()].insert(index);
  };
  for (const auto index : world.listed.resized) add(index);
  for (const auto& altered : world.compared.altered) {
    const OwnedFile& file = ownership.files()[altered.file];
    const bool is_library = is_library_name(file.name());
    if (is_library && ownership.owners(file).size() == 1) add(altered.file);
  }
  return by_owner;
}

std::string found_instead(const World& world, std::uint32_t index) {
  const OwnedFile& file = world.environment.ownership.files()[index];
  const Path path = world.environment.ownership.path(file);
  std::string size = grouped(file.facts.size) + " bytes, recorded " + recorded_size(world, file);
  if (grouped(file.facts.size) == recorded_size(world, file)) {
    size = "other bytes of the recorded size";
  }
  const auto native = world.index.by_path.find(path);
  if (native == world.index.by_path.end()) return size;
  const auto nature = nature_of(world, world.natives[native->second]);
  return nature.nature == Nature::usable ? size : nature.words + "; " + size;
}

/// Modules that do not load because of these files.
std::set<std::string> modules_broken_by(const World& world, const Diagnosis& diagnosis,
                                        const std::set<std::uint32_t>& files) {
  const auto is_one = [&](NativeId id) {
    const auto* file = world.environment.ownership.find(world.natives[id].path);
    return file != nullptr && files.contains(index_of(world, *file));
  };
  auto modules = modules_where(world, diagnosis, [&](const Broken&, const Explained& reason) {
    return reason.native && reason.cause != CauseKind::elsewhere && is_one(*reason.native);
  });
  for (const auto& doubted : diagnosis.doubted) {
    if (std::ranges::any_of(doubted.suspects, is_one)) {
      modules.insert(world.natives[doubted.load->module].module);
    }
  }
  return modules;
}

Subject subject_of(const World& world, Id<environment::Distribution> owner, std::uint32_t index) {
  const OwnedFile& file = world.environment.ownership.files()[index];
  const auto& distribution = world.environment.distributions[owner];
  const std::string name(file.name());
  Subject subject{.package = std::string(distribution.name),
                  .version = std::string(distribution.version),
                  .soname = std::string(name),
                  .path = shown_path(world, world.environment.ownership.path(file)),
                  .state = found_instead(world, index)};
  const auto needing = world.index.needing.find(name);
  if (needing == world.index.needing.end()) return subject;
  for (const auto id : needing->second) {
    subject.needed_by.push_back(shown_path(world, world.natives[id].path));
  }
  return subject;
}

/// Then bytes that seem to be nobody's may be those of that package.
bool has_unread_list(const World& world) {
  return std::ranges::any_of(world.environment.distributions, [](const auto& distribution) {
    const auto* files = distribution.files.find();
    return files == nullptr || files->rows().empty() || files->record().fault_count() > 0 ||
           files->record().unread_bytes() > 0;
  });
}

Finding finding_of(const World& world, const Diagnosis& diagnosis,
                   Id<environment::Distribution> owner, const std::set<std::uint32_t>& files) {
  Finding finding{.code = "SO204"};
  const auto modules = modules_broken_by(world, diagnosis, files);
  auto effects = effects_of_damage(world, diagnosis, modules, owners_of_modules(world, modules));
  finding.severity = effects.severity(Severity::warning);
  finding.breaks = std::move(effects.breaks);
  for (const auto index : files) finding.subjects.push_back(subject_of(world, owner, index));
  std::vector<std::string> paths;
  for (const auto& subject : finding.subjects) paths.push_back(subject.path);
  finding.message = enumerated(paths, 2) + (paths.size() == 1 ? " is" : " are") + " not what " +
                    title_of(world, owner) + " recorded";
  if (!finding.breaks.empty()) finding.message += "; " + failing_text(finding.breaks);
  Cause foreign{.text = "the bytes are no installed package's"};
  for (const auto& subject : finding.subjects) {
    foreign.evidence.push_back({.kind = "RECORD",
                                .file = world.environment.distributions[owner].metadata.text(),
                                .detail = subject.path + ": " + subject.state});
  }
  if (has_unread_list(world)) {
    finding.confidence = Confidence::possible;
    foreign.confidence = Confidence::possible;
    foreign.text = "the bytes are those of no package whose list could be read";
    foreign.reason = "another package's list is missing or could not be read";
  }
  finding.because.push_back(std::move(foreign));
  finding.fixes.push_back(reinstall_fix(
      world, {owner}, "puts back " + counted(files.size(), "library") + ", changes nothing else"));
  if (finding.confidence != Confidence::certain) {
    finding.fixes.back().applicability = Applicability::unsafe;
  }
  return finding;
}

Finding edited_note(const World& world, std::vector<std::uint32_t> files) {
  std::ranges::sort(files);
  const auto repeated = std::ranges::unique(files);
  files.erase(repeated.begin(), repeated.end());
  Finding finding{.code = "SO204", .severity = Severity::note};
  finding.message = counted(files.size(), "file") + " that " +
                    (files.size() == 1 ? "is no library differs" : "are no libraries differ") +
                    " from what was recorded";
  for (const auto index : files) {
    const OwnedFile& file = world.environment.ownership.files()[index];
    const auto owner = world.environment.ownership.owners(file).front();
    finding.subjects.push_back(
        {.package = std::string(world.environment.distributions[owner].name),
         .version = std::string(world.environment.distributions[owner].version),
         .path = shown_path(world, world.environment.ownership.path(file)),
         .state = grouped(file.facts.size) + " bytes, recorded " + recorded_size(world, file)});
  }
  return finding;
}

}  // namespace

std::vector<Finding> find_record_mismatch(const World& world, const Diagnosis& diagnosis) {
  std::set<Id<environment::Distribution>> stale;
  for (const auto& group : duplicates(world)) stale.insert(group.begin(), group.end());
  std::vector<Finding> findings;
  for (const auto& [owner, files] : altered_libraries(world)) {
    if (!stale.contains(owner) && !is_of_debian(world, owner)) {
      findings.push_back(finding_of(world, diagnosis, owner, files));
    }
  }
  std::vector<std::uint32_t> edited = world.listed.edited;
  for (const auto& altered : world.compared.altered) {
    const auto& file = world.environment.ownership.files()[altered.file];
    if (!is_library_name(file.name())) {
      edited.push_back(altered.file);
    }
  }
  if (!edited.empty()) findings.push_back(edited_note(world, std::move(edited)));
  return findings;
}

}  // namespace whyso::check
