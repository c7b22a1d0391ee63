// SPDX-License-Identifier: Apache-2.0
// Symbol versions: which a file needs from which library, and which it defines (the GNU additions
// to the gABI, "Symbol Versioning" in the LSB). Which symbol carries which version: symbols.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

inline constexpr std::uint16_t version_is_base = 1;          ///< VER_FLG_BASE
inline constexpr std::uint16_t version_is_weak = 2;          ///< VER_FLG_WEAK
inline constexpr std::uint16_t version_index_mask = 0x7fff;  ///< the rest of a versym entry
inline constexpr std::uint16_t version_hidden_bit = 0x8000;  ///< VERSYM_HIDDEN

/// One version that must be defined by the library it is listed under.
struct NeededVersion {
  std::string_view name;
  std::uint32_t hash = 0;  ///< as recorded; the loader compares it besides the name
  std::uint16_t flags = 0;
  std::uint16_t index = 0;  ///< vna_other without its hidden bit
  bool is_hidden = false;   ///< the hidden bit of vna_other

  /// Its absence is no error.
  [[nodiscard]] bool is_weak() const { return (flags & version_is_weak) != 0; }
  bool operator==(const NeededVersion&) const = default;
};

/// The versions needed of one library.
struct VersionNeed {
  std::string_view file;  ///< a soname as it was at link time
  std::vector<NeededVersion> versions;
  bool operator==(const VersionNeed&) const = default;
};

/// One version that the file defines.
struct VersionDefinition {
  std::string_view name;
  std::uint32_t hash = 0;  ///< as recorded
  std::uint16_t flags = 0;
  std::uint16_t index = 0;
  std::vector<std::string_view> parents;  ///< versions it inherits from; the loader ignores them

  /// The file's own name rather than a version.
  [[nodiscard]] bool is_base() const { return (flags & version_is_base) != 0; }
  [[nodiscard]] bool is_weak() const { return (flags & version_is_weak) != 0; }
  bool operator==(const VersionDefinition&) const = default;
};

/// In the order of the file, followed to the last link as the loader does (DT_VERNEEDNUM is not
/// looked at); empty where there is no such table. Malformed where a link or name leads outside or
/// there are more records than version numbers; unsupported where a record is of another version.
[[nodiscard]] Result<std::vector<VersionNeed>> read_version_needs(const Memory& memory,
                                                                  const DynamicTables& tables);
[[nodiscard]] Result<std::vector<VersionDefinition>> read_version_definitions(
    const Memory& memory, const DynamicTables& tables);

/// A version by its number, as symbols refer to it.
struct NumberedVersion {
  std::string_view name;
  std::string_view file;  ///< the library it is needed from; empty where the file defines it
  std::uint32_t hash = 0;
  bool is_hidden = false;  ///< NeededVersion::is_hidden; false where the file defines it
};

/// The versions of one file by number, and the number of each symbol (DT_VERSYM).
class SymbolVersions {
 public:
  SymbolVersions() = default;

  /// Without any where the file has no DT_VERSYM or no version at all. Malformed where one of the
  /// three tables is damaged.
  [[nodiscard]] static Result<SymbolVersions> read(const Memory& memory,
                                                   const DynamicTables& tables);

  [[nodiscard]] bool has_any() const { return !numbers_.empty(); }

  /// The entry of DT_VERSYM for a symbol, hidden bit included; malformed where it lies outside.
  [[nodiscard]] Result<std::uint16_t> number_of(std::uint64_t symbol) const;

  /// The version behind a number (hidden bit ignored), or null: 0 and 1 have none, and a file may
  /// use numbers that it does not define. Lives as long as this.
  [[nodiscard]] const NumberedVersion* find(std::uint16_t number) const;

 private:
  void add(std::uint16_t number, NumberedVersion version);

  Bytes numbers_;
  ByteOrder order_ = ByteOrder::little;
  std::vector<std::optional<NumberedVersion>> by_number_;
};

}  // namespace whyso::elf
