// SPDX-License-Identifier: Apache-2.0
// Names of libraries that stand in a file's read-only data, where it may open them when it is used.
// A guess, and called likely wherever it is shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/check/world.h"

namespace whyso::check {

/// "libX.so.N" in the bytes, each once, sorted.
[[nodiscard]] std::vector<std::string> library_names_in(std::string_view bytes);

/// The names of libraries that a file may open: strings of its own that are nothing but such a
/// name, with or without a version, in a file that calls dlopen. None where it is larger than
/// `most`.
[[nodiscard]] std::vector<std::string> opened_names(const tree::FileTree& tree, const Path& file,
                                                    std::uint64_t most);

/// A name that a file may open, of which only another generation is there.
struct AbsentGeneration {
  std::string wanted;   ///< "libcublasLt.so.13"
  std::string present;  ///< "libcublasLt.so.12"
};

/// Looks at the first 8 MiB of each read-only segment: strings stand before GPU code.
[[nodiscard]] std::vector<AbsentGeneration> absent_generations(const World& world,
                                                               const Path& file);

}  // namespace whyso::check
