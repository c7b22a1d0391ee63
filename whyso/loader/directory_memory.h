// SPDX-License-Identifier: Apache-2.0
// What a process carries from search to search: which paths it still tries, and errno. Asks no
// file.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "whyso/loader/object.h"
#include "whyso/loader/search.h"

namespace whyso::loader {

/// The loader's memory of directories that do not exist: it tries each only once (open_path). The
/// result of a search is the same with or without it, but errno and what is tried are not. errno is
/// ld.so's own and nobody clears it between two dlopens.
class DirectoryMemory {
 public:
  /// `preload_error` is what access(2) says of /etc/ld.so.preload, 0 where it is there.
  explicit DirectoryMemory(const Searches& searches, int preload_error = 0)
      : searches_(searches), preload_error_(preload_error) {}

  struct Told {
    std::vector<std::string> tried;  ///< "trying file=" lines
    int error_number = 0;            ///< errno after the search
  };

  /// Who asks next: errno is set aside while dependencies are loaded (_dl_map_object_deps).
  void enter(Asking asking);

  /// The next search of the process, in order.
  Told follow(const Search& search);
  Told follow(Id<Search> id) { return follow(searches_.search(id)); }

 private:
  const Searches& searches_;
  std::unordered_set<std::uint64_t> missing_;  // directory and subdirectory
  int preload_error_;
  int error_number_ = 0;
  int set_aside_ = 0;
  bool is_in_walk_ = false;
  bool has_asked_cache_ = false;
};

}  // namespace whyso::loader
