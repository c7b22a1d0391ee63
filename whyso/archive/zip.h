// SPDX-License-Identifier: Apache-2.0
// Zip archives: wheels, eggs, a zipped standard library. Reads members into memory; writes nothing,
// and knows no meaning of any name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"
#include "whyso/base/result.h"

namespace whyso::archive {

/// The methods that we unpack; may hold another number where the archive does.
enum class Compression : std::uint16_t { stored = 0, deflated = 8 };

/// Why a name must not be joined to a folder unseen.
enum class NameHazard : std::uint8_t {
  none,
  empty,
  absolute,      ///< begins with "/" or a drive such as "C:"
  leaves_root,   ///< a component is ".."
  contains_nul,  ///< most unpackers stop there and write another name
};

/// One entry of the central directory. `name` lives as long as the archive's Blob.
struct ZipMember {
  std::string_view name;  ///< as it stands there, of any encoding; a folder's ends in "/"
  NameHazard hazard = NameHazard::none;
  Compression compression = Compression::stored;
  bool is_encrypted = false;
  std::uint32_t crc = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;
  std::uint32_t unix_mode = 0;      ///< st_mode, 0 where the packer did not say
  std::uint64_t header_offset = 0;  ///< of the member's own header, from the start of the Blob
  std::uint64_t space = 0;          ///< from there to the next member or the central directory

  [[nodiscard]] bool is_directory() const { return name.ends_with('/'); }
  [[nodiscard]] bool is_symbolic_link() const { return (unix_mode & 0170000) == 0120000; }
};

/// The central directory of one archive, and its members on demand. Keeps its Blob.
class ZipArchive {
 public:
  /// Malformed where there is no end record in the last 64 KiB (a file cut short, or no zip at
  /// all), or the directory does not lie before it or disagrees with it; unsupported where it spans
  /// several files or has more than `most_members` members. Bytes before the archive and a comment
  /// behind it are allowed; which end record counts is decided as in Python's zipfile. `name`
  /// stands in errors. Authority: APPNOTE.TXT 6.3, zip64 included.
  [[nodiscard]] static Result<ZipArchive> parse(Blob blob, std::string name,
                                                std::size_t most_members = 1'000'000);

  /// In the order of the directory; two may have one name.
  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }

  /// The member with exactly that name, the last where there are several (as in Python), or null.
  /// Lives as long as this.
  [[nodiscard]] const ZipMember* find(std::string_view name) const;

  /// The content of one of `members()`, its CRC checked; a stored one is not copied. Unsupported
  /// where it is encrypted, of an unknown compression, or larger than `limit` bytes. Malformed
  /// where its header disagrees with the directory, it overlaps the next member, it is damaged, or
  /// it holds another number of bytes than said.
  [[nodiscard]] Result<Blob> read(const ZipMember& member, std::uint64_t limit) const;

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  ZipArchive(Blob blob, std::string name) : blob_(std::move(blob)), name_(std::move(name)) {}

  [[nodiscard]] Result<Bytes> packed_bytes(const ZipMember& member) const;
  [[nodiscard]] Result<Blob> unpack(const ZipMember& member, std::uint64_t limit) const;

  Blob blob_;
  std::string name_;
  std::vector<ZipMember> members_;
  std::vector<std::uint32_t> by_name_;  // indexes, sorted by name, then by place
};

/// Does it begin like a zip archive with at least one member, or is it an empty one?
[[nodiscard]] bool has_zip_magic(Bytes bytes);

}  // namespace whyso::archive
