// SPDX-License-Identifier: Apache-2.0
// What would be missed, by the packages it goes with and those that list it, too, with the imports
// that then fail. Words are plan_finding.h's matter.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "whyso/change/comparison.h"
#include "whyso/change/lost_library.h"
#include "whyso/change/lost_module.h"
#include "whyso/change/touched_import.h"
#include "whyso/check/finding.h"

namespace whyso::change {

/// Files that go with the same packages and that the same others list.
struct Loss {
  DistributionIds removers;            ///< of those that go, all that list them
  DistributionIds survivors;           ///< of those that stay, all that list them; may be none
  std::vector<LostLibrary> libraries;  ///< that something which stays asks for
  std::vector<Path> other_libraries;   ///< only with survivors: nothing asks for them by name
  std::vector<LostModule> modules;
  std::vector<Importer> importers;    ///< of the modules
  DistributionIds requirers;          ///< of what stays, that require a remover by METADATA
  std::vector<check::Effect> breaks;  ///< imports of top-level modules that then fail
  /// Imports that come to a lost module where code may provide another, and those of packages that
  /// require a remover and hold the name of a lost module as a text, by which they may import it.
  std::vector<std::string> may_break;

  /// Do modules fail whose own package requires what they miss?
  [[nodiscard]] bool has_required_importer() const;
};

/// All losses, in the order of their removers. The other arguments are of that comparison.
[[nodiscard]] std::vector<Loss> find_losses(const Comparison& comparison,
                                            const LibraryLosses& libraries,
                                            const ModuleLosses& modules,
                                            const std::vector<StayingSource>& mentions,
                                            const std::vector<TouchedImport>& touched);

/// Those of `staying` that require the package, not under an extra. None where another copy of the
/// package stays.
[[nodiscard]] DistributionIds requirers_of(const check::World& world,
                                           Id<environment::Distribution> distribution,
                                           const DistributionIds& staying);

}  // namespace whyso::change
