// SPDX-License-Identifier: Apache-2.0
// A report as text for people.
#pragma once

#include <optional>
#include <string>

#include "whyso/check/finding.h"
#include "whyso/report/rule_names.h"
#include "whyso/report/style.h"

namespace whyso::report {

/// The whole screen: what was read, a line a category, the findings, the verdict. Notes are one
/// folded line unless `verbosity` asks for more. `seconds`: how long it took, where a person waits
/// for it; text without it depends on the report alone.
[[nodiscard]] std::string check_text(const check::Report& report, const RuleNames& names,
                                     const Style& style, std::optional<double> seconds = {});

/// The errors alone, a line each; empty where there are none.
[[nodiscard]] std::string quiet_text(const check::Report& report, const RuleNames& names,
                                     const Style& style);

/// "TARGET: error[SO102] gutted-package: ..." a line each, for logs; notes only with `verbosity`.
[[nodiscard]] std::string concise_text(const check::Report& report, const RuleNames& names,
                                       const Style& style);

}  // namespace whyso::report
