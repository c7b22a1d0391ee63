// SPDX-License-Identifier: Apache-2.0
// Zip archives: wheels, eggs, a zipped standard library. Reads members into memory; writes nothing,
// and knows no meaning of any name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/archive/zip_member.h"
#include "whyso/base/blob.h"
#include "whyso/base/result.h"

namespace whyso::archive {

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
