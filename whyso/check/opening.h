// SPDX-License-Identifier: Apache-2.0
// What becomes of libraries that native code opens by a name that stands in it. Which names are
// tried is a guess, what the loader does with them is not.
#pragma once

#include <string>
#include <vector>

#include "whyso/check/world.h"

namespace whyso::check {

/// One name, opened by the file that holds it, in a process that has loaded that file.
struct Opening {
  Path opener;
  std::optional<NativeId> native;  ///< the opener, where it is one of the environment's
  std::string name;
  /// As of an extension module; `module` is what brings the opener. `mapped` begins with what the
  /// process had mapped before.
  ModuleLoad load;
};

/// Asked are files of the environment whose names may be found in LD_LIBRARY_PATH or lie in PATH,
/// and members of a family that open each other. What is mapped already is not opened again.
[[nodiscard]] std::vector<Opening> open_by_name(const World& world);

/// Names of files in the folders of a list like LD_LIBRARY_PATH that are libraries by their name.
[[nodiscard]] std::set<std::string> libraries_in_list(const World& world, std::string_view list);

}  // namespace whyso::check
