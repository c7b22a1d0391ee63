// SPDX-License-Identifier: Apache-2.0
// One finding as people read it: what is broken, why, what it breaks, and last the command.
#pragma once

#include <string>

#include "whyso/check/finding.h"
#include "whyso/report/page.h"
#include "whyso/report/rule_names.h"

namespace whyso::report {

/// All of a finding; with `verbosity` also its subjects and the evidence of each cause.
void write_finding(Page& page, const check::Finding& finding, const RuleNames& names);

/// "error[SO102] gutted-package: ..." of any length, not yet fit to be shown.
[[nodiscard]] std::string headline(const check::Finding& finding, const RuleNames& names);

}  // namespace whyso::report
