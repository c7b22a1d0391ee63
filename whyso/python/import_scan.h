// SPDX-License-Identifier: Apache-2.0
// The import statements of a Python source file, each with the blocks it stands in. What the
// modules are, and whether a condition holds, is not known here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "whyso/base/table.h"
#include "whyso/python/import_statement.h"

namespace whyso::python {

/// Block 0 is the module; only blocks that an import stands in are listed, parents first.
struct ImportScan {
  Table<Block> blocks;
  std::vector<ImportStatement> imports;
  /// Did the source end inside a bracket or string? Then imports may be missing.
  bool is_cut_off = false;
};

/// Never fails: source that is no Python yields what looks like an import in it. Cost: one pass.
[[nodiscard]] ImportScan scan_imports(std::string_view source);

/// A statement as it stands in the source, or the head of a compound one. Imports are left out.
struct Statement {
  std::string_view text;  ///< of a head what follows its keyword, of `return` its value
  BlockKind opens = BlockKind::module;  ///< of a head: the kind of `body`
  bool is_return = false;
  std::uint32_t line = 0;
  Id<Block> block;  ///< that it stands in
  Id<Block> body;   ///< only of a head
};

/// All blocks are listed. Texts are views of the source.
struct SourceScan : ImportScan {
  std::vector<Statement> statements;
};

/// The same with every statement; for the few sources of which more is asked than imports.
[[nodiscard]] SourceScan scan_statements(std::string_view source);

/// Is the condition typing's TYPE_CHECKING, which is false when the program runs?
[[nodiscard]] bool is_type_checking(std::string_view condition);

}  // namespace whyso::python
