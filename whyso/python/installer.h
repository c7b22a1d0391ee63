// SPDX-License-Identifier: Apache-2.0
// INSTALLER: the tool that installed a distribution (recording installed packages).
#pragma once

#include <cstdint>
#include <string_view>

namespace whyso::python {

enum class InstallerKind : std::uint8_t {
  pip,
  uv,
  conda,
  poetry,
  pdm,
  debian,
  rpm,
  other,
  unknown
};

struct Installer {
  InstallerKind kind = InstallerKind::unknown;  ///< unknown: the file is empty
  std::string_view text;                        ///< the first line, trimmed; "poetry 1.8.2"
};

/// The view is of `text`.
[[nodiscard]] Installer read_installer(std::string_view text);

}  // namespace whyso::python
