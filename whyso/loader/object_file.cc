// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/object_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "whyso/elf/image.h"
#include "whyso/elf/notes.h"
#include "whyso/elf/versions.h"

namespace whyso::loader {
namespace {

constexpr std::size_t ident_class = 4;
constexpr std::size_t ident_data = 5;
constexpr std::size_t ident_version = 6;
constexpr std::size_t ident_padding = 9;
constexpr std::uint8_t os_abi_gnu = 3;

std::uint64_t header_size(const elf::Abi& abi) {
  return abi.elf_class == elf::ElfClass::elf32 ? 52 : 64;
}

bool is_abi_version_valid(const elf::Header& header, const LoaderRules& rules) {
  if (header.abi_version == 0) return true;
  return header.os_abi == os_abi_gnu && header.abi_version < (rules.is_at_least(28) ? 4 : 3);
}

/// What open_verify finds wrong in e_ident behind the class, in its order.
std::string ident_fault(const elf::Header& header, const LoaderRules& rules) {
  const bool is_little = rules.abi.byte_order == ByteOrder::little;
  if (header.ident[ident_data] != (is_little ? 1 : 2)) {
    return is_little ? "ELF file data encoding not little-endian"
                     : "ELF file data encoding not big-endian";
  }
  if (header.ident[ident_version] != 1) return "ELF file version ident does not match current one";
  if (header.os_abi != 0 && header.os_abi != os_abi_gnu) return "ELF file OS ABI invalid";
  if (!is_abi_version_valid(header, rules)) return "ELF file ABI version invalid";
  const bool is_padded = std::any_of(header.ident.begin() + ident_padding, header.ident.end(),
                                     [](std::uint8_t byte) { return byte != 0; });
  return is_padded ? "nonzero padding in e_ident" : "";
}

void refuse(ObjectFile& file, std::string what, int error_number = 0) {
  file.verdict = Verdict::refused;
  file.header = {.what = std::move(what), .error_number = error_number};
}

/// Up to glibc 2.35 a file for another system or a newer kernel was passed over. The kernel is not
/// known here: a tag for Linux is taken to be satisfied.
bool is_for_other_kernel(ObjectFile& file, const elf::ElfImage& image, const LoaderRules& rules) {
  if (rules.is_at_least(36)) return false;
  const auto notes = image.notes();
  if (!notes) file.is_damaged = true;
  return notes && notes->abi_tag && notes->abi_tag->operating_system != 0;
}

/// open_verify: everything up to the program headers. True where the file may be mapped.
bool judge_header(ObjectFile& file, const elf::ElfImage& image, const LoaderRules& rules) {
  const elf::Header& header = image.header();
  const std::string fault = ident_fault(header, rules);
  if (!fault.empty()) return refuse(file, fault), false;
  if (header.version != 1) {
    return refuse(file, "ELF file version does not match current one"), false;
  }
  if (!elf::can_share_process(elf::abi_of(header), rules.abi)) {
    file.verdict = Verdict::other_machine;
    return false;
  }
  file.type = header.type;
  if (header.type != elf::Type::shared && header.type != elf::Type::executable) {
    return refuse(file, "only ET_DYN and ET_EXEC can be loaded"), false;
  }
  const std::uint64_t expected = rules.abi.elf_class == elf::ElfClass::elf32 ? 32 : 56;
  if (header.program_header_size != expected) {
    return refuse(file, "ELF file's phentsize not the expected size"), false;
  }
  if (!image.segments()) {
    file.is_damaged = true;
    return refuse(file, "cannot read file data"), false;
  }
  if (!is_for_other_kernel(file, image, rules)) return true;
  file.verdict = Verdict::other_kernel;
  return false;
}

std::string alignment_fault(const elf::Segment& segment, const LoaderRules& rules) {
  const std::uint64_t distance = segment.virtual_address - segment.offset;
  if (rules.is_at_least(35)) {
    const bool is_aligned = (distance & (rules.page_size - 1)) == 0;
    return is_aligned ? "" : "ELF load command address/offset not page-aligned";
  }
  if ((segment.alignment & (rules.page_size - 1)) != 0) {
    return "ELF load command alignment not page-aligned";
  }
  const bool is_aligned = segment.alignment == 0 || (distance & (segment.alignment - 1)) == 0;
  return is_aligned ? "" : "ELF load command address/offset not properly aligned";
}

std::string segments_fault(const std::vector<elf::Segment>& segments, const LoaderRules& rules) {
  bool has_load = false;
  for (const elf::Segment& segment : segments) {
    if (segment.type != elf::SegmentType::load) continue;
    std::string fault = alignment_fault(segment, rules);
    if (!fault.empty()) return fault;
    has_load = true;
  }
  return has_load ? "" : "object file has no loadable segments";
}

/// A page that is mapped behind the end of the file kills the process when it is touched: the rest
/// of a .data page that is cleared for .bss, or the dynamic section.
bool dies_when_mapped(const std::vector<elf::Segment>& segments, std::uint64_t file_size,
                      std::uint64_t page) {
  const std::uint64_t backed = (file_size + page - 1) / page * page;
  for (const elf::Segment& segment : segments) {
    const auto end = checked_add(segment.offset, segment.file_size);
    if (!end) return true;
    const bool clears = segment.type == elf::SegmentType::load &&
                        segment.memory_size > segment.file_size && *end % page != 0;
    if (clears && *end / page * page >= backed) return true;
    if (segment.type == elf::SegmentType::dynamic && segment.offset >= backed) return true;
  }
  return false;
}

DynamicFacts facts_of(const elf::Dynamic& dynamic) {
  DynamicFacts facts;
  const auto copy = [](const std::optional<std::string_view>& text) {
    return text ? std::optional<std::string>(*text) : std::nullopt;
  };
  facts.soname = copy(dynamic.soname);
  facts.runpath = copy(dynamic.runpath);
  if (!dynamic.runpath) facts.rpath = copy(dynamic.rpath);
  facts.flags_1 = dynamic.flags_1;
  facts.is_symbolic = dynamic.is_symbolic;
  facts.binds_now = dynamic.binds_now;
  facts.has_static_tls = (dynamic.flags & elf::flag_static_tls) != 0;
  auto filtee = dynamic.filtees.begin();
  for (std::size_t i = 0; i <= dynamic.needed.size(); ++i) {
    for (; filtee != dynamic.filtees.end() && filtee->needed_before == i; ++filtee) {
      const bool is_filter = filtee->kind == elf::FilteeKind::filter;
      facts.wants.push_back(
          {std::string(filtee->name), is_filter ? WantKind::filter : WantKind::auxiliary});
    }
    if (i < dynamic.needed.size()) {
      facts.wants.push_back({std::string(dynamic.needed[i]), WantKind::needed});
    }
  }
  return facts;
}

void add_versions(ObjectFile& file, const elf::Memory& memory, const elf::DynamicTables& tables) {
  VersionFacts& facts = file.versions;
  facts.has_definitions = tables.version_definitions.has_value();
  facts.has_relr = tables.relr.has_value();
  const auto needs = elf::read_version_needs(memory, tables);
  const auto definitions = elf::read_version_definitions(memory, tables);
  if (!needs || !definitions) file.is_damaged = true;
  for (const elf::VersionNeed& need : needs.value_or(std::vector<elf::VersionNeed>())) {
    VersionWant want{.file = std::string(need.file)};
    for (const elf::NeededVersion& version : need.versions) {
      want.versions.push_back({std::string(version.name), version.hash, version.is_weak()});
    }
    facts.wants.push_back(std::move(want));
  }
  for (const auto& definition : definitions.value_or(std::vector<elf::VersionDefinition>())) {
    facts.definitions.emplace_back(definition.hash, definition.name);
  }
}

constexpr std::uint32_t property_1_needed = 0xb0008000;

/// GNU_PROPERTY_1_NEEDED: its first bit asks that nobody else copies this file's variables.
bool needs_indirect_access(const elf::Notes& notes) {
  return std::ranges::any_of(notes.properties, [](const elf::GnuProperty& property) {
    return property.type == property_1_needed && !property.data.empty() &&
           (std::to_integer<unsigned>(property.data.front()) & 1U) != 0;
  });
}

void add_notes(ObjectFile& file, const elf::ElfImage& image) {
  const auto notes = image.notes();
  if (!notes) file.is_damaged = true;
  if (!notes) return;
  file.versions.isa_needed = notes->x86_isa_needed.value_or(0);
  file.needs_indirect_access = needs_indirect_access(*notes);
}

/// The last PT_TLS with data counts (_dl_map_object_from_fd).
std::optional<TlsSegment> tls_of(const std::vector<elf::Segment>& segments) {
  std::optional<TlsSegment> tls;
  for (const elf::Segment& segment : segments) {
    if (segment.type != elf::SegmentType::thread_local_storage || segment.memory_size == 0)
      continue;
    const std::uint64_t alignment = std::bit_floor(std::max<std::uint64_t>(segment.alignment, 1));
    tls = TlsSegment{segment.memory_size, alignment, segment.virtual_address & (alignment - 1)};
  }
  return tls;
}

bool has_segment(const std::vector<elf::Segment>& segments, elf::SegmentType type) {
  return std::ranges::any_of(segments,
                             [type](const elf::Segment& segment) { return segment.type == type; });
}

/// _dl_map_object_from_fd. What only libraries are refused for is not yet in the result.
Refusal mapping_fault(ObjectFile& file, const elf::ElfImage& image, const LoaderRules& rules) {
  const auto segments = *image.segments();
  std::string fault = segments_fault(segments, rules);
  if (!fault.empty()) return {.what = std::move(fault)};
  if (dies_when_mapped(segments, file.facts.size, rules.page_size)) return {.is_crash = true};
  const auto interpreter = image.interpreter();
  if (interpreter && *interpreter) file.interpreter = std::string(**interpreter);
  const auto dynamic = image.dynamic();
  if (!interpreter || !dynamic) file.is_damaged = true;
  // The loader reads a damaged dynamic section where it happens to lie, and dies there.
  if (!dynamic) return {.is_crash = true};
  file.is_dynamic = dynamic->has_value();
  if (*dynamic) {
    file.dynamic = facts_of(**dynamic);
    add_versions(file, *image.memory(), (*dynamic)->tables);
    add_notes(file, image);
  }
  if (file.is_dynamic ||
      (file.type == elf::Type::executable && !has_segment(segments, elf::SegmentType::dynamic))) {
    return {};
  }
  return {.what = "object file has no dynamic section"};
}

/// The refusals of _dl_map_object_from_fd for what is not the program, in its order.
Refusal library_fault(const ObjectFile& file, const LoaderRules& rules) {
  const Refusal& general = file.mapping_as_program;
  const bool is_about_segments =
      general.is_set() && general.what != "object file has no dynamic section";
  if (is_about_segments && !general.is_crash) return general;
  if (file.type == elf::Type::executable) return {.what = "cannot dynamically load executable"};
  if (general.is_set()) return general;
  if (rules.is_at_least(30) && (file.dynamic.flags_1 & elf::flag_1_pie) != 0) {
    return {.what = "cannot dynamically load position-independent executable"};
  }
  return {};
}

}  // namespace

ObjectFile judge(Path real, const tree::FileFacts& facts, const FileBytes& content,
                 const LoaderRules& rules) {
  ObjectFile file{.real = std::move(real), .facts = facts};
  if (facts.kind == tree::FileKind::directory) {
    refuse(file, "cannot read file data", EISDIR);
    return file;
  }
  if (content.size() < header_size(rules.abi)) return refuse(file, "file too short"), file;
  const auto begin = content.slice(0, header_size(rules.abi));
  if (!begin) file.is_damaged = true;
  if (!begin || !elf::has_elf_magic(*begin)) return refuse(file, "invalid ELF header"), file;
  if (text_of(*begin)[ident_class] != static_cast<char>(std::to_underlying(rules.abi.elf_class))) {
    file.verdict = Verdict::other_class;
    return file;
  }
  const auto image = elf::ElfImage::parse(content, file.real.text());
  if (!image) return refuse(file, "file too short"), file;
  if (!judge_header(file, *image, rules)) return file;
  file.tls = tls_of(*image->segments());
  const elf::GnuStack stack = elf::gnu_stack_of(*image->segments());
  file.wants_executable_stack =
      stack == elf::GnuStack::executable ||
      (stack == elf::GnuStack::absent && rules.assumes_executable_stack());
  file.mapping_as_program = mapping_fault(file, *image, rules);
  file.mapping = library_fault(file, rules);
  return file;
}

}  // namespace whyso::loader
