// SPDX-License-Identifier: Apache-2.0
// What Debian's package manager wrote down: the files of a package and the packages installed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace whyso::python {

/// Paths of an info/PACKAGE.list file, absolute, without the root "/.". Views of `text`.
[[nodiscard]] std::vector<std::string_view> read_dpkg_list(std::string_view text);

/// "libc6:amd64.list" taken apart. Views of the file name.
struct DpkgListName {
  std::string_view package;
  std::string_view architecture;  ///< empty where the name has none

  bool operator==(const DpkgListName&) const = default;
};

/// Nothing where it is no NAME.list.
[[nodiscard]] std::optional<DpkgListName> find_dpkg_list_name(std::string_view file_name);

/// A paragraph of the status file. Views of the text.
struct DpkgPackage {
  std::string_view name;
  std::string_view version;
  std::string_view architecture;
  bool is_installed = false;  ///< the third word of its Status is "installed"

  bool operator==(const DpkgPackage&) const = default;
};

/// All paragraphs that name a package, in order.
[[nodiscard]] std::vector<DpkgPackage> read_dpkg_status(std::string_view text);

}  // namespace whyso::python
