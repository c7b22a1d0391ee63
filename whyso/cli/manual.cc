// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/cli/help.h"

namespace whyso::cli {
namespace {

/// Text for roff: no line may begin with a control character, dashes and backslashes are escaped.
std::string roff(std::string_view text) {
  std::string result = replace_all(text, "\\", "\\e");
  result = replace_all(result, "-", "\\-");
  const bool is_control = result.starts_with('.') || result.starts_with('\'');
  return is_control ? "\\&" + result : result;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }

std::string option_item(const OptionInfo& option) {
  std::string item = ".TP\n" + bold(option_usage(option)) + "\n" + roff(option.help) + ".";
  if (!option.choices.empty()) {
    std::vector<std::string> choices;
    for (const auto choice : option.choices) choices.push_back(bold(choice));
    item += " One of " + join(choices, ", ") + ".";
  }
  const bool has_default = !option.fallback.empty() && option.fallback != "off";
  if (has_default) item += " Default: " + roff(option.fallback) + ".";
  if (!option.text.empty()) item += "\n" + roff(option.text);
  const std::string variable = variable_of(option);
  if (!variable.empty()) item += "\nVariable: " + bold(variable) + ".";
  return item + "\n";
}

std::string verb_section(const VerbInfo& info) {
  std::string section = ".SS " + roff(info.name) + "\n" + bold(verb_usage(info)) + "\n.PP\n";
  if (!info.alias.empty()) section += "Alias: " + bold(info.alias) + ".\n.PP\n";
  if (!info.text.empty()) section += roff(info.text) + "\n";
  for (const auto& example : info.examples) {
    section += ".TP\n" + bold(example.command) + "\n" + roff(example.meaning) + "\n";
  }
  for (const auto& option : option_table()) {
    if (option.verbs != all_verbs && applies(option, info.verb)) section += option_item(option);
  }
  return section;
}

}  // namespace

std::string manual_page(std::string_view version) {
  std::string page = ".TH WHYSO 1 \"\" \"whyso " + roff(version) + "\" \"User Commands\"\n";
  page += ".SH NAME\nwhyso \\- explain and check the native libraries of a Python environment\n";
  page += ".SH SYNOPSIS\n.B whyso\n[\\fIVERB\\fR] [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n";
  page +=
      ".SH DESCRIPTION\nReads what the packages of an environment list and what the dynamic "
      "loader would do with their libraries, and says where the two disagree. Runs nothing "
      "and changes nothing. Without a verb it checks the active environment; a first "
      "argument that contains \\fI.so\\fR asks why that library is taken from where it is.\n";
  page += ".SH VERBS\n";
  for (const auto& info : verb_table()) page += verb_section(info);
  page += ".SH OPTIONS FOR ALL VERBS\n";
  for (const auto& option : option_table()) {
    if (option.verbs == all_verbs) page += option_item(option);
  }
  page +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nlooked at everything, nothing at or above \\fB\\-\\-fail\\-on\\fR\n"
      ".TP\n1\nfindings; for why and provides: nothing found\n"
      ".TP\n2\nwrong usage or configuration, or the target does not exist\n"
      ".TP\n3\nincomplete: something could not be looked at or written\n"
      ".TP\n70\na bug of whyso\n.TP\n130\ninterrupted\n";
  page +=
      ".SH FILES\n.TP\nwhyso.toml, pyproject.toml\nThe nearest one from the working folder "
      "upwards, in the latter the table [tool.whyso]. Keys are the long names of options; an "
      "entry [[tool.whyso.ignore]] with code, reason and, if wished, package and until (a "
      "date) silences a finding.\n";
  return page;
}

}  // namespace whyso::cli
