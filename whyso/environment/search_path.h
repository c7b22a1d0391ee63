// SPDX-License-Identifier: Apache-2.0
// sys.path as a Python would compute it at its start (getpath.py, site.py). Nothing is executed:
// what `.pth` files would execute is said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/environment/interpreter.h"
#include "whyso/environment/variables.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

enum class SiteKind : std::uint8_t {
  python_path,       ///< an entry of PYTHONPATH
  zip,               ///< lib/python311.zip, which rarely exists
  standard_library,  ///< the folder that holds os.py
  lib_dynload,       ///< extension modules of the standard library
  site_packages,     ///< where distributions are installed
  dist_packages,     ///< the same on Debian
  user,              ///< ~/.local/lib/pythonX.Y/site-packages
  pth,               ///< added by a line of a `.pth` file
};

/// One entry of sys.path.
struct SiteDirectory {
  Path path;  ///< as it stands in sys.path
  Path real;  ///< without links; `path` where it does not exist
  SiteKind kind = SiteKind::site_packages;
  std::string from;      ///< "FILE:LINE" of a `.pth` line, else empty
  bool is_base = false;  ///< belongs to the Python that a virtual environment was made from
  bool exists = false;
};

/// Distributions are installed there: `.pth` files in it count.
[[nodiscard]] bool is_site_folder(SiteKind kind);

/// May hold distributions: any entry but those of the standard library.
[[nodiscard]] bool may_hold_distributions(SiteKind kind);

/// A line that Python executes at every start.
struct ExecutedPthLine {
  Path file;
  std::size_t line = 0;
  std::string text;
  /// The module of a known editable install, "__editable___foo_1_0_finder"; empty: none known.
  std::string editable_finder;
};

struct SearchPath {
  std::vector<SiteDirectory> directories;  ///< in the order of sys.path
  std::vector<ExecutedPthLine> executed;
  std::vector<Error> problems;
};

/// Entries that do not exist are kept only where Python keeps them: PYTHONPATH, zip and the
/// standard library.
[[nodiscard]] SearchPath read_search_path(const tree::FileTree& tree,
                                          const Interpreter& interpreter,
                                          const ProcessVariables& variables);

}  // namespace whyso::environment
