// SPDX-License-Identifier: Apache-2.0
// The name of the folder that a Python calls its own. Touches no file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace whyso::environment {

/// "python3.11", "pypy3.10" or "python3.13t": the folder below lib/ that a Python calls its own.
struct LibraryName {
  std::string text;
  std::string implementation;  ///< "CPython" or "PyPy"
  std::string version;         ///< "3.11"

  bool operator==(const LibraryName&) const = default;
};

/// Nothing where `folder` is no such name.
[[nodiscard]] std::optional<LibraryName> find_library_name(std::string_view folder);

}  // namespace whyso::environment
