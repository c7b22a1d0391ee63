// SPDX-License-Identifier: Apache-2.0
// Libraries whose major tells a generation (of CUDA), and which generation is here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "whyso/check/diagnosis.h"

namespace whyso::check {

/// Present libraries of the same name with another version.
[[nodiscard]] std::vector<std::pair<std::string, NativeId>> other_generations(
    const World& world, std::string_view name);

/// Does a library that no import maps lack only what is here in another generation? One of several
/// variants of a package is meant to: they are tried in turn.
[[nodiscard]] bool is_of_wrong_generation(const World& world, const Broken& broken);

}  // namespace whyso::check
