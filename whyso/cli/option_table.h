// SPDX-License-Identifier: Apache-2.0
// The one table of verbs and options. Parsing, help, manual, completions and `whyso config` are
// made from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace whyso::cli {

enum class Verb : std::uint8_t {
  check,
  why,
  provides,
  loads,
  list,
  plan,
  ld,
  rule,
  config,
  schema,
  generate,
  version,
  help,
};

struct Example {
  std::string_view command;
  std::string_view meaning;
};

struct VerbInfo {
  Verb verb = Verb::help;
  std::string_view name;
  std::string_view alias;         ///< empty: none
  std::string_view arguments;     ///< "QUERY [TARGET]"
  std::size_t own_arguments = 0;  ///< how many stand before the target
  bool needs_arguments = false;   ///< or may they all be missing?
  bool takes_target = false;
  std::string_view question;  ///< what it answers, one line
  std::string_view text;      ///< more about it
  std::span<const Example> examples;
};

/// Where a value may come from besides the command line.
enum class Source : std::uint8_t { command_line, variable, anywhere };

/// One bit a verb.
using VerbSet = std::uint32_t;
constexpr VerbSet set_of(Verb verb) { return VerbSet{1} << static_cast<unsigned>(verb); }
constexpr VerbSet all_verbs = ~VerbSet{0};

struct OptionInfo {
  std::string_view name;   ///< without dashes; also the key in the configuration
  char letter = 0;         ///< 0: none
  std::string_view value;  ///< "CODES"; empty: a flag
  VerbSet verbs = 0;
  Source source = Source::anywhere;
  bool is_repeatable = false;
  char separator = 0;  ///< between several values in one; 0: none
  std::span<const std::string_view> choices;
  std::string_view fallback;  ///< what holds when nothing is given, as text
  std::string_view help;      ///< one line
  std::string_view text;      ///< more about it, may be empty
};

[[nodiscard]] std::span<const VerbInfo> verb_table();
[[nodiscard]] std::span<const OptionInfo> option_table();

[[nodiscard]] const VerbInfo& info_of(Verb verb);
/// By name or alias; null where there is none.
[[nodiscard]] const VerbInfo* find_verb(std::string_view name);
/// By name; null where there is none.
[[nodiscard]] const OptionInfo* find_option(std::string_view name);

[[nodiscard]] inline bool applies(const OptionInfo& option, Verb verb) {
  return (option.verbs & set_of(verb)) != 0;
}

/// "WHYSO_FAIL_ON", empty where no variable sets it.
[[nodiscard]] std::string variable_of(const OptionInfo& option);

}  // namespace whyso::cli
