// SPDX-License-Identifier: Apache-2.0
// Imports of what stays that load a library which goes, however they come to it: predicted today
// and afterwards, as process/prediction.h does.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/change/comparison.h"

namespace whyso::change {

/// An import that works today and certainly loads something that goes.
struct TouchedImport {
  std::string name;       ///< "torch"
  std::set<Path> files;   ///< that go and that it loads
  std::set<Path> missed;  ///< those of them that it asks for in vain afterwards
  std::string error;      ///< what Python prints last afterwards; empty: it works
};

/// Only of packages that require the owner of a library which goes. Cost: a prediction for each.
[[nodiscard]] std::vector<TouchedImport> find_touched_imports(const Comparison& comparison);

}  // namespace whyso::change
