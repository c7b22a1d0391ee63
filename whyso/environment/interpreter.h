// SPDX-License-Identifier: Apache-2.0
// The Python of an environment as its files describe it. Nothing is executed; which folders it
// searches is search_path.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/environment/library_name.h"
#include "whyso/environment/place.h"
#include "whyso/environment/python_version.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

enum class EnvironmentForm : std::uint8_t {
  virtual_environment,  ///< has a pyvenv.cfg, or is an old virtualenv without one
  conda,                ///< a prefix with conda-meta
  installation,  ///< the prefix of a Python itself: the system's, pyenv's, a standalone build
  bare_folder,   ///< packages without a Python
};

struct Interpreter {
  EnvironmentForm form = EnvironmentForm::bare_folder;
  Path prefix;       ///< sys.prefix
  Path base_prefix;  ///< sys.base_prefix; where it is gone, what pyvenv.cfg says it was

  std::optional<Path> executable;       ///< as named or found; may be a link that leads nowhere
  std::optional<Path> real_executable;  ///< absent: none, or its file is gone
  std::string implementation;           ///< "CPython", "PyPy"; empty: not known
  std::string version;                  ///< "3.11.7", or "3.11" alone; empty: not known
  VersionSource version_source = VersionSource::unknown;
  std::optional<LibraryName> library;  ///< absent: not known
  std::string library_folder = "lib";  ///< sys.platlibdir: "lib" or "lib64"

  std::optional<Path> standard_library;  ///< the folder that holds os.py; absent: gone
  std::optional<Path> lib_dynload;       ///< absent: there is none
  bool includes_system_packages = false;
  std::optional<Path> externally_managed;       ///< the file of PEP 668; absent in environments
  std::vector<std::string> extension_suffixes;  ///< in the order in which they are tried
  std::string creator;                          ///< "uv 0.13.9", "virtualenv 20.24.5", or empty
  bool is_base_missing = false;                 ///< the Python it was made from is gone
  std::vector<Error> problems;

  /// "CPython 3.11.7", or empty where nothing is known.
  [[nodiscard]] std::string title() const;
};

/// What the files at and around `place` say. What is missing stays absent; what could not be read
/// is among the problems.
[[nodiscard]] Interpreter read_interpreter(const tree::FileTree& tree,
                                           const EnvironmentPlace& place);

}  // namespace whyso::environment
