// SPDX-License-Identifier: Apache-2.0
// Which findings of a report the user wants to see: --select, --ignore, and ignore entries of the
// configuration.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "whyso/check/finding.h"
#include "whyso/cli/configuration.h"
#include "whyso/report/rule_names.h"

namespace whyso::cli {

struct Wanted {
  std::vector<std::string> select;  ///< empty: all
  std::vector<std::string> ignore;
  std::vector<Suppression> suppressions;
  std::string today;                      ///< ISO date
  std::string select_place = "--select";  ///< where the codes stand: "whyso.toml: select"
  std::string ignore_place = "--ignore";
};

/// Codes, beginnings of codes and names that are those of no rule, with a guess.
[[nodiscard]] Usage<void> check_codes(const Wanted& wanted, const report::RuleNames& names);

/// The report without what is not wanted. What an ignore entry silences becomes `suppressed`; an
/// entry that is past its date or silences nothing becomes a note SO903.
[[nodiscard]] check::Report narrowed(check::Report report, const Wanted& wanted,
                                     const report::RuleNames& names);

}  // namespace whyso::cli
