// SPDX-License-Identifier: Apache-2.0
// One search of the loader told step by step: what was looked at, what was not and why.
#pragma once

#include <vector>

#include "whyso/check/answer.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// The steps for a request in the loader's order, those that were not reached included.
[[nodiscard]] std::vector<SearchStep> search_story(const World& world,
                                                   const loader::Process& process,
                                                   const loader::Request& request);

/// Why the search did not come to `copy`, which has the name that was asked for.
[[nodiscard]] std::string why_not_taken(const World& world, const loader::Request& request,
                                        const NativeObject& copy);

}  // namespace whyso::check
