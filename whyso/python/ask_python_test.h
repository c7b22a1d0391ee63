// SPDX-License-Identifier: Apache-2.0
// For tests: the answer of the machine's python3 to a script, as an authority to compare with.
#pragma once

#include <string>
#include <string_view>

namespace whyso::python {

struct PythonAnswer {
  bool is_available = false;  ///< no python3, or it lacks a module that the script imports
  std::string output;         ///< standard output, or the reason why there is none
};

/// Runs `script` with `input` as standard input. A script that fails otherwise than by a missing
/// module is a failure of the test.
[[nodiscard]] PythonAnswer ask_python(std::string_view script, std::string_view input);

}  // namespace whyso::python
