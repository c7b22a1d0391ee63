// SPDX-License-Identifier: Apache-2.0
// What kind of folder one has before oneself, judged by a few names in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "whyso/base/path.h"
#include "whyso/environment/place.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {

enum class FolderKind : std::uint8_t {
  environment,  ///< pyvenv.cfg, conda-meta, or bin/python beside lib/pythonX.Y
  prefix,       ///< lib/pythonX.Y/site-packages without a Python
  packages,     ///< holds metadata folders, or is called site-packages or dist-packages
  other,
};

[[nodiscard]] FolderKind recognize(tree::Resolver& resolver, const Path& folder);

/// "python", "python3", "python3.11", "pypy3": what a Python's program may be called.
[[nodiscard]] bool is_python_name(std::string_view file_name);

/// The environment whose own parts (lib/pythonX.Y, bin, or anything below a virtual or conda
/// environment) hold the path; nothing where there is none.
[[nodiscard]] std::optional<EnvironmentPlace> find_enclosing(tree::Resolver& resolver,
                                                             const Path& path);

}  // namespace whyso::environment
