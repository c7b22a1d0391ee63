// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/symbol_hash.h"

namespace whyso::elf {
namespace {

constexpr std::uint16_t machine_alpha = 0x9026;

std::unexpected<Error> out_of_table(std::string_view what) {
  return failure(ErrorKind::malformed, {}, std::string(what).append(" lies outside its table"));
}

// DT_GNU_HASH taken apart: header, bloom filter, buckets, chains.
struct GnuTable {
  Layout layout;
  GnuHashRecord head;
  Bytes bloom;
  Bytes buckets;
  Bytes chains;

  static Result<GnuTable> open(Bytes table, Layout layout) {
    const auto head = layout.read<GnuHashRecord>(table, 0);
    if (!head) return out_of_table("the head of DT_GNU_HASH");
    const std::uint64_t bloom_at = layout.size<GnuHashRecord>();
    const std::uint64_t bloom_size = head->bloom_size * layout.address_size();
    const std::uint64_t buckets_size = std::uint64_t{head->bucket_count} * 4;
    const auto bloom = slice(table, bloom_at, bloom_size);
    const auto buckets = slice(table, bloom_at + bloom_size, buckets_size);
    const auto chains = tail(table, bloom_at + bloom_size + buckets_size);
    if (!bloom || !buckets || !chains) return out_of_table("DT_GNU_HASH");
    return GnuTable{layout, *head, *bloom, *buckets, *chains};
  }

  [[nodiscard]] std::optional<std::uint32_t> word(Bytes words, std::uint64_t index) const {
    return read_integer<std::uint32_t>(words, index * 4, layout.byte_order());
  }

  // The bloom filter: false means that no symbol with that hash is here.
  [[nodiscard]] bool may_hold(std::uint32_t hash) const {
    const std::uint64_t bits = layout.address_size() * 8;
    const std::uint64_t index = (hash / bits) & (head.bloom_size - 1);
    const auto filter = layout.read_address(bloom, index * layout.address_size());
    const std::uint32_t second = head.bloom_shift < 32 ? hash >> head.bloom_shift : 0;
    return filter && ((*filter >> (hash % bits)) & (*filter >> (second % bits)) & 1) != 0;
  }
};

}  // namespace

Result<SymbolHash> SymbolHash::read(const Memory& memory, const DynamicTables& tables,
                                    Machine machine) {
  SymbolHash hash;
  hash.layout_ = memory.layout();
  hash.is_gnu_ = tables.gnu_hash.has_value();
  const bool is_wide = machine == Machine::s390 || machine == Machine{machine_alpha};
  if (is_wide && memory.layout().address_size() == 8) hash.word_size_ = 8;
  if (const auto& table = hash.is_gnu_ ? tables.gnu_hash : tables.hash) {
    hash.table_ = TRY(memory.bytes_from(table->address, hash.is_gnu_ ? "DT_GNU_HASH" : "DT_HASH"));
  }
  return hash;
}

std::optional<std::uint64_t> SymbolHash::word_at(std::uint64_t index) const {
  const auto at = checked_multiply(index, word_size_);
  if (!at) return std::nullopt;
  if (word_size_ == 8) return read_integer<std::uint64_t>(table_, *at, layout_.byte_order());
  return read_integer<std::uint32_t>(table_, *at, layout_.byte_order());
}

Result<std::vector<std::uint64_t>> SymbolHash::candidates(std::string_view name) const {
  if (table_.empty()) return std::vector<std::uint64_t>();
  return is_gnu_ ? gnu_candidates(name) : sysv_candidates(name);
}

Result<std::vector<std::uint64_t>> SymbolHash::gnu_candidates(std::string_view name) const {
  std::vector<std::uint64_t> found;
  const GnuTable table = TRY(GnuTable::open(table_, layout_));
  const std::uint32_t wanted = gnu_hash(name);
  if (table.head.bucket_count == 0 || !table.may_hold(wanted)) return found;
  const std::uint32_t first = *table.word(table.buckets, wanted % table.head.bucket_count);
  if (first == 0) return found;
  if (first < table.head.first_symbol) return out_of_table("a chain of DT_GNU_HASH");
  for (std::uint64_t index = first;; ++index) {
    const auto hash = table.word(table.chains, index - table.head.first_symbol);
    if (!hash) return out_of_table("a chain of DT_GNU_HASH");
    if ((*hash | 1) == (wanted | 1)) found.push_back(index);
    if ((*hash & 1) != 0) return found;
  }
}

Result<std::vector<std::uint64_t>> SymbolHash::sysv_candidates(std::string_view name) const {
  std::vector<std::uint64_t> found;
  const auto bucket_count = word_at(0);
  const auto chain_count = word_at(1);
  if (!bucket_count || !chain_count) return out_of_table("the head of DT_HASH");
  if (*bucket_count == 0) return found;
  auto index = word_at(2 + sysv_hash(name) % *bucket_count);
  while (index && *index != 0) {
    if (found.size() >= *chain_count) {
      return failure(ErrorKind::malformed, {}, "a chain of DT_HASH runs in a loop");
    }
    found.push_back(*index);
    const auto chains_at = checked_add(*bucket_count, 2);
    const auto next = chains_at ? checked_add(*chains_at, *index) : std::nullopt;
    index = next && *index < *chain_count ? word_at(*next) : std::nullopt;
  }
  if (!index) return out_of_table("a chain of DT_HASH");
  return found;
}

Result<std::optional<std::uint64_t>> SymbolHash::symbol_count() const {
  if (table_.empty()) return std::nullopt;
  if (is_gnu_) return gnu_symbol_count();
  const auto chain_count = word_at(1);
  if (!chain_count) return out_of_table("the head of DT_HASH");
  return *chain_count;
}

Result<std::optional<std::uint64_t>> SymbolHash::gnu_symbol_count() const {
  const GnuTable table = TRY(GnuTable::open(table_, layout_));
  std::uint64_t last = 0;
  for (std::uint64_t bucket = 0; bucket < table.head.bucket_count; ++bucket) {
    last = std::max<std::uint64_t>(last, *table.word(table.buckets, bucket));
  }
  if (last == 0) return std::nullopt;
  if (last < table.head.first_symbol) return out_of_table("a chain of DT_GNU_HASH");
  while (true) {
    const auto hash = table.word(table.chains, last - table.head.first_symbol);
    if (!hash) return out_of_table("a chain of DT_GNU_HASH");
    ++last;
    if ((*hash & 1) != 0) return last;
  }
}

std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    hash ^= (hash >> 24) & 0xf0;
    hash &= 0x0fffffff;
  }
  return hash;
}

}  // namespace whyso::elf
