// SPDX-License-Identifier: Apache-2.0
// The symbols of one process told as JSON values and as lines. Binds nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/json.h"
#include "whyso/loader/load.h"

namespace whyso::cli {

/// References of all mapped objects that nothing defines.
[[nodiscard]] json::Array unresolved_of(const loader::Process& process);

/// The loader's own words for how running code may end the process: a function that nothing
/// defines, a page that its file does not have.
[[nodiscard]] std::vector<std::string> dangers_of(const loader::Process& process);

/// Every binding in order: from, symbol, version, to.
[[nodiscard]] json::Array bindings_of(const loader::Process& process);

/// One line for each.
[[nodiscard]] std::string unresolved_lines(const json::Array& unresolved);
[[nodiscard]] std::string binding_lines(const json::Array& bindings);

}  // namespace whyso::cli
