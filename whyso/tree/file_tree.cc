// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/file_tree.h"

namespace whyso::tree {

Lookup<std::vector<DirectoryEntry>> FileTree::list_chosen(const Path& path,
                                                          const NameChoice& is_wanted) const {
  auto entries = list(path, ListDetail::kinds);
  if (!entries.is_present()) return entries;
  std::erase_if(entries.value(), [&](const DirectoryEntry& entry) {
    return !is_wanted(entry.name, entry.facts.kind);
  });
  return entries;
}

Lookup<FilePieces> FileTree::read_in_pieces(const Path& path) const {
  auto content = read(path);
  if (content.is_unreadable()) return content.error();
  if (content.is_absent()) return Absent();
  return FilePieces{FileBytes(std::move(content.value().blob)), content.value().facts};
}

Result<void> require_unchanged(const FileTree& tree, const Path& path, const FileFacts& facts) {
  const auto now = tree.stat(path);
  if (now.is_present() && now.value() == facts) return {};
  return failure(ErrorKind::changed_while_read, path.text(), "the file changed while it was read");
}

}  // namespace whyso::tree
