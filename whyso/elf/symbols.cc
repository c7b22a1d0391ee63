// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/symbols.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace whyso::elf {
namespace {

// Names may share their ends, not much more: the sum of their lengths is near the table's size.
constexpr std::uint64_t most_sharing = 16;
constexpr std::uint64_t least_name_budget = 1 << 20;

std::uint64_t bytes_to_next_table(const DynamicTables& tables) {
  const std::uint64_t from = tables.symbols->address;
  std::uint64_t nearest = from;
  for (const auto* table :
       {&tables.strings, &tables.hash, &tables.gnu_hash, &tables.symbol_versions,
        &tables.version_needs, &tables.version_definitions, &tables.rela, &tables.rel, &tables.relr,
        &tables.plt}) {
    if (!*table || (*table)->address <= from) continue;
    nearest = nearest == from ? (*table)->address : std::min(nearest, (*table)->address);
  }
  return nearest - from;
}

SymbolBinding binding_of(const SymbolRecord& record) {
  return SymbolBinding{static_cast<std::uint8_t>(record.info >> 4)};
}

SymbolType type_of(const SymbolRecord& record) {
  return SymbolType{static_cast<std::uint8_t>(record.info & 0xf)};
}

SymbolVisibility visibility_of(const SymbolRecord& record) {
  return SymbolVisibility{static_cast<std::uint8_t>(record.other & 3)};
}

bool has_type_to_bind(const SymbolRecord& record) {
  constexpr std::array<SymbolType, 6> types = {SymbolType::none,
                                               SymbolType::object,
                                               SymbolType::function,
                                               SymbolType::common,
                                               SymbolType::thread_local_storage,
                                               SymbolType::gnu_indirect_function};
  return std::find(types.begin(), types.end(), type_of(record)) != types.end();
}

bool is_visible_outside(const SymbolRecord& record) {
  const SymbolVisibility visibility = visibility_of(record);
  if (visibility == SymbolVisibility::hidden || visibility == SymbolVisibility::internal) {
    return false;
  }
  const SymbolBinding binding = binding_of(record);
  return binding == SymbolBinding::global || binding == SymbolBinding::weak ||
         binding == SymbolBinding::gnu_unique;
}

// How a definition's version answers a request (glibc check_match).
enum class VersionMatch : std::uint8_t { no, yes, only_if_alone };

VersionMatch match_version(const SymbolVersions& versions, const SymbolRequest& request,
                           std::uint16_t number) {
  const bool is_hidden = (number & version_hidden_bit) != 0;
  if (!request.version) {
    const std::uint16_t first_versioned = request.takes_newest ? 2 : 3;
    if ((number & version_index_mask) < first_versioned) return VersionMatch::yes;
    return is_hidden ? VersionMatch::no : VersionMatch::only_if_alone;
  }
  const NumberedVersion* version = versions.find(number);
  if (version == nullptr) {
    return request.version_is_hidden || is_hidden ? VersionMatch::no : VersionMatch::yes;
  }
  const bool is_equal =
      version->name == *request.version && version->hash == sysv_hash(*request.version);
  return is_equal ? VersionMatch::yes : VersionMatch::no;
}

}  // namespace

Result<SymbolTable> SymbolTable::read(const Memory& memory, const DynamicTables& tables,
                                      Machine machine) {
  SymbolTable table(memory.layout());
  if (!tables.symbols) return table;
  table.symbols_ = TRY(memory.bytes_from(tables.symbols->address, "the dynamic symbol table"));
  if (tables.strings) {
    table.strings_ =
        Strings(TRY(memory.bytes_from(tables.strings->address, "the dynamic string table")));
  }
  table.hash_ = TRY(SymbolHash::read(memory, tables, machine));
  table.bytes_to_next_table_ = bytes_to_next_table(tables);
  auto versions = SymbolVersions::read(memory, tables);
  if (versions) {
    table.versions_ = *std::move(versions);
  } else {
    table.version_damage_ = std::move(versions).error();
  }
  return table;
}

