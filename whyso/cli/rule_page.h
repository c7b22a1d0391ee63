// SPDX-License-Identifier: Apache-2.0
// The page of a rule: its code, name, level, one sentence, and the text that `whyso rule` shows.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/cli/resources.h"
#include "whyso/report/rule_names.h"

namespace whyso::cli {

struct RulePage {
  std::string code;     ///< "SO102"
  std::string name;     ///< "gutted-package"
  std::string level;    ///< "error"
  std::string summary;  ///< one sentence
  std::string text;     ///< the page after that, Markdown
};

/// "# CODE NAME", "Level: LEVEL" and a paragraph stand at the top.
[[nodiscard]] Result<RulePage> parse_rule_page(std::string_view text, std::string_view where);

/// All pages in the order of their codes. A page that is not one is our bug.
[[nodiscard]] std::vector<RulePage> parse_rule_pages(std::span<const EmbeddedFile> files);

[[nodiscard]] report::RuleNames names_of(std::span<const RulePage> pages);

}  // namespace whyso::cli
