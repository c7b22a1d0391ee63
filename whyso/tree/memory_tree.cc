// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/memory_tree.h"

#include "whyso/base/check.h"

namespace whyso::tree {
namespace {

Error error_of(ErrorKind kind, const Path& path) {
  const bool refused = kind == ErrorKind::not_permitted;
  return {kind, path.text(), refused ? "Permission denied" : "Input/output error"};
}

Path path_of(std::string_view text) {
  const auto path = Path::parse(text);
  WHYSO_CHECK(path && path->text() == text);
  return *path;
}

}  // namespace

MemoryTree::Node& MemoryTree::add(std::string_view text, FileKind kind) {
  const Path path = path_of(text);
  if (!path.is_root() && find(path.parent()) == nullptr) {
    add(path.parent().text(), FileKind::directory);
  }
  Node& node = nodes_[path];
  node.facts = {.kind = kind, .mode = 0755, .id = {.device = 1, .inode = next_inode_++}};
  node.content = std::monostate();
  return node;
}

void MemoryTree::add_file(std::string_view path, std::string_view content, std::uint32_t mode) {
  Node& node = add(path, FileKind::regular);
  node.facts.size = content.size();
  node.facts.mode = mode;
  node.content = Blob(std::string(content));
}

void MemoryTree::add_link(std::string_view path, std::string_view target) {
  Node& node = add(path, FileKind::symbolic_link);
  node.facts.size = target.size();
  node.content = std::string(target);
}

void MemoryTree::add_folder(std::string_view path) { add(path, FileKind::directory); }

void MemoryTree::add_unreadable(std::string_view path, ErrorKind kind) {
  add(path, FileKind::other).content = kind;
}

void MemoryTree::add_hard_link(std::string_view path, std::string_view existing) {
  const Node original = nodes_.at(path_of(existing));
  add(path, original.facts.kind) = original;
}

const MemoryTree::Node* MemoryTree::find(const Path& path) const {
  for (Path at = path; !at.is_root();) {
    at = at.parent();
    const auto above = nodes_.find(at);
    if (above != nodes_.end() && std::holds_alternative<ErrorKind>(above->second.content)) {
      return &above->second;
    }
  }
  const auto node = nodes_.find(path);
  return node == nodes_.end() ? nullptr : &node->second;
}

Lookup<FileFacts> MemoryTree::stat(const Path& path) const {
  static constexpr FileFacts root{.kind = FileKind::directory, .mode = 0755, .id = {1, 0}};
  const Node* node = find(path);
  if (node == nullptr && path.is_root()) return root;
  if (node == nullptr) return Absent();
  if (const auto* kind = std::get_if<ErrorKind>(&node->content)) return error_of(*kind, path);
  return node->facts;
}

Lookup<std::vector<DirectoryEntry>> MemoryTree::list(const Path& path,
                                                     ListDetail /*detail*/) const {
  const auto folder = stat(path);
  if (folder.is_unreadable()) return folder.error();
  if (folder.is_absent() || folder.value().kind != FileKind::directory) return Absent();
  std::vector<DirectoryEntry> entries;
  for (const auto& [at, node] : nodes_) {
    if (!at.is_root() && at.parent() == path) {
      entries.push_back({std::string(at.name()), node.facts});
    }
  }
  return entries;
}

Lookup<FileContent> MemoryTree::read(const Path& path) const {
  const auto facts = stat(path);
  if (facts.is_unreadable()) return facts.error();
  if (facts.is_absent()) return Absent();
  const auto* blob = std::get_if<Blob>(&find(path)->content);
  if (blob == nullptr) return Error{ErrorKind::unsupported, path.text(), "is no regular file"};
  return FileContent{*blob, facts.value()};
}

Lookup<FileContent> MemoryTree::read_part(const Path& path, std::uint64_t offset,
                                          std::size_t length) const {
  auto content = read(path);
  if (!content.is_present()) return content;
  const std::string_view text = content.value().blob.text();
  const std::string part(offset < text.size() ? text.substr(offset, length) : std::string_view());
  return FileContent{Blob(part), content.value().facts};
}

Lookup<std::string> MemoryTree::read_link(const Path& path) const {
  const auto facts = stat(path);
  if (facts.is_unreadable()) return facts.error();
  if (facts.is_absent()) return Absent();
  const auto* target = std::get_if<std::string>(&find(path)->content);
  if (target == nullptr) return Error{ErrorKind::unsupported, path.text(), "is no symbolic link"};
  return *target;
}

}  // namespace whyso::tree
