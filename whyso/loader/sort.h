// SPDX-License-Identifier: Apache-2.0
// The order in which objects are relocated, initialised and finished: dependencies first, as
// _dl_sort_maps() has it. Loads nothing.
#pragma once

#include <span>
#include <vector>

#include "whyso/loader/state.h"

namespace whyso::loader {

/// What a list is sorted for.
enum class SortFor : std::uint8_t {
  start_or_open,  ///< the first is the root of the load and stays first
  close,          ///< dependencies by relocation count as well
};

/// `objects` so that each stands before what it needs; where they need each other in a circle, as
/// glibc has it (depth first since 2.35, before by moving objects about).
[[nodiscard]] std::vector<Id<Object>> sorted(const ProcessState& state,
                                             std::span<const Id<Object>> objects, SortFor purpose);

/// What an object is known to need, itself first; of a root all that its load brought, sorted
/// (l_initfini). Valid until a list is added.
[[nodiscard]] std::span<const Id<Object>> needs_of(const ProcessState& state, Id<Object> object);

}  // namespace whyso::loader
