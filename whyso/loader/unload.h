// SPDX-License-Identifier: Apache-2.0
// What goes away when nothing needs it any more, and what that does to the rest. Maps nothing.
#pragma once

#include <vector>

#include "whyso/loader/state.h"

namespace whyso::loader {

/// Takes away all that is neither open nor kept nor needed by such (_dl_close_worker) and returns
/// it in the loader's order. `is_forced`: after a dlopen that failed.
std::vector<Id<Object>> unload_unused(ProcessState& state, bool is_forced);

}  // namespace whyso::loader
