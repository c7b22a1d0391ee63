// SPDX-License-Identifier: Apache-2.0
// The python3 that a shell would start. Executes nothing, not even the shims of pyenv.
#pragma once

#include <optional>

#include "whyso/base/path.h"
#include "whyso/environment/variables.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// python3, else python, in the first folder of PATH that has one; behind a shim of pyenv the one
/// that PYENV_VERSION, .python-version or the global version chooses. Nothing where there is none.
[[nodiscard]] std::optional<Path> find_python_on_path(const tree::FileTree& tree,
                                                      const ProcessVariables& variables);

/// A program of that name in the folders of PATH; shims count as they are.
[[nodiscard]] std::optional<Path> find_on_path(const tree::FileTree& tree,
                                               const ProcessVariables& variables,
                                               std::string_view name);

}  // namespace whyso::environment
