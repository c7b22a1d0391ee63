// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/argument_list.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/python/string_literal.h"

namespace whyso::process {
namespace {

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) > 127;
}

/// Calls `visit(position, character)` at everything outside of brackets and texts, until it answers
/// true; the closing bracket of the text's own counts, too.
template <class Visit>
std::size_t walk_outside(std::string_view text, std::size_t from, const Visit& visit) {
  std::size_t depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      i = std::max(python::end_of_string(text, i).position, i + 1) - 1;
    } else if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
    } else if (depth == 0 && visit(i, c)) {
      return i;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    }
  }
  return text.size();
}

bool is_word_at(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t after = at + word.size();
  return text.substr(at).starts_with(word) && (at == 0 || !is_name_character(text[at - 1])) &&
         (after >= text.size() || !is_name_character(text[after]));
}

bool is_assignment_at(std::string_view text, std::size_t at) {
  const std::string_view signs = "=!<>:";
  const bool follows = at > 0 && signs.contains(text[at - 1]);
  return text[at] == '=' && !follows && !text.substr(at + 1).starts_with('=');
}

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text[0]) && std::ranges::all_of(text, is_name_character);
}

Element element_of(std::string_view part) {
  Element element{.text = trim(part)};
  while (element.text.starts_with('*')) element.text.remove_prefix(1);
  const std::size_t sign = walk_outside(element.text, 0, [&](std::size_t at, char c) {
    return c == ':' || is_assignment_at(element.text, at);
  });
  const bool has_lambda = find_word_outside(element.text, "lambda") != std::string_view::npos;
  if (sign < element.text.size() && !has_lambda) {
    const std::string_view before = trim(element.text.substr(0, sign));
    if (element.text[sign] == '=' && is_name(before)) element.name = before;
    element.text = trim(element.text.substr(sign + 1));
  }
  const std::size_t loop = find_word_outside(element.text, "for");
  if (loop == std::string_view::npos) return element;
  const std::string_view rest = element.text.substr(loop + 3);
  const std::size_t in = find_word_outside(rest, "in");
  if (in == std::string_view::npos) return element;
  element.text = trim(element.text.substr(0, loop));
  element.variable = trim(rest.substr(0, in));
  element.source = trim(rest.substr(in + 2));
  element.source = element.source.substr(0, find_word_outside(element.source, "if"));
  element.source = element.source.substr(0, find_word_outside(element.source, "for"));
  return element;
}

}  // namespace

std::size_t end_of_bracket(std::string_view text, std::size_t from) {
  return walk_outside(text, from,
                      [](std::size_t, char c) { return c == ')' || c == ']' || c == '}'; });
}

std::vector<std::string_view> parts_of(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = walk_outside(text, begin, [](std::size_t, char c) { return c == ','; });
    const std::string_view part = text.substr(begin, end - begin);
    if (!trim(part).empty()) parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

std::vector<Element> elements_of(std::string_view text) {
  std::vector<Element> elements;
  for (const auto part : parts_of(text)) elements.push_back(element_of(part));
  return elements;
}

std::size_t find_assignment(std::string_view text) {
  const std::size_t at = walk_outside(
      text, 0, [&](std::size_t position, char) { return is_assignment_at(text, position); });
  return at < text.size() ? at : std::string_view::npos;
}

std::size_t find_word_outside(std::string_view text, std::string_view word) {
  const std::size_t at = walk_outside(
      text, 0, [&](std::size_t position, char) { return is_word_at(text, position, word); });
  return at < text.size() ? at : std::string_view::npos;
}

}  // namespace whyso::process
