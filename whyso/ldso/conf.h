// SPDX-License-Identifier: Apache-2.0
// /etc/ld.so.conf: the folders that ldconfig looks into. Purely the text: patterns are not expanded
// and no file is opened. The loader itself never reads this file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace whyso::ldso {

enum class ConfKind : std::uint8_t {
  directory,  ///< a folder of libraries, without trailing slashes
  include,    ///< a pattern (glob) of further files; a relative one counts from this file's folder
};

/// One statement. `text` is a view of what was parsed.
struct ConfEntry {
  ConfKind kind = ConfKind::directory;
  std::string_view text;
  std::size_t line = 0;  ///< from 1
  bool operator==(const ConfEntry&) const = default;
};

/// The statements in order, as glibc's parse_conf reads them: "#" begins a comment anywhere,
/// an include line may hold several patterns, "hwcap" lines mean nothing any more, and "=TYPE"
/// behind a folder is dropped. Any text is a valid file.
[[nodiscard]] std::vector<ConfEntry> parse_conf(std::string_view text);

}  // namespace whyso::ldso
