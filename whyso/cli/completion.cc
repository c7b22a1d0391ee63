// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "whyso/base/text.h"
#include "whyso/cli/help.h"

namespace whyso::cli {
namespace {

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const auto& info : verb_table()) {
    names.emplace_back(info.name);
    if (!info.alias.empty()) names.emplace_back(info.alias);
  }
  return names;
}

std::vector<std::string> options_of(Verb verb) {
  std::vector<std::string> names;
  for (const auto& option : option_table()) {
    if (!applies(option, verb)) continue;
    names.push_back("--" + std::string(option.name));
    if (option.letter != 0) names.push_back(std::string("-") + option.letter);
  }
  return names;
}

/// Words that may stand behind a verb, where they are known.
std::vector<std::string> words_of(Verb verb, const std::vector<std::string>& rule_codes) {
  if (verb == Verb::rule) return rule_codes;
  if (verb == Verb::generate) return {"man", "complete-bash", "complete-zsh", "complete-fish"};
  if (verb == Verb::list) return {"packages", "libs", "clashes", "orphans"};
  if (verb == Verb::help) return verb_names();
  if (verb == Verb::schema)
    return {"check", "why", "provides", "loads", "list", "plan", "rule", "ld", "config"};
  return {};
}

std::vector<std::string> strings(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

/// Text within single quotes of a shell.
std::string quoted(std::string_view text) { return "'" + replace_all(text, "'", "'\\''") + "'"; }

/// "--format|-f" patterns for a shell's case.
std::string pattern_of(const OptionInfo& option) {
  std::string pattern = "--" + std::string(option.name);
  if (option.letter != 0) pattern += std::string("|-") + option.letter;
  return pattern;
}

}  // namespace

std::string bash_completion(const std::vector<std::string>& rule_codes) {
  std::string text =
      "# bash completion for whyso\n_whyso() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  local verb=check at words=\n"
      "  for ((at = 1; at < COMP_CWORD; ++at)); do\n"
      "    case ${COMP_WORDS[at]} in\n      " +
      join(verb_names(), "|") +
      ") verb=${COMP_WORDS[at]}; break;;\n    esac\n  done\n"
      "  case $before in\n";
  for (const auto& option : option_table()) {
    if (option.value.empty()) continue;
    const bool is_file = option.choices.empty();
    text += "    " + pattern_of(option) + ") " +
            (is_file ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                     : "COMPREPLY=($(compgen -W '" + join(strings(option.choices), " ") +
                           "' -- \"$word\"))") +
            "; return;;\n";
  }
  text += "  esac\n  case $verb in\n";
  for (const auto& info : verb_table()) {
    const std::string name =
        std::string(info.name) + (info.alias.empty() ? "" : "|" + std::string(info.alias));
    std::vector<std::string> words = options_of(info.verb);
    for (auto& word : words_of(info.verb, rule_codes)) words.push_back(std::move(word));
    text += "    " + name + ") words='" + join(words, " ") + "';;\n";
  }
  text += "  esac\n  ((at == COMP_CWORD)) && words+=' " + join(verb_names(), " ") +
          "'\n  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
          "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
          "complete -o filenames -F _whyso whyso\n";
  return text;
}

std::string zsh_completion(const std::vector<std::string>& rule_codes) {
  std::string text =
      "#compdef whyso\n_whyso() {\n  local context state state_descr line\n"
      "  typeset -A opt_args\n  local -a verbs\n  verbs=(\n";
  for (const auto& info : verb_table()) {
    text += "    " + quoted(std::string(info.name) + ":" + std::string(info.question)) + "\n";
  }
  text += "  )\n  _arguments -C -S \\\n";
  for (const auto& option : option_table()) {
    std::string action;
    if (!option.choices.empty()) {
      action = ":" + lower(option.value) + ":(" + join(strings(option.choices), " ") + ")";
    } else if (!option.value.empty()) {
      action = ":" + lower(option.value) + ":_files";
    }
    const std::string help = "[" + replace_all(replace_all(option.help, "[", "("), "]", ")") + "]";
    const std::string_view star = option.is_repeatable ? "*" : "";
    const std::string line = fmt::format("{}--{}{}{}", star, option.name, help, action);
    text += fmt::format("    {} \\\n", quoted(line));
    if (option.letter == 0) continue;
    text += fmt::format("    {} \\\n",
                        quoted(fmt::format("{}-{}{}{}", star, option.letter, help, action)));
  }
  text +=
      "    '1:verb:{_describe verb verbs; _files}' '*::argument:->rest'\n"
      "  [[ $state == rest ]] && case $line[1] in\n";
  for (const auto& info : verb_table()) {
    const auto words = words_of(info.verb, rule_codes);
    if (words.empty()) continue;
    text += "    " + std::string(info.name) + ") _values argument " + join(words, " ") + ";;\n";
  }
  text += "    *) _files;;\n  esac\n}\n_whyso \"$@\"\n";
  return text;
}

std::string fish_completion(const std::vector<std::string>& rule_codes) {
  std::string text = "# fish completion for whyso\n";
  const std::string names = join(verb_names(), " ");
  for (const auto& info : verb_table()) {
    text += "complete -c whyso -n 'not __fish_seen_subcommand_from " + names + "' -a " +
            std::string(info.name) + " -d " + quoted(info.question) + "\n";
    const auto words = words_of(info.verb, rule_codes);
    if (words.empty()) continue;
    text += "complete -c whyso -f -n '__fish_seen_subcommand_from " + std::string(info.name) +
            "' -a " + quoted(join(words, " ")) + "\n";
  }
  for (const auto& option : option_table()) {
    text += "complete -c whyso -l " + std::string(option.name);
    if (option.letter != 0) text += std::string(" -s ") + option.letter;
    if (!option.choices.empty()) text += " -x -a " + quoted(join(strings(option.choices), " "));
    if (option.choices.empty() && !option.value.empty()) text += " -r";
    text += " -d " + quoted(option.help) + "\n";
  }
  return text;
}

}  // namespace whyso::cli
