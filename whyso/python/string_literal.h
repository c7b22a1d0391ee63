// SPDX-License-Identifier: Apache-2.0
// Where string literals of Python end. Their values are not known here.
#pragma once

#include <cstddef>
#include <string_view>

namespace whyso::python {

struct StringEnd {
  std::size_t position = 0;  ///< behind the literal; of an unclosed one its line end, or the end
  bool is_closed = true;     ///< false where the source ended first
};

/// The end of the literal whose first quote stands at `quote`; letters before it are its prefix.
/// Takes the literals of all versions, also f-strings that hold their own quotes (PEP 701, Python
/// 3.12) and t-strings. Cost: proportional to the literal.
[[nodiscard]] StringEnd end_of_string(std::string_view source, std::size_t quote);

}  // namespace whyso::python
