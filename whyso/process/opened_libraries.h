// SPDX-License-Identifier: Apache-2.0
// The libraries that a Python source opens by itself when it is executed: ctypes, cffi and
// functions that lead to them. Only what is called by code of the module itself is followed.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "whyso/process/search_path.h"
#include "whyso/process/text_value.h"
#include "whyso/python/import_scan.h"

namespace whyso::process {

/// One call that opens a library.
struct OpenedLibrary {
  TextValue names;          ///< what it is asked for; none: put together in ways that are not read
  bool is_strict = false;   ///< surely a call of ctypes: what cannot be had raises OSError
  std::uint32_t line = 0;   ///< of the statement of the module that leads to it
  Id<python::Block> block;  ///< that this statement stands in
  bool is_in_function = false;
  Id<python::Block> inner_block;  ///< where the call itself stands, where that is in a function
};

/// May it open libraries at all, by its words?
[[nodiscard]] bool may_open_libraries(std::string_view text);

/// In the order of execution. `file` is the source's path as Python spells it.
[[nodiscard]] std::vector<OpenedLibrary> find_opened_libraries(const python::SourceScan& scan,
                                                               std::string_view file,
                                                               PythonVersion version);

}  // namespace whyso::process
