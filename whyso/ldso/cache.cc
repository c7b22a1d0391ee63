// SPDX-License-Identifier: Apache-2.0
#include "whyso/ldso/cache.h"

#include <fmt/core.h>

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::ldso {
namespace {

constexpr std::string_view old_magic = "ld.so-1.7.0";
constexpr std::string_view current_magic = "glibc-ld.so.cache1.1";
constexpr std::uint64_t old_header_size = 16;
constexpr std::uint64_t old_entry_size = 12;
constexpr std::uint64_t current_header_size = 48;
constexpr std::uint64_t current_entry_size = 24;

constexpr std::uint32_t extension_magic = 0xeaa42174;
constexpr std::uint32_t tag_generator = 0;
constexpr std::uint32_t tag_hwcaps = 1;
constexpr std::uint64_t section_size = 16;

bool begins_with(Bytes bytes, std::uint64_t offset, std::string_view magic) {
  const auto at = slice(bytes, offset, magic.size());
  return at && text_of(*at) == magic;
}

// Longer paths cannot be opened (PATH_MAX); the bound keeps a damaged table from making every text
// a walk through the whole file.
std::optional<std::string_view> text_at(Bytes bytes, std::uint64_t offset) {
  constexpr std::size_t longest = 4096;
  const Bytes rest = tail(bytes, offset).value_or(Bytes());
  return read_c_string(rest.first(std::min(rest.size(), longest)), 0);
}

// A run of digits as the loader's int holds it, which may overflow.
std::int32_t take_number(std::string_view& text) {
  std::uint32_t number = 0;
  while (!text.empty() && is_digit(text.front())) {
    number = number * 10 + static_cast<std::uint32_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  return static_cast<std::int32_t>(number);
}

}  // namespace

int compare_names(std::string_view a, std::string_view b) {
  while (!a.empty()) {
    const bool a_is_number = is_digit(a.front());
    const bool b_is_number = !b.empty() && is_digit(b.front());
    if (a_is_number != b_is_number) return a_is_number ? 1 : -1;
    if (a_is_number) {
      const std::int32_t x = take_number(a);
      const std::int32_t y = take_number(b);
      if (x != y) return x < y ? -1 : 1;
      continue;
    }
    const char other = b.empty() ? '\0' : b.front();
    if (a.front() != other) return a.front() < other ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (b.empty()) return 0;
  return b.front() > '\0' ? -1 : 1;
}

Result<Cache> Cache::parse(Bytes bytes, std::string where, ByteOrder order) {
  Cache cache(std::move(where), order);
  cache.file_ = bytes;
  std::uint64_t at = 0;
  if (begins_with(bytes, 0, old_magic)) {
    if (!cache.read_old_table(bytes)) return cache.damaged("the old table");
    // The other table follows at the next multiple of eight.
    at = (old_header_size + cache.count_ * old_entry_size + 7) / 8 * 8;
    if (!begins_with(bytes, at, current_magic)) return cache;
    cache.format_ = CacheFormat::compatible;
  } else if (!begins_with(bytes, 0, current_magic)) {
    return failure(ErrorKind::malformed, cache.where_, "not a cache of ldconfig: unknown magic");
  }
  TRY_VOID(cache.read_current_table(bytes, at));
  return cache;
}

std::unexpected<Error> Cache::damaged(std::string_view what) const {
  return failure(ErrorKind::malformed, where_,
                 fmt::format("{} does not lie inside the cache", what));
}

std::optional<std::uint32_t> Cache::word(Bytes bytes, std::uint64_t offset) const {
  return read_integer<std::uint32_t>(bytes, offset, order_);
}

bool Cache::read_old_table(Bytes bytes) {
  const auto count = word(bytes, 12);
  const auto table = count ? slice(bytes, old_header_size, *count * old_entry_size) : std::nullopt;
  if (!table) return false;
  format_ = CacheFormat::old;
  count_ = *count;
  table_ = *table;
  strings_ = bytes.subspan(old_header_size + table->size());
  return true;
}

Result<void> Cache::read_current_table(Bytes bytes, std::uint64_t at) {
  const Bytes part = bytes.subspan(static_cast<std::size_t>(at));
  const auto header = slice(part, 0, current_header_size);
  if (!header) return damaged("the header");
  const std::uint32_t said_order = std::to_integer<std::uint32_t>((*header)[28]) & 3;
  const std::uint32_t expected = order_ == ByteOrder::little ? 2 : 3;
  if (said_order != 0 && said_order != expected) {
    return failure(ErrorKind::unsupported, where_, "the cache is of the other byte order");
  }
  count_ = *word(*header, 20);
  extension_offset_ = *word(*header, 32);
  const auto table = slice(part, current_header_size, count_ * current_entry_size);
  if (!table) return damaged(fmt::format("the table of {} entries", count_));
  table_ = *table;
  strings_ = part;
  return {};
}

Result<CacheEntry> Cache::entry(std::uint32_t index) const {
  const bool is_old = format_ == CacheFormat::old;
  const std::uint64_t size = is_old ? old_entry_size : current_entry_size;
  const auto bytes = slice(table_, index * size, size);
  if (!bytes) return damaged(fmt::format("entry {}", index));
  const auto value = text_at(strings_, *word(*bytes, 8));
  if (!value) return damaged(fmt::format("the path of entry {}", index));
  CacheEntry entry{.flags = static_cast<std::int32_t>(*word(*bytes, 0)),
                   .key = TRY(key(index)),
                   .value = *value};
  if (!is_old) {
    entry.os_version = *word(*bytes, 12);
    entry.hwcap = *read_integer<std::uint64_t>(*bytes, 16, order_);
  }
  return entry;
}

Result<std::string_view> Cache::key(std::uint32_t index) const {
  const std::uint64_t size = format_ == CacheFormat::old ? old_entry_size : current_entry_size;
  const auto offset = word(table_, index * size + 4);
  const auto text = offset ? text_at(strings_, *offset) : std::nullopt;
  if (!text) return damaged(fmt::format("the name of entry {}", index));
  return *text;
}

Result<std::vector<CacheEntry>> Cache::entries() const {
  std::vector<CacheEntry> all;
  all.reserve(count_);
  for (std::uint32_t index = 0; index < count_; ++index) all.push_back(TRY(entry(index)));
  return all;
}

Result<std::vector<CacheEntry>> Cache::find(std::string_view name) const {
  std::vector<CacheEntry> found;
  // The table descends: names that compare above lie before.
  std::uint32_t first = 0;
  std::uint32_t last = count_;
  while (first < last) {
    const std::uint32_t middle = first + (last - first) / 2;
    const int order = compare_names(name, TRY(key(middle)));
    if (order < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  for (; first < count_ && compare_names(name, TRY(key(first))) == 0; ++first) {
    found.push_back(TRY(entry(first)));
  }
  return found;
}

Result<std::optional<Bytes>> Cache::extension(std::uint32_t tag) const {
  if (extension_offset_ == 0) return std::nullopt;
  const auto directory = tail(file_, extension_offset_);
  const auto magic = directory ? word(*directory, 0) : std::nullopt;
  const auto count = directory ? word(*directory, 4) : std::nullopt;
  if (!magic || !count) return damaged("the extension directory");
  if (*magic != extension_magic) {
    return failure(ErrorKind::malformed, where_, "the extension directory has no magic");
  }
  const auto sections = slice(*directory, 8, *count * section_size);
  if (!sections) return damaged("the extension directory");
  for (std::uint64_t at = 0; at < sections->size(); at += section_size) {
    if (*word(*sections, at) != tag) continue;
    const auto content = slice(file_, *word(*sections, at + 8), *word(*sections, at + 12));
    if (!content) return damaged(fmt::format("extension {}", tag));
    return *content;
  }
  return std::nullopt;
}

Result<std::vector<std::string_view>> Cache::hwcaps_names() const {
  std::vector<std::string_view> names;
  const auto offsets = TRY(extension(tag_hwcaps));
  if (!offsets) return names;
  for (std::uint64_t at = 0; at + 4 <= offsets->size(); at += 4) {
    const auto name = text_at(file_, *word(*offsets, at));
    if (!name) return damaged(fmt::format("the name of glibc-hwcaps {}", at / 4));
    names.push_back(*name);
  }
  return names;
}

Result<std::optional<std::string_view>> Cache::generator() const {
  const auto text = TRY(extension(tag_generator));
  if (!text) return std::nullopt;
  return text_of(*text);
}

}  // namespace whyso::ldso
