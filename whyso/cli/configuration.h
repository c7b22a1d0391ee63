// SPDX-License-Identifier: Apache-2.0
// Where the configuration lies and what it says: settings, and findings that are to be silent.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "whyso/base/json.h"
#include "whyso/cli/options.h"

namespace whyso::cli {

/// `[[tool.whyso.ignore]]`: this finding is known and accepted.
struct Suppression {
  std::string code;     ///< "SO203", a beginning like "SO2", or a rule's name
  std::string package;  ///< empty: of whatever package
  std::string until;    ///< ISO date, the last day on which it holds; empty: for ever
  std::string reason;
  std::string place;  ///< "pyproject.toml: ignore entry 2"
};

struct Configuration {
  std::string file;  ///< empty: none was found
  json::Object table;
  std::vector<Suppression> suppressions;
  std::vector<std::string> unreadable;  ///< "FILE: WHY": files that were passed over
};

/// The nearest whyso.toml, or pyproject.toml with [tool.whyso], from `folder` upwards; else
/// whyso/whyso.toml in `user_folder`. A file that may not be read is passed over and said; one that
/// cannot be understood is wrong usage.
[[nodiscard]] Usage<Configuration> find_configuration(const std::string& folder,
                                                      const std::string& user_folder);

/// What a file of that name says; nothing where it is a pyproject.toml without [tool.whyso].
[[nodiscard]] Usage<std::optional<Configuration>> read_configuration(std::string_view text,
                                                                     const std::string& file);

}  // namespace whyso::cli
