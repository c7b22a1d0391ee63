// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/help.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/page.h"

namespace whyso::cli {
namespace {

using report::Page;
using report::Role;

constexpr std::size_t option_column = 27;

void write_options(Page& page, const std::vector<const OptionInfo*>& options, bool is_long) {
  for (const auto* option : options) {
    std::string text(option->help);
    const auto& choices = option->choices;
    if (!choices.empty()) {
      text += ": " + join(std::vector<std::string>(choices.begin(), choices.end()), ", ");
    }
    const bool has_default = !option->fallback.empty() && option->fallback != "off";
    if (has_default) text += " (default: " + std::string(option->fallback) + ")";
    const std::string usage = (option->letter == 0 ? "    " : "") + option_usage(*option);
    if (usage.size() + 4 > option_column) {
      page.paragraph(option->letter == 0 ? 6 : 2, option_usage(*option), Role::strong);
      page.paragraph(option_column, text);
    } else {
      page.lead("  " + usage + std::string(option_column - usage.size() - 2, ' '), option_column,
                text, option_column);
    }
    if (is_long && !option->text.empty()) page.paragraph(option_column, option->text);
  }
}

std::vector<const OptionInfo*> options_where(const auto& is_wanted) {
  std::vector<const OptionInfo*> options;
  for (const auto& option : option_table()) {
    if (is_wanted(option)) options.push_back(&option);
  }
  return options;
}

void write_examples(Page& page, std::span<const Example> examples) {
  for (const auto& example : examples) {
    page.verbatim(2, example.command);
    page.paragraph(6, example.meaning, Role::faint);
  }
}

}  // namespace

std::string option_usage(const OptionInfo& option) {
  std::string usage = option.letter == 0 ? "" : std::string("-") + option.letter + ", ";
  usage += "--" + std::string(option.name);
  if (!option.value.empty()) usage += " " + std::string(option.value);
  return usage;
}

std::string verb_usage(const VerbInfo& info) {
  std::string usage = "whyso " + std::string(info.name) + " [OPTION]...";
  if (!info.arguments.empty()) usage += " " + std::string(info.arguments);
  return usage;
}

std::string general_help(const report::Style& style) {
  Page page(style);
  page.paragraph(0,
                 "whyso: why .so? Explains and checks the native libraries of a Python "
                 "environment, from files alone.");
  page.blank();
  page.labelled({.text = "whyso", .indent = 0, .column = 22}, "is the active environment sound?");
  page.labelled({.text = "whyso libfoo.so.1", .indent = 0, .column = 22},
                "why is this library taken from there?");
  page.labelled({.text = "whyso VERB ...", .indent = 0, .column = 22}, "one of these:");
  page.blank();
  for (const auto& info : verb_table()) {
    page.labelled({.text = info.name, .indent = 2, .column = 13}, info.question);
  }
  page.blank();
  page.paragraph(0, "Options for all verbs", Role::strong);
  write_options(page, options_where([](const auto& o) { return o.verbs == all_verbs; }), false);
  page.blank();
  page.paragraph(0, "Exit status", Role::strong);
  page.paragraph(2,
                 "0 sound · 1 findings · 2 wrong usage or no such target · 3 something could "
                 "not be looked at · 70 a bug of whyso · 130 interrupted");
  page.blank();
  page.paragraph(0, "`whyso help VERB` shows examples and the options of a verb.");
  return std::move(page).text();
}

std::string verb_help(const VerbInfo& info, const report::Style& style) {
  Page page(style);
  page.paragraph(0, std::string(info.name) + ": " + std::string(info.question), Role::strong);
  page.blank();
  write_examples(page, info.examples);
  page.blank();
  page.labelled({.text = "usage", .indent = 0, .column = 7}, verb_usage(info));
  if (!info.alias.empty()) {
    page.labelled({.text = "alias", .indent = 0, .column = 7}, "whyso " + std::string(info.alias));
  }
  if (!info.text.empty()) {
    page.blank();
    page.paragraph(0, info.text);
  }
  const auto own =
      options_where([&](const auto& o) { return o.verbs != all_verbs && applies(o, info.verb); });
  if (!own.empty()) {
    page.blank();
    page.paragraph(0, "Options", Role::strong);
    write_options(page, own, true);
  }
  page.blank();
  page.paragraph(0, "Options for all verbs", Role::strong);
  write_options(page, options_where([](const auto& o) { return o.verbs == all_verbs; }), false);
  return std::move(page).text();
}

Status run_help(const Options& options, const Resources& /*resources*/, Streams& streams) {
  if (options.request.arguments.empty()) {
    streams.out += general_help(options.style);
    return Status::good;
  }
  const std::string& name = options.request.arguments[0];
  const auto* const info = find_verb(name);
  if (info == nullptr) {
    streams.complain("`" + name + "` is no verb", "whyso help lists all verbs");
    return Status::wrong_usage;
  }
  streams.out += verb_help(*info, options.style);
  return Status::good;
}

}  // namespace whyso::cli
