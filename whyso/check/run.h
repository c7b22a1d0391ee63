// SPDX-License-Identifier: Apache-2.0
// From a world to a report: every rule is asked, the categories are summed up.
#pragma once

#include <vector>

#include "whyso/check/finding.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// `target`, `target_path` and `chosen_by` of the report are the caller's to fill in.
[[nodiscard]] Report run_rules(const World& world);

/// Folders, lists and files that could not be looked at.
[[nodiscard]] std::vector<Error> unreadable_parts(const World& world);

}  // namespace whyso::check
