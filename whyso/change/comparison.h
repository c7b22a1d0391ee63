// SPDX-License-Identifier: Apache-2.0
// An environment as it is and as it would be after a removal, side by side. Draws no conclusion.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "whyso/change/removal.h"
#include "whyso/check/world.h"
#include "whyso/tree/overlay_tree.h"

namespace whyso::change {

using check::DistributionIds;

/// Its parts point to each other and to `before`, so that it stays where it was made.
struct Comparison {
  Comparison(const check::World& world, Removal taken);
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  const check::World& before;
  Removal removal;
  std::unordered_set<Path> gone;  ///< files and links, no folders
  DistributionIds removed;        ///< in the order of the uninstalls
  DistributionIds staying;        ///< all others, in the order of `before`
  tree::OverlayTree tree;         ///< without what goes
  std::unique_ptr<check::World> after;

  /// Owners of a file of `before` that stay.
  [[nodiscard]] DistributionIds survivors_of(const Path& path) const;

  /// Owners of a file of `before` that go.
  [[nodiscard]] DistributionIds removers_of(const Path& path) const;

  /// What users import of the distributions that stay, each once.
  [[nodiscard]] std::vector<std::string> staying_names() const;

 private:
  [[nodiscard]] DistributionIds owners_of(const Path& path, bool that_go) const;
};

}  // namespace whyso::change
