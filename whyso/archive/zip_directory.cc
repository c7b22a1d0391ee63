// SPDX-License-Identifier: Apache-2.0
#include "whyso/archive/zip_directory.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "whyso/base/text.h"

namespace whyso::archive {
namespace {

constexpr std::string_view end_magic = "PK\5\6";
constexpr std::uint64_t end_size = 22;
constexpr std::uint64_t longest_comment = 65535;
constexpr std::uint32_t locator_64_magic = 0x07064b50;
constexpr std::uint64_t locator_64_size = 20;
constexpr std::uint32_t end_64_magic = 0x06064b50;
constexpr std::uint64_t end_64_size = 56;
constexpr std::uint32_t entry_magic = 0x02014b50;
constexpr std::uint64_t entry_size = 46;
constexpr std::uint16_t extra_zip64 = 1;
constexpr std::uint16_t made_by_unix = 3;
constexpr std::uint32_t elsewhere_32 = 0xffffffff;  // the number is in the zip64 part

std::unexpected<Error> malformed(std::string what) {
  return failure(ErrorKind::malformed, {}, std::move(what));
}

template <class T>
T number_at(Bytes bytes, std::uint64_t offset) {
  return read_integer<T>(bytes, offset, ByteOrder::little).value_or(0);
}

// Where the central directory lies. `shift` bytes stand before the archive in the file; all offsets
// in it count from behind them.
struct Directory {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t count = 0;
  bool count_is_exact = true;
  std::uint64_t shift = 0;
};

std::optional<std::uint64_t> find_end(Bytes file) {
  if (file.size() < end_size) return std::nullopt;
  const std::uint64_t last = file.size() - end_size;
  const std::string_view text = text_of(file);
  if (text.substr(last).starts_with(end_magic) && text.ends_with(std::string_view("\0\0", 2))) {
    return last;
  }
  const std::uint64_t window = last > longest_comment ? last - longest_comment : 0;
  const std::size_t found = text.substr(window).rfind(end_magic);
  if (found == std::string_view::npos || window + found > last) return std::nullopt;
  return window + found;
}

// The offset of the zip64 end record, or nothing where the archive is an ordinary one.
Result<std::optional<std::uint64_t>> find_end_64(Bytes file, std::uint64_t end) {
  if (end < locator_64_size) return std::nullopt;
  const Bytes locator = *slice(file, end - locator_64_size, locator_64_size);
  if (number_at<std::uint32_t>(locator, 0) != locator_64_magic) return std::nullopt;
  if (number_at<std::uint32_t>(locator, 16) > 1) {
    return failure(ErrorKind::unsupported, {}, "the archive spans several files");
  }
  // With bytes before the archive the offset is wrong, and the record is just before its locator.
  const std::uint64_t usual = end - std::min(end, locator_64_size + end_64_size);
  for (const std::uint64_t at : {number_at<std::uint64_t>(locator, 8), usual}) {
    if (slice(file, at, end_64_size) && number_at<std::uint32_t>(file, at) == end_64_magic)
      return at;
  }
  return malformed("the zip64 end record is missing");
}

Result<Directory> find_directory(Bytes file) {
  const auto end = find_end(file);
  if (!end) return malformed("no end record: the file is cut short or no zip archive");
  const Bytes record = *slice(file, *end, end_size);
  const bool is_one_file =
      number_at<std::uint16_t>(record, 4) == number_at<std::uint16_t>(record, 6);
  Directory directory{.offset = number_at<std::uint32_t>(record, 16),
                      .size = number_at<std::uint32_t>(record, 12),
                      .count = number_at<std::uint16_t>(record, 10),
                      .count_is_exact = false};
  std::uint64_t directory_end = *end;
  if (const auto end_64 = TRY(find_end_64(file, *end))) {
    const Bytes wide = *slice(file, *end_64, end_64_size);
    directory = {.offset = number_at<std::uint64_t>(wide, 48),
                 .size = number_at<std::uint64_t>(wide, 40),
                 .count = number_at<std::uint64_t>(wide, 32)};
    directory_end = *end_64;
  } else if (!is_one_file) {
    return failure(ErrorKind::unsupported, {}, "the archive spans several files");
  }
  const auto said_end = checked_add(directory.offset, directory.size);
  if (!said_end || *said_end > directory_end) {
    return malformed("the central directory does not lie before the end record");
  }
  directory.shift = directory_end - *said_end;
  directory.offset += directory.shift;
  return directory;
}

NameHazard hazard_of(std::string_view name) {
  if (name.empty()) return NameHazard::empty;
  if (name.find('\0') != std::string_view::npos) return NameHazard::contains_nul;
  const bool has_drive = name.size() > 1 && name[1] == ':' && is_alphanumeric(name[0]);
  if (name.front() == '/' || name.front() == '\\' || has_drive) return NameHazard::absolute;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of("/\\", at), name.size());
    if (name.substr(at, end - at) == "..") return NameHazard::leaves_root;
    at = end + 1;
  }
  return NameHazard::none;
}

