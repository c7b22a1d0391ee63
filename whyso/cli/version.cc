// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/check.h"
#include "whyso/base/text.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/page.h"

namespace whyso::cli {
namespace {

/// data/licenses/components: "NAME | LICENCE | WHERE ITS TEXT STANDS", a row a line.
std::vector<std::vector<std::string>> component_rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows;
  for (const auto line : lines_of(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    rows.emplace_back();
    for (const auto cell : split(line, '|')) rows.back().emplace_back(trim(cell));
  }
  return rows;
}

std::string licenses_text(const Resources& resources, const report::Style& style) {
  const auto components =
      std::ranges::find(resources.licenses, std::string_view("components"), &EmbeddedFile::name);
  WHYSO_CHECK(components != resources.licenses.end());
  report::Page page(style);
  page.paragraph(0,
                 "whyso is licensed under the Apache License 2.0. A static build holds parts of "
                 "these libraries, under their own licences; the texts follow.");
  page.blank();
  page.table(0, std::vector<std::string>{"library", "licence", "text"},
             component_rows(components->text));
  std::string text = std::move(page).text();
  for (const auto& file : resources.licenses) {
    if (file.name == "components") continue;
    text += "\n==== " + std::string(file.name) + "\n\n" + std::string(file.text);
  }
  return text;
}

}  // namespace

Status run_version(const Options& options, const Resources& resources, Streams& streams) {
  if (options.settings.has("licenses")) {
    streams.out += licenses_text(resources, options.style);
  } else {
    streams.out += "whyso " + std::string(resources.version) + "\n";
  }
  return Status::good;
}

}  // namespace whyso::cli
