// SPDX-License-Identifier: Apache-2.0
// Which failures of an import an except clause catches. Sees the clause alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace whyso::python {

/// What becomes of an exception in a try statement.
enum class Outcome : std::uint8_t {
  propagates,    ///< no handler catches it
  swallowed,     ///< a handler catches it and goes on
  raised_again,  ///< the handler that catches it ends in `raise`
  unknown,       ///< a handler catches what a variable holds
};

/// What becomes of the three exceptions that a failed import or load raises.
struct ImportHandlers {
  Outcome import_error = Outcome::propagates;  ///< of a missing library or symbol
  Outcome module_not_found = Outcome::propagates;
  Outcome os_error = Outcome::propagates;  ///< of ctypes

  bool operator==(const ImportHandlers&) const = default;
};

/// `handlers` after one more except clause, in the order of the source: what an earlier clause
/// catches is gone. `exceptions` is what stands behind "except": nothing, a name, a tuple, with "*"
/// before or "as name" behind it. Names count by their last part; a capitalised name that is no
/// builtin ancestor is taken for a class that catches none of the three, any other for a variable.
[[nodiscard]] ImportHandlers with_clause(ImportHandlers handlers, std::string_view exceptions,
                                         bool ends_in_raise);

}  // namespace whyso::python
