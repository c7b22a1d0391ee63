// SPDX-License-Identifier: Apache-2.0
// From losses to what is said of them: SO601 removal-breaks and SO603 shared-file-would-go.
#pragma once

#include <vector>

#include "whyso/change/comparison.h"
#include "whyso/change/loss.h"
#include "whyso/change/lost_library.h"
#include "whyso/check/finding.h"

namespace whyso::change {

/// Losses that break a common import are one finding, those that break nothing are one together.
/// Sorted: errors first, then by code.
[[nodiscard]] std::vector<check::Finding> findings_of(const Comparison& comparison,
                                                      const std::vector<Loss>& losses,
                                                      const ModuleLosses& modules,
                                                      const LibraryLosses& libraries);

/// Of those that go, all whose removal some loss of at least a warning's weight forbids.
[[nodiscard]] DistributionIds harmful(const std::vector<Loss>& losses);

}  // namespace whyso::change