Result<std::uint64_t> SymbolTable::count() const {
  if (symbols_.empty()) return 0;
  const std::uint64_t most = symbols_.size() / layout_.size<SymbolRecord>();
  const auto hashed = TRY(hash_.symbol_count());
  if (!hashed) {
    return std::min(most, bytes_to_next_table_ / layout_.size<SymbolRecord>());
  }
  if (*hashed <= most) return *hashed;
  return failure(
      ErrorKind::malformed, {},
      fmt::format("the dynamic symbol table has room for {} symbols, not for {}", most, *hashed));
}

Result<SymbolRecord> SymbolTable::record(std::uint64_t index) const {
  const auto at = checked_multiply(index, layout_.size<SymbolRecord>());
  const auto record = at ? layout_.read<SymbolRecord>(symbols_, *at) : std::nullopt;
  if (record) return *record;
  return failure(ErrorKind::malformed, {},
                 fmt::format("symbol {} lies outside the dynamic symbol table", index));
}

Result<Symbol> SymbolTable::symbol(const SymbolRecord& record, std::uint64_t index) const {
  Symbol symbol{.name = TRY(strings_.at(record.name, "a symbol")),
                .value = record.value,
                .size = record.size,
                .section = record.section,
                .binding = binding_of(record),
                .type = type_of(record),
                .visibility = visibility_of(record),
                .version = std::nullopt};
  if (!versions_.has_any()) return symbol;
  const std::uint16_t number = TRY(versions_.number_of(index));
  if (const NumberedVersion* version = versions_.find(number)) {
    symbol.version = SymbolVersion{.name = version->name,
                                   .file = version->file,
                                   .is_hidden = (number & version_hidden_bit) != 0};
  }
  return symbol;
}

Result<Symbol> SymbolTable::at(std::uint64_t index) const {
  return symbol(TRY(record(index)), index);
}

Result<std::vector<Symbol>> SymbolTable::all() const {
  const std::uint64_t number = TRY(count());
  std::uint64_t budget = least_name_budget + most_sharing * strings_.size();
  std::vector<Symbol> symbols;
  symbols.reserve(number);
  for (std::uint64_t index = 1; index < number; ++index) {
    symbols.push_back(TRY(at(index)));
    const std::uint64_t length = symbols.back().name.size();
    if (length > budget) {
      return failure(ErrorKind::malformed, {}, "the names of the dynamic symbols overlap");
    }
    budget -= length;
  }
  return symbols;
}

bool SymbolTable::is_candidate(const SymbolRecord& record, const SymbolRequest& request) const {
  const bool has_value = record.value != 0 || record.section == section_absolute ||
                         type_of(record) == SymbolType::thread_local_storage;
  const bool is_taken = request.takes_undefined || record.section != section_undefined;
  return has_value && is_taken && has_type_to_bind(record) &&
         strings_.is_at(record.name, request.name);
}

Result<std::optional<Symbol>> SymbolTable::find(const SymbolRequest& request) const {
  if (version_damage_) return std::unexpected(*version_damage_);
  std::optional<std::uint64_t> found;
  std::optional<std::uint64_t> versioned;
  std::size_t versioned_count = 0;
  for (const std::uint64_t index : TRY(hash_.candidates(request.name))) {
    if (!is_candidate(TRY(record(index)), request)) continue;
    const VersionMatch match =
        versions_.has_any() ? match_version(versions_, request, TRY(versions_.number_of(index)))
                            : VersionMatch::yes;
    if (match == VersionMatch::only_if_alone && versioned_count++ == 0) versioned = index;
    if (match != VersionMatch::yes) continue;
    found = index;
    break;
  }
  if (!found && versioned_count == 1) found = versioned;
  if (!found) return std::nullopt;
  const SymbolRecord matched = TRY(record(*found));
  if (!is_visible_outside(matched)) return std::nullopt;
  return TRY(symbol(matched, *found));
}

}  // namespace whyso::elf
