// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/rule_page.h"

#include <algorithm>

#include "whyso/base/check.h"
#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

/// The next paragraph of `text`, its lines joined by spaces; `text` then begins behind it.
std::string take_paragraph(std::string_view& text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  const std::string_view paragraph = text.substr(0, text.find("\n\n"));
  text.remove_prefix(paragraph.size());
  return replace_all(trim(paragraph), "\n", " ");
}

}  // namespace

Result<RulePage> parse_rule_page(std::string_view text, std::string_view where) {
  RulePage page;
  const std::string title = take_paragraph(text);
  const std::size_t space = title.find(' ', 2);
  if (!title.starts_with("# SO") || space == std::string::npos) {
    return failure(ErrorKind::malformed, std::string(where), "does not begin with `# CODE NAME`");
  }
  page.code = title.substr(2, space - 2);
  page.name = title.substr(space + 1);
  const std::string level = take_paragraph(text);
  if (!level.starts_with("Level: ")) {
    return failure(ErrorKind::malformed, std::string(where), "has no level");
  }
  page.level = level.substr(7);
  page.summary = take_paragraph(text);
  while (text.starts_with('\n')) text.remove_prefix(1);
  page.text = text;
  return page;
}

std::vector<RulePage> parse_rule_pages(std::span<const EmbeddedFile> files) {
  std::vector<RulePage> pages;
  for (const auto& file : files) {
    auto page = parse_rule_page(file.text, file.name);
    WHYSO_CHECK(page.has_value());
    pages.push_back(*std::move(page));
  }
  std::ranges::sort(pages, {}, &RulePage::code);
  return pages;
}

report::RuleNames names_of(std::span<const RulePage> pages) {
  report::RuleNames names;
  for (const auto& page : pages) names.emplace(page.code, page.name);
  return names;
}

}  // namespace whyso::cli
