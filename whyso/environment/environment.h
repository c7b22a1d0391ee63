// SPDX-License-Identifier: Apache-2.0
// One Python environment with all that its files say of it. Has no opinion: rules do.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/base/table.h"
#include "whyso/environment/distribution.h"
#include "whyso/environment/file_scope.h"
#include "whyso/environment/interpreter.h"
#include "whyso/environment/inventory.h"
#include "whyso/environment/ownership.h"
#include "whyso/environment/place.h"
#include "whyso/environment/search_path.h"
#include "whyso/environment/variables.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

struct Environment {
  EnvironmentPlace place;
  Path prefix;  ///< without links
  Interpreter interpreter;
  SearchPath search_path;
  FileScope scope;  ///< what the three below hold
  Inventory inventory;
  Table<Distribution> distributions;
  Ownership ownership;
  std::vector<Error> problems;  ///< of all parts: what could not be looked at

  /// Those whose names are one by PEP 503, in the order of sys.path.
  [[nodiscard]] std::vector<Id<Distribution>> find_distributions(std::string_view name) const;
};

/// Reads what is there; what could not be read is among the problems. Folders of packages are
/// walked once, metadata is read in parallel, RECORDs are joined: proportional to the number of
/// files.
[[nodiscard]] Environment read_environment(const tree::FileTree& tree,
                                           const EnvironmentPlace& place,
                                           const ProcessVariables& variables,
                                           const FileScope& scope = {});

}  // namespace whyso::environment
