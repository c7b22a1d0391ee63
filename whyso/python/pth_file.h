// SPDX-License-Identifier: Apache-2.0
// .pth files of a site folder, line by line, as CPython's site.py reads them. Nothing is executed,
// and whether a folder exists is not known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace whyso::python {

enum class PthLineKind : std::uint8_t {
  add_path,     ///< appended to sys.path if it exists: absolute, or relative to the site folder
  import_line,  ///< begins with "import " or "import\t": Python executes it
};

/// One line that does something. A view of the text it was read from.
struct PthLine {
  PthLineKind kind = PthLineKind::add_path;
  std::string_view text;  ///< without white space at its end; at its start it belongs to the path
  std::size_t line = 0;   ///< from 1

  bool operator==(const PthLine&) const = default;
};

struct PthFile {
  std::vector<PthLine> lines;
  /// Python before 3.12.4 takes the mark for a part of the first line; here it is left out.
  bool has_byte_order_mark = false;
  /// If not, Python reads the file in the encoding of the locale or fails.
  bool is_utf8 = true;
};

/// Comments ('#' as first character) and blank lines are left out; lines end at CR, LF or CRLF.
[[nodiscard]] PthFile read_pth(std::string_view text);

}  // namespace whyso::python
