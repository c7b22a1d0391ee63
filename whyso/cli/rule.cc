// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "whyso/base/json.h"
#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/rule_page.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/json.h"
#include "whyso/report/markdown.h"
#include "whyso/report/page.h"

namespace whyso::cli {
namespace {

std::string list_text(std::span<const RulePage> pages, const report::Style& style) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& page : pages) rows.push_back({page.code, page.name, page.level});
  report::Page out(style);
  out.table(0, std::vector<std::string>{"code", "name", "level"}, rows);
  return std::move(out).text();
}

std::string page_text(const RulePage& page, const report::Style& style) {
  report::Page out(style);
  out.paragraph(0, page.code + " " + page.name + " (" + page.level + ")", report::Role::strong);
  out.blank();
  out.paragraph(2, page.summary);
  out.blank();
  report::write_markdown(out, page.text);
  return std::move(out).text();
}

json::Value page_json(const RulePage& page) {
  json::Object object;
  object.emplace("code", page.code);
  object.emplace("name", page.name);
  object.emplace("level", page.level);
  object.emplace("summary", page.summary);
  object.emplace("text", page.text);
  return object;
}

std::string pages_json(std::span<const RulePage> pages, const Resources& resources) {
  json::Array rules;
  for (const auto& page : pages) rules.push_back(page_json(page));
  json::Object object = report::document({std::string(resources.version)});
  object.emplace("rules", std::move(rules));
  return json::write(object);
}

/// Codes are taken in any case.
const RulePage* find_page(std::span<const RulePage> pages, std::string_view wanted) {
  const std::string word = lower(wanted);
  const auto found = std::ranges::find_if(
      pages, [&](const RulePage& page) { return lower(page.code) == word || page.name == word; });
  return found == pages.end() ? nullptr : &*found;
}

std::string guess(std::span<const RulePage> pages, std::string_view typed) {
  std::vector<std::string> known;
  for (const auto& page : pages) {
    known.push_back(page.code);
    known.push_back(page.name);
  }
  const auto close = closest(typed, known);
  return close.empty() ? "whyso rule --list lists all rules" : did_you_mean(close);
}

}  // namespace

Status run_rule(const Options& options, const Resources& resources, Streams& streams) {
  const auto pages = parse_rule_pages(resources.rule_pages);
  const bool is_json = options.format == Format::json;
  if (options.request.arguments.empty() || options.settings.has("list")) {
    streams.out += is_json ? pages_json(pages, resources) : list_text(pages, options.style);
    return Status::good;
  }
  const std::string& wanted = options.request.arguments[0];
  const RulePage* const page = find_page(pages, wanted);
  if (page == nullptr) {
    streams.complain("no rule is called `" + wanted + "`", guess(pages, wanted));
    return Status::wrong_usage;
  }
  streams.out += is_json ? pages_json({page, 1}, resources) : page_text(*page, options.style);
  return Status::good;
}

}  // namespace whyso::cli
