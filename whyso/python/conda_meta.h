// SPDX-License-Identifier: Apache-2.0
// conda-meta/NAME-VERSION-BUILD.json: a package of a conda prefix and its files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::python {

/// One file of the package.
struct CondaFile {
  std::string path;       ///< relative to the prefix
  std::string path_type;  ///< "hardlink", "softlink", "directory", …; empty where not said
  /// Hexadecimal digests; that in the prefix differs where conda wrote the prefix into the file.
  std::optional<std::string> sha256;
  std::optional<std::string> sha256_in_prefix;
  std::optional<std::uint64_t> size;  ///< of the packed file

  /// The digest that the installed file should have; absent: not known.
  [[nodiscard]] const std::optional<std::string>& installed_sha256() const {
    return sha256_in_prefix ? sha256_in_prefix : sha256;
  }

  bool operator==(const CondaFile&) const = default;
};

struct CondaPackage {
  std::string name;
  std::string version;
  std::string build;
  std::string channel;
  std::vector<CondaFile> files;  ///< of paths_data, else of `files` with paths alone
  std::vector<std::string> depends;
};

/// `where` names the file in errors: malformed where the text is no JSON or names no package.
[[nodiscard]] Result<CondaPackage> read_conda_meta(std::string_view text, std::string_view where);

}  // namespace whyso::python
