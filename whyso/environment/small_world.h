// SPDX-License-Identifier: Apache-2.0
// For tests: small Pythons and distributions in a MemoryTree.
#pragma once

#include <string>
#include <string_view>

#include "whyso/environment/environment.h"
#include "whyso/environment/variables.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::environment {

[[nodiscard]] Path path_of(std::string_view text);

/// bin/python3 -> python3.11, headers, the standard library and an empty site-packages.
void add_python(tree::MemoryTree& tree, const std::string& prefix);

/// As `python3 -m venv` makes it, of the Python at `base`.
void add_venv(tree::MemoryTree& tree, const std::string& prefix, const std::string& base,
              std::string_view more_settings = "");

struct SmallDistribution {
  std::string name;
  std::string version = "1.0";
  std::string record;  ///< rows after those of the metadata folder itself
  std::string installer = "pip";
};

/// The dist-info alone; the listed files are not made.
void add_distribution(tree::MemoryTree& tree, const std::string& site,
                      const SmallDistribution& distribution);

[[nodiscard]] Environment read_at(const tree::FileTree& tree, std::string_view prefix,
                                  const ProcessVariables& variables = {});

}  // namespace whyso::environment
