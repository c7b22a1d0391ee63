// SPDX-License-Identifier: Apache-2.0
// What the search for modules takes from an environment that was read.
#pragma once

#include "whyso/environment/environment.h"
#include "whyso/process/search_path.h"

namespace whyso::process {

/// Folders are spelled without links, as in Ownership. Missing are the modules that some RECORD
/// lists and that are not there.
[[nodiscard]] SearchPath search_path_of(const environment::Environment& environment);

}  // namespace whyso::process
