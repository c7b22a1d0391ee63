// SPDX-License-Identifier: Apache-2.0
// The names of the top-level modules that belong to Python itself. Knows no file of any of them.
#pragma once

#include <string_view>

#include "whyso/process/search_path.h"

namespace whyso::process {

/// Is it one of `sys.stdlib_module_names` of that version (of 3.10 for older ones)? Some of them
/// are compiled in, some are missing from an interpreter that was built without their library.
[[nodiscard]] bool is_standard_module(std::string_view top_level, PythonVersion version);

/// Is it imported before the first folder of sys.path is searched, because it is compiled into
/// every interpreter or needed to start it? No file can shadow such a module.
[[nodiscard]] bool is_startup_module(std::string_view top_level);

}  // namespace whyso::process
