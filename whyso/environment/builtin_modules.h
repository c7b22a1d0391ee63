// SPDX-License-Identifier: Apache-2.0
// The modules that are compiled into a Python, read off its binary. Executes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/environment/interpreter.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// Names X of the strings "PyInit_X" in a python binary or libpython, sorted: the symbols of its
/// modules' initialisers (PEP 3121).
[[nodiscard]] std::vector<std::string> initialisers_in(std::string_view bytes);

/// sys.builtin_module_names, sorted. Absent: no binary, or one whose symbols were taken away. Cost:
/// some megabytes are searched.
[[nodiscard]] Lookup<std::vector<std::string>> read_builtin_modules(const tree::FileTree& tree,
                                                                    const Interpreter& interpreter);

}  // namespace whyso::environment
