// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/cli/options.h"

namespace whyso::cli {
namespace {

std::unexpected<UsageError> wrong(std::string message, std::string hint) {
  return std::unexpected(UsageError{std::move(message), std::move(hint)});
}

bool has(const CommandLine& line, std::string_view option) { return line.given.contains(option); }

/// "Why this .so?"
bool asks_why(const std::string& word) { return word.find(".so") != std::string::npos; }

std::unexpected<UsageError> no_verb(const std::string& word) {
  std::vector<std::string> known;
  for (const auto& info : verb_table()) known.emplace_back(info.name);
  const auto close = closest(word, known);
  if (!close.empty()) {
    return wrong("`" + word + "` is no verb",
                 "did you mean `whyso " + join(close, "` or `whyso ") + "`?");
  }
  const bool is_path = word.starts_with('.') || word.find('/') != std::string::npos;
  return wrong("`" + word + "` is no verb",
               is_path ? "to look at that target: whyso check " + shell_word(word)
                       : "whyso --help lists all verbs; a target stands after a verb");
}

/// The verb that an option stands for.
const VerbInfo* verb_of_option(const CommandLine& line) {
  if (has(line, "help")) return &info_of(Verb::help);
  if (has(line, "version")) return &info_of(Verb::version);
  return has(line, "explain") ? &info_of(Verb::rule) : nullptr;
}

/// The words behind the verb, parted into its own arguments and a target.
Usage<Request> request_of(const VerbInfo& info, std::vector<std::string> words) {
  Request request = {.verb = info.verb};
  const std::string usage = "usage: whyso " + std::string(info.name) +
                            (info.arguments.empty() ? "" : " " + std::string(info.arguments));
  if (info.needs_arguments && words.size() < info.own_arguments) {
    return wrong("`whyso " + std::string(info.name) + "` needs " +
                     std::string(split(info.arguments, ' ')[0]),
                 usage);
  }
  const std::size_t most = info.own_arguments + (info.takes_target ? 1 : 0);
  const bool is_open_ended = info.arguments.ends_with("...");
  if (words.size() > most && !is_open_ended) {
    return wrong("`" + words[most] + "` is one argument too many", usage);
  }
  if (info.takes_target && words.size() > info.own_arguments) {
    request.target = words.back();
    words.pop_back();
  }
  request.arguments = std::move(words);
  return request;
}

}  // namespace

Usage<Request> understand(const CommandLine& line) {
  std::vector<std::string> words = line.words;
  const VerbInfo* const verb = words.empty() ? nullptr : find_verb(words[0]);
  if (const auto* instead = verb_of_option(line)) {
    if (instead->verb == Verb::rule) return Request{Verb::rule, line.given.at("explain"), ""};
    if (instead->verb != Verb::help) return Request{instead->verb, {}, ""};
    if (words.empty()) return Request{Verb::help, {}, ""};
    if (verb == nullptr) return Request{Verb::help, {asks_why(words[0]) ? "why" : words[0]}, ""};
    std::erase(words, "help");
    if (words.size() > 1) words.resize(1);
    return Request{Verb::help, words, ""};
  }
  if (words.empty()) return Request{};
  if (verb != nullptr) {
    return request_of(*verb, std::vector<std::string>(words.begin() + 1, words.end()));
  }
  if (asks_why(words[0])) return request_of(info_of(Verb::why), words);
  return no_verb(words[0]);
}

}  // namespace whyso::cli
