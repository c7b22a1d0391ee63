// SPDX-License-Identifier: Apache-2.0
// A plan as text for people.
#pragma once

#include <string>

#include "whyso/change/plan.h"
#include "whyso/report/rule_names.h"
#include "whyso/report/style.h"

namespace whyso::report {

/// What would go and who uses it, then what it breaks, last the safer way. Notes and what nothing
/// uses are folded unless `verbosity` asks for more.
[[nodiscard]] std::string plan_text(const change::Plan& plan, const RuleNames& names,
                                    const Style& style);

}  // namespace whyso::report
