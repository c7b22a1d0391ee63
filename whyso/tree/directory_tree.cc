// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/directory_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace whyso::tree {
namespace {

/// Below this a copy is cheaper than a mapping, and safe from a file that shrinks.
constexpr std::uint64_t mapped_from = 256 * 1024;

/// The kernel's own files (/proc, /sys) say that they have no size; only their beginning is wanted.
constexpr std::uint64_t most_of_sizeless = 64 * 1024;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// A folder's descriptor and a name in it, as the *at() calls take them.
struct Place {
  Descriptor owned;
  int folder = AT_FDCWD;
  std::string name;
  int error = 0;  ///< errno of a component that could not be entered
};

/// Component by component, so that no link on the way can lead out of the root.
Place place_below(int root, const Path& path) {
  Place place{.folder = root, .name = "."};
  if (path.is_root()) return place;
  std::string_view rest = std::string_view(path.text()).substr(1);
  for (auto slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    const std::string component(rest.substr(0, slash));
    Descriptor next(
        ::openat(place.folder, component.c_str(), O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC));
    if (!next.is_open()) {
      place.error = errno;
      return place;
    }
    place.owned = std::move(next);
    place.folder = place.owned.number();
    rest.remove_prefix(slash + 1);
  }
  place.name = rest;
  return place;
}

Place place_of(int root, const Path& path) {
  if (root >= 0) return place_below(root, path);
  return {.name = path.text()};
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  return S_ISLNK(mode) ? FileKind::symbolic_link : FileKind::other;
}

FileKind kind_of_entry(unsigned char type) {
  if (type == DT_REG) return FileKind::regular;
  if (type == DT_DIR) return FileKind::directory;
  return type == DT_LNK ? FileKind::symbolic_link : FileKind::other;
}

FileFacts facts_of(const struct stat& status) {
  return {.kind = kind_of(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .mode = static_cast<std::uint32_t>(status.st_mode & 07777),
          .modified = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec,
          .id = {.device = status.st_dev, .inode = status.st_ino}};
}

bool means_absent(int error) { return error == ENOENT || error == ENOTDIR; }

Error error_of(int error, const Path& path) {
  const bool refused = error == EACCES || error == EPERM;
  return {refused ? ErrorKind::not_permitted : ErrorKind::io, path.text(), std::strerror(error)};
}

/// Absent or unreadable, by errno.
template <class T>
Lookup<T> failed_lookup(int error, const Path& path) {
  if (means_absent(error)) return Absent();
  return error_of(error, path);
}

Error unsupported(const Path& path, std::string_view what) {
  return {ErrorKind::unsupported, path.text(), std::string(what)};
}

Lookup<Blob> map_file(int descriptor, std::size_t size, const Path& path) {
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) return error_of(errno, path);
  const std::shared_ptr<const void> owner(start, [size](void* at) { ::munmap(at, size); });
  return Blob(owner, Bytes(static_cast<const std::byte*>(start), size));
}

/// A part of a file, up to its end.
struct Part {
  std::uint64_t offset = 0;
  std::size_t length = 0;
};

Lookup<Blob> copy_part(int descriptor, const Part& part, const Path& path) {
  std::string text;
  int error = 0;
  text.resize_and_overwrite(part.length, [&](char* buffer, std::size_t size) {
    std::size_t filled = 0;
    while (filled < size) {
      const ssize_t got = ::pread(descriptor, buffer + filled, size - filled,
                                  static_cast<off_t>(part.offset + filled));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) error = errno;
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  });
  if (error != 0) return error_of(error, path);
  return Blob(std::move(text));
}

/// A regular file that is open for reading.
struct OpenFile {
  Descriptor descriptor;
  FileFacts facts;
};

Lookup<OpenFile> open_file(const Place& place, const Path& path) {
  if (place.error != 0) return failed_lookup<OpenFile>(place.error, path);
  OpenFile file;
  file.descriptor = Descriptor(::openat(place.folder, place.name.c_str(),
                                        O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file.descriptor.is_open() && errno == ELOOP) return unsupported(path, "is a symbolic link");
  if (!file.descriptor.is_open()) return failed_lookup<OpenFile>(errno, path);
  struct stat status;
  if (::fstat(file.descriptor.number(), &status) != 0) return error_of(errno, path);
  file.facts = facts_of(status);
  if (file.facts.kind == FileKind::directory) return unsupported(path, "is a directory");
  if (file.facts.kind != FileKind::regular) return unsupported(path, "is no regular file");
  return file;
}

bool is_folder_itself(std::string_view name) { return name == "." || name == ".."; }

/// Nothing where the entry has vanished.
std::optional<FileFacts> facts_of_entry(int folder, const dirent64& entry, ListDetail detail) {
  if (detail == ListDetail::kinds && entry.d_type != DT_UNKNOWN) {
    return FileFacts{.kind = kind_of_entry(entry.d_type)};
  }
  struct stat status;
  if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return facts_of(status);
}

/// Calls `take` with each entry; errno, 0 where all were seen. Without the DIR of readdir(3), which
/// costs more than a small folder does.
template <class Take>
int for_each_entry(int folder, Take take) {
  alignas(dirent64) std::array<char, 32 * 1024> buffer;
  while (true) {
    const ssize_t size = ::getdents64(folder, buffer.data(), buffer.size());
    if (size <= 0) return size == 0 ? 0 : errno;
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(buffer.data() + at);
      take(*entry);
      at += entry->d_reclen;
    }
  }
}

}  // namespace

