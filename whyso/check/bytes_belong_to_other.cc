// SPDX-License-Identifier: Apache-2.0
// SO203: several distributions list a library, and the bytes that are there are not those of the
// one that the rest is built for.
#include <algorithm>
#include <numeric>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"
#include "whyso/check/opened_name.h"
#include "whyso/check/registry.h"
#include "whyso/check/rivalry.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using DistributionId = Id<Distribution>;
using Group = std::vector<const Rivalry*>;

/// Rivalries whose keepers are required by one and the same distribution have one cause.
std::vector<Group> with_common_cause(const World& world, const std::vector<Rivalry>& rivalries) {
  std::map<std::string, Group> groups;
  for (const auto& rivalry : rivalries) {
    if (rivalry.libraries.empty() || keeper_holds_all(rivalry)) continue;
    std::string key = title_of(world, rivalry.owners.front());
    if (rivalry.keeper) {
      const auto requirers = requirers_of(world, *rivalry.keeper);
      if (!requirers.empty()) key = requirers.front();
    }
    groups[key].push_back(&rivalry);
  }
  std::vector<Group> result;
  for (auto& [key, group] : groups) result.push_back(std::move(group));
  return result;
}

std::string holder_title(const World& world, const Contest& contest) {
  const auto holder = holder_of(contest);
  if (holder) return title_of(world, *holder);
  return contest.proof == Proof::hash ? "nobody" : "not known";
}

/// Whose files lie under a wrong name: the keeper, else all that do not hold the file.
DistributionIds overwritten(const Rivalry& rivalry, const Contest& contest) {
  if (rivalry.keeper && holder_of(contest) != rivalry.keeper) return {*rivalry.keeper};
  DistributionIds owners = rivalry.owners;
  if (const auto holder = holder_of(contest)) std::erase(owners, *holder);
  return owners;
}

Subject subject_of(const World& world, const Rivalry& rivalry, const Contest& contest) {
  const auto& first = world.environment.distributions[overwritten(rivalry, contest).front()];
  Subject subject{.package = std::string(first.name),
                  .version = std::string(first.version),
                  .soname = std::string(file_name_of(world, contest)),
                  .path = shown_path(world, path_of(world, contest)),
                  .content_of = holder_title(world, contest),
                  .state = "listed by " + enumerated(titles_of(world, rivalry.owners), 9)};
  const auto needing = world.index.needing.find(file_name_of(world, contest));
  if (needing == world.index.needing.end()) return subject;
  for (const auto id : needing->second) {
    subject.needed_by.push_back(shown_path(world, world.natives[id].path));
  }
  return subject;
}

void add_rows(const World& world, const Rivalry& rivalry, Finding& finding) {
  constexpr std::size_t most_rows = 12;
  finding.exhibit.header = {"library", "listed by", "bytes of"};
  const auto told = told_libraries(world, rivalry);
  for (std::size_t i = 0; i < told.size() && i < most_rows; ++i) {
    std::string name = std::string(file_name_of(world, *told[i]));
    const std::size_t more = rivalry.libraries.size() - told.size();
    if (i + 1 == told.size() && more > 0) name += " +" + std::to_string(more);
    std::vector<std::string> owners;
    for (const auto owner : overwritten(rivalry, *told[i])) {
      owners.push_back(std::string(world.environment.distributions[owner].name));
    }
    finding.exhibit.rows.push_back({name, enumerated(owners, 9), holder_title(world, *told[i])});
  }
}

std::vector<Evidence> proofs(const World& world, const Rivalry& rivalry) {
  std::vector<Evidence> evidence;
  for (const auto* contest : rivalry.libraries) {
    std::string detail = "whose bytes they are was not looked at";
    if (contest->proof == Proof::hash) {
      detail = contest->holder
                   ? "SHA-256 is the one that " + holder_title(world, *contest) + " recorded"
                   : "SHA-256 is the one of no owner";
    }
    if (contest->proof == Proof::size) {
      detail = "only " + holder_title(world, *contest) + " recorded this size";
    }
    evidence.push_back({.kind = contest->proof == Proof::hash ? "sha256" : "size",
                        .file = std::string(path_of(world, *contest).text()),
                        .detail = std::move(detail)});
  }
  return evidence;
}

/// By who requires them: the owners.
std::map<std::string, std::vector<std::string>> required_together(const World& world,
                                                                  const Group& group) {
  std::map<std::string, std::vector<std::string>> together;
  for (const auto* rivalry : group) {
    for (const auto owner : rivalry->owners) {
      const auto requirers = requirers_of(world, owner);
      if (!requirers.empty()) together[enumerated(requirers, 3)].push_back(title_of(world, owner));
    }
  }
  return together;
}

void add_causes(const World& world, const Group& group, Finding& finding) {
  Cause last{.text =
                 "both packages list these paths, and the one installed last wrote its own bytes"};
  std::size_t hashed = 0;
  for (const auto* rivalry : group) {
    for (auto& proof : proofs(world, *rivalry)) {
      hashed += proof.kind == "sha256" ? 1 : 0;
      last.evidence.push_back(std::move(proof));
    }
  }
  finding.because.push_back(std::move(last));
  if (hashed > 0) {
    finding.because.push_back({.text = "the SHA-256 of " + counted(hashed, "file") +
                                       " is the one that the other package recorded"});
  }
  for (const auto& [requirers, owners] : required_together(world, group)) {
    const bool are_several = requirers.contains(" and ");
    finding.because.push_back(
        {.text = requirers + (are_several ? " require " : " requires ") + enumerated(owners, 9)});
  }
  finding.because.push_back(
      {.text = "uninstalling either side deletes files that the other lists"});
}

