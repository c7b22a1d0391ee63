// SPDX-License-Identifier: Apache-2.0
// Names of wheel files: NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM.whl (binary distribution format).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "whyso/base/result.h"
#include "whyso/python/tag.h"

namespace whyso::python {

/// "1abc": orders wheels of one version by number, then by text.
struct BuildTag {
  std::uint64_t number = 0;
  std::string_view text;  ///< what follows the number

  auto operator<=>(const BuildTag&) const = default;
};

/// Views of the file name.
struct WheelName {
  std::string_view name;     ///< as written, with '_' for '-'
  std::string_view version;  ///< as written; valid
  std::optional<BuildTag> build;
  TagSet tags;
};

/// Malformed where the name breaks the rules; the message says which.
[[nodiscard]] Result<WheelName> read_wheel_name(std::string_view file_name);

}  // namespace whyso::python
