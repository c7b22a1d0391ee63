// SPDX-License-Identifier: Apache-2.0
// What the user asked for: the command line, read by the one table of options.
#pragma once

#include <expected>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "whyso/cli/option_table.h"

namespace whyso::cli {

/// Why a command line or a configuration makes no sense (exit status 2). `hint` may be empty.
struct UsageError {
  std::string message;
  std::string hint;
};

template <class T>
using Usage = std::expected<T, UsageError>;

/// Values by the name of their option; a flag has "true" once for each time it was given.
using Given = std::map<std::string, std::vector<std::string>, std::less<>>;

/// A command line, split into options and other words, before any verb is known.
struct CommandLine {
  Given given;
  std::vector<std::string> words;
};

/// `arguments` without the program's name. Options may stand anywhere; behind "--" all are words.
[[nodiscard]] Usage<CommandLine> parse_command_line(std::span<const std::string> arguments);

/// What was asked for: a verb, what stands behind it, and the target where one does.
struct Request {
  Verb verb = Verb::check;
  std::vector<std::string> arguments;
  std::string target;  ///< empty: none was named as an argument
};

/// The grammar of the first word: nothing is `check`; an exact verb is that verb; a word with
/// ".so" in it asks `why`; all else is wrong. --help, --version and --explain stand for their
/// verbs.
[[nodiscard]] Usage<Request> understand(const CommandLine& line);

}  // namespace whyso::cli
