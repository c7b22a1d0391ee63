// SPDX-License-Identifier: Apache-2.0
// Which environment is meant: by what the user named, else by what is active. Reads no packages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/environment/place.h"
#include "whyso/environment/variables.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// The environments that are meant, and why these.
struct Choice {
  std::vector<EnvironmentPlace> places;  ///< at least one, sorted by prefix
  std::string
      reason;  ///< "the argument", "VIRTUAL_ENV", "CONDA_PREFIX", "./.venv", "python3 on PATH"
  std::vector<Error> problems;  ///< folders that the search could not enter, limits it reached
};

/// `target`: an environment, a folder with environments below it, `bin/python`, a folder of
/// packages or any file of an environment; relative to the working folder. Without one:
/// VIRTUAL_ENV, CONDA_PREFIX, ./.venv, then python3 on PATH (through the shims of pyenv). An Error
/// says what was not found and, where something is called alike, what may have been meant.
[[nodiscard]] Result<Choice> choose_environment(const tree::FileTree& tree,
                                                const ProcessVariables& variables,
                                                const std::optional<std::string>& target);

}  // namespace whyso::environment
