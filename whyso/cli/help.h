// SPDX-License-Identifier: Apache-2.0
// Help, the manual page and completions, all made from the table of verbs and options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/cli/option_table.h"
#include "whyso/report/style.h"

namespace whyso::cli {

/// All verbs, and the options that they share.
[[nodiscard]] std::string general_help(const report::Style& style);

/// One verb: usage, three examples, its options.
[[nodiscard]] std::string verb_help(const VerbInfo& info, const report::Style& style);

/// The manual page in man(7) form.
[[nodiscard]] std::string manual_page(std::string_view version);

[[nodiscard]] std::string bash_completion(const std::vector<std::string>& rule_codes);
[[nodiscard]] std::string zsh_completion(const std::vector<std::string>& rule_codes);
[[nodiscard]] std::string fish_completion(const std::vector<std::string>& rule_codes);

/// "-t, --target TARGET".
[[nodiscard]] std::string option_usage(const OptionInfo& option);

/// Usage of a verb: "whyso check [OPTION]... [TARGET]".
[[nodiscard]] std::string verb_usage(const VerbInfo& info);

}  // namespace whyso::cli
