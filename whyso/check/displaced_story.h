// SPDX-License-Identifier: Apache-2.0
// What to say of copies that win over those that were meant, as findings. Which code each kind
// has is the rules' matter.
#pragma once

#include <string_view>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/finding.h"

namespace whyso::check {

/// Findings on all that is displaced in that way: one for each folder that wins, where it matters;
/// the rest folded into one note.
[[nodiscard]] std::vector<Finding> displaced_findings(const World& world,
                                                      const Diagnosis& diagnosis, Displacer by,
                                                      std::string_view code);

}  // namespace whyso::check
