// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/memory.h"

#include <fmt/core.h>

#include <algorithm>

namespace whyso::elf {

const Segment* Memory::find_first(SegmentType type) const {
  const auto found = std::find_if(segments_.begin(), segments_.end(),
                                  [type](const Segment& segment) { return segment.type == type; });
  return found == segments_.end() ? nullptr : &*found;
}

const Segment* Memory::find_load(std::uint64_t address) const {
  const auto found =
      std::find_if(segments_.rbegin(), segments_.rend(), [address](const Segment& segment) {
        return segment.type == SegmentType::load && address >= segment.virtual_address &&
               address - segment.virtual_address < segment.file_size;
      });
  return found == segments_.rend() ? nullptr : &*found;
}

/// The part of the file that lies in memory as one piece from `load` on: a tool that moves tables
/// to the front of a program can leave one table in two segments that follow each other in both.
std::uint64_t Memory::contiguous_size(const Segment& load) const {
  std::uint64_t size = load.file_size;
  // Loads stand in the order of their addresses (gABI), so that one pass finds all that follow.
  for (const Segment& segment : segments_) {
    if (segment.type == SegmentType::load && segment.file_size > 0 &&
        segment.virtual_address == load.virtual_address + size &&
        segment.offset == load.offset + size) {
      size += segment.file_size;
    }
  }
  return size;
}

Result<FileRange> Memory::range_from(std::uint64_t address, std::string_view what) const {
  const Segment* load = find_load(address);
  if (load == nullptr) {
    return failure(ErrorKind::malformed, {},
                   fmt::format("{} at address {:#x} lies in no loadable segment", what, address));
  }
  const std::uint64_t within = address - load->virtual_address;
  const auto offset = checked_add(load->offset, within);
  if (!offset || *offset >= file_.size()) {
    return failure(
        ErrorKind::malformed, {},
        fmt::format("{} at address {:#x} lies behind the end of the file", what, address));
  }
  return FileRange{*offset, std::min(contiguous_size(*load) - within, file_.size() - *offset)};
}

Result<Bytes> Memory::bytes_from(std::uint64_t address, std::string_view what,
                                 std::uint64_t likely) const {
  const FileRange range = TRY(range_from(address, what));
  const Bytes rest = file_.tail(range.offset, std::min(likely, range.size)).value_or(Bytes());
  return rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(range.size, rest.size())));
}

Result<Bytes> Memory::bytes_at(std::uint64_t address, std::uint64_t size,
                               std::string_view what) const {
  const Bytes rest = TRY(bytes_from(address, what, size));
  const auto exact = slice(rest, 0, size);
  if (!exact) {
    return failure(ErrorKind::malformed, {},
                   fmt::format("{} at address {:#x} is cut short: {} of {} bytes", what, address,
                               rest.size(), size));
  }
  return *exact;
}

}  // namespace whyso::elf
