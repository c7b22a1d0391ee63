// SPDX-License-Identifier: Apache-2.0
// What imports load, with the owner of each object. How it is predicted is known in process/.
#pragma once

#include <string>
#include <vector>

#include "whyso/check/answer.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// The imports of one process, in order; without names every top-level module of every
/// distribution, each in a process of its own. Asks for no more of the world than `add_python`.
[[nodiscard]] Loads answer_loads(World& world, const std::vector<std::string>& names);

}  // namespace whyso::check
