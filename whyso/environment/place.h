// SPDX-License-Identifier: Apache-2.0
// Where an environment is, before anything in it was read.
#pragma once

#include <optional>
#include <string>

#include "whyso/base/path.h"

namespace whyso::environment {

/// An environment that was found or named.
struct EnvironmentPlace {
  Path prefix;                     ///< sys.prefix; of a bare folder the folder itself
  std::optional<Path> executable;  ///< as it was named or found; absent: none was found
  bool is_bare_folder = false;  ///< packages alone (`pip install --target`), no layout around them
  std::string named;            ///< as the user would name it: ".venv"

  bool operator==(const EnvironmentPlace&) const = default;
};

}  // namespace whyso::environment
