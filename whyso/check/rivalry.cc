// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/rivalry.h"

#include <algorithm>
#include <map>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using DistributionId = Id<Distribution>;

std::map<DistributionIds, Rivalry> by_owners(const World& world) {
  std::map<DistributionIds, Rivalry> rivalries;
  for (const auto& contest : world.contests) {
    DistributionIds owners;
    for (const auto& claim : contest.claims) owners.push_back(claim.distribution);
    Rivalry& rivalry = rivalries[owners];
    rivalry.owners = owners;
    auto& list = is_library_name(file_name_of(world, contest)) ? rivalry.libraries : rivalry.others;
    list.push_back(&contest);
  }
  return rivalries;
}

const Contest* contest_over(const Rivalry& rivalry, std::uint32_t file) {
  const auto found = std::ranges::find(rivalry.libraries, file, &Contest::file);
  return found == rivalry.libraries.end() ? nullptr : *found;
}

const Contest* contest_over(const World& world, const Rivalry& rivalry, NativeId native) {
  const auto& ownership = world.environment.ownership;
  const auto* file = ownership.find(world.natives[native].path);
  if (file == nullptr) return nullptr;
  return contest_over(rivalry, static_cast<std::uint32_t>(file - ownership.files().data()));
}

/// Owners whose bytes were seen to fail.
void add_failures(const World& world, const Diagnosis& diagnosis, Rivalry& rivalry,
                  std::set<DistributionId>& failing) {
  const auto blame = [&](const Contest* contest, const ModuleLoad& load) {
    if (contest == nullptr) return false;
    rivalry.broken_modules.insert(world.natives[load.module].module);
    if (const auto holder = holder_of(*contest)) failing.insert(*holder);
    return true;
  };
  for (const auto& broken : diagnosis.broken) {
    for (const auto& reason : broken.reasons) {
      if (broken.is_plugin || reason.cause != CauseKind::contested) continue;
      blame(contest_over(rivalry, *reason.file), *broken.load);
    }
  }
  for (const auto& doubted : diagnosis.doubted) {
    bool is_blamed = false;
    for (const auto suspect : doubted.suspects) {
      is_blamed |= blame(contest_over(world, rivalry, suspect), *doubted.load);
    }
    const bool is_new = is_blamed && rivalry.gaps.empty();
    if (is_new) rivalry.gaps = doubted.gaps;
  }
}

/// The only one of `owners` for which `test` holds.
template <class Test>
std::optional<DistributionId> only_one(const DistributionIds& owners, Test test) {
  std::optional<DistributionId> found;
  for (const auto owner : owners) {
    if (!test(owner)) continue;
    if (found) return std::nullopt;
    found = owner;
  }
  return found;
}

void choose_keeper(const World& world, Rivalry& rivalry, const std::set<DistributionId>& failing) {
  if (!failing.empty()) {
    rivalry.keeper =
        only_one(rivalry.owners, [&](DistributionId owner) { return !failing.contains(owner); });
    if (rivalry.keeper) rivalry.reason = "the bytes that are there do not load";
    if (rivalry.keeper) return;
  }
  const auto& requirements = world.imports->requirements();
  rivalry.keeper = only_one(rivalry.owners, [&](DistributionId owner) {
    return is_required(world.environment, requirements, owner);
  });
  if (!rivalry.keeper) return;
  rivalry.reason = "required by " + enumerated(requirers_of(world, *rivalry.keeper), 3);
}

}  // namespace

std::vector<Rivalry> find_rivalries(const World& world, const Diagnosis& diagnosis) {
  std::vector<Rivalry> rivalries;
  for (auto& [owners, rivalry] : by_owners(world)) {
    std::set<DistributionId> failing;
    add_failures(world, diagnosis, rivalry, failing);
    choose_keeper(world, rivalry, failing);
    rivalries.push_back(std::move(rivalry));
  }
  return rivalries;
}

std::optional<DistributionId> holder_of(const Contest& contest) {
  if (!contest.holder) return std::nullopt;
  return contest.claims[*contest.holder].distribution;
}

bool keeper_holds_all(const Rivalry& rivalry) {
  return rivalry.keeper && std::ranges::all_of(rivalry.libraries, [&](const Contest* contest) {
           return holder_of(*contest) == rivalry.keeper;
         });
}

std::vector<const Contest*> told_libraries(const World& world, const Rivalry& rivalry) {
  std::vector<const Contest*> told;
  for (const auto* contest : rivalry.libraries) {
    if (world.index.needing.contains(file_name_of(world, *contest))) told.push_back(contest);
  }
  // A library that only its own family needs tells less than the one that others need.
  const auto is_family = [&](const Contest* contest) {
    const auto& needing = world.index.needing.find(file_name_of(world, *contest))->second;
    return std::ranges::all_of(needing, [&](NativeId id) {
      const auto& owners = world.natives[id].owners;
      return std::ranges::any_of(owners, [&](DistributionId owner) {
        return std::ranges::find(rivalry.owners, owner) != rivalry.owners.end();
      });
    });
  };
  std::vector<const Contest*> needed_by_others;
  std::ranges::copy_if(told, std::back_inserter(needed_by_others), std::not_fn(is_family));
  if (!needed_by_others.empty()) return needed_by_others;
  return told.empty() ? rivalry.libraries : told;
}

std::vector<std::string> requirers_of(const World& world, DistributionId distribution) {
  std::vector<std::string> titles;
  const auto& requirements = world.imports->requirements();
  const auto found = requirements.find(world.environment.distributions[distribution].normalized);
  if (found == requirements.end()) return titles;
  const auto version =
      python::Version::parse(world.environment.distributions[distribution].version);
  for (const auto& required : found->second) {
    const bool counts = required.extra.empty() && required.versions.contains(version) &&
                        required.requirer != distribution;
    if (counts) titles.push_back(title_of(world, required.requirer));
  }
  return titles;
}

DistributionIds rivals_of(const Rivalry& rivalry, DistributionId distribution) {
  DistributionIds rivals = rivalry.owners;
  std::erase(rivals, distribution);
  return rivals;
}

Path path_of(const World& world, const Contest& contest) {
  return world.environment.ownership.path(world.environment.ownership.files()[contest.file]);
}

std::string file_name_of(const World& world, const Contest& contest) {
  const auto& relative = world.environment.ownership.files()[contest.file].relative;
  return std::string(relative.substr(relative.rfind('/') + 1));
}

}  // namespace whyso::check
