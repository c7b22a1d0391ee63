// SPDX-License-Identifier: Apache-2.0
// Integers at places that are known to lie inside: for tables with hundreds of thousands of
// entries, whose bounds were checked once. All else uses base/bytes.h.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "whyso/base/bytes.h"

namespace whyso::elf {

/// `at + sizeof(T) <= bytes.size()` must hold.
template <class T>
[[nodiscard, gnu::always_inline]] inline T integer_at(Bytes bytes, std::uint64_t at,
                                                      ByteOrder order) {
  T value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  const bool is_native =
      (order == ByteOrder::little) == (std::endian::native == std::endian::little);
  return is_native ? value : std::byteswap(value);
}

}  // namespace whyso::elf
