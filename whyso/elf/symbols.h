// SPDX-License-Identifier: Apache-2.0
// The dynamic symbols of one file and the lookup of a name in it. In which file a reference is
// looked up, and in which order, is not known here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
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
};

/// The dynamic symbol table. Views live as long as the bytes that it was read from. Its errors name
/// the place in the file, not the file.
class SymbolTable {
 public:
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
  /// check_match, up to 2.41; only there an unversioned global ranks with an exact match).
  /// Malformed where the hash table or a version is damaged.
  [[nodiscard]] Result<std::optional<Symbol>> find(const SymbolRequest& request) const;

 private:
  explicit SymbolTable(Layout layout) : layout_(layout) {}

  [[nodiscard]] Result<SymbolRecord> record(std::uint64_t index) const;
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
