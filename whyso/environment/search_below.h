// SPDX-License-Identifier: Apache-2.0
// The environments below a folder. Reads names of files only.
#pragma once

#include <cstddef>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/environment/place.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

struct SearchLimits {
  std::size_t deepest = 6;
  std::size_t most_folders = 20'000;
  std::size_t most_environments = 100;
};

struct FoundBelow {
  std::vector<EnvironmentPlace> places;  ///< sorted by prefix
  std::vector<Error> problems;           ///< a limit that was reached
};

/// The nearest first, level by level; links are never entered, nor what lies inside an environment
/// (but `envs` of conda and `local` of the system). Folders that cannot be listed are passed over.
[[nodiscard]] FoundBelow search_below(const tree::FileTree& tree, const Path& folder,
                                      const SearchLimits& limits = {});

}  // namespace whyso::environment
