// SPDX-License-Identifier: Apache-2.0
// Who has a library, file or path: what is installed here, else what is known.
#pragma once

#include <string_view>

#include "whyso/check/answer.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// Needs natives and no loads; the world may hold only what the question is about
/// (scope_of_question).
[[nodiscard]] Provides answer_provides(const World& world, std::string_view query);

}  // namespace whyso::check
