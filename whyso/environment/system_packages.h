// SPDX-License-Identifier: Apache-2.0
// Which package of the operating system owns a file: Debian's dpkg. Other systems are not known
// yet.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

struct SystemPackage {
  std::string name;
  std::string version;  ///< empty: the status file does not tell
  std::string architecture;

  /// "deb libc6 2.36-9+deb12u10"
  [[nodiscard]] std::string title() const;

  bool operator==(const SystemPackage&) const = default;
};

/// For each path its packages, sorted by name; none where nobody owns it. Paths without links and
/// the form in which dpkg may list them ("/lib/x" for "/usr/lib/x") are one. Absent: no dpkg here.
/// Cost: all lists are read once a call, some milliseconds; so ask for many paths at once.
[[nodiscard]] Lookup<std::vector<std::vector<SystemPackage>>> find_system_packages(
    const tree::FileTree& tree, std::span<const Path> paths);

}  // namespace whyso::environment
