// SPDX-License-Identifier: Apache-2.0
// Which version of a library a file is, as its own bytes tell: functions that answer a constant,
// and the version at the end of its real name. What its package says is not asked.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "whyso/tree/file_tree.h"

namespace whyso::check {

/// By the name of an exported function ("cudnnGetVersion"): the number that it always returns.
using VersionAnswers = std::map<std::string, std::int64_t>;

/// Of exported functions with "version" in their name whose whole code returns one number; empty
/// also where the file cannot be read. Machine code of x86-64 and AArch64 is understood.
[[nodiscard]] VersionAnswers version_answers(const tree::FileTree& tree, const Path& file);

/// How one copy stands to another.
enum class Age : std::uint8_t { unknown, same, older, newer };

struct VersionDifference {
  Age age = Age::unknown;
  std::string function;  ///< that answers differently; empty where the names of the files tell
  std::string first;     ///< what the first answers, "8003"
  std::string second;
};

/// The first copy against the second.
[[nodiscard]] VersionDifference compare_versions(const tree::FileTree& tree, const Path& first,
                                                 const Path& second);

/// "9.21.1" of "libx.so.9.21.1": only what has three parts or more, which is no soname; else empty.
[[nodiscard]] std::string version_in_name(std::string_view file_name);

/// The dotted version that a number spells in the manner of CUDA's libraries: "9.20.0" of 92000,
/// "8.3.2" of 8302; empty where it spells none.
[[nodiscard]] std::string dotted_version(std::int64_t number);

}  // namespace whyso::check
