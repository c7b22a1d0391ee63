// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/source_words.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

bool is_part_of_word(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) > 127;
}

/// Calls `visit(before, after)` with the text around each place where the word stands, until it
/// answers true.
template <class Visit>
bool any_place(std::string_view text, std::string_view word, const Visit& visit) {
  if (word.empty()) return false;
  for (auto at = find_part(text, word); at != std::string_view::npos;
       at = find_part(text, word, at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view after = text.substr(at + word.size());
    if (!before.empty() && is_part_of_word(before.back())) continue;
    if (!after.empty() && is_part_of_word(after.front())) continue;
    if (visit(before, after)) return true;
  }
  return false;
}

std::string_view without_blanks_at_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view without_blanks_at_start(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  return text;
}

bool ends_in_word(std::string_view text, std::string_view word) {
  if (!text.ends_with(word)) return false;
  return text.size() == word.size() || !is_part_of_word(text[text.size() - word.size() - 1]);
}

bool follows_a_binding_word(std::string_view before) {
  static constexpr auto words = std::to_array<std::string_view>(
      {"def", "class", "as", "for", "import", "global", "type", "with"});
  return std::ranges::any_of(words, [&](auto word) { return ends_in_word(before, word); });
}

bool may_be_a_target(std::string_view after) {
  if (after.empty()) return true;
  if (after.starts_with("==")) return false;
  if (std::string_view("=:,)];\r\n\\").contains(after.front())) return true;
  const auto sign = after.find('=');  // "+=", "//="
  return sign <= 3 &&
         after.substr(0, sign).find_first_not_of("+-*/%&|^@<>") == std::string_view::npos;
}

bool binds(std::string_view before, std::string_view after) {
  before = without_blanks_at_end(before);
  after = without_blanks_at_start(after);
  if (before.ends_with('.')) return false;
  const bool is_quoted = (before.ends_with('\'') && after.starts_with('\'')) ||
                         (before.ends_with('"') && after.starts_with('"'));
  if (is_quoted) return false;
  return follows_a_binding_word(before) || may_be_a_target(after);
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](auto part) { return find_part(text, part) != std::string_view::npos; });
}

}  // namespace

std::size_t find_part(std::string_view text, std::string_view part, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool has_word(std::string_view text, std::string_view word) {
  return any_place(text, word, [](auto, auto) { return true; });
}

bool has_word_before_quote(std::string_view text, std::string_view word) {
  return any_place(text, word, [](auto /*before*/, std::string_view after) {
    return after.starts_with('"') || after.starts_with('\'');
  });
}

bool may_bind(std::string_view text, std::string_view name) { return any_place(text, name, binds); }

std::size_t find_own_attributes(std::string_view text) {
  std::size_t first = text.size();
  for (const std::string_view sign :
       {"globals()", "setattr(", "vars()", "exec(", "__dict__", "sys.modules[__name__]",
        "sys.modules[__package__]", "lazy_loader", "attach("}) {
    first = std::min(first, find_part(text, sign));
  }
  constexpr std::string_view method = "def __getattr__(";
  for (auto at = find_part(text, method); at < first; at = find_part(text, method, at + 1)) {
    const std::string_view parameter = trim(text.substr(at + method.size(), 40));
    if (parameter.starts_with("self") || parameter.starts_with("cls")) continue;
    first = at;
  }
  return first;
}

SearchTricks find_tricks(std::string_view text) {
  return {
      .makes_modules = contains_any(text, {"sys.modules", "meta_path", "import modules"}),
      .changes_path =
          contains_any(text, {"sys.path.insert", "sys.path.append", "sys.path.extend", "sys.path[",
                              "sys.path =", "sys.path +=", "path_hooks", "addsitedir"}),
      .changes_package_path = contains_any(text, {"__path__", "extend_path"}),
  };
}

}  // namespace whyso::process
