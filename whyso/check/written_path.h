// SPDX-License-Identifier: Apache-2.0
// What is wrong with paths as they are written: in LD_LIBRARY_PATH and in a file's RPATH.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/check/world.h"

namespace whyso::check {

/// The entries of LD_LIBRARY_PATH that are absolute, in order.
[[nodiscard]] std::vector<std::string> library_path_entries(const World& world);

/// The folders outside the environment that a file's own path names and that are not there, as
/// words: "its RUNPATH names /home/build/lib, which is not here"; empty where there is none.
[[nodiscard]] std::string dead_paths_text(const World& world, NativeId requirer);

/// The entry of LD_LIBRARY_PATH that is a library of that name itself, where folders are wanted.
[[nodiscard]] std::string file_in_variable(const World& world, std::string_view name);

}  // namespace whyso::check
