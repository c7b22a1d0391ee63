// SPDX-License-Identifier: Apache-2.0
// Python's own functions on texts and paths: os.path, pathlib, glob, importlib.resources. They
// touch no file here.
#pragma once

#include <optional>
#include <string_view>

#include "whyso/process/evaluated_call.h"

namespace whyso::process {

/// What the call comes to; nothing where it is no such function.
[[nodiscard]] std::optional<TextValue> call_path_function(const EvaluatedCall& call,
                                                          const Scope& scope);

/// "x.parent", "x.name"; of other attributes not known.
[[nodiscard]] TextValue attribute_of(const TextValue& value, std::string_view attribute);

/// "lib%s.so" % x, "lib{}.so".format(x)
[[nodiscard]] TextValue formatted(const TextValue& form, const std::vector<TextValue>& values);

}  // namespace whyso::process
