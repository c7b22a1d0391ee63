// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/notes.h"

#include <fmt/core.h>

namespace whyso::elf {
namespace {

constexpr std::size_t most_notes = 65536;
constexpr std::uint32_t type_abi_tag = 1;
constexpr std::uint32_t type_build_id = 3;
constexpr std::uint32_t type_property = 5;
constexpr std::uint32_t property_x86_isa_needed = 0xc0008002;

std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

// Notes of 8-byte alignment are padded to 8, all others to 4, whatever p_align says (glibc,
// ELF_NOTE_DESC_OFFSET).
std::uint64_t alignment_of(const Segment& segment) { return segment.alignment == 8 ? 8 : 4; }

Result<void> read_segment(const Memory& memory, const Segment& segment, std::vector<Note>& notes) {
  const auto bytes = memory.file().slice(segment.offset, segment.file_size);
  if (!bytes) {
    return failure(
        ErrorKind::malformed, {},
        fmt::format("the notes at offset {:#x} do not lie inside the file", segment.offset));
  }
  const std::uint64_t alignment = alignment_of(segment);
  std::uint64_t at = 0;
  while (at < bytes->size()) {
    const auto record = memory.layout().read<NoteRecord>(*bytes, at);
    const std::uint64_t name_at = at + memory.layout().size<NoteRecord>();
    const auto owner = record ? slice(*bytes, name_at, record->name_size) : std::nullopt;
    const std::uint64_t description_at =
        record ? at + aligned(name_at - at + record->name_size, alignment) : 0;
    const auto description =
        record ? slice(*bytes, description_at, record->description_size) : std::nullopt;
    if (!owner || !description) {
      return failure(ErrorKind::malformed, {},
                     fmt::format("a note at offset {:#x} is cut short", segment.offset + at));
    }
    if (notes.size() == most_notes) {
      return failure(ErrorKind::malformed, {}, fmt::format("more than {} notes", most_notes));
    }
    std::string_view name = text_of(*owner);
    if (name.ends_with('\0')) name.remove_suffix(1);
    notes.push_back({name, record->type, *description});
    at = aligned(description_at + record->description_size, alignment);
  }
  return {};
}

std::optional<AbiTag> abi_tag_of(const Note& note, ByteOrder order) {
  Reader reader(note.description, order);
  AbiTag tag;
  for (std::uint32_t AbiTag::* part :
       {&AbiTag::operating_system, &AbiTag::major, &AbiTag::minor, &AbiTag::patch}) {
    tag.*part = reader.integer<std::uint32_t>().value_or(0);
  }
  if (reader.has_failed()) return std::nullopt;
  return tag;
}

std::vector<GnuProperty> properties_of(const Note& note, const Layout& layout) {
  std::vector<GnuProperty> properties;
  Reader reader(note.description, layout.byte_order());
  while (reader.remaining() >= 8) {
    const auto type = reader.integer<std::uint32_t>();
    const auto size = reader.integer<std::uint32_t>();
    const auto data = reader.take(size.value_or(0));
    if (!data) break;
    properties.push_back({*type, *data});
    if (!reader.take(aligned(*size, layout.address_size()) - *size)) break;
  }
  return properties;
}

void interpret(Notes& notes, const Note& note, const Layout& layout) {
  if (note.owner != "GNU") return;
  if (note.type == type_build_id && !notes.build_id) notes.build_id = note.description;
  if (note.type == type_abi_tag && !notes.abi_tag) {
    notes.abi_tag = abi_tag_of(note, layout.byte_order());
  }
  if (note.type != type_property || !notes.properties.empty()) return;
  notes.properties = properties_of(note, layout);
  for (const GnuProperty& property : notes.properties) {
    if (property.type != property_x86_isa_needed) continue;
    notes.x86_isa_needed = read_integer<std::uint32_t>(property.data, 0, layout.byte_order());
  }
}

}  // namespace

Result<Notes> read_notes(const Memory& memory) {
  Notes notes;
  for (const Segment& segment : memory.segments()) {
    if (segment.type == SegmentType::note) TRY_VOID(read_segment(memory, segment, notes.all));
  }
  for (const Note& note : notes.all) interpret(notes, note, memory.layout());
  return notes;
}

GnuStack gnu_stack_of(const std::vector<Segment>& segments) {
  GnuStack stack = GnuStack::absent;
  for (const Segment& segment : segments) {
    if (segment.type != SegmentType::gnu_stack) continue;
    stack = (segment.flags & segment_is_executable) != 0 ? GnuStack::executable
                                                         : GnuStack::not_executable;
  }
  return stack;
}

}  // namespace whyso::elf
