// SPDX-License-Identifier: Apache-2.0
// The live host, or a root folder on it, as a FileTree. The only place that opens files to read.
#pragma once

#include <memory>
#include <string>

#include "whyso/tree/file_tree.h"

namespace whyso::tree {

class DirectoryTree final : public FileTree {
 public:
  /// The host's own files.
  DirectoryTree();

  /// The files below `root`, seen as if it were "/": links, also absolute ones and "..", never lead
  /// out of it. Fails where `root` is no folder that can be opened.
  static Result<std::unique_ptr<DirectoryTree>> open(const std::string& root);

  ~DirectoryTree() override;

  [[nodiscard]] Lookup<FileFacts> stat(const Path& path) const override;
  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> list(const Path& path,
                                                         ListDetail detail) const override;
  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> list_chosen(
      const Path& path, const NameChoice& is_wanted) const override;
  [[nodiscard]] Lookup<FileContent> read(const Path& path) const override;
  [[nodiscard]] Lookup<FileContent> read_part(const Path& path, std::uint64_t offset,
                                              std::size_t length) const override;
  [[nodiscard]] Lookup<FilePieces> read_in_pieces(const Path& path) const override;
  [[nodiscard]] Lookup<std::string> read_link(const Path& path) const override;
  [[nodiscard]] std::string origin() const override { return root_; }

 private:
  DirectoryTree(std::string root, int root_descriptor);

  template <class Choice>
  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> entries_of(const Path& path, ListDetail detail,
                                                               Choice is_wanted) const;

  std::string root_;
  int root_descriptor_;  ///< -1: the host itself, whose paths the kernel may resolve
};

}  // namespace whyso::tree
