// SPDX-License-Identifier: Apache-2.0
// One run of whyso: what was asked for, with all that decides about it, and what is to be written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/check/finding.h"
#include "whyso/cli/configuration.h"
#include "whyso/cli/options.h"
#include "whyso/cli/settings.h"
#include "whyso/report/style.h"

namespace whyso::cli {

/// Exit statuses; all verbs use these alone.
enum class Status : int {
  good = 0,
  findings = 1,
  wrong_usage = 2,
  incomplete = 3,
  refused = 4,
  child_failed = 5,
  internal_error = 70,
  interrupted = 130,
};

/// What main knows of the world around the program.
struct Surroundings {
  Variables variables;
  std::string working_folder;
  std::string today;  ///< ISO date
  bool out_is_terminal = false;
  bool error_is_terminal = false;
  std::size_t terminal_width = 0;  ///< 0: not known
};

enum class Format : std::uint8_t { text, json, ndjson, concise };

/// One place that the result goes to.
struct Destination {
  Format format = Format::text;
  std::string file;  ///< "-": standard output
};

struct Options {
  Request request;
  Settings settings;
  Configuration configuration;
  Surroundings surroundings;
  Format format = Format::text;
  std::vector<Destination> destinations;  ///< at least one
  report::Style style;                    ///< of what goes to standard output
  bool is_quiet = false;

  /// From the last argument or the option; empty: the active environment.
  [[nodiscard]] std::string target() const {
    return request.target.empty() ? settings.given_text("target") : request.target;
  }
};

/// Reads the command line, the variables and the configuration.
[[nodiscard]] Usage<Options> prepare(std::span<const std::string> arguments,
                                     const Surroundings& surroundings);

/// What a run has to say. Nothing is written before the run has ended.
struct Streams {
  struct File {
    std::string name;
    std::string text;
  };
  std::string out;          ///< data
  std::string err;          ///< talk
  std::vector<File> files;  ///< in the order in which they are written

  /// "whyso: MESSAGE" and a hint, on `err`.
  void complain(std::string_view message, std::string_view hint = "");
};

}  // namespace whyso::cli
