// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/dynamic.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "whyso/elf/strings.h"

namespace whyso::elf {
namespace {

// Real files have about thirty, the largest some hundreds.
constexpr std::size_t most_entries = 65536;

struct TableTags {
  std::optional<DynamicTable> DynamicTables::* table;
  Tag address;
  Tag size;  // null: no entry says the size
};

constexpr std::array<TableTags, 11> table_tags = {{
    {&DynamicTables::strings, Tag::string_table, Tag::string_table_size},
    {&DynamicTables::symbols, Tag::symbol_table, Tag::null},
    {&DynamicTables::hash, Tag::hash, Tag::null},
    {&DynamicTables::gnu_hash, Tag::gnu_hash, Tag::null},
    {&DynamicTables::symbol_versions, Tag::symbol_versions, Tag::null},
    {&DynamicTables::version_needs, Tag::version_needs, Tag::version_need_count},
    {&DynamicTables::version_definitions, Tag::version_definitions, Tag::version_definition_count},
    {&DynamicTables::rela, Tag::rela, Tag::rela_size},
    {&DynamicTables::rel, Tag::rel, Tag::rel_size},
    {&DynamicTables::relr, Tag::relr, Tag::relr_size},
    {&DynamicTables::plt, Tag::pltrel, Tag::pltrel_size},
}};

std::optional<std::uint64_t> last_value(const DynamicEntries& entries, Tag tag) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->tag == tag) return entry->value;
  }
  return std::nullopt;
}

Result<void> interpret_name(Dynamic& dynamic, const DynamicEntry& entry, const Strings& strings) {
  switch (entry.tag) {
    case Tag::needed:
      dynamic.needed.push_back(TRY(strings.at(entry.value, "DT_NEEDED")));
      break;
    case Tag::soname:
      dynamic.soname = TRY(strings.at(entry.value, "DT_SONAME"));
      break;
    case Tag::rpath:
      dynamic.rpath = TRY(strings.at(entry.value, "DT_RPATH"));
      break;
    case Tag::runpath:
      dynamic.runpath = TRY(strings.at(entry.value, "DT_RUNPATH"));
      break;
    case Tag::auxiliary:
      dynamic.filtees.push_back({FilteeKind::auxiliary,
                                 TRY(strings.at(entry.value, "DT_AUXILIARY")),
                                 dynamic.needed.size()});
      break;
    case Tag::filter:
      dynamic.filtees.push_back(
          {FilteeKind::filter, TRY(strings.at(entry.value, "DT_FILTER")), dynamic.needed.size()});
      break;
    default:
      break;
  }
  return {};
}

// Behind the file's part of a segment the loader reads zeros, which end the list as well; not so
// where `size` bytes are fewer than the segment takes from the file, which is cut short then.
bool is_followed_by_zeros(const Memory& memory, std::uint64_t address, std::uint64_t size) {
  const Segment* load = memory.find_load(address);
  return load->memory_size > load->file_size &&
         size == load->file_size - (address - load->virtual_address);
}

}  // namespace

Result<std::optional<DynamicEntries>> read_dynamic_entries(const Memory& memory) {
  const Segment* segment = memory.find_first(SegmentType::dynamic);
  if (segment == nullptr || segment->file_size == 0) return std::nullopt;
  const Bytes bytes =
      TRY(memory.bytes_from(segment->virtual_address, "the dynamic section", segment->file_size));
  const std::uint64_t step = memory.layout().size<DynamicEntry>();

  DynamicEntries entries;
  entries.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(segment->file_size / step, 64)));
  for (std::size_t index = 0; index < most_entries; ++index) {
    const auto entry = memory.layout().read<DynamicEntry>(bytes, index * step);
    if (!entry && !is_followed_by_zeros(memory, segment->virtual_address, bytes.size())) {
      return failure(ErrorKind::malformed, {},
                     fmt::format("the dynamic section is cut short after {} entries", index));
    }
    if (!entry || entry->tag == Tag::null) return entries;
    entries.push_back(*entry);
  }
  return failure(ErrorKind::malformed, {},
                 fmt::format("the dynamic section has more than {} entries", most_entries));
}

DynamicTables tables_of(const DynamicEntries& entries) {
  DynamicTables tables;
  for (const TableTags& tags : table_tags) {
    const auto address = last_value(entries, tags.address);
    if (!address) continue;
    const auto size = tags.size == Tag::null ? std::nullopt : last_value(entries, tags.size);
    tables.*tags.table = DynamicTable{*address, size.value_or(0)};
  }
  tables.relative_count = last_value(entries, Tag::relative_count)
                              .value_or(last_value(entries, Tag::rel_relative_count).value_or(0));
  tables.plt_has_addends =
      last_value(entries, Tag::pltrel_type) == static_cast<std::uint64_t>(Tag::rela);
  return tables;
}

Result<Dynamic> interpret(const Memory& memory, const DynamicEntries& entries) {
  Dynamic dynamic;
  dynamic.tables = tables_of(entries);
  Strings strings;
  if (dynamic.tables.strings) {
    strings = TRY(Strings::read(memory, dynamic.tables.strings->address));
  }
  for (const DynamicEntry& entry : entries) TRY_VOID(interpret_name(dynamic, entry, strings));
  dynamic.flags = last_value(entries, Tag::flags).value_or(0);
  dynamic.flags_1 = last_value(entries, Tag::flags_1).value_or(0);
  dynamic.is_symbolic =
      last_value(entries, Tag::symbolic).has_value() || (dynamic.flags & flag_symbolic) != 0;
  dynamic.has_textrel =
      last_value(entries, Tag::textrel).has_value() || (dynamic.flags & flag_textrel) != 0;
  dynamic.binds_now = last_value(entries, Tag::bind_now).has_value() ||
                      (dynamic.flags & flag_bind_now) != 0 || (dynamic.flags_1 & flag_1_now) != 0;
  return dynamic;
}

}  // namespace whyso::elf
