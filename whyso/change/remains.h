// SPDX-License-Identifier: Apache-2.0
// A tree from which files are taken away one after the other, as an uninstall does. The tree itself
// stays as it is; which files are to go is removal.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/tree/file_tree.h"

namespace whyso::change {

/// What was taken away, each folder with all that lay in it.
struct Taken {
  std::vector<Path> files;  ///< all that is no folder, also links
  std::vector<Path> folders;
  std::uint64_t bytes = 0;  ///< of regular files
};

/// Lists each folder once. Paths must be free of links to folders. What cannot be listed counts as
/// a folder that holds something, so that it is never thought empty.
class Remains {
 public:
  /// `tree` must outlive it.
  explicit Remains(const tree::FileTree& tree) : tree_(&tree) {}

  using Entries = std::map<std::string, tree::FileFacts, std::less<>>;

  /// What lstat(2) says of what is still there; nothing where it is gone or cannot be told.
  [[nodiscard]] std::optional<tree::FileFacts> find(const Path& path);

  [[nodiscard]] bool is_folder(const Path& path);

  /// What is left in a folder; null where there is none, or it cannot be listed.
  [[nodiscard]] const Entries* entries(const Path& folder);

  [[nodiscard]] bool is_empty_folder(const Path& path);

  /// Takes away a file or a link, as unlink(2); what is no such thing stays.
  void take_file(const Path& path, Taken& taken);

  /// Takes away a folder with all below it, as `rm -r`.
  void take_folder(const Path& path, Taken& taken);

  /// Takes away a folder if it is empty, then the one that holds it, and so on, as
  /// os.removedirs() does after the first.
  void prune_upwards(Path folder, Taken& taken);

 private:
  void forget(const Path& path);

  const tree::FileTree* tree_;
  std::unordered_map<Path, std::optional<Entries>> folders_;
};

}  // namespace whyso::change
