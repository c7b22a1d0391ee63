// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/symbol_hash.h"

#include <algorithm>

namespace whyso::elf {
namespace {

constexpr std::uint16_t machine_alpha = 0x9026;

std::unexpected<Error> out_of_table(std::string_view what) {
  return failure(ErrorKind::malformed, {}, std::string(what).append(" lies outside its table"));
}

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
  if (hash.is_gnu_) hash.open_gnu_table();
  return hash;
}

void SymbolHash::open_gnu_table() {
  is_damaged_ = true;
  const auto head = layout_.read<GnuHashRecord>(table_, 0);
  if (!head) return;
  gnu_ = *head;
  filter_bits_ = static_cast<std::uint32_t>(layout_.address_size() * 8);
  order_ = layout_.byte_order();
  const std::uint64_t bloom_at = layout_.size<GnuHashRecord>();
  const std::uint64_t bloom_size = gnu_.bloom_size * layout_.address_size();
  const std::uint64_t buckets_size = std::uint64_t{gnu_.bucket_count} * 4;
  const auto bloom = slice(table_, bloom_at, bloom_size);
  const auto buckets = slice(table_, bloom_at + bloom_size, buckets_size);
  const auto chains = tail(table_, bloom_at + bloom_size + buckets_size);
  if (!bloom || !buckets || !chains || bloom->empty()) return;
  bloom_ = *bloom;
  buckets_ = *buckets;
  chains_ = *chains;
  is_damaged_ = false;
  has_filter_ = true;
}

std::optional<std::uint64_t> SymbolHash::word_at(std::uint64_t index) const {
  const auto at = checked_multiply(index, word_size_);
  if (!at) return std::nullopt;
  if (word_size_ == 8) return read_integer<std::uint64_t>(table_, *at, layout_.byte_order());
  return read_integer<std::uint32_t>(table_, *at, layout_.byte_order());
}

std::unexpected<Error> SymbolHash::chain_damage() { return out_of_table("a chain of DT_GNU_HASH"); }

Result<std::uint64_t> SymbolHash::first_of(std::uint32_t hash) const {
  if (is_damaged_) return out_of_table("DT_GNU_HASH");
  if (gnu_.bucket_count == 0 || !may_hold(hash)) return 0;
  const std::uint64_t bucket = hash % gnu_.bucket_count;
  const auto first = integer_at<std::uint32_t>(buckets_, bucket * 4, order_);
  if (first != 0 && first < gnu_.first_symbol) return chain_damage();
  return first;
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
  if (is_damaged_) return out_of_table("DT_GNU_HASH");
  std::uint64_t last = 0;
  for (std::uint64_t bucket = 0; bucket < gnu_.bucket_count; ++bucket) {
    last = std::max<std::uint64_t>(last, integer_at<std::uint32_t>(buckets_, bucket * 4, order_));
  }
  if (last == 0) return std::nullopt;
  if (last < gnu_.first_symbol) return chain_damage();
  while (true) {
    const auto hash = chain_word(last);
    if (!hash) return chain_damage();
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
