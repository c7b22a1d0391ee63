// SPDX-License-Identifier: Apache-2.0
// Distributions that list the same paths with different contents, and which of them the rest of
// the environment is built for. Words are the rules' matter.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/mend.h"

namespace whyso::check {

/// All contests between the same owners.
struct Rivalry {
  DistributionIds owners;                               ///< in the order of the distributions
  std::vector<const Contest*> libraries;                ///< contested shared objects
  std::vector<const Contest*> others;                   ///< headers, sources, documents
  std::optional<Id<environment::Distribution>> keeper;  ///< whose bytes ought to be there
  std::string reason;                                   ///< why it is the keeper
  std::set<std::string> broken_modules;  ///< modules that fail on the bytes that are there
  std::vector<SymbolGap> gaps;           ///< symbols that those bytes lack
};

[[nodiscard]] std::vector<Rivalry> find_rivalries(const World& world, const Diagnosis& diagnosis);

/// The owner whose bytes are there; nothing where they are nobody's or not known.
[[nodiscard]] std::optional<Id<environment::Distribution>> holder_of(const Contest& contest);

/// Do all contested libraries hold the keeper's bytes? False where there is no keeper.
[[nodiscard]] bool keeper_holds_all(const Rivalry& rivalry);

/// Those of the contested libraries that something asks for by name; all where nothing does.
[[nodiscard]] std::vector<const Contest*> told_libraries(const World& world,
                                                         const Rivalry& rivalry);

/// Titles of the installed distributions that require it, in its version, not under an extra.
[[nodiscard]] std::vector<std::string> requirers_of(const World& world,
                                                    Id<environment::Distribution> distribution);

/// Owners but this one.
[[nodiscard]] DistributionIds rivals_of(const Rivalry& rivalry,
                                        Id<environment::Distribution> distribution);

/// Name of the contested file without its folder.
[[nodiscard]] std::string file_name_of(const World& world, const Contest& contest);

[[nodiscard]] Path path_of(const World& world, const Contest& contest);

}  // namespace whyso::check
