// SPDX-License-Identifier: Apache-2.0
// Load-bearing or inert: what of all that stays loads a file of a package that goes.
#pragma once

#include <string>
#include <vector>

#include "whyso/change/comparison.h"
#include "whyso/change/lost_module.h"
#include "whyso/change/plan.h"
#include "whyso/change/touched_import.h"

namespace whyso::change {

struct Bearing {
  Burden burden = Burden::inert;
  std::vector<std::string> loaded_by;
};

/// For each of `comparison.removed`; all arguments are of one comparison. Cost: where sources of
/// what stays name a module of such a package, all that the imports of what stays come to is read.
[[nodiscard]] std::vector<Bearing> find_bearings(const Comparison& comparison,
                                                 const GoingModules& going,
                                                 const ModuleLosses& losses,
                                                 const std::vector<TouchedImport>& touched);

}  // namespace whyso::change
