// SPDX-License-Identifier: Apache-2.0
// A plan as JSON, as docs/formats describes it.
#pragma once

#include "whyso/base/json.h"
#include "whyso/change/plan.h"
#include "whyso/report/json.h"
#include "whyso/report/rule_names.h"

namespace whyso::report {

[[nodiscard]] json::Value plan_json(const change::Plan& plan, const RuleNames& names,
                                    const Tool& tool);

}  // namespace whyso::report
