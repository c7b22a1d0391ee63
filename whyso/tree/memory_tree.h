// SPDX-License-Identifier: Apache-2.0
// A FileTree that is built by hand: the world of unit tests.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "whyso/tree/file_tree.h"

namespace whyso::tree {

/// Paths are given as text and must be canonical; folders above an added entry are made. Adding an
/// entry again replaces it. Every entry gets an inode of its own.
class MemoryTree final : public FileTree {
 public:
  void add_file(std::string_view path, std::string_view content, std::uint32_t mode = 0644);
  void add_link(std::string_view path, std::string_view target);
  void add_folder(std::string_view path);
  /// Stat, list and read of it answer with this error; of what lies below a folder too.
  void add_unreadable(std::string_view path, ErrorKind kind = ErrorKind::not_permitted);
  /// A second name of the file at `existing`.
  void add_hard_link(std::string_view path, std::string_view existing);

  [[nodiscard]] Lookup<FileFacts> stat(const Path& path) const override;
  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> list(const Path& path,
                                                         ListDetail detail) const override;
  [[nodiscard]] Lookup<FileContent> read(const Path& path) const override;
  [[nodiscard]] Lookup<FileContent> read_part(const Path& path, std::uint64_t offset,
                                              std::size_t length) const override;
  [[nodiscard]] Lookup<std::string> read_link(const Path& path) const override;
  [[nodiscard]] std::string origin() const override { return "memory"; }

 private:
  struct Node {
    FileFacts facts;
    std::variant<std::monostate, Blob, std::string, ErrorKind> content;
  };

  Node& add(std::string_view path, FileKind kind);
  /// Null where absent; an unreadable folder stands for all below it.
  [[nodiscard]] const Node* find(const Path& path) const;

  std::map<Path, Node> nodes_;
  std::uint64_t next_inode_ = 1;
};

}  // namespace whyso::tree
