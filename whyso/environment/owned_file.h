// SPDX-License-Identifier: Apache-2.0
// A listed path and what is there. Whose it is: ownership.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "whyso/tree/file_tree.h"

namespace whyso::environment {

enum class FileState : std::uint8_t { present, absent, unreadable };

/// A path that at least one distribution lists.
struct OwnedFile {
  FileState state = FileState::absent;
  bool is_outside =
      false;  ///< neither below the prefix it is installed in nor below a folder of packages
  std::uint32_t base = 0;
  std::uint32_t first_claim = 0;
  std::uint32_t claim_count = 0;
  std::size_t hash = 0;
  std::string_view
      relative;           ///< below its base; lives as long as the distributions and the Ownership
  tree::FileFacts facts;  ///< where present, as lstat(2) says

  /// The last component.
  [[nodiscard]] std::string_view name() const { return relative.substr(relative.rfind('/') + 1); }
};

}  // namespace whyso::environment
