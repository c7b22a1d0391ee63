// SPDX-License-Identifier: Apache-2.0
// SO206: two dist-info folders of one name in one folder of packages: at most one can be true.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using environment::FileState;
using DistributionId = Id<Distribution>;

/// Files of its list that are there in the recorded size, of those that are no metadata.
struct Match {
  DistributionId id;
  std::uint32_t files = 0;
  std::uint32_t matching = 0;
};

Match match_of(const World& world, DistributionId id) {
  Match match{.id = id};
  const auto* files = world.environment.distributions[id].files.find();
  for (std::uint32_t row = 0; files != nullptr && row < files->rows().size(); ++row) {
    if (!is_payload(files->rows()[row].path)) continue;
    const auto& file = world.environment.ownership.file({id, row});
    const bool is_there = file.state == FileState::present &&
                          has_recorded_size(world.environment, {id, row}, file.facts.size);
    match.files += 1;
    match.matching += is_there ? 1 : 0;
  }
  return match;
}

/// The share of its files that are there, the best first; of equals the higher version.
std::vector<Match> ranked(const World& world, const std::vector<DistributionId>& group) {
  std::vector<Match> matches;
  for (const auto id : group) matches.push_back(match_of(world, id));
  std::ranges::stable_sort(matches, [&](const Match& a, const Match& b) {
    const std::uint64_t left = std::uint64_t{a.matching} * std::max(1U, b.files);
    const std::uint64_t right = std::uint64_t{b.matching} * std::max(1U, a.files);
    if (left != right) return left > right;
    return python::Version::parse(world.environment.distributions[a.id].version) >
           python::Version::parse(world.environment.distributions[b.id].version);
  });
  return matches;
}

/// The one that others require, where it is another than the one whose files are there.
std::optional<DistributionId> wanted_instead(const World& world,
                                             const std::vector<Match>& matches) {
  const auto& requirements = world.imports->requirements();
  if (is_required(world.environment, requirements, matches.front().id)) return std::nullopt;
  for (const auto& match : matches) {
    if (is_required(world.environment, requirements, match.id)) return match.id;
  }
  return std::nullopt;
}

std::string folder_of(const World& world, DistributionId id) {
  return std::string(world.environment.distributions[id].metadata.name());
}

/// Metadata folders of all but `kept`, to be removed by hand: an installer would remove files too.
Fix remove_folders(const World& world, const std::vector<Match>& matches, DistributionId kept) {
  Command command = {"rm", "-r"};
  for (const auto& match : matches) {
    if (match.id != kept) {
      command.push_back(world.environment.distributions[match.id].metadata.text());
    }
  }
  return {.id = "remove-stale-metadata",
          .applicability = Applicability::safe,
          .commands = {std::move(command)},
          .summary = "removes metadata alone; the files stay those of " + title_of(world, kept)};
}

Finding finding_of(const World& world, const std::vector<Match>& matches) {
  Finding finding{.code = "SO206", .severity = Severity::warning};
  const auto& name = world.environment.distributions[matches.front().id].name;
  std::vector<std::string> versions;
  for (const auto& match : matches) {
    const auto& distribution = world.environment.distributions[match.id];
    versions.push_back(std::string(distribution.version));
    finding.subjects.push_back({.package = std::string(name),
                                .version = std::string(distribution.version),
                                .path = std::string(folder_of(world, match.id)),
                                .state = grouped(match.matching) + " of " +
                                         counted(match.files, "file") + " as recorded"});
    finding.because.push_back(
        {.text = std::string(folder_of(world, match.id)) + ": " + grouped(match.matching) +
                 " of its " + counted(match.files, "file") + " are there in the recorded size"});
  }
  finding.message = std::string(name) + " is installed " +
                    (matches.size() == 2 ? "twice" : counted(matches.size(), "time")) + ": " +
                    enumerated(versions, 5) + "; the files are those of " + versions.front();
  const auto wanted = wanted_instead(world, matches);
  Fix fix = remove_folders(world, matches, wanted.value_or(matches.front().id));
  if (wanted) {
    finding.because.push_back({.text = title_of(world, *wanted) + " is the one that is required"});
    Fix reinstall = reinstall_fix(world, {*wanted}, "");
    fix.commands.insert(fix.commands.end(), reinstall.commands.begin(), reinstall.commands.end());
    fix.summary =
        "removes the stale metadata, then puts back the files of " + title_of(world, *wanted);
  }
  finding.fixes.push_back(std::move(fix));
  return finding;
}

}  // namespace

std::vector<Finding> find_duplicate_dist_info(const World& world, const Diagnosis& /*diagnosis*/) {
  std::vector<Finding> findings;
  for (const auto& group : duplicates(world)) {
    findings.push_back(finding_of(world, ranked(world, group)));
  }
  return findings;
}

}  // namespace whyso::check
