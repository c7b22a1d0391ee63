// SPDX-License-Identifier: Apache-2.0
// The one walk over symbolic links (path_resolution(7)), inside a tree. Reads no file's content.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "whyso/tree/file_tree.h"

namespace whyso::tree {

/// How a walk ended; the names of the errno values it stands for are in brackets.
enum class WalkOutcome : std::uint8_t {
  found,
  absent,           ///< [ENOENT]
  not_a_directory,  ///< [ENOTDIR] a component that is not the last is no folder
  loop,             ///< [ELOOP] more than 40 links
  name_too_long,    ///< [ENAMETOOLONG]
  not_permitted,    ///< [EACCES]
  failed,           ///< any other error of the system
};

/// A link that was followed: where it lies and what it says.
struct FollowedLink {
  Path link;
  std::string target;
  bool operator==(const FollowedLink&) const = default;
};

/// The way from a path as it is written to the file it means.
struct Walk {
  WalkOutcome outcome = WalkOutcome::absent;
  Path real;        ///< found: without links; loop, absent: the component at which the walk ended
  FileFacts facts;  ///< of `real`, where found
  std::vector<FollowedLink> links;  ///< those of the last component; folders' links are not told

  [[nodiscard]] bool is_found() const { return outcome == WalkOutcome::found; }
};

enum class LastLink : std::uint8_t { follow, keep };

/// Walks paths as the kernel would in this tree with its root as "/"; remembers every folder it has
/// walked. Not to be shared between threads.
class Resolver {
 public:
  /// `tree` must outlive it.
  explicit Resolver(const FileTree& tree) : tree_(&tree) {}

  [[nodiscard]] const FileTree& tree() const { return *tree_; }

  /// `path` must be absolute; ".." is taken after links, as the kernel does. An empty path is
  /// absent.
  [[nodiscard]] Walk resolve(std::string_view path, LastLink last = LastLink::follow);

 private:
  struct Folder {
    WalkOutcome outcome = WalkOutcome::absent;
    Path real;
  };

  Walk walk(std::string_view path, LastLink last, int links_left);
  Folder folder(std::string_view path, int links_left);
  Walk enter(const Path& folder, std::string_view name, LastLink last, int links_left);
  Walk follow(const Path& folder, Walk at_link, int links_left);

  const FileTree* tree_;
  std::unordered_map<std::string, Folder> folders_;
};

}  // namespace whyso::tree
