// SPDX-License-Identifier: Apache-2.0
// All files below some folders, from one walk. Knows neither what they hold nor whose they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/base/text_map.h"
#include "whyso/environment/file_scope.h"
#include "whyso/tree/file_tree.h"

namespace whyso::environment {

/// One folder with its entries of every kind, sorted by name; their facts are those of lstat(2).
/// Plain files whose names the scope does not know are left out, but for those of the roots.
struct InventoryFolder {
  Path path;
  std::vector<tree::DirectoryEntry> entries;
};

/// A folder to be walked.
struct InventoryRoot {
  Path path;
  /// A source folder that a `.pth` file or PYTHONPATH names: hidden folders, `node_modules` and
  /// environments below it are left out.
  bool is_source_folder = false;
};

struct WalkLimits {
  std::size_t most_entries = 1'000'000;
  std::size_t most_in_source_folders = 100'000;
  std::size_t deepest = 64;  ///< levels below a root
};

/// What the walk found. Links to folders are entries and are not entered; fifos and devices are
/// entries of kind `other`.
class Inventory {
 public:
  /// Roots must be free of links; those below another one are walked once, as a part of it. A root
  /// that does not exist is no problem. Of entries that `scope` does not choose by their names the
  /// kind alone is known. Cost: one lstat for each chosen file, folders in parallel.
  static Inventory walk(const tree::FileTree& tree, std::vector<InventoryRoot> roots,
                        const WalkLimits& limits = {}, const FileScope& scope = {});

  /// Sorted; none lies below another.
  [[nodiscard]] const std::vector<Path>& roots() const { return roots_; }

  /// Those that were listed, sorted by path.
  [[nodiscard]] const std::vector<InventoryFolder>& folders() const { return folders_; }

  /// Folders that could not be listed, and limits that were reached.
  [[nodiscard]] const std::vector<Error>& problems() const { return problems_; }

  /// Entries that are no folders.
  [[nodiscard]] std::size_t file_count() const { return file_count_; }

  /// Would the entry of a listed folder be known, if there were one of that name?
  [[nodiscard]] bool knows_name(std::string_view name) const { return scope_.knows_name(name); }

  /// The folder at that path as text, or null where the walk did not list it.
  [[nodiscard]] const InventoryFolder* find_folder(std::string_view path) const;

  /// Facts of a name below a root, as lstat(2) would say. Nothing where the walk cannot tell:
  /// outside the roots, behind a link to a folder, in a part that was left out, or for a name that
  /// is not in the scope.
  [[nodiscard]] std::optional<Lookup<tree::FileFacts>> find(const Path& path) const;

 private:
  FileScope scope_;
  std::vector<Path> roots_;
  std::vector<InventoryFolder> folders_;
  TextMap<std::uint32_t> index_;
  TextMap<Error> unreadable_;
  std::vector<Error> problems_;
  std::size_t file_count_ = 0;
};

/// The entry of that name in a folder, or null.
[[nodiscard]] const tree::DirectoryEntry* find_entry(const InventoryFolder& folder,
                                                     std::string_view name);

}  // namespace whyso::environment
