// SPDX-License-Identifier: Apache-2.0
// Which paths a process really tries, given what it tried before. Asks no file.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "whyso/loader/search.h"

namespace whyso::loader {

/// The loader's memory of directories that do not exist: it tries each only once (open_path). The
/// result of a search is the same with or without it, but errno and what is tried are not.
class DirectoryMemory {
 public:
  explicit DirectoryMemory(const Searches& searches) : searches_(searches) {}

  struct Told {
    std::vector<std::string> tried;  ///< "trying file=" lines
    int error_number = 0;            ///< errno after the search
  };

  /// The next search of the process, in order.
  Told follow(const Search& search);
  Told follow(Id<Search> id) { return follow(searches_.search(id)); }

 private:
  const Searches& searches_;
  std::unordered_set<std::uint64_t> missing_;  // directory and subdirectory
};

}  // namespace whyso::loader
