// SPDX-License-Identifier: Apache-2.0
// Where one Python looks for modules, as values. How it was found out is the environment's matter.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "whyso/base/path.h"

namespace whyso::process {

/// major.minor of a CPython.
struct PythonVersion {
  int major = 3;
  int minor = 11;
  auto operator<=>(const PythonVersion&) const = default;
};

/// What the search needs to know of an interpreter and its environment.
struct SearchPath {
  PythonVersion version;
  /// Of extension modules, in the order in which they are tried (`EXTENSION_SUFFIXES`).
  std::vector<std::string> extension_suffixes;
  /// sys.path in order, the standard library's folders included.
  std::vector<Path> folders;
  /// The same folders as sys.path spells them, links and all; empty: `folders` is spelled so.
  std::vector<Path> spelled_folders;
  /// Those of `folders` that belong to the interpreter: lib/python3.X, lib-dynload.
  std::vector<Path> standard_folders;
  /// Files that ought to be there and are not, because a RECORD lists them. Spelled from `folders`.
  std::vector<Path> missing_files;
  /// The lines of `.pth` files that are executed at start ("import x; x.install()").
  std::vector<std::string> startup_code;

  /// A file below one of `folders` as Python spells it.
  [[nodiscard]] std::string spelled(const Path& file) const;
};

}  // namespace whyso::process
