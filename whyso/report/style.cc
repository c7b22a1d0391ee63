// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/style.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/text.h"

namespace whyso::report {
namespace {

/// Our glyphs and their plain twins.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> twins = {{
    {"✓", "+"},
    {"✗", "x"},
    {"·", "-"},
    {"→", "->"},
    {"…", "..."},
    {"≥", ">="},
    {"−", "-"},
}};

bool is_set(const std::optional<std::string>& variable) { return variable && !variable->empty(); }

bool forces(const std::optional<std::string>& variable) {
  return is_set(variable) && *variable != "0";
}

/// Letters of Unicode that steer a terminal or turn the direction of writing: C1 controls, and the
/// marks, embeddings and isolates of bidirectional text. Length in bytes, 0 where it is none.
std::size_t steering_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (at(0) == 0xc2 && at(1) >= 0x80 && at(1) < 0xa0) return 2;
  if (at(0) != 0xe2) return 0;
  const bool is_mark = at(1) == 0x80 && (at(2) == 0x8e || at(2) == 0x8f);
  const bool is_embedding = at(1) == 0x80 && at(2) >= 0xaa && at(2) <= 0xae;
  const bool is_isolate = at(1) == 0x81 && at(2) >= 0xa6 && at(2) <= 0xa9;
  return is_mark || is_embedding || is_isolate ? 3 : 0;
}

std::string escaped(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) text += "\\x" + hexadecimal(bytes.substr(i, 1));
  return text;
}

std::string without_steering(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = steering_length(text);
    result += length == 0 ? std::string(1, text[0]) : escaped(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string in_ascii(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto* const twin =
        std::ranges::find_if(twins, [&](const auto& pair) { return text.starts_with(pair.first); });
    if (twin != twins.end()) {
      result += twin->second;
      text.remove_prefix(twin->first.size());
      continue;
    }
    const bool is_plain = static_cast<unsigned char>(text[0]) < 0x80;
    result += is_plain ? std::string(1, text[0]) : escaped(text.substr(0, 1));
    text.remove_prefix(1);
  }
  return result;
}

std::string_view sequence_of(Role role) {
  switch (role) {
    case Role::plain:
      return "";
    case Role::strong:
      return "\x1b[1m";
    case Role::faint:
      return "\x1b[2m";
    case Role::good:
      return "\x1b[32m";
    case Role::note:
      return "\x1b[36m";
    case Role::warning:
      return "\x1b[1;33m";
    case Role::error:
      return "\x1b[1;31m";
  }
  return "";
}

}  // namespace

bool wants_colour(const ColourFacts& facts) {
  if (facts.choice != ColourChoice::automatic) return facts.choice == ColourChoice::always;
  if (is_set(facts.no_color)) return false;
  if (forces(facts.force_color) || forces(facts.clicolor_force)) return true;
  return facts.is_terminal && facts.term != "dumb";
}

bool is_utf8_locale(std::string_view name) {
  const std::string small = lower(name);
  return small.find("utf-8") != std::string::npos || small.find("utf8") != std::string::npos;
}

std::string shown(std::string_view text, const Style& style) {
  // What was made printable before is not escaped again: both read the same.
  const std::string safe = replace_all(without_steering(printable(text)), "\\\\x", "\\x");
  return style.ascii ? in_ascii(safe) : safe;
}

std::string painted(std::string_view text, Role role, const Style& style) {
  const std::string_view sequence = sequence_of(role);
  if (!style.colour || sequence.empty() || text.empty()) return std::string(text);
  return std::string(sequence) + std::string(text) + "\x1b[0m";
}

std::string linked(std::string_view text, std::string_view url, const Style& style) {
  if (!style.colour || !url.starts_with("https://")) return std::string(text);
  return "\x1b]8;;" + std::string(url) + "\x1b\\" + std::string(text) + "\x1b]8;;\x1b\\";
}

}  // namespace whyso::report
