// SPDX-License-Identifier: Apache-2.0
// The clauses of import statements: modules, names, aliases. Knows nothing of blocks.
#pragma once

#include <vector>

#include "whyso/python/import_statement.h"
#include "whyso/python/source_cursor.h"

namespace whyso::python {

/// What follows the word "import"; the cursor stands behind it and is left before the end of the
/// statement. Line, scope and block are not filled in.
[[nodiscard]] std::vector<ImportStatement> read_import(SourceCursor& cursor);

/// What follows the word "from"; empty where it is no import.
[[nodiscard]] std::vector<ImportStatement> read_from_import(SourceCursor& cursor);

}  // namespace whyso::python
