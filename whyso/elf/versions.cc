// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/versions.h"

#include <fmt/core.h>

#include <optional>

#include "whyso/elf/strings.h"

namespace whyso::elf {
namespace {

// Version numbers have 15 bits. Links only lead forward, but records may overlap and be shared; a
// common budget keeps that linear.
constexpr std::size_t most_records = 65536;

class VersionReader {
 public:
  static Result<VersionReader> open(const Memory& memory, const DynamicTables& tables,
                                    const DynamicTable& table, std::string_view what) {
    VersionReader reader(memory.layout(), what);
    reader.bytes_ = TRY(memory.bytes_from(table.address, what));
    if (tables.strings) {
      reader.strings_ = TRY(Strings::read(memory, tables.strings->address));
    }
    return reader;
  }

  template <class Record>
  Result<Record> record(std::uint64_t offset) {
    const auto record = layout_.read<Record>(bytes_, offset);
    if (!record) {
      return failure(ErrorKind::malformed, {},
                     fmt::format("{}: a record at {:#x} lies outside its segment", what_, offset));
    }
    if (++records_ > most_records) {
      return failure(ErrorKind::malformed, {},
                     fmt::format("{}: more than {} records", what_, most_records));
    }
    return *record;
  }

  [[nodiscard]] Result<void> require_version_1(std::uint16_t version) const {
    if (version == 1) return {};
    return failure(ErrorKind::unsupported, {},
                   fmt::format("{}: a record of version {}", what_, version));
  }

  [[nodiscard]] Result<std::string_view> name(std::uint32_t offset) const {
    return strings_.at(offset, what_);
  }

 private:
  VersionReader(Layout layout, std::string_view what) : layout_(layout), what_(what) {}

  Layout layout_;
  std::string_view what_;
  Bytes bytes_;
  Strings strings_;
  std::size_t records_ = 0;
};

Result<std::vector<NeededVersion>> read_needed_versions(VersionReader& reader,
                                                        const VersionNeedRecord& need,
                                                        std::uint64_t offset) {
  std::vector<NeededVersion> versions;
  if (need.count == 0 || need.first == 0) return versions;
  std::uint64_t at = offset + need.first;
  while (true) {
    const auto record = TRY(reader.record<NeededVersionRecord>(at));
    versions.push_back({.name = TRY(reader.name(record.name)),
                        .hash = record.hash,
                        .flags = record.flags,
                        .index = static_cast<std::uint16_t>(record.index & version_index_mask),
                        .is_hidden = (record.index & version_hidden_bit) != 0});
    if (record.next == 0) return versions;
    at += record.next;
  }
}

Result<VersionDefinition> read_definition(VersionReader& reader,
                                          const VersionDefinitionRecord& record,
                                          std::uint64_t offset) {
  VersionDefinition definition{
      .hash = record.hash,
      .flags = record.flags,
      .index = static_cast<std::uint16_t>(record.index & version_index_mask)};
  std::uint64_t at = offset + record.first;
  for (std::uint16_t index = 0; index < record.count; ++index) {
    const auto name = TRY(reader.record<VersionNameRecord>(at));
    const std::string_view text = TRY(reader.name(name.name));
    if (index == 0) {
      definition.name = text;
    } else {
      definition.parents.push_back(text);
    }
    if (name.next == 0) break;
    at += name.next;
  }
  return definition;
}

}  // namespace

Result<std::vector<VersionNeed>> read_version_needs(const Memory& memory,
                                                    const DynamicTables& tables) {
  std::vector<VersionNeed> needs;
  if (!tables.version_needs) return needs;
  auto reader = TRY(
      VersionReader::open(memory, tables, *tables.version_needs, "the table of needed versions"));
  std::uint64_t at = 0;
  while (true) {
    const auto record = TRY(reader.record<VersionNeedRecord>(at));
    TRY_VOID(reader.require_version_1(record.version));
    needs.push_back({TRY(reader.name(record.file)), TRY(read_needed_versions(reader, record, at))});
    if (record.next == 0) return needs;
    at += record.next;
  }
}

Result<std::vector<VersionDefinition>> read_version_definitions(const Memory& memory,
                                                                const DynamicTables& tables) {
  std::vector<VersionDefinition> definitions;
  if (!tables.version_definitions) return definitions;
  auto reader = TRY(VersionReader::open(memory, tables, *tables.version_definitions,
                                        "the table of defined versions"));
  std::uint64_t at = 0;
  while (true) {
    const auto record = TRY(reader.record<VersionDefinitionRecord>(at));
    TRY_VOID(reader.require_version_1(record.version));
    definitions.push_back(TRY(read_definition(reader, record, at)));
    if (record.next == 0) return definitions;
    at += record.next;
  }
}

Result<SymbolVersions> SymbolVersions::read(const Memory& memory, const DynamicTables& tables) {
  SymbolVersions versions;
  if (!tables.symbol_versions) return versions;
  for (const VersionNeed& need : TRY(read_version_needs(memory, tables))) {
    for (const NeededVersion& version : need.versions) {
      versions.add(version.index, {version.name, need.file, version.hash, version.is_hidden});
    }
  }
  for (const VersionDefinition& definition : TRY(read_version_definitions(memory, tables))) {
    // The base names the file; its number 1 stands for "global, without a version".
    if (!definition.is_base())
      versions.add(definition.index, {definition.name, {}, definition.hash, false});
  }
  if (!tables.version_needs && !tables.version_definitions) return versions;
  versions.order_ = memory.layout().byte_order();
  versions.numbers_ = TRY(memory.bytes_from(tables.symbol_versions->address, "DT_VERSYM"));
  return versions;
}

void SymbolVersions::add(std::uint16_t number, NumberedVersion version) {
  if (number >= by_number_.size()) by_number_.resize(std::size_t{number} + 1);
  by_number_[number] = version;
}

Result<std::uint16_t> SymbolVersions::number_of(std::uint64_t symbol) const {
  const auto at = checked_multiply(symbol, sizeof(std::uint16_t));
  const auto number = at ? read_integer<std::uint16_t>(numbers_, *at, order_) : std::nullopt;
  if (number) return *number;
  return failure(ErrorKind::malformed, {},
                 fmt::format("the version of symbol {} lies outside DT_VERSYM", symbol));
}

const NumberedVersion* SymbolVersions::find(std::uint16_t number) const {
  const std::size_t index = number & version_index_mask;
  if (index >= by_number_.size() || !by_number_[index]) return nullptr;
  return &*by_number_[index];
}

}  // namespace whyso::elf
