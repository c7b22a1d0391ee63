// SPDX-License-Identifier: Apache-2.0
// Where files come from: the questions that one can ask. The only virtual class of whyso.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"
#include "whyso/base/file_bytes.h"
#include "whyso/base/path.h"
#include "whyso/base/result.h"

namespace whyso::tree {

enum class FileKind : std::uint8_t { regular, directory, symbolic_link, other };

/// Tells whether two names are one file, as the loader does (st_dev, st_ino).
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const FileId&) const = default;
};

/// What lstat(2) says of a name, as far as whyso asks.
struct FileFacts {
  FileKind kind = FileKind::other;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;     ///< permission bits, with set-user-ID
  std::int64_t modified = 0;  ///< nanoseconds since 1970
  FileId id;
  bool operator==(const FileFacts&) const = default;
};

struct DirectoryEntry {
  std::string name;
  FileFacts facts;  ///< under ListDetail::kinds only `kind` is filled in
};

enum class ListDetail : std::uint8_t { kinds, facts };

/// A file's bytes with the facts that held when it was opened.
struct FileContent {
  Blob blob;
  FileFacts facts;
};

/// The same where only some of the bytes are wanted.
struct FilePieces {
  FileBytes bytes;
  FileFacts facts;
};

/// A read-only tree of files that does not change while it is examined. It never follows a symbolic
/// link in the last component: tree/resolve.h does. Absent covers ENOENT and ENOTDIR. May be asked
/// by several threads at once.
class FileTree {
 public:
  FileTree() = default;
  FileTree(const FileTree&) = delete;
  FileTree& operator=(const FileTree&) = delete;
  virtual ~FileTree() = default;

  [[nodiscard]] virtual Lookup<FileFacts> stat(const Path& path) const = 0;

  /// The entries of a folder, sorted by name. An entry that vanishes meanwhile is left out.
  [[nodiscard]] virtual Lookup<std::vector<DirectoryEntry>> list(const Path& path,
                                                                 ListDetail detail) const = 0;

  /// The entries with their kinds for which `is_wanted` holds, sorted by name. For large folders of
  /// which little is wanted.
  using NameChoice = std::function<bool(std::string_view name, FileKind kind)>;
  [[nodiscard]] virtual Lookup<std::vector<DirectoryEntry>> list_chosen(
      const Path& path, const NameChoice& is_wanted) const;

  /// A regular file (of one that says to have no size, as those in /proc, the first 64 KiB);
  /// anything else is unreadable (unsupported) without being opened for real, so that a fifo or a
  /// device cannot block. Large files are mapped: see tree/shrink_guard.h.
  [[nodiscard]] virtual Lookup<FileContent> read(const Path& path) const = 0;

  /// Up to `length` bytes from `offset`, fewer at the end of the file; never mapped. As `read` for
  /// what is no regular file.
  [[nodiscard]] virtual Lookup<FileContent> read_part(const Path& path, std::uint64_t offset,
                                                      std::size_t length) const = 0;

  /// As `read`, but the bytes may be read when they are asked for. The file stays open meanwhile.
  [[nodiscard]] virtual Lookup<FilePieces> read_in_pieces(const Path& path) const;

  /// The target of a symbolic link as it is written; anything else is unreadable (unsupported).
  [[nodiscard]] virtual Lookup<std::string> read_link(const Path& path) const = 0;

  /// What the tree is, for people: "/", a root folder, an archive's name.
  [[nodiscard]] virtual std::string origin() const = 0;
};

/// Fails (changed_while_read) where the file is no longer the one whose facts are given.
[[nodiscard]] Result<void> require_unchanged(const FileTree& tree, const Path& path,
                                             const FileFacts& facts);

}  // namespace whyso::tree
