// SPDX-License-Identifier: Apache-2.0
// The exact version of an installed Python, from its headers or its binary.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "whyso/base/path.h"
#include "whyso/environment/library_name.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// PY_VERSION of the text of patchlevel.h: "3.11.7", "3.14.0rc1+".
[[nodiscard]] std::optional<std::string> find_version_in_header(std::string_view text);

/// PY_VERSION as it stands in the bytes of a python binary or a libpython of that short version.
[[nodiscard]] std::optional<std::string> find_version_in_binary(std::string_view bytes,
                                                                std::string_view short_version);

/// Whence the version is known, the most trusted first.
enum class VersionSource : std::uint8_t { patchlevel_header, binary, pyvenv_cfg, folder, unknown };

struct FoundVersion {
  std::string text;
  VersionSource source = VersionSource::unknown;
};

/// The version of the Python at `base_prefix`; `executable` may be absent. Falls back to the short
/// version that the library's name holds.
[[nodiscard]] FoundVersion find_version(const tree::FileTree& tree, const Path& base_prefix,
                                        const LibraryName& library,
                                        const std::optional<Path>& executable);

}  // namespace whyso::environment
