// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/run.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

constexpr std::size_t narrowest = 40;
constexpr std::size_t widest = 400;
constexpr std::size_t widest_terminal = 120;

constexpr std::array format_names = {
    std::pair{std::string_view("text"), Format::text},
    std::pair{std::string_view("json"), Format::json},
    std::pair{std::string_view("ndjson"), Format::ndjson},
    std::pair{std::string_view("concise"), Format::concise},
};

std::unexpected<UsageError> wrong(std::string message, std::string hint = "") {
  return std::unexpected(UsageError{std::move(message), std::move(hint)});
}

std::optional<std::string> find_variable(const Variables& variables, std::string_view name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::nullopt : std::optional(found->second);
}

std::string variable(const Variables& variables, std::string_view name) {
  return find_variable(variables, name).value_or("");
}

/// XDG base directory specification: a relative path there does not count.
std::string user_folder(const Variables& variables) {
  std::string folder = variable(variables, "XDG_CONFIG_HOME");
  if (folder.starts_with('/')) return folder;
  const std::string home = variable(variables, "HOME");
  return home.starts_with('/') ? home + "/.config" : "";
}

std::optional<Format> find_format(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(format_names, [&](const auto& pair) { return pair.first == name; });
  if (found == format_names.end()) return std::nullopt;
  return found->second;
}

bool is_line_format(Format format) { return format == Format::ndjson || format == Format::concise; }

/// A habit from a file or a variable does not hold for verbs that do not have that format.
Format format_of(const Settings& settings, Verb verb) {
  const Format format = find_format(settings.text("format")).value_or(Format::text);
  const bool is_habit = settings["format"].origin != "the command line";
  return is_habit && is_line_format(format) && verb != Verb::check ? Format::text : format;
}

/// The locale that decides about letters: LC_ALL, LC_CTYPE, LANG, the first that is not empty.
std::string locale_of(const Variables& variables) {
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value = variable(variables, name);
    if (!value.empty()) return value;
  }
  return "";
}

report::ColourChoice colour_choice(const Settings& settings) {
  const std::string word = settings.text("color");
  if (word == "always") return report::ColourChoice::always;
  return word == "never" ? report::ColourChoice::never : report::ColourChoice::automatic;
}

Usage<std::size_t> width_of(const Settings& settings, const Surroundings& around) {
  const std::string given = settings.given_text("width");
  if (given.empty()) {
    const bool is_known = around.out_is_terminal && around.terminal_width > 0;
    return is_known ? std::clamp(around.terminal_width, narrowest, widest_terminal) : 80;
  }
  const auto number = parse_decimal(given);
  if (!number || *number < narrowest || *number > widest) {
    return wrong("--width: `" + given + "` is no number between 40 and 400");
  }
  return static_cast<std::size_t>(*number);
}

Usage<report::Style> style_of(const Settings& settings, const Surroundings& around) {
  const Variables& variables = around.variables;
  const auto width = width_of(settings, around);
  if (!width) return std::unexpected(width.error());
  const Setting& ascii = settings["ascii"];
  return report::Style{
      .colour = report::wants_colour({.choice = colour_choice(settings),
                                      .no_color = find_variable(variables, "NO_COLOR"),
                                      .force_color = find_variable(variables, "FORCE_COLOR"),
                                      .clicolor_force = find_variable(variables, "CLICOLOR_FORCE"),
                                      .term = find_variable(variables, "TERM"),
                                      .is_terminal = around.out_is_terminal}),
      .ascii =
          ascii.is_given ? !ascii.values.empty() : !report::is_utf8_locale(locale_of(variables)),
      .width = *width,
      .verbosity = static_cast<int>(settings.list("verbose").size())};
}

/// "json=FILE" goes beside standard output, a bare FILE instead of it.
Usage<std::vector<Destination>> destinations_of(const Settings& settings, Format format) {
  std::vector<Destination> destinations = {{format, "-"}};
  for (const auto& value : settings.list("output")) {
    const std::size_t equals = value.find('=');
    if (equals == std::string::npos) {
      destinations[0].file = value;
      continue;
    }
    const auto named = find_format(value.substr(0, equals));
    if (!named) {
      return wrong("--output: `" + value.substr(0, equals) + "` is no format",
                   "a file whose name holds = is written as ./" + value);
    }
    destinations.push_back({*named, value.substr(equals + 1)});
  }
  for (const auto& destination : destinations) {
    if (destination.file.empty()) return wrong("--output needs the name of a file");
  }
  return destinations;
}

Usage<void> check_combination(const Options& options) {
  const bool has_both_targets =
      !options.request.target.empty() && options.settings["target"].origin == "the command line";
  if (has_both_targets) {
    return wrong("two targets: --target and `" + options.request.target + "`");
  }
  for (const auto& [format, file] : options.destinations) {
    if (is_line_format(format) && options.request.verb != Verb::check) {
      return wrong("ndjson and concise are formats of `whyso check` alone", "text and json remain");
    }
  }
  return {};
}

}  // namespace

Usage<Options> prepare(std::span<const std::string> arguments, const Surroundings& around) {
  auto line = parse_command_line(arguments);
  if (!line) return std::unexpected(std::move(line).error());
  auto request = understand(*line);
  if (!request) return std::unexpected(std::move(request).error());
  const bool is_plain = request->verb == Verb::help || request->verb == Verb::version;
  auto configuration =
      is_plain ? Configuration{}
               : find_configuration(around.working_folder, user_folder(around.variables));
  if (!configuration) return std::unexpected(std::move(configuration).error());
  auto variables = is_plain ? Layer{} : variable_layer(around.variables);
  if (!variables) return std::unexpected(std::move(variables).error());
  auto file = file_layer(configuration->table, configuration->file);
  if (!file) return std::unexpected(std::move(file).error());
  auto settings = settle({"the command line", line->given}, {*variables, *file}, request->verb);
  if (!settings) return std::unexpected(std::move(settings).error());

  const Format format = format_of(*settings, request->verb);
  const auto style = style_of(*settings, around);
  if (!style) return std::unexpected(style.error());
  auto destinations = destinations_of(*settings, format);
  if (!destinations) return std::unexpected(std::move(destinations).error());
  Options options = {*std::move(request),
                     *std::move(settings),
                     *std::move(configuration),
                     around,
                     format,
                     *std::move(destinations),
                     *style,
                     false};
  options.is_quiet = options.settings.has("quiet");
  if (auto checked = check_combination(options); !checked) {
    return std::unexpected(std::move(checked).error());
  }
  return options;
}

void Streams::complain(std::string_view message, std::string_view hint) {
  std::string_view begin = "whyso: ";
  for (const auto line : lines_of(message)) {
    err += std::string(std::exchange(begin, "")) + report::shown(line, {}) + "\n";
  }
  if (!hint.empty()) err += "       " + report::shown(hint, {}) + "\n";
}

}  // namespace whyso::cli
