// SPDX-License-Identifier: Apache-2.0
// Why a library, file or package is where it is: loads told step by step. Renders nothing.
#pragma once

#include <string_view>

#include "whyso/check/answer.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// `query`: a soname, a path or file name, or the name of a distribution. Needs a started Python
/// and no loads; the world may hold only what the question is about (scope_of_question). Hashes the
/// files that it tells of, where an owner recorded a hash. Nothing found: names that may have been
/// meant.
[[nodiscard]] Why answer_why(const World& world, std::string_view query);

}  // namespace whyso::check
