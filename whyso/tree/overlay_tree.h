// SPDX-License-Identifier: Apache-2.0
// A FileTree seen without some of its files: how it would be after they were removed. Removes
// nothing; who would remove what is known further out.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "whyso/tree/file_tree.h"

namespace whyso::tree {

/// Answers as `base` does, but that the removed paths are absent. All that lies below a removed
/// folder is absent with it; a folder whose last entry was removed stays, empty. Cost of a
/// question: one look-up for each folder above the path.
class OverlayTree final : public FileTree {
 public:
  /// `base` must outlive it. `removed` are paths whose folders are free of links; those that are
  /// not there do no harm. A path through a link to a folder is answered by `base`: tree/resolve.h
  /// asks for none.
  OverlayTree(const FileTree& base, std::span<const Path> removed);

  [[nodiscard]] Lookup<FileFacts> stat(const Path& path) const override;
  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> list(const Path& path,
                                                         ListDetail detail) const override;
  [[nodiscard]] Lookup<FileContent> read(const Path& path) const override;
  [[nodiscard]] Lookup<FileContent> read_part(const Path& path, std::uint64_t offset,
                                              std::size_t length) const override;
  [[nodiscard]] Lookup<std::string> read_link(const Path& path) const override;
  [[nodiscard]] std::string origin() const override { return base_->origin(); }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  /// Is it or a folder above it removed?
  [[nodiscard]] bool is_removed(std::string_view path) const;

  const FileTree* base_;
  std::unordered_set<std::string, TextHash, std::equal_to<>> removed_;
};

}  // namespace whyso::tree
