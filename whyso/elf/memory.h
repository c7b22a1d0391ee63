// SPDX-License-Identifier: Apache-2.0
// The file as the loader lays it into memory: addresses instead of offsets. Knows segments, not
// what lies in them; section headers, which the loader never reads, do not exist here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/file_bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/header.h"
#include "whyso/elf/layout.h"

namespace whyso::elf {

/// A part of the file.
struct FileRange {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// The segments of one file over its bytes. Views it returns live as long as those bytes.
class Memory {
 public:
  Memory(FileBytes file, Layout layout, std::vector<Segment> segments)
      : file_(std::move(file)), layout_(layout), segments_(std::move(segments)) {}

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] const std::vector<Segment>& segments() const { return segments_; }
  [[nodiscard]] const FileBytes& file() const { return file_; }

  /// The first segment of that type, or null; lives as long as this Memory.
  [[nodiscard]] const Segment* find_first(SegmentType type) const;

  /// The PT_LOAD whose part of the file covers `address`, the last where several do (a later one is
  /// mapped over an earlier one), or null.
  [[nodiscard]] const Segment* find_load(std::uint64_t address) const;

  /// What the file holds from `address` to the end of its PT_LOAD and of those that go on where it
  /// ends, in memory and in the file, or to the end of the file where that comes first; of a file
  /// that is read in pieces at least `likely` bytes of it. Malformed where no PT_LOAD takes that
  /// address from the file, or the file ends before it. `what` names the thing that should lie
  /// there.
  [[nodiscard]] Result<Bytes> bytes_from(std::uint64_t address, std::string_view what,
                                         std::uint64_t likely = 4096) const;

  /// Where in the file the same lies.
  [[nodiscard]] Result<FileRange> range_from(std::uint64_t address, std::string_view what) const;

  /// Exactly `size` bytes from `address`; malformed as above, or where fewer follow.
  [[nodiscard]] Result<Bytes> bytes_at(std::uint64_t address, std::uint64_t size,
                                       std::string_view what) const;

 private:
  [[nodiscard]] std::uint64_t contiguous_size(const Segment& load) const;

  FileBytes file_;
  Layout layout_;
  std::vector<Segment> segments_;
};

}  // namespace whyso::elf
