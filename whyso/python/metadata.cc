// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/metadata.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Cuts the first line with its end off `text`; lines end at CR, LF or CRLF.
std::string_view take_line(std::string_view& text) {
  std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  if (text.substr(end).starts_with("\r\n")) ++end;
  const std::string_view line = text.substr(0, end + 1);
  text.remove_prefix(line.size());
  return line;
}

void skip_folded_lines(std::string_view& text) {
  while (!text.empty() && is_blank(text.front())) take_line(text);
}

/// Where the key ends, or nothing where the line is no header ("[!-9;-~]*:").
std::optional<std::size_t> end_of_key(std::string_view line) {
  const auto* end =
      std::ranges::find_if(line, [](char c) { return c < '!' || c > '~' || c == ':'; });
  if (end == line.end() || *end != ':') return std::nullopt;
  return static_cast<std::size_t>(end - line.begin());
}

bool is_same_key(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::vector<MetadataField> read_headers(std::string_view text) {
  std::vector<MetadataField> fields;
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  skip_folded_lines(text);
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string_view line = take_line(rest);
    const auto colon = end_of_key(line);
    if (!colon) return fields;
    std::string_view after = rest;
    skip_folded_lines(after);
    const auto length = static_cast<std::size_t>(after.data() - text.data());
    if (*colon > 0) {
      fields.push_back(
          {line.substr(0, *colon), trim(text.substr(*colon + 1, length - *colon - 1))});
    }
    text = after;
  }
  return fields;
}

Metadata Metadata::parse(Blob text) {
  Metadata metadata;
  metadata.fields_ = read_headers(text.text());
  metadata.text_ = std::move(text);
  return metadata;
}

std::optional<std::string_view> Metadata::find(std::string_view key) const {
  const auto found = std::ranges::find_if(
      fields_, [&](const MetadataField& field) { return is_same_key(field.key, key); });
  if (found == fields_.end()) return std::nullopt;
  return found->value;
}

std::vector<std::string_view> Metadata::all(std::string_view key) const {
  std::vector<std::string_view> values;
  for (const MetadataField& field : fields_) {
    if (is_same_key(field.key, key)) values.push_back(field.value);
  }
  return values;
}

}  // namespace whyso::python
