// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/markdown.h"

#include <string>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::report {
namespace {

constexpr std::size_t indent = 2;

/// A paragraph or list item, or nothing where none is open.
class Block {
 public:
  explicit Block(Page& page) : page_(page) {}

  void add(std::string_view line) {
    if (!text_.empty()) text_ += ' ';
    text_ += line;
  }

  void open_item(std::string_view line) {
    end();
    is_item_ = true;
    add(line);
  }

  void end() {
    const std::string text = std::exchange(text_, "");
    const bool is_item = std::exchange(is_item_, false);
    if (text.empty()) return;
    if (!is_item) return page_.paragraph(indent, text);
    page_.labelled({.text = "-", .indent = indent, .column = indent + 2}, text);
  }

 private:
  Page& page_;
  std::string text_;
  bool is_item_ = false;
};

void write_heading(Page& page, std::string_view line) {
  page.blank();
  page.paragraph(0, trim(line.substr(line.find_first_not_of('#'))), Role::strong);
}

}  // namespace

void write_markdown(Page& page, std::string_view text) {
  Block block(page);
  bool is_code = false;
  for (const auto line : lines_of(text)) {
    if (line.starts_with("```")) {
      block.end();
      is_code = !is_code;
      if (is_code) page.blank();
    } else if (is_code) {
      page.verbatim(indent + 2, line);
    } else if (trim(line).empty()) {
      block.end();
      page.blank();
    } else if (line.starts_with('#')) {
      block.end();
      write_heading(page, line);
    } else if (line.starts_with("- ")) {
      block.open_item(line.substr(2));
    } else {
      block.add(trim(line));
    }
  }
  block.end();
}

}  // namespace whyso::report
