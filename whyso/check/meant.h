// SPDX-License-Identifier: Apache-2.0
// What somebody may have meant who asked by another name than the file or the package has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "whyso/check/world.h"

namespace whyso::check {

/// Names of installed distributions of which that is imported: pillow for "PIL". At most three. Of
/// a world that holds the files of a question alone those are told that have shared objects.
[[nodiscard]] std::vector<std::string> packages_imported_as(const World& world,
                                                            std::string_view module);

/// Names of listed libraries that begin so: "libtiff.so.6" or "libtiff-d8a9eb47.so.6" for
/// "libtiff". Sorted, at most three.
[[nodiscard]] std::vector<std::string> libraries_of_stem(const World& world, std::string_view stem);

}  // namespace whyso::check
