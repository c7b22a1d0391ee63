// SPDX-License-Identifier: Apache-2.0
// TOML as the plain values of json.h.
#pragma once

#include <string_view>

#include "whyso/base/json.h"

namespace whyso::toml {

/// `where` names the text in errors (malformed, with line and column). Dates and times become
/// their text.
[[nodiscard]] Result<json::Value> parse(std::string_view text, std::string_view where);

}  // namespace whyso::toml
