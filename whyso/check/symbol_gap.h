// SPDX-License-Identifier: Apache-2.0
// Symbols that a loaded set of files asks for and does not have. Asked only where the bytes of a
// file are in doubt; the full model of symbol lookup is the loader's matter.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/check/module_load.h"

namespace whyso::check {

struct SymbolGap {
  Path requirer;
  std::string symbol;   ///< as it stands in the file
  std::string version;  ///< that it must have; empty: any

  /// As the loader says it: "f", "f, version V".
  [[nodiscard]] std::string text() const {
    return version.empty() ? symbol : symbol + ", version " + version;
  }
};

/// References, by objects that need one of `suspects`, to symbols that nothing in the process
/// defines: the import fails at them, since Python binds everything at once. Weak ones do not
/// count.
[[nodiscard]] std::vector<SymbolGap> find_symbol_gaps(
    const tree::FileTree& tree, const StartedPython& python, const ModuleLoad& load,
    const std::set<Id<loader::KnownFile>>& suspects);

/// Does the file define what the gap lacks?
[[nodiscard]] bool defines(const tree::FileTree& tree, const Path& file, const SymbolGap& gap);

}  // namespace whyso::check
