// SPDX-License-Identifier: Apache-2.0
// The hash table over the dynamic symbols, DT_GNU_HASH or DT_HASH. Knows indexes, not symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

/// One file's hash table; the GNU one where it has both, as glibc chooses.
class SymbolHash {
 public:
  SymbolHash() : layout_(ElfClass::elf64, ByteOrder::little) {}

  /// Without any table where the file has none. `machine` decides how wide DT_HASH is: 64 bits on
  /// 64-bit s390 and Alpha. Malformed where a table lies outside the file.
  [[nodiscard]] static Result<SymbolHash> read(const Memory& memory, const DynamicTables& tables,
                                               Machine machine);

  /// Indexes of the symbols that may have that name, in the loader's order; their names must still
  /// be compared. Malformed where a chain runs out of its table or into a loop.
  [[nodiscard]] Result<std::vector<std::uint64_t>> candidates(std::string_view name) const;

  /// Number of symbols that the table vouches for; nothing where there is no table, or where a
  /// DT_GNU_HASH hashes no symbol and so cannot know.
  [[nodiscard]] Result<std::optional<std::uint64_t>> symbol_count() const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> word_at(std::uint64_t index) const;
  [[nodiscard]] Result<std::vector<std::uint64_t>> gnu_candidates(std::string_view name) const;
  [[nodiscard]] Result<std::vector<std::uint64_t>> sysv_candidates(std::string_view name) const;
  [[nodiscard]] Result<std::optional<std::uint64_t>> gnu_symbol_count() const;

  Layout layout_;
  bool is_gnu_ = false;
  std::uint64_t word_size_ = 4;
  Bytes table_;
};

/// The hash of DT_GNU_HASH.
[[nodiscard]] std::uint32_t gnu_hash(std::string_view name);

/// The hash of DT_HASH and of versions (gABI, "Hash Table").
[[nodiscard]] std::uint32_t sysv_hash(std::string_view name);

}  // namespace whyso::elf