DirectoryTree::DirectoryTree() : DirectoryTree("/", -1) {}

DirectoryTree::DirectoryTree(std::string root, int root_descriptor)
    : root_(std::move(root)), root_descriptor_(root_descriptor) {}

DirectoryTree::~DirectoryTree() {
  if (root_descriptor_ >= 0) ::close(root_descriptor_);
}

Result<std::unique_ptr<DirectoryTree>> DirectoryTree::open(const std::string& root) {
  Descriptor descriptor(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) {
    const bool refused = errno == EACCES || errno == EPERM;
    return failure(refused ? ErrorKind::not_permitted : ErrorKind::io, root, std::strerror(errno));
  }
  return std::unique_ptr<DirectoryTree>(new DirectoryTree(root, descriptor.release()));
}

Lookup<FileFacts> DirectoryTree::stat(const Path& path) const {
  const Place place = place_of(root_descriptor_, path);
  if (place.error != 0) return failed_lookup<FileFacts>(place.error, path);
  struct stat status;
  if (::fstatat(place.folder, place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return failed_lookup<FileFacts>(errno, path);
  }
  return facts_of(status);
}

template <class Choice>
Lookup<std::vector<DirectoryEntry>> DirectoryTree::entries_of(const Path& path, ListDetail detail,
                                                              Choice is_wanted) const {
  using Entries = std::vector<DirectoryEntry>;
  const Place place = place_of(root_descriptor_, path);
  if (place.error != 0) return failed_lookup<Entries>(place.error, path);
  const Descriptor folder(
      ::openat(place.folder, place.name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return failed_lookup<Entries>(errno, path);
  Entries entries;
  const int error = for_each_entry(folder.number(), [&](const dirent64& entry) {
    const std::string_view name = entry.d_name;
    if (is_folder_itself(name)) return;
    const auto facts = facts_of_entry(folder.number(), entry, detail);
    if (facts && is_wanted(name, facts->kind)) entries.push_back({std::string(name), *facts});
  });
  if (error != 0) return error_of(error, path);
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  return entries;
}

Lookup<std::vector<DirectoryEntry>> DirectoryTree::list(const Path& path, ListDetail detail) const {
  return entries_of(path, detail, [](std::string_view, FileKind) { return true; });
}

Lookup<std::vector<DirectoryEntry>> DirectoryTree::list_chosen(const Path& path,
                                                               const NameChoice& is_wanted) const {
  return entries_of(path, ListDetail::kinds, is_wanted);
}

Lookup<FileContent> DirectoryTree::read(const Path& path) const {
  const Place place = place_of(root_descriptor_, path);
  const auto file = open_file(place, path);
  if (file.is_unreadable()) return file.error();
  if (file.is_absent()) return Absent();
  const FileFacts& facts = file.value().facts;
  const int descriptor = file.value().descriptor.number();
  if (facts.size > std::numeric_limits<std::size_t>::max() / 2)
    return unsupported(path, "too large");
  const std::size_t wanted = facts.size == 0 ? most_of_sizeless : facts.size;
  auto blob = wanted < mapped_from ? copy_part(descriptor, {.length = wanted}, path)
                                   : map_file(descriptor, facts.size, path);
  if (blob.is_unreadable()) return blob.error();
  return FileContent{std::move(blob).value(), facts};
}

Lookup<FileContent> DirectoryTree::read_part(const Path& path, std::uint64_t offset,
                                             std::size_t length) const {
  const Place place = place_of(root_descriptor_, path);
  const auto file = open_file(place, path);
  if (file.is_unreadable()) return file.error();
  if (file.is_absent()) return Absent();
  auto blob = copy_part(file.value().descriptor.number(), {offset, length}, path);
  if (blob.is_unreadable()) return blob.error();
  return FileContent{std::move(blob).value(), file.value().facts};
}

Lookup<FilePieces> DirectoryTree::read_in_pieces(const Path& path) const {
  auto file = open_file(place_of(root_descriptor_, path), path);
  if (file.is_unreadable()) return file.error();
  if (file.is_absent()) return Absent();
  const FileFacts facts = file.value().facts;
  if (facts.size == 0) return FileTree::read_in_pieces(path);
  const auto open = std::make_shared<const Descriptor>(std::move(file.value().descriptor));
  const auto read_piece = [open, path](std::uint64_t offset, std::size_t length) {
    auto blob = copy_part(open->number(), {offset, length}, path);
    return blob.is_present() ? std::move(blob).value() : Blob();
  };
  return FilePieces{FileBytes(facts.size, read_piece), facts};
}

Lookup<std::string> DirectoryTree::read_link(const Path& path) const {
  const Place place = place_of(root_descriptor_, path);
  if (place.error != 0) return failed_lookup<std::string>(place.error, path);
  std::string target(4096, '\0');
  const ssize_t size = ::readlinkat(place.folder, place.name.c_str(), target.data(), target.size());
  if (size < 0 && errno == EINVAL) return unsupported(path, "is no symbolic link");
  if (size < 0) return failed_lookup<std::string>(errno, path);
  target.resize(static_cast<std::size_t>(size));
  return target;
}

}  // namespace whyso::tree
