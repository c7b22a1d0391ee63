// SPDX-License-Identifier: Apache-2.0
// The dynamic symbols of one file and the lookup of a name in it. In which file a reference is
// looked up, and in which order, is not known here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/memory.h"
#include "whyso/elf/strings.h"
#include "whyso/elf/symbol_hash.h"
#include "whyso/elf/versions.h"

namespace whyso::elf {

/// STB_...; may hold another number where the file does.
enum class SymbolBinding : std::uint8_t { local = 0, global = 1, weak = 2, gnu_unique = 10 };

/// STT_...; may hold another number where the file does.
enum class SymbolType : std::uint8_t {
  none = 0,
  object = 1,
  function = 2,
  section = 3,
  file = 4,
  common = 5,
  thread_local_storage = 6,
  gnu_indirect_function = 10,
};

/// STV_DEFAULT, STV_INTERNAL, STV_HIDDEN, STV_PROTECTED.
enum class SymbolVisibility : std::uint8_t { preemptible, internal, hidden, not_preemptible };

inline constexpr std::uint16_t section_undefined = 0;      ///< SHN_UNDEF
inline constexpr std::uint16_t section_absolute = 0xfff1;  ///< SHN_ABS

/// The version that a symbol carries.
struct SymbolVersion {
  std::string_view name;
  std::string_view file;   ///< the library it is needed from; empty where the file defines it
  bool is_hidden = false;  ///< "name@VERSION", not the default "name@@VERSION"
  bool operator==(const SymbolVersion&) const = default;
};

/// The two halves of st_info, and the visibility of st_other.
[[nodiscard]] inline SymbolBinding binding_of(const SymbolRecord& record) {
  return SymbolBinding{static_cast<std::uint8_t>(record.info >> 4U)};
}
[[nodiscard]] inline SymbolType type_of(const SymbolRecord& record) {
  return SymbolType{static_cast<std::uint8_t>(record.info & 0xfU)};
}
[[nodiscard]] inline SymbolVisibility visibility_of(const SymbolRecord& record) {
  return SymbolVisibility{static_cast<std::uint8_t>(record.other & 3U)};
}

/// One dynamic symbol.
struct Symbol {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
  std::uint16_t section = section_undefined;
  SymbolBinding binding = SymbolBinding::local;
  SymbolType type = SymbolType::none;
  SymbolVisibility visibility = SymbolVisibility::preemptible;
  std::optional<SymbolVersion> version;  ///< nothing for a plain local or global one

  [[nodiscard]] bool is_undefined() const { return section == section_undefined; }
  bool operator==(const Symbol&) const = default;
};

/// What a reference asks of one file.
struct SymbolRequest {
  std::string_view name;
  std::optional<std::string_view> version;
  bool version_is_hidden = false;  ///< NeededVersion::is_hidden of the version asked for
  bool takes_newest = false;       ///< dlsym without a version; a plain reference takes the oldest
  bool takes_undefined = false;    ///< the address of a function in a program that is not PIE
  bool prefers_exact = false;  ///< glibc 2.42: an exact version goes before an unversioned global
  /// gnu_hash() of the name and sysv_hash() of the version, where the caller knows them.
  std::optional<std::uint32_t> name_hash = std::nullopt;
  std::optional<std::uint32_t> version_hash = std::nullopt;
};

/// The dynamic symbol table. Views live as long as the bytes that it was read from. Its errors name
/// the place in the file, not the file.
class SymbolTable {
 public:
  /// Without symbols.
  SymbolTable() : layout_(ElfClass::elf64, ByteOrder::little) {}

  /// Empty where the file has no DT_SYMTAB. Malformed where the symbols, their names or their hash
  /// table lie outside the file. `machine`: see SymbolHash.
  [[nodiscard]] static Result<SymbolTable> read(const Memory& memory, const DynamicTables& tables,
                                                Machine machine);

  /// Why the versions could not be read, or nothing. The symbols then carry none, and a lookup
  /// fails with this error.
  [[nodiscard]] const std::optional<Error>& version_damage() const { return version_damage_; }

  /// Number of symbols, the null symbol included. Where the hash table does not know, the symbols
  /// end where the table behind them begins.
  [[nodiscard]] Result<std::uint64_t> count() const;

  /// The symbol with that index; malformed where it, its name or its version lies outside.
  [[nodiscard]] Result<Symbol> at(std::uint64_t index) const;

  /// All symbols but the null symbol, in the order of the file.
  [[nodiscard]] Result<std::vector<Symbol>> all() const;

  /// What the loader finds for that request in this file alone, or nothing (glibc do_lookup_x and
  /// check_match). Malformed where the hash table or a version is damaged.
  [[nodiscard]] Result<std::optional<Symbol>> find(const SymbolRequest& request) const;
  /// The same as an index.
  [[nodiscard]] Result<std::optional<std::uint64_t>> find_index(const SymbolRequest& request) const;
  /// Quick: false means that find() would find nothing. `hash` is gnu_hash() of the name.
  [[nodiscard]] bool may_define(std::uint32_t hash) const { return hash_.may_hold(hash); }

  /// The bare entry; malformed where it lies outside.
  [[nodiscard]] Result<SymbolRecord> record(std::uint64_t index) const;
  /// Malformed where it does not end in the string table.
  [[nodiscard]] Result<std::string_view> name_of(const SymbolRecord& record) const {
    return strings_.at(record.name, "a symbol");
  }
  /// The same with its gnu_hash().
  [[nodiscard]] Result<std::pair<std::string_view, std::uint32_t>> hashed_name_of(
      const SymbolRecord& record) const {
    return strings_.hashed_at(record.name);
  }
  [[nodiscard]] const SymbolVersions& versions() const { return versions_; }

 private:
  explicit SymbolTable(Layout layout) : layout_(layout) {}

  struct Match;
  [[nodiscard]] bool judge(Match& match, std::uint64_t index) const;
  [[nodiscard]] Result<Symbol> symbol(const SymbolRecord& record, std::uint64_t index) const;
  [[nodiscard]] bool is_candidate(const SymbolRecord& record, const SymbolRequest& request) const;

  Layout layout_;
  Bytes symbols_;
  Strings strings_;
  SymbolHash hash_;
  SymbolVersions versions_;
  std::optional<Error> version_damage_;
  std::uint64_t bytes_to_next_table_ = 0;
};

}  // namespace whyso::elf
