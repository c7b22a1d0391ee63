// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/module_level.h"

#include <algorithm>
#include <string>

#include "whyso/base/text.h"
#include "whyso/process/source_words.h"
#include "whyso/python/source_cursor.h"

namespace whyso::process {
namespace {

constexpr std::size_t most_searched = std::size_t{512} * 1024 * 1024;  // bytes

/// Does it stand anywhere but in its definition, followed by a bracket, or as a decorator?
bool may_be_called(std::string_view text, std::string_view name) {
  for (auto at = find_part(text, name); at != std::string_view::npos;
       at = find_part(text, name, at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view after = text.substr(at + name.size());
    if (before.ends_with("def ")) continue;
    if (after.starts_with('(') || before.ends_with('@')) return true;
  }
  return false;
}

/// Tells which of the lines, given one after the other, belong to functions.
class FunctionBodies {
 public:
  bool has(unsigned column, std::string_view first_word) {
    if (is_inside_ && column > column_) return true;
    is_inside_ = first_word == "def" || first_word == "async";
    column_ = column;
    return is_inside_;
  }

 private:
  bool is_inside_ = false;
  unsigned column_ = 0;
};

/// Goes behind the logical line.
void skip_line(python::SourceCursor& cursor) {
  while (cursor.skip_statement()) {
  }
}

}  // namespace

std::optional<std::uint32_t> find_end_of_execution(std::string_view text) {
  const bool may_raise = find_part(text, "\nraise") != std::string_view::npos;
  if (!may_raise && !text.starts_with("raise")) return std::nullopt;
  python::SourceCursor cursor(text);
  while (const auto column = cursor.next_line()) {
    const std::uint32_t line = cursor.line();
    if (*column == 0 && cursor.take_word() == "raise") return line;
    skip_line(cursor);
  }
  return std::nullopt;
}

std::set<std::string_view> called_functions(std::string_view text,
                                            const std::vector<std::string_view>& functions) {
  // More than a person writes: let all of them be called.
  if (functions.size() > most_searched / (text.size() + 1)) {
    return {functions.begin(), functions.end()};
  }
  std::vector<std::string_view> candidates;
  std::ranges::copy_if(functions, std::back_inserter(candidates),
                       [&](auto name) { return may_be_called(text, name); });
  std::set<std::string_view> called;
  if (candidates.empty()) return called;
  const std::vector<std::string_view> lines = lines_of(text);
  python::SourceCursor cursor(text);
  FunctionBodies bodies;
  while (const auto column = cursor.next_line()) {
    const std::size_t first = cursor.line();
    const std::string_view word = cursor.take_word();
    const bool is_in_function = bodies.has(*column, word);
    skip_line(cursor);
    if (is_in_function) continue;
    const std::size_t last = std::min<std::size_t>(cursor.line(), lines.size());
    for (std::size_t line = first; line <= last; ++line) {
      for (const auto name : candidates) {
        if (may_be_called(lines[line - 1], name)) called.insert(name);
      }
    }
  }
  return called;
}

}  // namespace whyso::process
