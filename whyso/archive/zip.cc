// SPDX-License-Identifier: Apache-2.0
#include "whyso/archive/zip.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "whyso/archive/inflate.h"
#include "whyso/archive/zip_directory.h"
#include "whyso/base/text.h"

namespace whyso::archive {
namespace {

constexpr std::uint32_t header_magic = 0x04034b50;
constexpr std::uint64_t header_size = 30;

std::unexpected<Error> malformed(std::string what) {
  return failure(ErrorKind::malformed, {}, std::move(what));
}

std::unexpected<Error> unsupported(std::string what) {
  return failure(ErrorKind::unsupported, {}, std::move(what));
}

std::uint16_t half_at(Bytes bytes, std::uint64_t offset) {
  return read_integer<std::uint16_t>(bytes, offset, ByteOrder::little).value_or(0);
}

}  // namespace

Result<ZipArchive> ZipArchive::parse(Blob blob, std::string name, std::size_t most_members) {
  ZipArchive archive(std::move(blob), std::move(name));
  auto members = read_zip_directory(archive.blob_.bytes(), most_members);
  if (!members) {
    members.error().where = archive.name_;
    return std::unexpected(std::move(members).error());
  }
  archive.members_ = *std::move(members);
  archive.by_name_.resize(archive.members_.size());
  std::iota(archive.by_name_.begin(), archive.by_name_.end(), 0U);
  std::stable_sort(archive.by_name_.begin(), archive.by_name_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return archive.members_[a].name < archive.members_[b].name;
                   });
  return archive;
}

const ZipMember* ZipArchive::find(std::string_view name) const {
  const auto after = std::upper_bound(by_name_.begin(), by_name_.end(), name,
                                      [this](std::string_view wanted, std::uint32_t index) {
                                        return wanted < members_[index].name;
                                      });
  if (after == by_name_.begin()) return nullptr;
  const ZipMember& last = members_[*(after - 1)];
  return last.name == name ? &last : nullptr;
}

Result<Bytes> ZipArchive::packed_bytes(const ZipMember& member) const {
  const auto header = slice(blob_.bytes(), member.header_offset, header_size);
  if (!header || read_integer<std::uint32_t>(*header, 0, ByteOrder::little) != header_magic) {
    return malformed("the member's header is missing");
  }
  const std::uint64_t name_size = half_at(*header, 26);
  const std::uint64_t before = header_size + name_size + half_at(*header, 28);
  const auto name = slice(blob_.bytes(), member.header_offset + header_size, name_size);
  if (!name || text_of(*name) != member.name) {
    return malformed("the member's header has another name than the directory");
  }
  const auto end = checked_add(before, member.compressed_size);
  if (!end || *end > member.space) return malformed("the member overlaps what follows it");
  const auto packed = slice(blob_.bytes(), member.header_offset + before, member.compressed_size);
  if (!packed) return malformed("the member does not lie inside the file");
  return *packed;
}

Result<Blob> ZipArchive::unpack(const ZipMember& member, std::uint64_t limit) const {
  if (member.is_encrypted) return unsupported("the member is encrypted");
  if (member.size > limit) {
    return unsupported(fmt::format("the member has {} bytes, more than {}", member.size, limit));
  }
  const Bytes packed = TRY(packed_bytes(member));
  if (member.compression == Compression::deflated) {
    return Blob(TRY(inflate(packed, member.size)));
  }
  if (member.compression != Compression::stored) {
    return unsupported(
        fmt::format("unknown compression {}", static_cast<std::uint16_t>(member.compression)));
  }
  if (packed.size() != member.size) return malformed("a stored member has two sizes");
  return Blob(std::make_shared<const Blob>(blob_), packed);
}

Result<Blob> ZipArchive::read(const ZipMember& member, std::uint64_t limit) const {
  auto content = unpack(member, limit);
  if (content && crc32(content->bytes()) != member.crc) {
    content = malformed("the content has another CRC than the directory says");
  }
  if (!content) content.error().where = fmt::format("{}: {}", name_, printable(member.name));
  return content;
}

bool has_zip_magic(Bytes bytes) {
  return text_of(bytes).starts_with("PK\3\4") || text_of(bytes).starts_with("PK\5\6");
}

}  // namespace whyso::archive
