// SPDX-License-Identifier: Apache-2.0
// Reports and answers as JSON, as docs/formats describes it: keys sorted, no time of day.
#pragma once

#include <string>

#include "whyso/base/json.h"
#include "whyso/check/answer.h"
#include "whyso/check/finding.h"
#include "whyso/report/rule_names.h"

namespace whyso::report {

/// What every document begins with.
struct Tool {
  std::string version;  ///< of whyso
};

/// The members that each document has, to which its own are added.
[[nodiscard]] json::Object document(const Tool& tool);

/// Those of each document about an environment: target, coverage, findings and their number.
[[nodiscard]] json::Object findings_document(const check::Report& report, const RuleNames& names,
                                             const Tool& tool);

[[nodiscard]] json::Value check_json(const check::Report& report, const RuleNames& names,
                                     const Tool& tool);

/// One finding a line, each a whole JSON object.
[[nodiscard]] std::string check_ndjson(const check::Report& report, const RuleNames& names,
                                       const Tool& tool);

[[nodiscard]] json::Value why_json(const check::Why& why, const Tool& tool);

[[nodiscard]] json::Value provides_json(const check::Provides& provides, const Tool& tool);

[[nodiscard]] json::Value loads_json(const check::Loads& loads, const Tool& tool);

/// Sixteen hexadecimal digits that stay the same while the fault does: made of the rule and of the
/// names of what it is about, not of versions, folders or the target, so that an update or another
/// machine does not make it a new one.
[[nodiscard]] std::string fingerprint(const check::Finding& finding);

}  // namespace whyso::report
