// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/image.h"

#include <fmt/core.h>

#include <algorithm>

namespace whyso::elf {
namespace {

constexpr std::size_t class_at = 4;
constexpr std::size_t order_at = 5;

Layout layout_by_ident(Bytes bytes) {
  const auto elf_class = ElfClass{std::to_integer<std::uint8_t>(bytes[class_at])};
  return {elf_class, bytes[order_at] == std::byte{2} ? ByteOrder::big : ByteOrder::little};
}

// The tables of a file with an unknown class or byte order cannot be read at all.
Result<void> require_known(const Header& header) {
  if (header.elf_class != ElfClass::elf32 && header.elf_class != ElfClass::elf64) {
    return failure(ErrorKind::unsupported, {},
                   fmt::format("unknown ELF class {}", header.ident[class_at]));
  }
  if (header.ident[order_at] != 1 && header.ident[order_at] != 2) {
    return failure(ErrorKind::unsupported, {},
                   fmt::format("unknown ELF byte order {}", header.ident[order_at]));
  }
  return {};
}

Result<std::vector<Segment>> read_segments(const FileBytes& file, const Header& header,
                                           Layout layout) {
  TRY_VOID(require_known(header));
  std::vector<Segment> segments;
  if (header.program_header_count == 0) return segments;
  const std::uint64_t size = layout.size<Segment>();
  if (header.program_header_size != size) {
    return failure(
        ErrorKind::malformed, {},
        fmt::format("a program header has {} bytes, not {}", header.program_header_size, size));
  }
  const auto table = file.slice(header.program_header_offset, size * header.program_header_count);
  if (!table) {
    return failure(ErrorKind::malformed, {},
                   fmt::format("{} program headers at offset {:#x} do not lie inside the file",
                               header.program_header_count, header.program_header_offset));
  }
  segments.reserve(header.program_header_count);
  for (std::uint64_t index = 0; index < header.program_header_count; ++index) {
    segments.push_back(*layout.read<Segment>(*table, index * size));
  }
  return segments;
}

Result<std::optional<std::string_view>> read_interpreter(const FileBytes& file,
                                                         const std::vector<Segment>& segments) {
  const auto segment = std::find_if(segments.begin(), segments.end(), [](const Segment& each) {
    return each.type == SegmentType::interpreter;
  });
  if (segment == segments.end()) return std::nullopt;
  const auto bytes = file.slice(segment->offset, segment->file_size);
  const auto text = bytes ? read_c_string(*bytes, 0) : std::nullopt;
  if (text) return *text;
  return failure(
      ErrorKind::malformed, {},
      fmt::format("the interpreter's path at offset {:#x} is cut short", segment->offset));
}

Result<std::optional<Dynamic>> read_dynamic(const Memory& memory) {
  const auto entries = TRY(read_dynamic_entries(memory));
  if (!entries) return std::nullopt;
  return TRY(interpret(memory, *entries));
}

}  // namespace

bool has_elf_magic(Bytes bytes) { return text_of(bytes).starts_with("\177ELF"); }

Result<ElfImage> ElfImage::parse(Blob blob, std::string name) {
  return parse(FileBytes(std::move(blob)), std::move(name));
}

Result<ElfImage> ElfImage::parse(FileBytes bytes, std::string name) {
  constexpr std::uint64_t longest_header = 64;
  const Bytes begin = bytes.slice(0, std::min(longest_header, bytes.size())).value_or(Bytes());
  if (!has_elf_magic(begin)) {
    return failure(ErrorKind::malformed, std::move(name), "not an ELF file: no ELF magic");
  }
  auto header =
      begin.size() > order_at ? layout_by_ident(begin).read<Header>(begin, 0) : std::nullopt;
  if (!header) {
    return failure(ErrorKind::malformed, std::move(name),
                   fmt::format("too short for an ELF header: {} bytes", bytes.size()));
  }
  header->file_size = bytes.size();
  return ElfImage(std::move(bytes), std::move(name), *header);
}

// The readers below know no file; this puts its name before what went wrong in it.
template <class T>
Result<T> ElfImage::named(Result<T> result) const {
  if (!result && result.error().where.empty()) result.error().where = name_;
  return result;
}

Result<std::vector<Segment>> ElfImage::segments() const {
  return named(read_segments(bytes_, header_, layout()));
}

Result<Memory> ElfImage::memory() const { return Memory(bytes_, layout(), TRY(segments())); }

Result<std::uint64_t> ElfImage::missing_bytes() const {
  std::uint64_t end = 0;
  for (const Segment& segment : TRY(segments())) {
    if (segment.type != SegmentType::load || segment.file_size == 0) continue;
    const auto segment_end = checked_add(segment.offset, segment.file_size);
    if (!segment_end) {
      return failure(ErrorKind::malformed, name_,
                     fmt::format("a segment of {:#x} bytes at offset {:#x} has no end",
                                 segment.file_size, segment.offset));
    }
    end = std::max(end, *segment_end);
  }
  return end > header_.file_size ? end - header_.file_size : 0;
}

Result<std::optional<std::string_view>> ElfImage::interpreter() const {
  return named(read_interpreter(bytes_, TRY(segments())));
}

Result<std::optional<DynamicEntries>> ElfImage::dynamic_entries() const {
  return named(read_dynamic_entries(TRY(memory())));
}

Result<std::optional<Dynamic>> ElfImage::dynamic() const {
  return named(read_dynamic(TRY(memory())));
}

Result<DynamicTables> ElfImage::tables(const Memory& memory) const {
  const auto entries = TRY(named(read_dynamic_entries(memory)));
  return entries ? tables_of(*entries) : DynamicTables();
}

Result<SymbolTable> ElfImage::symbols() const {
  const Memory memory = TRY(this->memory());
  return named(SymbolTable::read(memory, TRY(tables(memory)), header_.machine));
}

Result<std::vector<VersionNeed>> ElfImage::version_needs() const {
  const Memory memory = TRY(this->memory());
  return named(read_version_needs(memory, TRY(tables(memory))));
}

Result<std::vector<VersionDefinition>> ElfImage::version_definitions() const {
  const Memory memory = TRY(this->memory());
  return named(read_version_definitions(memory, TRY(tables(memory))));
}

Result<Notes> ElfImage::notes() const { return named(read_notes(TRY(memory()))); }

Result<GnuStack> ElfImage::gnu_stack() const { return gnu_stack_of(TRY(segments())); }

}  // namespace whyso::elf
