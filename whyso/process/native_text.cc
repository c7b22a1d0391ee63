// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/native_text.h"

#include <algorithm>

#include "whyso/archive/inflate.h"
#include "whyso/elf/image.h"

namespace whyso::process {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{32} * 1024 * 1024;
constexpr std::size_t most_unpacked = std::size_t{8} * 1024 * 1024;
constexpr int most_streams = 24;
constexpr std::uint32_t is_executable = 1;  // PF_X

/// RFC 1950: a header of two bytes, then deflate.
void visit_packed(std::string_view text, const std::function<void(std::string_view)>& visit) {
  int tried = 0;
  for (const std::string_view header : {"\x78\xda", "\x78\x9c"}) {
    for (auto at = text.find(header); at != std::string_view::npos && tried < most_streams;
         at = text.find(header, at + 1)) {
      ++tried;
      const auto unpacked = archive::inflate_at_start(bytes_of(text.substr(at + 2)), most_unpacked);
      if (unpacked && unpacked->size() > 16) visit(*unpacked);
    }
  }
}

}  // namespace

void for_each_native_text(const Blob& file, const std::function<void(std::string_view)>& visit) {
  const auto image = elf::ElfImage::parse(file);
  if (!image) return;
  const auto segments = image->segments();
  if (!segments) return;
  const auto is_plain = [](const elf::Segment& segment) {
    return segment.type == elf::SegmentType::load &&
           (segment.flags & (elf::segment_is_writable | is_executable)) == 0;
  };
  const bool has_plain = std::ranges::any_of(*segments, is_plain);
  for (const auto& segment : *segments) {
    // Older linkers put texts and code into one segment.
    const bool is_it = has_plain ? is_plain(segment) : segment.type == elf::SegmentType::load;
    if (!is_it || segment.offset >= file.size()) continue;
    const std::uint64_t size =
        std::min({segment.file_size, most_bytes, std::uint64_t{file.size()} - segment.offset});
    const std::string_view text = file.text().substr(segment.offset, size);
    visit(text);
    visit_packed(text, visit);
  }
}

}  // namespace whyso::process
