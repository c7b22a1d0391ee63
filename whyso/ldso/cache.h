// SPDX-License-Identifier: Apache-2.0
// /etc/ld.so.cache: what ldconfig has written for the loader. Which entry the loader then takes
// depends on the CPU and is not decided here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"

namespace whyso::ldso {

/// What a file name leads to, for one ABI.
struct CacheEntry {
  std::int32_t flags = 0;  ///< the ABI: 0x303 is x86-64, 3 i386, 0xa03 AArch64; must match exactly
  std::string_view key;    ///< the name that is asked for, usually a soname
  std::string_view value;  ///< the path that the loader opens
  std::uint32_t os_version = 0;  ///< least kernel, one byte a part; looked at up to glibc 2.35
  std::uint64_t hwcap = 0;       ///< CPU bits, or a glibc-hwcaps name; 0 in the old format

  /// Is it for a subdirectory of glibc-hwcaps? Then the two questions below have an answer.
  [[nodiscard]] bool is_hwcaps_extension() const { return (hwcap >> 42) == (1ULL << 20); }

  /// Place of the subdirectory's name in Cache::hwcaps_names().
  [[nodiscard]] std::uint32_t hwcaps_index() const { return static_cast<std::uint32_t>(hwcap); }

  /// The x86 level that the file itself asks for, 0 for none.
  [[nodiscard]] std::uint32_t isa_level() const { return (hwcap >> 32) & 0x3ff; }

  bool operator==(const CacheEntry&) const = default;
};

/// `current`: "glibc-ld.so.cache1.1" alone (default since 2.32). `compatible`: an old table with a
/// current one behind it. `old`: the table of libc5 times alone.
enum class CacheFormat : std::uint8_t { current, compatible, old };

/// The cache over its bytes; views live as long as these.
class Cache {
 public:
  /// Malformed where the magic is unknown or a table does not fit; unsupported where the cache says
  /// that it is of the other byte order. The loader goes without a cache in all these cases.
  /// `where` names the file in errors.
  [[nodiscard]] static Result<Cache> parse(Bytes bytes, std::string where,
                                           ByteOrder order = ByteOrder::little);

  [[nodiscard]] CacheFormat format() const { return format_; }
  [[nodiscard]] std::uint32_t size() const { return count_; }

  /// The n-th entry; malformed where it or its texts lie outside.
  [[nodiscard]] Result<CacheEntry> entry(std::uint32_t index) const;

  /// All of them in the order of the file.
  [[nodiscard]] Result<std::vector<CacheEntry>> entries() const;

  /// The entries for `name` in the order of the file, by the loader's own binary search: names are
  /// equal where compare_names says so ("libx.so.01" is "libx.so.1"). Empty where there are none.
  /// Malformed where the search meets a damaged entry.
  [[nodiscard]] Result<std::vector<CacheEntry>> find(std::string_view name) const;

  /// Names below glibc-hwcaps that entries refer to by index, such as "x86-64-v3"; empty before
  /// glibc 2.33. In the compatible format the loader counts their places from the start of the
  /// file, ldconfig from its own part: the names are then junk, as here, and no CPU ever matches
  /// them.
  [[nodiscard]] Result<std::vector<std::string_view>> hwcaps_names() const;

  /// Which ldconfig wrote it; nothing where it does not say.
  [[nodiscard]] Result<std::optional<std::string_view>> generator() const;

 private:
  Cache(std::string where, ByteOrder order) : where_(std::move(where)), order_(order) {}

  [[nodiscard]] std::unexpected<Error> damaged(std::string_view what) const;
  [[nodiscard]] bool read_old_table(Bytes bytes);
  [[nodiscard]] Result<void> read_current_table(Bytes bytes, std::uint64_t at);
  [[nodiscard]] std::optional<std::uint32_t> word(Bytes bytes, std::uint64_t offset) const;
  [[nodiscard]] Result<std::string_view> key(std::uint32_t index) const;
  [[nodiscard]] Result<std::optional<Bytes>> extension(std::uint32_t tag) const;

  std::string where_;
  ByteOrder order_;
  CacheFormat format_ = CacheFormat::current;
  Bytes file_;
  Bytes table_;
  Bytes strings_;
  std::uint32_t count_ = 0;
  std::uint32_t extension_offset_ = 0;
};

/// Digit runs compare as numbers, all else as bytes (glibc _dl_cache_libcmp); below, above or 0.
[[nodiscard]] int compare_names(std::string_view a, std::string_view b);

}  // namespace whyso::ldso
