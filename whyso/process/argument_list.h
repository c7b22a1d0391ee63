// SPDX-License-Identifier: Apache-2.0
// The parts of what stands between two brackets of Python: arguments, elements, entries. What they
// come to is not known here.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace whyso::process {

/// One part between commas.
struct Element {
  std::string_view name;      ///< of "name=text"
  std::string_view text;      ///< the value; of "key: value" the value alone
  std::string_view variable;  ///< of "text for variable in source"
  std::string_view source;
};

/// Where the bracket that was opened before `from` is closed; the size where it is not.
[[nodiscard]] std::size_t end_of_bracket(std::string_view text, std::size_t from);

/// Split at the commas that stand outside of brackets and texts; blank parts are left out.
[[nodiscard]] std::vector<std::string_view> parts_of(std::string_view text);

/// The same, each part taken apart.
[[nodiscard]] std::vector<Element> elements_of(std::string_view text);

/// Where an assignment's "=" stands, the "+" of "+=" before it; npos where there is none.
[[nodiscard]] std::size_t find_assignment(std::string_view text);

/// The first place outside of brackets and texts where this word stands; npos where it does not.
[[nodiscard]] std::size_t find_word_outside(std::string_view text, std::string_view word);

}  // namespace whyso::process
