// SPDX-License-Identifier: Apache-2.0
// The one home of CLI11, which only splits the words of the command line.
#include "whyso/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

/// "-t,--target" as CLI11 takes it.
std::string spelling(const OptionInfo& option) {
  const std::string dashed = "--" + std::string(option.name);
  return option.letter == 0 ? dashed : std::string("-") + option.letter + "," + dashed;
}

CLI::Option* add(CLI::App& app, const OptionInfo& option) {
  if (option.value.empty()) return app.add_flag(spelling(option))->take_all();
  return app.add_option(spelling(option))->expected(1)->take_all()->allow_extra_args(false);
}

std::vector<std::string> split_values(const OptionInfo& option, std::vector<std::string> values) {
  if (option.separator == 0) return values;
  std::vector<std::string> parts;
  for (const auto& value : values) {
    for (const auto part : split(value, option.separator)) {
      if (!trim(part).empty()) parts.emplace_back(trim(part));
    }
  }
  return parts;
}

UsageError unknown_option(const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('='));
  std::vector<std::string> known;
  for (const auto& option : option_table()) known.push_back("--" + std::string(option.name));
  const auto close = closest(name, known);
  return {"unknown option " + name,
          close.empty() ? "whyso --help lists all options" : "did you mean " + close[0] + "?"};
}

/// `said` begins with the option's name: "--output: 1 required  missing".
UsageError missing_value(std::string_view said) {
  const std::string_view name = said.substr(0, said.find_first_of(": "));
  const auto* option = name.starts_with("--") ? find_option(name.substr(2)) : nullptr;
  if (option == nullptr) return {std::string(said), "whyso --help shows how it is used"};
  return {
      std::string(name) + " needs a value: " + std::string(name) + " " + std::string(option->value),
      option->choices.empty()
          ? ""
          : "possible are: " +
                join(std::vector<std::string>(option->choices.begin(), option->choices.end()),
                     ", ")};
}

/// The first word that looks like an option and is none.
const std::string* find_unknown(const std::vector<std::string>& left_over) {
  const auto found = std::ranges::find_if(
      left_over, [](const std::string& word) { return word.starts_with('-') && word != "--"; });
  return found == left_over.end() ? nullptr : &*found;
}

Usage<Given> given_of(const std::map<const OptionInfo*, CLI::Option*>& parsed) {
  Given given;
  for (const auto& [info, option] : parsed) {
    if (option->count() == 0) continue;
    std::vector<std::string> values = option->results();
    const bool is_flag = info->value.empty();
    if (is_flag && std::ranges::any_of(values, [](const auto& v) { return v != "true"; })) {
      return std::unexpected(UsageError{"--" + std::string(info->name) + " takes no value", ""});
    }
    if (!info->is_repeatable && values.size() > 1) values.erase(values.begin(), values.end() - 1);
    given.emplace(info->name, split_values(*info, std::move(values)));
  }
  return given;
}

}  // namespace

Usage<CommandLine> parse_command_line(std::span<const std::string> arguments) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<std::string> words;
  app.add_option("WORDS", words);
  std::map<const OptionInfo*, CLI::Option*> parsed;
  for (const auto& option : option_table()) parsed.emplace(&option, add(app, option));
  try {
    // CLI11 takes the words from the end.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    return std::unexpected(missing_value(error.what()));
  } catch (const CLI::Error& error) {
    return std::unexpected(UsageError{error.what(), "whyso --help shows how it is used"});
  }
  const std::vector<std::string> left_over = app.remaining();
  if (const auto* unknown = find_unknown(left_over)) {
    return std::unexpected(unknown_option(*unknown));
  }
  auto given = given_of(parsed);
  if (!given) return std::unexpected(std::move(given).error());
  return CommandLine{*std::move(given), std::move(words)};
}

}  // namespace whyso::cli
