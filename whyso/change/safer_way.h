// SPDX-License-Identifier: Apache-2.0
// How to get most of what an uninstall is for without what it breaks, as commands.
#pragma once

#include <optional>

#include "whyso/change/comparison.h"
#include "whyso/change/loss.h"
#include "whyso/check/finding.h"

namespace whyso::change {

/// Removes all but `kept`: nothing that is missed goes with the others, which is looked up. Nothing
/// where no other is left, or where one of them would take such a file.
[[nodiscard]] std::optional<check::Fix> leave_fix(const Comparison& comparison,
                                                  const std::vector<Loss>& losses,
                                                  const DistributionIds& kept);

/// Removes these and puts back the survivors, whose files went with them.
[[nodiscard]] check::Fix put_back_fix(const Comparison& comparison, const DistributionIds& removers,
                                      const DistributionIds& survivors);

}  // namespace whyso::change