// The zip64 extra field holds, in this order, those numbers that did not fit into 32 bits.
Result<void> widen(ZipMember& member, Bytes extra) {
  Reader fields(extra);
  while (fields.remaining() >= 4) {
    const auto id = fields.integer<std::uint16_t>();
    const auto content = fields.take(fields.integer<std::uint16_t>().value_or(0));
    if (!content) break;
    if (*id != extra_zip64) continue;
    Reader numbers(*content);
    for (std::uint64_t* number : {&member.size, &member.compressed_size, &member.header_offset}) {
      if (*number == elsewhere_32) *number = numbers.integer<std::uint64_t>().value_or(0);
    }
    if (numbers.has_failed()) return malformed("a zip64 field is cut short");
    break;
  }
  return {};
}

// Takes one entry and its variable parts off `rest`.
Result<ZipMember> take_entry(Reader& rest, std::uint64_t shift) {
  const auto head = rest.take(entry_size);
  if (!head || number_at<std::uint32_t>(*head, 0) != entry_magic) {
    return malformed("the central directory is damaged");
  }
  const auto name = rest.take(number_at<std::uint16_t>(*head, 28));
  const auto extra = rest.take(number_at<std::uint16_t>(*head, 30));
  if (!rest.take(number_at<std::uint16_t>(*head, 32))) {
    return malformed("the central directory is cut short");
  }
  ZipMember member{.name = text_of(*name),
                   .hazard = hazard_of(text_of(*name)),
                   .compression = Compression{number_at<std::uint16_t>(*head, 10)},
                   .is_encrypted = (number_at<std::uint16_t>(*head, 8) & 1) != 0,
                   .crc = number_at<std::uint32_t>(*head, 16),
                   .compressed_size = number_at<std::uint32_t>(*head, 20),
                   .size = number_at<std::uint32_t>(*head, 24),
                   .header_offset = number_at<std::uint32_t>(*head, 42)};
  if (number_at<std::uint16_t>(*head, 4) >> 8 == made_by_unix) {
    member.unix_mode = number_at<std::uint32_t>(*head, 38) >> 16;
  }
  TRY_VOID(widen(member, *extra));
  const auto offset = checked_add(member.header_offset, shift);
  if (!offset) return malformed("a member lies outside the file");
  member.header_offset = *offset;
  return member;
}

// Of members that begin at one place all but one get no space, so that they cannot be read: they
// overlap (Python does the same since 3.12).
void measure_space(std::vector<ZipMember>& members, std::uint64_t directory_offset) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return members[a].header_offset > members[b].header_offset;
  });
  std::uint64_t end = directory_offset;
  for (const std::size_t index : order) {
    const std::uint64_t start = members[index].header_offset;
    members[index].space = end > start ? end - start : 0;
    end = std::min(end, start);
  }
}

}  // namespace

Result<std::vector<ZipMember>> read_zip_directory(Bytes file, std::size_t most_members) {
  const Directory directory = TRY(find_directory(file));
  if (directory.count > most_members) {
    return failure(ErrorKind::unsupported, {}, fmt::format("more than {} members", most_members));
  }
  Reader rest(*slice(file, directory.offset, directory.size));
  std::vector<ZipMember> members;
  members.reserve(std::min<std::uint64_t>(directory.count, directory.size / entry_size));
  while (rest.remaining() > 0) {
    if (members.size() == most_members) {
      return failure(ErrorKind::unsupported, {}, fmt::format("more than {} members", most_members));
    }
    members.push_back(TRY(take_entry(rest, directory.shift)));
  }
  // Old packers let the 16-bit number wrap.
  const std::uint64_t modulus = directory.count_is_exact ? ~std::uint64_t{0} : 65536;
  if (members.size() % modulus != directory.count) {
    return malformed(fmt::format("the end record says {} members, the directory has {}",
                                 directory.count, members.size()));
  }
  measure_space(members, directory.offset);
  return members;
}

}  // namespace whyso::archive
