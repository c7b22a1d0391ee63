// SPDX-License-Identifier: Apache-2.0
// Lists of libraries to preload: the file /etc/ld.so.preload and the variable LD_PRELOAD. Purely
// text; what the names lead to is not known here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace whyso::ldso {

/// The names in the text of /etc/ld.so.preload, in order, as glibc's rtld.c reads it: separated by
/// space, tab, newline and ":"; "#" begins a comment up to the end of the line. Its search for
/// comments never advances, so that a "#" far behind an earlier comment may stay and become a name
/// of its own; this is kept.
[[nodiscard]] std::vector<std::string> parse_preload_file(std::string_view text);

/// The names in LD_PRELOAD or --preload: separated by space and ":". Views of `text`.
[[nodiscard]] std::vector<std::string_view> parse_preload_variable(std::string_view text);

}  // namespace whyso::ldso
