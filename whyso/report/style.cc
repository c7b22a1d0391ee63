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
    result += is_plain ? std::string(1, text[0]) : "\\x" + hexadecimal(text.substr(0, 1));
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
  const std::string safe = printable(text);
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
