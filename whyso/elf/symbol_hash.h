// SPDX-License-Identifier: Apache-2.0
// The hash table over the dynamic symbols, DT_GNU_HASH or DT_HASH. Knows indexes, not symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/integer_at.h"
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

  /// Can a symbol with that name be here? Quick, and seldom yes where none is: the bloom filter of
  /// DT_GNU_HASH. True also where the table is damaged. `hash` is gnu_hash() of the name.
  [[nodiscard]] bool may_hold(std::uint32_t hash) const {
    if (!has_filter_) return !table_.empty();
    const std::uint64_t index = (hash / filter_bits_) & (gnu_.bloom_size - 1);
    const std::uint64_t filter = filter_word(index);
    const std::uint32_t second = gnu_.bloom_shift < 32 ? hash >> gnu_.bloom_shift : 0;
    return ((filter >> (hash % filter_bits_)) & (filter >> (second % filter_bits_)) & 1) != 0;
  }

  /// Calls `take(index)` for each symbol that may have that name, in the loader's order, until it
  /// says true; names must still be compared. Malformed where a chain runs out of its table or into
  /// a loop.
  template <class Take>
  [[nodiscard]] Result<void> visit(std::string_view name, std::uint32_t hash, Take take) const {
    if (table_.empty()) return {};
    if (!is_gnu_) return visit_sysv(name, take);
    std::uint64_t index = TRY(first_of(hash));
    for (std::uint64_t steps = 0; index != 0; ++steps) {
      const auto here = chain_word(index);
      if (!here || steps == longest_chain) return chain_damage();
      if ((*here | 1U) == (hash | 1U) && take(index)) return {};
      index = (*here & 1U) != 0 ? 0 : index + 1;
    }
    return {};
  }

  /// Number of symbols that the table vouches for; nothing where there is no table, or where a
  /// DT_GNU_HASH hashes no symbol and so cannot know.
  [[nodiscard]] Result<std::optional<std::uint64_t>> symbol_count() const;

 private:
  /// Real chains have some twenty symbols; a made one must not turn each lookup into a walk through
  /// the whole table.
  static constexpr std::uint64_t longest_chain = 4096;

  [[nodiscard]] std::optional<std::uint64_t> word_at(std::uint64_t index) const;
  void open_gnu_table();
  [[nodiscard]] std::uint64_t filter_word(std::uint64_t index) const {
    if (filter_bits_ == 64) return integer_at<std::uint64_t>(bloom_, index * 8, order_);
    return integer_at<std::uint32_t>(bloom_, index * 4, order_);
  }
  /// The first symbol of the chain for that hash, 0 for none.
  [[nodiscard]] Result<std::uint64_t> first_of(std::uint32_t hash) const;
  [[nodiscard]] std::optional<std::uint32_t> chain_word(std::uint64_t symbol) const {
    const std::uint64_t index = symbol - gnu_.first_symbol;
    if (index >= chains_.size() / 4) return std::nullopt;
    return integer_at<std::uint32_t>(chains_, index * 4, order_);
  }
  [[nodiscard]] static std::unexpected<Error> chain_damage();
  [[nodiscard]] Result<std::vector<std::uint64_t>> sysv_candidates(std::string_view name) const;
  template <class Take>
  [[nodiscard]] Result<void> visit_sysv(std::string_view name, Take take) const {
    for (const std::uint64_t index : TRY(sysv_candidates(name))) {
      if (take(index)) break;
    }
    return {};
  }
  [[nodiscard]] Result<std::optional<std::uint64_t>> gnu_symbol_count() const;

  Layout layout_;
  bool is_gnu_ = false;
  bool is_damaged_ = false;  // DT_GNU_HASH does not hold what its head promises
  bool has_filter_ = false;
  std::uint32_t filter_bits_ = 64;
  ByteOrder order_ = ByteOrder::little;
  std::uint64_t word_size_ = 4;
  Bytes table_;
  GnuHashRecord gnu_;  // DT_GNU_HASH taken apart
  Bytes bloom_;
  Bytes buckets_;
  Bytes chains_;
};

/// The hash of DT_GNU_HASH.
[[nodiscard]] std::uint32_t gnu_hash(std::string_view name);

/// The hash of DT_HASH and of versions (gABI, "Hash Table").
[[nodiscard]] std::uint32_t sysv_hash(std::string_view name);

}  // namespace whyso::elf
