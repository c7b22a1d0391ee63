// SPDX-License-Identifier: Apache-2.0
// What the source of one module does when it is imported, as far as the import graph asks. Knows no
// other module and no file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/process/opened_libraries.h"
#include "whyso/process/search_path.h"
#include "whyso/process/text_value.h"
#include "whyso/python/exception_clause.h"

namespace whyso::process {

/// Whether an import happens, and whether its failure is one of the module that asks for it.
/// Ordered: along a chain the largest counts.
enum class Certainty : std::uint8_t {
  certain,      ///< executed whenever the module is, and nothing catches its failure
  guarded,      ///< in a try body that swallows a failed import, or that may be left before
  conditional,  ///< may be left out: an undecided `if`, an `except` body, a loop, a function
};

/// A block around a statement that may catch what it raises.
struct Guard {
  std::uint32_t block = 0;  ///< the same number for all statements in that block of the module
  python::ImportHandlers handlers;
};

/// One import of a module's code, with its relative name made absolute.
struct ImportStatement {
  std::string module;                ///< "a.b" of `import a.b` and of `from a.b import c`
  std::vector<std::string> members;  ///< of `from`: names that may be submodules
  bool takes_all = false;            ///< `from a import *`
  Certainty certainty = Certainty::certain;
  std::uint32_t line = 0;
  std::vector<Guard> guards;  ///< the innermost first, up to the function that it stands in
};

/// One library that a module's code opens by itself.
struct LibraryOpening {
  TextValue names;  ///< none: put together in ways that are not read
  Strictness strictness = Strictness::unknown;
  Certainty certainty = Certainty::certain;
  std::uint32_t line = 0;
  std::vector<Guard> guards;
};

struct ModuleCode {
  std::vector<ImportStatement> imports;  ///< in the order in which they stand
  std::vector<LibraryOpening> openings;  ///< the same
  bool is_cut_off = false;               ///< the text ended inside a bracket or string
};

/// Whose code it is.
struct ModuleContext {
  std::string_view name;
  bool is_package = false;
  PythonVersion version;
  std::string_view file = {};  ///< as Python spells it; empty: openings are not looked for
  FindSource find_source = {};
};

/// What cannot be executed under that Python is left out. Imports in functions count where the
/// module itself calls the function by its name. Never fails: see python/import_scan.h.
[[nodiscard]] ModuleCode read_module_code(std::string_view text, const ModuleContext& context);

}  // namespace whyso::process
