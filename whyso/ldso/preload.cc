// SPDX-License-Identifier: Apache-2.0
#include "whyso/ldso/preload.h"

#include <algorithm>

namespace whyso::ldso {
namespace {

constexpr std::string_view file_separators = ": \t\n";
constexpr std::string_view variable_separators = " :";

std::vector<std::string_view> words_of(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(separators, at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// glibc counts down what is left behind each comment, yet looks for the next one from the start.
void blank_comments(std::string& text) {
  std::size_t rest = text.size();
  std::size_t comment = 0;
  while (rest > 0) {
    comment = text.find('#', comment);
    if (comment >= rest) return;
    rest -= comment;
    std::size_t at = comment;
    do {
      text[at] = ' ';
    } while (--rest > 0 && text[++at] != '\n');
  }
}

}  // namespace

std::vector<std::string> parse_preload_file(std::string_view text) {
  std::string blanked(text);
  blank_comments(blanked);
  const std::string_view whole = blanked;
  // The last name is taken out first, so that a NUL before it does not hide it.
  const std::size_t before_last = whole.find_last_of(file_separators);
  const std::string_view last =
      before_last == std::string_view::npos ? whole : whole.substr(before_last + 1);
  const std::string_view others = whole.substr(0, whole.size() - last.size());

  std::vector<std::string> names;
  for (const std::string_view part : {others, last}) {
    for (const std::string_view name : words_of(part.substr(0, part.find('\0')), file_separators)) {
      names.emplace_back(name);
    }
  }
  return names;
}

std::vector<std::string_view> parse_preload_variable(std::string_view text) {
  return words_of(text, variable_separators);
}

}  // namespace whyso::ldso
