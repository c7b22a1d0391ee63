// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/text.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "whyso/base/check.h"
#include "whyso/base/hash.h"

namespace whyso {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Length announced by the first byte of a UTF-8 sequence, 0 where it can begin none.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

/// No overlong form, no surrogate, nothing above U+10FFFF.
bool is_second_allowed(unsigned char first, unsigned char second) {
  if (first == 0xe0) return second >= 0xa0;
  if (first == 0xed) return second < 0xa0;
  if (first == 0xf0) return second >= 0x90;
  if (first == 0xf4) return second < 0x90;
  return true;
}

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = announced_length(first);
  if (length == 0 || length > text.size()) return 0;
  if (!std::ranges::all_of(text.substr(1, length - 1), is_continuation)) return 0;
  if (length > 1 && !is_second_allowed(first, static_cast<unsigned char>(text[1]))) return 0;
  return length;
}

bool is_plain_in_shell(char c) {
  return is_alphanumeric(c) || std::string_view("@%_-+=:,./").contains(c);
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (auto& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += separator;
    text += parts[i];
  }
  return text;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) { return lower(c); });
  return result;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_alphanumeric(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z'); }

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  WHYSO_CHECK(!from.empty());
  std::string result;
  for (auto at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    result += text.substr(0, at);
    result += to;
    text.remove_prefix(at + from.size());
  }
  return result += text;
}

std::optional<std::uint64_t> parse_decimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const auto first = static_cast<unsigned char>(text[0]);
    if (length == 0 || first < 0x20 || first == 0x7f) {
      result += "\\x" + hexadecimal(text.substr(0, 1));
      text.remove_prefix(1);
      continue;
    }
    if (text.starts_with("\\x")) result += '\\';
    result += text.substr(0, length);
    text.remove_prefix(length);
  }
  return result;
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !is_continuation(c); }));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> row(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

std::vector<std::string> closest(std::string_view typed, std::span<const std::string> known) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& word : known) {
    const std::size_t distance = edit_distance(lower(typed), lower(word));
    const bool is_close = distance <= std::max<std::size_t>(1, typed.size() / 4);
    if (is_close) ranked.emplace_back(distance, word);
  }
  std::ranges::sort(ranked);
  std::vector<std::string> words;
  for (auto& [distance, word] : ranked) {
    if (words.size() < 3 && std::ranges::find(words, word) == words.end()) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain_in_shell)) return std::string(text);
  return "'" + replace_all(text, "'", "'\\''") + "'";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  const std::string number = grouped(count) + " ";
  if (count == 1) return number + std::string(noun);
  const bool ends_in_y = noun.ends_with('y') && !noun.ends_with("ay") && !noun.ends_with("ey");
  if (ends_in_y) return number + std::string(noun.substr(0, noun.size() - 1)) + "ies";
  return number + std::string(noun) + "s";
}

std::string enumerated(std::span<const std::string> words, std::size_t most) {
  const std::size_t shown = words.size() > most ? most - 1 : words.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == words.size();
    if (i > 0) text += is_last ? " and " : ", ";
    text += words[i];
  }
  if (shown < words.size()) text += " and " + std::to_string(words.size() - shown) + " more";
  return text;
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace whyso
