// SPDX-License-Identifier: Apache-2.0
// How text is to look: colours, glyphs, width, as values. Asks no terminal and no environment
// variable: their answers are arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace whyso::report {

enum class ColourChoice : std::uint8_t { automatic, always, never };

/// What decides about colour. Variables: nothing where not set.
struct ColourFacts {
  ColourChoice choice = ColourChoice::automatic;
  std::optional<std::string> no_color;
  std::optional<std::string> force_color;
  std::optional<std::string> clicolor_force;
  std::optional<std::string> term;
  bool is_terminal = false;
};

/// The choice, then NO_COLOR, then FORCE_COLOR and CLICOLOR_FORCE, then a terminal that is not
/// dumb (no-color.org, force-color.org). Empty variables count as not set, "0" forces nothing.
[[nodiscard]] bool wants_colour(const ColourFacts& facts);

/// Does a locale name like "de_DE.UTF-8" say that the terminal shows UTF-8?
[[nodiscard]] bool is_utf8_locale(std::string_view name);

struct Style {
  bool colour = false;
  bool ascii = false;
  std::size_t width = 80;
  int verbosity = 0;          ///< from 1 on: evidence and notes, and lists that are long
  std::string rule_page_url;  ///< "https://.../" before "SO102"; empty: codes are no links
};

enum class Role : std::uint8_t { plain, strong, faint, good, note, warning, error };

/// Text of any origin as it may stand on the screen: control characters and those
/// that turn the direction of writing escaped, and with `ascii`
/// also everything outside ASCII (our own glyphs have a plain twin). Holds no escape sequences.
[[nodiscard]] std::string shown(std::string_view text, const Style& style);

/// `text`, which is already `shown`, in the colour of its role.
[[nodiscard]] std::string painted(std::string_view text, Role role, const Style& style);

/// `text`, which is already painted, as a link to an https page (OSC 8), only where colour is on.
[[nodiscard]] std::string linked(std::string_view text, std::string_view url, const Style& style);

}  // namespace whyso::report
