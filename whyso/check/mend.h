// SPDX-License-Identifier: Apache-2.0
// Commands that mend, for the installer that looks after the environment. Runs nothing.
#pragma once

#include <string>
#include <vector>

#include "whyso/check/finding.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// Puts back exactly these, in their versions, and nothing else: one command for each tool. Manual
/// where no tool is at hand.
[[nodiscard]] Fix reinstall_fix(const World& world, const DistributionIds& distributions,
                                std::string summary);

/// Takes away `removed`, then puts back `kept`, whose files went with them.
[[nodiscard]] Fix replace_fix(const World& world, const DistributionIds& removed,
                              const DistributionIds& kept, std::string summary);

/// "uv pip install torch" and the like for requirements that are not installed.
[[nodiscard]] Fix install_fix(const World& world, const std::vector<std::string>& requirements,
                              std::string summary);

/// Something that only a person can choose.
[[nodiscard]] Fix manual_fix(std::string id, std::string summary);

}  // namespace whyso::check
