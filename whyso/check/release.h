// SPDX-License-Identifier: Apache-2.0
// Which release of its family a library is of, by the best witness that there is.
#pragma once

#include <string>

#include "whyso/check/world.h"

namespace whyso::check {

struct Release {
  std::string version;  ///< "9.20.0"; empty: not known
  std::string
      witness;  ///< how it is known: "its file is called ...", "nvidia-cudnn-cu12 9.20.0.48"
};

/// By the file's own name, by what it answers, else by the distribution that lists it.
[[nodiscard]] Release release_of(const World& world, const Path& file);

}  // namespace whyso::check
