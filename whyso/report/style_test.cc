// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/style.h"

#include <gtest/gtest.h>

namespace whyso::report {
namespace {

TEST(Style, the_option_decides_before_every_variable) {
  EXPECT_TRUE(wants_colour({.choice = ColourChoice::always, .no_color = "1"}));
  EXPECT_FALSE(
      wants_colour({.choice = ColourChoice::never, .force_color = "1", .is_terminal = true}));
}

TEST(Style, no_color_decides_before_force_color_unless_empty) {
  EXPECT_FALSE(wants_colour({.no_color = "1", .force_color = "1"}));
  EXPECT_TRUE(wants_colour({.no_color = "", .force_color = "1"}));
  EXPECT_TRUE(wants_colour({.clicolor_force = "1"}));
  EXPECT_FALSE(wants_colour({.clicolor_force = "0"}));
}

TEST(Style, a_terminal_gets_colour_unless_it_is_dumb) {
  EXPECT_TRUE(wants_colour({.term = "xterm", .is_terminal = true}));
  EXPECT_FALSE(wants_colour({.term = "dumb", .is_terminal = true}));
  EXPECT_FALSE(wants_colour({.term = "xterm"}));
}

TEST(Style, ascii_replaces_our_glyphs_and_escapes_other_letters) {
  const Style style = {.ascii = true};
  EXPECT_EQ(shown("✓ a → b · c … é", style), "+ a -> b - c ... \\xc3\\xa9");
  EXPECT_EQ(shown("✓ é", {}), "✓ é");
}

TEST(Style, letters_that_steer_a_terminal_or_turn_the_writing_are_escaped) {
  EXPECT_EQ(shown("a\x1b[2Jb", {}), "a\\x1b[2Jb");
  EXPECT_EQ(shown("a\u009b2Jb", {}), "a\\xc2\\x9b2Jb");
  EXPECT_EQ(shown("a\u202eb\u2066c\u200f", {}), "a\\xe2\\x80\\xaeb\\xe2\\x81\\xa6c\\xe2\\x80\\x8f");
  EXPECT_EQ(shown(shown("a\x1b", {}), {}), "a\\x1b");
  EXPECT_EQ(shown("\u00a0\u2014\u20ac", {}), "\u00a0\u2014\u20ac");
}

TEST(Style, a_link_needs_colour_and_an_https_page) {
  const Style plain;
  const Style colour = {.colour = true};
  EXPECT_EQ(linked("SO102", "https://example.org/SO102", plain), "SO102");
  EXPECT_EQ(linked("SO102", "file:///SO102", colour), "SO102");
  EXPECT_EQ(linked("SO102", "https://example.org/SO102", colour),
            "\x1b]8;;https://example.org/SO102\x1b\\SO102\x1b]8;;\x1b\\");
}

TEST(Style, a_locale_says_utf8_in_several_spellings) {
  EXPECT_TRUE(is_utf8_locale("de_DE.UTF-8"));
  EXPECT_TRUE(is_utf8_locale("C.utf8"));
  EXPECT_FALSE(is_utf8_locale("C"));
  EXPECT_FALSE(is_utf8_locale("de_DE@euro"));
}

}  // namespace
}  // namespace whyso::report
