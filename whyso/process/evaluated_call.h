// SPDX-License-Identifier: Apache-2.0
// What the reader of expressions and the code around it say to each other, as values.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "whyso/process/text_value.h"

namespace whyso::process {

/// A call with what its arguments come to.
struct EvaluatedCall {
  std::string_view callee;  ///< "os.path.join", "load"; "" where it is no plain name
  TextValue receiver;       ///< what stands before the last "." where that is a text
  std::vector<TextValue> arguments;
  std::vector<std::pair<std::string_view, TextValue>> named;
  std::string_view text;  ///< between the brackets
};

/// What an expression may ask of the code around it.
struct Scope {
  /// Of a variable; not known where it has none.
  std::function<TextValue(std::string_view name)> value_of;
  /// A loop inside of the expression gives the variable this value.
  std::function<void(std::string_view name, TextValue value)> bind;
  /// Is the function defined in the code itself?
  std::function<bool(std::string_view name)> has_function;
  /// Of a call that is none of Python's own functions on texts and paths.
  std::function<TextValue(const EvaluatedCall& call)> call;
};

}  // namespace whyso::process
