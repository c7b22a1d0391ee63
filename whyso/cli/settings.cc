// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "whyso/base/check.h"
#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

std::unexpected<UsageError> wrong(std::string message, std::string hint = "") {
  return std::unexpected(UsageError{std::move(message), std::move(hint)});
}

std::string guess(std::string_view typed, std::vector<std::string> known) {
  const auto close = closest(typed, known);
  return close.empty() ? "known are: " + join(known, ", ") : "did you mean " + close[0] + "?";
}

Usage<void> check_choice(const OptionInfo& option, const std::vector<std::string>& values,
                         const std::string& place) {
  if (option.choices.empty()) return {};
  for (const auto& value : values) {
    if (std::ranges::find(option.choices, value) != option.choices.end()) continue;
    return wrong(fmt::format("{}: `{}` is not possible", place, value),
                 guess(value, {option.choices.begin(), option.choices.end()}));
  }
  return {};
}

/// "on", "1", "2": how often a flag is given; nothing where `text` says neither yes nor no.
std::optional<std::size_t> repetitions(std::string_view text) {
  constexpr std::array<std::string_view, 3> yes = {"true", "yes", "on"};
  constexpr std::array<std::string_view, 4> no = {"false", "no", "off", ""};
  const std::string word = lower(text);
  if (std::ranges::find(yes, word) != yes.end()) return 1;
  if (std::ranges::find(no, word) != no.end()) return 0;
  const auto number = parse_decimal(word);
  return number && *number <= 9 ? number : std::nullopt;
}

Usage<std::vector<std::string>> values_of(const OptionInfo& option, const std::string& text,
                                          const std::string& place) {
  if (option.value.empty()) {
    const auto count = repetitions(text);
    if (!count) return wrong(place + ": `" + text + "` is neither true nor false");
    return std::vector<std::string>(*count, "true");
  }
  std::vector<std::string> values;
  if (option.separator == 0) values.push_back(text);
  for (const auto part :
       option.separator == 0 ? std::vector<std::string_view>() : split(text, option.separator)) {
    if (!trim(part).empty()) values.emplace_back(trim(part));
  }
  if (auto checked = check_choice(option, values, place); !checked) {
    return std::unexpected(checked.error());
  }
  return values;
}

std::vector<std::string> known_keys() {
  std::vector<std::string> keys;
  for (const auto& option : option_table()) {
    if (option.source == Source::anywhere) keys.emplace_back(option.name);
  }
  return keys;
}

/// The known name that differs in at most two letters; empty where none does.
std::string nearly(std::string_view typed, const std::vector<std::string>& known) {
  const auto found = std::ranges::find_if(
      known, [&](const std::string& name) { return edit_distance(typed, name) <= 2; });
  return found == known.end() ? "" : *found;
}

std::vector<std::string> known_variables() {
  std::vector<std::string> names;
  for (const auto& option : option_table()) {
    if (!variable_of(option).empty()) names.push_back(variable_of(option));
  }
  return names;
}

/// What a scalar of a file would be on the command line; nothing where it is no scalar.
std::optional<std::string> scalar_text(const json::Value& value) {
  if (const auto* text = value.find_text()) return *text;
  if (const auto* number = value.find_integer()) return std::to_string(*number);
  if (const auto* flag = value.find_bool()) return *flag ? "true" : "false";
  return std::nullopt;
}

Usage<std::vector<std::string>> values_of(const OptionInfo& option, const json::Value& value,
                                          const std::string& place) {
  const auto* const array = value.find_array();
  if (array != nullptr && !option.is_repeatable)
    return wrong(place + ": only one value is allowed");
  std::vector<std::string> values;
  for (const auto& item : array == nullptr ? json::Array{value} : *array) {
    if (option.name == "ignore" && item.find_object() != nullptr) continue;
    const auto text = scalar_text(item);
    if (!text) return wrong(place + ": a text, a number or true or false is expected");
    auto part = values_of(option, *text, place);
    if (!part) return part;
    values.insert(values.end(), part->begin(), part->end());
  }
  return values;
}

Setting find_setting(const OptionInfo& option, const std::vector<const Layer*>& layers) {
  for (const auto* layer : layers) {
    const auto found = layer->given.find(option.name);
    if (found == layer->given.end()) continue;
    const bool is_variable = layer->origin == "the environment";
    return {&option, found->second, true, is_variable ? variable_of(option) : layer->origin};
  }
  return {&option, {}, false, "default"};
}

}  // namespace

std::string Setting::place() const {
  const std::string name(option->name);
  if (origin == "the command line" || origin == "default") return "--" + name;
  return origin == variable_of(*option) ? origin : origin + ": " + name;
}

const Setting& Settings::operator[](std::string_view name) const {
  const auto found = std::ranges::find_if(
      rows_, [&](const Setting& setting) { return setting.option->name == name; });
  WHYSO_CHECK(found != rows_.end());
  return *found;
}

std::string Settings::text(std::string_view name) const {
  const Setting& setting = (*this)[name];
  return setting.values.empty() ? std::string(setting.option->fallback) : setting.values.back();
}

std::string Settings::given_text(std::string_view name) const {
  const Setting& setting = (*this)[name];
  return setting.values.empty() ? "" : setting.values.back();
}

Usage<Layer> variable_layer(const Variables& variables) {
  Layer layer = {"the environment", {}};
  for (const auto& [name, value] : variables) {
    if (!name.starts_with("WHYSO_")) continue;
    const auto options = option_table();
    const auto option =
        std::ranges::find_if(options, [&](const auto& row) { return variable_of(row) == name; });
    if (option == options.end()) {
      // Others may use our prefix; what is nearly a name of ours is meant to be one.
      const auto meant = nearly(name, known_variables());
      if (meant.empty()) continue;
      return wrong("unknown variable " + name, "did you mean " + meant + "?");
    }
    auto values = values_of(*option, value, name);
    if (!values) return std::unexpected(std::move(values).error());
    layer.given.emplace(option->name, *std::move(values));
  }
  return layer;
}

Usage<Layer> file_layer(const json::Object& table, const std::string& file) {
  Layer layer = {file, {}};
  for (const auto& [key, value] : table) {
    const auto* const option = find_option(key);
    if (option == nullptr || option->source != Source::anywhere) {
      return wrong(fmt::format("{}: unknown key `{}`", file, key), guess(key, known_keys()));
    }
    auto values = values_of(*option, value, fmt::format("{}: {}", file, key));
    if (!values) return std::unexpected(std::move(values).error());
    // Entries that silence single findings are no codes to be left out.
    if (key == "ignore" && values->empty()) continue;
    layer.given.emplace(key, *std::move(values));
  }
  return layer;
}

Usage<Settings> settle(const Layer& command_line, const std::vector<Layer>& weaker, Verb verb) {
  std::vector<const Layer*> layers = {&command_line};
  for (const auto& layer : weaker) layers.push_back(&layer);
  std::vector<Setting> rows;
  for (const auto& option : option_table()) {
    rows.push_back(find_setting(option, layers));
    const auto given = command_line.given.find(option.name);
    if (given == command_line.given.end()) continue;
    const std::string dashed = "--" + std::string(option.name);
    if (!applies(option, verb) && verb != Verb::config) {
      return wrong(dashed + " means nothing to `whyso " + std::string(info_of(verb).name) + "`",
                   "whyso help " + std::string(info_of(verb).name) + " lists what does");
    }
    if (auto checked = check_choice(option, given->second, dashed); !checked) {
      return std::unexpected(checked.error());
    }
  }
  return Settings(std::move(rows));
}

}  // namespace whyso::cli