void add_gaps(const World& world, const Rivalry& rivalry, Finding& finding) {
  std::vector<std::string> symbols;
  for (const auto& gap : rivalry.gaps) symbols.push_back(std::string(gap.symbol));
  if (symbols.empty()) return;
  finding.because.push_back({.text = shown_path(world, rivalry.gaps.front().requirer) + " needs " +
                                     enumerated(symbols, 3) + ", which these bytes lack"});
}

/// Names that the wrong bytes open when they are first used and that are not there.
void add_opened(const World& world, const Rivalry& rivalry, Finding& finding) {
  for (const auto* contest : rivalry.libraries) {
    if (rivalry.keeper && holder_of(*contest) == rivalry.keeper) continue;
    const auto opened = absent_generations(world, path_of(world, *contest));
    if (opened.empty()) continue;
    const auto& first = opened.front();
    finding.because.push_back(
        {.text = std::string(file_name_of(world, *contest)) + " as it is looks for " +
                 first.wanted + " when it is first used, and only " + first.present + " is there",
         .confidence = Confidence::likely,
         .reason = "the name stands in the file"});
    return;
  }
}

std::size_t told_count(const World& world, const Group& group) {
  return std::accumulate(group.begin(), group.end(), std::size_t{0},
                         [&](std::size_t sum, const Rivalry* rivalry) {
                           return sum + told_libraries(world, *rivalry).size();
                         });
}

std::string message_of(const World& world, const Group& group, const Finding& finding) {
  const std::size_t count = told_count(world, group);
  const std::string what = counted(count, "library");
  std::set<std::string> holders;
  for (const auto* rivalry : group) {
    for (const auto* contest : told_libraries(world, *rivalry)) {
      holders.insert(holder_title(world, *contest));
    }
  }
  const std::vector<std::string> names(holders.begin(), holders.end());
  std::string text = what + (count == 1 ? " holds" : " hold") +
                     " the bytes of another package: " + enumerated(names, 2);
  return finding.breaks.empty() ? text : text + "; " + failing_text(finding.breaks);
}

/// Where one of each pair is to be kept, one mend does it for all.
void add_fixes(const World& world, const Group& group, Finding& finding) {
  DistributionIds removed;
  DistributionIds kept;
  for (const auto* rivalry : group) {
    if (!rivalry->keeper) continue;
    const auto rivals = rivals_of(*rivalry, *rivalry->keeper);
    removed.insert(removed.end(), rivals.begin(), rivals.end());
    kept.push_back(*rivalry->keeper);
  }
  if (!kept.empty()) {
    finding.fixes.push_back(replace_fix(
        world, removed, kept, "in this order: removing the others deletes the shared files"));
  }
  for (const auto* rivalry : group) {
    if (rivalry->keeper) continue;
    for (const auto owner : overwritten(*rivalry, *rivalry->libraries.front())) {
      finding.fixes.push_back(replace_fix(world, rivals_of(*rivalry, owner), {owner},
                                          "if " + title_of(world, owner) + " is wanted"));
      finding.fixes.back().applicability = Applicability::unsafe;
    }
    if (const auto holder = holder_of(*rivalry->libraries.front())) {
      finding.fixes.push_back(replace_fix(world, rivals_of(*rivalry, *holder), {*holder},
                                          "if " + title_of(world, *holder) + " is wanted"));
      finding.fixes.back().applicability = Applicability::unsafe;
    }
  }
}

Finding finding_of(const World& world, const Diagnosis& diagnosis, const Group& group) {
  Finding finding{.code = "SO203"};
  std::set<std::string> modules;
  for (const auto* rivalry : group) {
    modules.insert(rivalry->broken_modules.begin(), rivalry->broken_modules.end());
    for (const auto* contest : told_libraries(world, *rivalry)) {
      finding.subjects.push_back(subject_of(world, *rivalry, *contest));
    }
    add_rows(world, *rivalry, finding);
  }
  auto effects = effects_of(world, diagnosis, modules, owners_of_modules(world, modules));
  finding.severity = effects.severity(Severity::warning);
  finding.breaks = std::move(effects.breaks);
  add_causes(world, group, finding);
  for (const auto* rivalry : group) add_gaps(world, *rivalry, finding);
  for (const auto* rivalry : group) add_opened(world, *rivalry, finding);
  finding.message = message_of(world, group, finding);
  add_fixes(world, group, finding);
  return finding;
}

}  // namespace

std::vector<Finding> find_bytes_belong_to_other(const World& world, const Diagnosis& diagnosis) {
  const auto rivalries = find_rivalries(world, diagnosis);
  std::vector<Finding> findings;
  for (const auto& group : with_common_cause(world, rivalries)) {
    findings.push_back(finding_of(world, diagnosis, group));
  }
  return findings;
}

}  // namespace whyso::check
