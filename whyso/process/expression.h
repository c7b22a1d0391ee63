// SPDX-License-Identifier: Apache-2.0
// What a Python expression comes to where it is put together from texts: paths beside the source,
// names of libraries. Knows no statement; what names and functions mean is asked of a Scope.
#pragma once

#include <string_view>

#include "whyso/process/evaluated_call.h"
#include "whyso/process/search_path.h"
#include "whyso/process/text_value.h"

namespace whyso::process {

/// Follows every call in the expression, also where its result is not used. Cost: proportional to
/// the text, nesting beyond some dozens of brackets is not known.
[[nodiscard]] TextValue evaluate(std::string_view expression, const Scope& scope,
                                 PythonVersion version);

}  // namespace whyso::process
