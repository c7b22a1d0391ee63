// SPDX-License-Identifier: Apache-2.0
// Files that fit a shell pattern, as Python's glob finds them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/process/module_search.h"

namespace whyso::process {

/// Does the whole text fit "*", "?" and "[...]" (fnmatch)?
[[nodiscard]] bool fits(std::string_view text, std::string_view pattern);

/// Existing paths that fit an absolute pattern, each component by itself, sorted; at most a few
/// hundred. Without wildcards the path itself, where it exists.
[[nodiscard]] std::vector<std::string> files_fitting(ModuleSearch& search,
                                                     std::string_view pattern);

}  // namespace whyso::process
