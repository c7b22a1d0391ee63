// SPDX-License-Identifier: Apache-2.0
// What to say and do about libraries that nothing installed provides: what METADATA asks for, what
// other generation is there, what is known to ship them.
#pragma once

#include <set>
#include <string>

#include "whyso/check/finding.h"
#include "whyso/check/mend.h"

namespace whyso::check {

/// Adds causes and fixes to a finding about `names`, which files of `requirers` need.
void add_provider_facts(const World& world, const std::set<std::string>& names,
                        const DistributionIds& requirers, Finding& finding);

}  // namespace whyso::check
