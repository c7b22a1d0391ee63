// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/options.h"

#include <gtest/gtest.h>

#include <set>

#include "whyso/cli/help.h"
#include "whyso/cli/run.h"

namespace whyso::cli {
namespace {

using Words = std::vector<std::string>;

Usage<Request> asked(const Words& words) {
  const auto line = parse_command_line(words);
  if (!line) return std::unexpected(line.error());
  return understand(*line);
}

Usage<Options> prepared(const Words& words, Variables variables = {}) {
  return prepare(words, {.variables = std::move(variables), .working_folder = "/nonexistent"});
}

TEST(Options, no_word_means_check) {
  const auto request = asked({"--ascii", "-v"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->verb, Verb::check);
  EXPECT_EQ(request->target, "");
}

TEST(Options, a_bare_word_with_so_asks_why_and_may_be_followed_by_a_target) {
  for (const std::string name :
       {"libcudnn.so.9", "./libfoo.so", "_C.cpython-312-x86_64-linux-gnu.so"}) {
    const auto request = asked({name, ".venv"});
    ASSERT_TRUE(request) << name;
    EXPECT_EQ(request->verb, Verb::why);
    EXPECT_EQ(request->arguments, Words{name});
    EXPECT_EQ(request->target, ".venv");
  }
}

TEST(Options, a_verb_is_never_reinterpreted) {
  const auto request = asked({"check", "my.solver"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->verb, Verb::check);
  EXPECT_EQ(request->target, "my.solver");
}

TEST(Options, options_stand_before_or_after_the_verb) {
  for (const Words& words : {Words{"--format", "json", "check", "x", "-t", "y"},
                             Words{"check", "x", "-ty", "--format=json"}}) {
    const auto line = parse_command_line(words);
    ASSERT_TRUE(line);
    EXPECT_EQ(line->words, (Words{"check", "x"}));
    EXPECT_EQ(line->given.at("format"), Words{"json"});
    EXPECT_EQ(line->given.at("target"), Words{"y"});
  }
}

TEST(Options, letters_can_be_repeated_and_joined) {
  const auto line = parse_command_line(Words{"-vvq"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->given.at("verbose").size(), 2U);
  EXPECT_EQ(line->given.at("quiet").size(), 1U);
}

TEST(Options, codes_may_be_joined_by_commas_or_given_again) {
  const auto line = parse_command_line(Words{"check", "--select", "SO1,SO2", "--select=SO901"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->given.at("select"), (Words{"SO1", "SO2", "SO901"}));
  EXPECT_EQ(line->words, Words{"check"});
}

TEST(Options, all_is_a_word_behind_two_dashes) {
  const auto line = parse_command_line(Words{"check", "--", "--ascii"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->words, (Words{"check", "--ascii"}));
}

TEST(Options, wrong_words_are_answered_with_what_was_meant) {
  EXPECT_EQ(asked({"chekc"}).error().hint, "did you mean `whyso check`?");
  EXPECT_EQ(asked({".venv"}).error().hint, "to look at that target: whyso check .venv");
  EXPECT_EQ(asked({"check", "--formta", "json"}).error().hint, "did you mean --format?");
  EXPECT_EQ(asked({"check", "a", "b"}).error().hint, "usage: whyso check [TARGET]");
  EXPECT_EQ(asked({"why"}).error().hint, "usage: whyso why QUERY [TARGET]");
  EXPECT_FALSE(asked({"--format"}));
  EXPECT_FALSE(asked({"--quiet=3"}));
  EXPECT_FALSE(asked({"-x"}));
}

TEST(Options, help_version_and_explain_stand_for_their_verbs) {
  EXPECT_EQ(asked({"--help"})->verb, Verb::help);
  EXPECT_EQ(asked({"check", "-h"})->arguments, Words{"check"});
  EXPECT_EQ(asked({"help", "why"})->arguments, Words{"why"});
  EXPECT_EQ(asked({"libx.so.1", "-h"})->arguments, Words{"why"});
  EXPECT_EQ(asked({"help", "-h"})->arguments, Words{});
  EXPECT_EQ(asked({"--version"})->verb, Verb::version);
  EXPECT_EQ(asked({"--explain", "SO102"})->verb, Verb::rule);
  EXPECT_EQ(asked({"--explain", "SO102"})->arguments, Words{"SO102"});
}

TEST(Options, an_option_that_a_verb_does_not_have_is_wrong) {
  EXPECT_FALSE(prepared({"rule", "--hash", "full"}));
  EXPECT_FALSE(prepared({"why", "x.so", "--format", "ndjson"}));
  EXPECT_TRUE(prepared({"check", "--hash", "full"}));
}

TEST(Options, a_habit_of_ndjson_does_not_disturb_other_verbs) {
  const auto options = prepared({"why", "x.so"}, {{"WHYSO_FORMAT", "ndjson"}});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->format, Format::text);
}

TEST(Options, two_targets_are_wrong_unless_one_is_a_habit) {
  EXPECT_FALSE(prepared({"check", "a", "-t", "b"}));
  const auto options = prepared({"check", "a"}, {{"WHYSO_TARGET", "b"}});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->target(), "a");
  EXPECT_EQ(prepared({"check"}, {{"WHYSO_TARGET", "b"}})->target(), "b");
}

TEST(Options, output_goes_beside_standard_output_with_a_format_and_instead_without) {
  const auto beside = prepared({"check", "--output", "json=a.json"});
  ASSERT_TRUE(beside);
  ASSERT_EQ(beside->destinations.size(), 2U);
  EXPECT_EQ(beside->destinations[0].file, "-");
  EXPECT_EQ(beside->destinations[1].format, Format::json);
  EXPECT_EQ(beside->destinations[1].file, "a.json");
  const auto instead = prepared({"check", "-o", "a.txt"});
  ASSERT_TRUE(instead);
  ASSERT_EQ(instead->destinations.size(), 1U);
  EXPECT_EQ(instead->destinations[0].file, "a.txt");
  EXPECT_FALSE(prepared({"check", "-o", "xml=a"}));
  EXPECT_FALSE(prepared({"check", "-o", "json="}));
}

TEST(Options, letters_are_plain_where_the_locale_is_not_utf8) {
  EXPECT_TRUE(prepared({})->style.ascii);
  EXPECT_TRUE(prepared({}, {{"LANG", "C.UTF-8"}, {"LC_ALL", "C"}})->style.ascii);
  EXPECT_FALSE(prepared({}, {{"LANG", "C.UTF-8"}})->style.ascii);
  EXPECT_FALSE(prepared({}, {{"WHYSO_ASCII", "no"}})->style.ascii);
  EXPECT_TRUE(prepared({"--ascii"}, {{"LANG", "C.UTF-8"}})->style.ascii);
}

TEST(Options, the_width_is_the_terminals_within_bounds) {
  Surroundings around = {
      .working_folder = "/nonexistent", .out_is_terminal = true, .terminal_width = 300};
  EXPECT_EQ(prepare(Words{}, around)->style.width, 120U);
  around.terminal_width = 100;
  EXPECT_EQ(prepare(Words{}, around)->style.width, 100U);
  around.out_is_terminal = false;
  EXPECT_EQ(prepare(Words{}, around)->style.width, 80U);
  EXPECT_EQ(prepare(Words{"--width", "200"}, around)->style.width, 200U);
  EXPECT_FALSE(prepare(Words{"--width", "1"}, around));
}

TEST(Options, letters_are_those_of_the_grammar_alone) {
  std::set<char> letters;
  for (const auto& option : option_table()) {
    if (option.letter == 0) continue;
    EXPECT_TRUE(letters.insert(option.letter).second) << option.letter;
    EXPECT_NE(std::string("vqotHiedyh").find(option.letter), std::string::npos) << option.letter;
  }
}

TEST(Options, each_verb_has_three_examples_that_are_understood) {
  for (const auto& info : verb_table()) {
    EXPECT_EQ(info.examples.size(), 3U) << info.name;
    for (const auto& example : info.examples) {
      std::string text(example.command);
      text = text.substr(0, text.find_first_of("|>"));
      text = text.substr(text.find("whyso") + 5);
      Words words;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) words.push_back(text.substr(at, end - at));
        at = end + 1;
      }
      const auto options = prepared(words);
      EXPECT_TRUE(options) << example.command << ": " << options.error().message;
    }
  }
}

}  // namespace
}  // namespace whyso::cli
