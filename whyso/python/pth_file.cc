// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/pth_file.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

/// What str.rstrip takes away, as far as it is ASCII.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

std::string_view without_trailing_space(std::string_view line) {
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

/// Nothing to do is an empty text.
PthLine read_line(std::string_view line, std::size_t number) {
  const bool is_import = line.starts_with("import ") || line.starts_with("import\t");
  if (line.starts_with('#')) line = {};
  return {.kind = is_import ? PthLineKind::import_line : PthLineKind::add_path,
          .text = without_trailing_space(line),
          .line = number};
}

}  // namespace

PthFile read_pth(std::string_view text) {
  PthFile result;
  result.is_utf8 = is_utf8(text);
  result.has_byte_order_mark = text.starts_with(byte_order_mark);
  if (result.has_byte_order_mark) text.remove_prefix(byte_order_mark.size());
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const PthLine line = read_line(text.substr(0, end), number);
    if (!line.text.empty()) result.lines.push_back(line);
    text.remove_prefix(end);
    text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(1, text.size()));
  }
  return result;
}

}  // namespace whyso::python
