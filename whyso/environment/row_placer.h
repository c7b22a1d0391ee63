// SPDX-License-Identifier: Apache-2.0
// From rows of one distribution's list to canonical paths and what is there. Knows no other
// distribution; internal to ownership.h.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/environment/file_list.h"
#include "whyso/environment/inventory.h"
#include "whyso/environment/owned_file.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {

/// A row with its place and state.
struct PlacedRow {
  std::uint32_t base = 0;
  FileState state = FileState::absent;
  bool is_outside = false;
  std::size_t hash = 0;
  std::string_view relative;
  tree::FileFacts facts;
};

[[nodiscard]] std::size_t path_hash(std::uint32_t base, std::string_view relative);

/// A path as the deepest of some folders and the rest below it.
struct SplitPath {
  std::uint32_t base = 0;
  std::string_view relative;
};

/// `bases` must begin with the root. The view is of `path`.
[[nodiscard]] SplitPath split_path(const std::vector<Path>& bases, const Path& path);

/// Places the rows of one list. Rows that follow each other mostly lie in one folder: the folder
/// and the place in it of the last row are tried first.
class RowPlacer {
 public:
  struct Surroundings {
    const tree::FileTree& tree;
    const Inventory& inventory;
    const std::vector<Path>& bases;  ///< "/", the prefix, the inventory's roots
    const Path& prefix;
  };

  RowPlacer(const Surroundings& around, const Path& list_base);

  PlacedRow place(std::string_view written);

  /// Paths that are not as written; rows placed here are views of it.
  [[nodiscard]] std::shared_ptr<const std::deque<std::string>> arena() const { return arena_; }

 private:
  /// A base below the list's own, by the letters that lead to it.
  struct Nested {
    std::uint32_t base = 0;
    std::string lead;  ///< "lib/python3.11/site-packages/"
  };

  PlacedRow place_plain(std::string_view written);
  PlacedRow place_behind(std::uint32_t base, std::string_view relative, std::string_view written);
  PlacedRow place_path(const Path& path);
  PlacedRow at(std::uint32_t base, std::string_view relative, const tree::FileFacts* facts);
  [[nodiscard]] bool is_in_scope(std::string_view relative) const;
  bool enter_folder(std::uint32_t base, std::string_view folder);
  const tree::DirectoryEntry* entry_named(std::string_view name);
  PlacedRow resolved(const Path& path);

  const Surroundings& around_;
  const Path& list_base_;
  Path scope_;  // the prefix that the list's own folder of packages belongs to
  std::optional<std::uint32_t> home_;
  std::vector<Nested> nested_;
  std::shared_ptr<std::deque<std::string>> arena_;
  tree::Resolver resolver_;

  std::uint32_t folder_base_ = 0;
  std::string_view folder_relative_;
  bool has_folder_ = false;
  const InventoryFolder* folder_ = nullptr;
  std::size_t next_entry_ = 0;
  std::string buffer_;
};

}  // namespace whyso::environment
