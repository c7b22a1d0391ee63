// SPDX-License-Identifier: Apache-2.0
#include "whyso/ldso/conf.h"

#include <algorithm>
#include <cstdint>

#include "whyso/base/text.h"

namespace whyso::ldso {
namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view white_space = " \t\n\v\f\r";

bool is_statement(std::string_view line, std::string_view word) {
  return line.size() > word.size() && line.starts_with(word) &&
         blanks.find(line[word.size()]) != std::string_view::npos;
}

std::string_view without_end(std::string_view text, std::string_view characters) {
  return text.substr(0, text.find_last_not_of(characters) + 1);
}

std::string_view without_start(std::string_view text, std::string_view characters) {
  return text.substr(std::min(text.find_first_not_of(characters), text.size()));
}

// Several patterns may stand in one line.
void add_patterns(std::vector<ConfEntry>& entries, std::string_view patterns, std::size_t line) {
  while (!(patterns = without_start(patterns, blanks)).empty()) {
    const std::string_view pattern = patterns.substr(0, patterns.find_first_of(blanks));
    entries.push_back({ConfKind::include, pattern, line});
    patterns.remove_prefix(pattern.size());
  }
}

std::string_view folder_of(std::string_view line) {
  const std::string_view path = without_end(line.substr(0, line.find('=')), white_space);
  const std::string_view bare = without_end(path, "/");
  return bare.empty() ? path.substr(0, 1) : bare;
}

}  // namespace

std::vector<ConfEntry> parse_conf(std::string_view text) {
  std::vector<ConfEntry> entries;
  std::size_t number = 0;
  for (const std::string_view whole : split(text, '\n')) {
    ++number;
    // C strings end at a NUL.
    const std::string_view code = whole.substr(0, whole.find('\0'));
    const std::string_view line =
        without_start(without_end(code.substr(0, code.find('#')), white_space), white_space);
    if (line.empty() || is_statement(lower(line.substr(0, 6)), "hwcap")) continue;
    if (is_statement(line, "include")) {
      add_patterns(entries, line.substr(std::string_view("include").size()), number);
    } else if (const std::string_view folder = folder_of(line); !folder.empty()) {
      entries.push_back({ConfKind::directory, folder, number});
    }
  }
  return entries;
}

}  // namespace whyso::ldso
