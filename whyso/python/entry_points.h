// SPDX-License-Identifier: Apache-2.0
// entry_points.txt: what a distribution offers by name (entry points specification).
#pragma once

#include <string_view>
#include <vector>

namespace whyso::python {

/// "pip = pip._internal.cli.main:main [extra]" of a group. Views of the text it was read from.
struct EntryPoint {
  std::string_view group;
  std::string_view name;
  std::string_view module;
  std::string_view object;  ///< empty where the module itself is meant
  std::string_view extras;  ///< between the brackets, deprecated; empty where there are none

  bool operator==(const EntryPoint&) const = default;
};

/// INI in the manner of configparser with '=' alone as delimiter; names keep their case. Lines that
/// are no entry point are skipped.
[[nodiscard]] std::vector<EntryPoint> read_entry_points(std::string_view text);

}  // namespace whyso::python
