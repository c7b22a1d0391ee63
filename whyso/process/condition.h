// SPDX-License-Identifier: Apache-2.0
// Conditions whose outcome is known without running the program: which Python, which system, who is
// checking types. Evaluates no other code.
#pragma once

#include <cstdint>
#include <string_view>

#include "whyso/process/search_path.h"

namespace whyso::process {

enum class Truth : std::uint8_t { no, yes, unknown };

/// What a Python expression comes to in an imported module under CPython of that version on Linux.
/// Understood are TYPE_CHECKING, sys.platform, sys.version_info, os.name, platform.system(),
/// `__name__` and literals, compared and joined by not, and, or; all else is unknown.
[[nodiscard]] Truth judge_condition(std::string_view expression, PythonVersion version);

}  // namespace whyso::process
