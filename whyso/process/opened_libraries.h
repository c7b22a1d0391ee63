// SPDX-License-Identifier: Apache-2.0
// The libraries that a Python source opens by itself when it is executed: ctypes, cffi and
// functions that lead to them. Only what is called by code of the module itself is followed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/process/search_path.h"
#include "whyso/process/text_value.h"
#include "whyso/python/import_scan.h"

namespace whyso::process {

/// What a name of a module stands for where it was imported.
struct TakenName {
  std::string module;
  std::string name;  ///< of a member; empty: the module itself
};

/// A source as far as the libraries that it opens are asked for.
struct SourceOfModule {
  python::SourceScan scan;
  std::string file;  ///< as Python spells it
  std::map<std::string, TakenName, std::less<>> taken;
};

/// The source of a module by its absolute name, or null; it lives as long as the search does.
using FindSource = std::function<const SourceOfModule*(std::string_view module)>;

/// What a failed opening raises.
enum class Strictness : std::uint8_t {
  unknown,    ///< perhaps nothing: a function that is only called like one that opens
  os_error,   ///< ctypes: OSError with the loader's text
  torch_ops,  ///< torch.ops.load_library: OSError with its own
};

/// One call that opens a library.
struct OpenedLibrary {
  TextValue names;  ///< what it is asked for; none: put together in ways that are not read
  Strictness strictness = Strictness::unknown;
  std::uint32_t line = 0;   ///< of the statement of the module that leads to it
  Id<python::Block> block;  ///< that this statement stands in
  bool is_sure = true;      ///< reached whenever that statement is executed
  /// Of the blocks around it in functions that lead to it, the innermost first.
  std::vector<python::ImportHandlers> handlers;
};

/// May it open libraries at all, by its words?
[[nodiscard]] bool may_open_libraries(std::string_view text);

/// In the order of execution.
[[nodiscard]] std::vector<OpenedLibrary> find_opened_libraries(const SourceOfModule& source,
                                                               PythonVersion version,
                                                               const FindSource& find_source);

}  // namespace whyso::process
