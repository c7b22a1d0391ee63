// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/overlay_tree.h"

namespace whyso::tree {

OverlayTree::OverlayTree(const FileTree& base, std::span<const Path> removed) : base_(&base) {
  removed_.reserve(removed.size());
  for (const auto& path : removed) removed_.insert(path.text());
}

bool OverlayTree::is_removed(std::string_view path) const {
  while (!path.empty()) {
    if (removed_.contains(path)) return true;
    path = path.substr(0, path.rfind('/'));
  }
  return false;
}

Lookup<FileFacts> OverlayTree::stat(const Path& path) const {
  if (is_removed(path.text())) return Absent();
  return base_->stat(path);
}

Lookup<std::vector<DirectoryEntry>> OverlayTree::list(const Path& path, ListDetail detail) const {
  if (is_removed(path.text())) return Absent();
  auto entries = base_->list(path, detail);
  if (!entries.is_present()) return entries;
  std::string name = path.is_root() ? "/" : path.text() + "/";
  const std::size_t folder = name.size();
  std::erase_if(entries.value(), [&](const DirectoryEntry& entry) {
    name.replace(folder, std::string::npos, entry.name);
    return removed_.contains(name);
  });
  return entries;
}

Lookup<FileContent> OverlayTree::read(const Path& path) const {
  if (is_removed(path.text())) return Absent();
  return base_->read(path);
}

Lookup<FileContent> OverlayTree::read_part(const Path& path, std::uint64_t offset,
                                           std::size_t length) const {
  if (is_removed(path.text())) return Absent();
  return base_->read_part(path, offset, length);
}

Lookup<std::string> OverlayTree::read_link(const Path& path) const {
  if (is_removed(path.text())) return Absent();
  return base_->read_link(path);
}

}  // namespace whyso::tree
