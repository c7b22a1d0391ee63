// SPDX-License-Identifier: Apache-2.0
// Statements of a source that run with the module and are no imports: what leaves it, which of its
// functions it calls.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace whyso::process {

/// The line of a `raise` that stands in no block, after which nothing is executed.
[[nodiscard]] std::optional<std::uint32_t> find_end_of_execution(std::string_view text);

/// Those of `functions` that a statement outside all function bodies seems to call: "name(" or
/// "@name". Views of `functions`.
[[nodiscard]] std::set<std::string_view> called_functions(
    std::string_view text, const std::vector<std::string_view>& functions);

}  // namespace whyso::process
