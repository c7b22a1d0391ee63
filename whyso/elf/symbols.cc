// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/symbols.h"

#include <fmt/core.h>

#include <algorithm>

#include "whyso/elf/integer_at.h"

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

bool has_type_to_bind(const SymbolRecord& record) {
  // STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_COMMON, STT_TLS, STT_GNU_IFUNC.
  constexpr unsigned types = 1U << 0U | 1U << 1U | 1U << 2U | 1U << 5U | 1U << 6U | 1U << 10U;
  return (types >> static_cast<unsigned>(type_of(record)) & 1U) != 0;
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
    if (request.version_is_hidden || is_hidden) return VersionMatch::no;
    return request.prefers_exact ? VersionMatch::only_if_alone : VersionMatch::yes;
  }
  const std::uint32_t wanted =
      request.version_hash ? *request.version_hash : sysv_hash(*request.version);
  const bool is_equal = version->hash == wanted && version->name == *request.version;
  return is_equal ? VersionMatch::yes : VersionMatch::no;
}

}  // namespace

Result<SymbolTable> SymbolTable::read(const Memory& memory, const DynamicTables& tables,
                                      Machine machine) {
  SymbolTable table(memory.layout());
  if (!tables.symbols) return table;
  table.symbols_ = TRY(memory.bytes_from(tables.symbols->address, "the dynamic symbol table"));
  if (tables.strings) {
    table.strings_ = TRY(Strings::read(memory, tables.strings->address));
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
  constexpr std::uint64_t wide_size = 24;
  const bool is_wide = layout_.address_size() == 8;
  const std::uint64_t size = is_wide ? wide_size : layout_.size<SymbolRecord>();
  if (index >= symbols_.size() / size) {
    return failure(ErrorKind::malformed, {},
                   fmt::format("symbol {} lies outside the dynamic symbol table", index));
  }
  const std::uint64_t at = index * size;
  if (!is_wide) return *layout_.read<SymbolRecord>(symbols_, at);
  const ByteOrder order = layout_.byte_order();
  return SymbolRecord{.name = integer_at<std::uint32_t>(symbols_, at, order),
                      .info = integer_at<std::uint8_t>(symbols_, at + 4, order),
                      .other = integer_at<std::uint8_t>(symbols_, at + 5, order),
                      .section = integer_at<std::uint16_t>(symbols_, at + 6, order),
                      .value = integer_at<std::uint64_t>(symbols_, at + 8, order),
                      .size = integer_at<std::uint64_t>(symbols_, at + 16, order)};
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

/// What has been seen of one request so far.
struct SymbolTable::Match {
  const SymbolRequest& request;
  std::optional<std::uint64_t> found;
  std::optional<std::uint64_t> second_best;  // taken where it is the only one of its kind
  std::size_t second_best_count = 0;
  std::optional<Error> damage;
};

/// True where the search in this file ends.
bool SymbolTable::judge(Match& match, std::uint64_t index) const {
  const auto candidate = record(index);
  if (!candidate) {
    match.damage = candidate.error();
    return true;
  }
  if (!is_candidate(*candidate, match.request)) return false;
  if (!versions_.has_any()) {
    match.found = index;
    return true;
  }
  const auto number = versions_.number_of(index);
  if (!number) {
    match.damage = number.error();
    return true;
  }
  switch (match_version(versions_, match.request, *number)) {
    case VersionMatch::no:
      return false;
    case VersionMatch::yes:
      match.found = index;
      return true;
    case VersionMatch::only_if_alone:
      if (match.second_best_count++ == 0) match.second_best = index;
      return false;
  }
  return false;
}

Result<std::optional<std::uint64_t>> SymbolTable::find_index(const SymbolRequest& request) const {
  if (version_damage_) return std::unexpected(*version_damage_);
  Match match{.request = request, .found = {}, .second_best = {}, .damage = {}};
  const std::uint32_t hash = request.name_hash ? *request.name_hash : gnu_hash(request.name);
  TRY_VOID(
      hash_.visit(request.name, hash, [&](std::uint64_t index) { return judge(match, index); }));
  if (match.damage) return std::unexpected(*std::move(match.damage));
  if (!match.found && match.second_best_count == 1) match.found = match.second_best;
  if (!match.found || !is_visible_outside(TRY(record(*match.found)))) return std::nullopt;
  return match.found;
}

Result<std::optional<Symbol>> SymbolTable::find(const SymbolRequest& request) const {
  const auto index = TRY(find_index(request));
  if (!index) return std::nullopt;
  return TRY(at(*index));
}

}  // namespace whyso::elf
