// SPDX-License-Identifier: Apache-2.0
// The import statements of a Python source file and the blocks they stand in, as values. Finding
// them is import_scan.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "whyso/base/table.h"
#include "whyso/python/exception_clause.h"

namespace whyso::python {

enum class BlockKind : std::uint8_t {
  module,
  class_body,     ///< executed when the module is; `text` is the name
  function_body,  ///< executed when it is called; `text` is the name
  if_body,        ///< `text` is the condition; of "elif" inside the else_body of the one before
  else_body,      ///< of an if: `text` is the condition that does not hold
  try_body,       ///< `handlers` says what becomes of its failures
  except_body,    ///< `text` is what is caught, "" for all
  try_else,
  finally_body,
  loop_body,  ///< of for or while; `text` is the head
  loop_else,
  with_body,  ///< `text` is the head; contextlib.suppress counts as a handler
  case_body,  ///< of match; `text` is the pattern
};

/// A block that an import stands in.
struct Block {
  BlockKind kind = BlockKind::module;
  Id<Block> parent;        ///< of the module: itself
  std::uint32_t line = 0;  ///< of its head, or, for else and finally, of the statement they end
  std::string text;
  ImportHandlers handlers;  ///< of a try_body or with_body
  bool may_go_on = false;   ///< of a try_body: some except clause does not end in `raise`
};

/// "sqrt as root" of a from-import; "*" for all names.
struct ImportedName {
  std::string name;
  std::string bound_as;  ///< the same as `name` without "as"

  bool operator==(const ImportedName&) const = default;
};

/// When an import is executed: with the module, with a class body of it, or when a function is
/// called.
enum class ImportScope : std::uint8_t { module, class_body, function_body };

/// One module of an import statement: "import a.b, c" makes two.
struct ImportStatement {
  std::string module;               ///< "a.b"; empty in "from . import x"
  unsigned level = 0;               ///< number of leading dots
  bool is_from = false;             ///< "from module import names"
  std::vector<ImportedName> names;  ///< only of a from-import
  std::string bound_as;             ///< of "import a.b as c"; empty without "as"
  std::uint32_t line = 0;           ///< of the statement, from 1
  ImportScope scope = ImportScope::module;
  Id<Block> block;  ///< the innermost
};

}  // namespace whyso::python
