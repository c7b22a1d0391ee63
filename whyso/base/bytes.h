// SPDX-License-Identifier: Apache-2.0
// Views of bytes and the one place where offsets are added up. Owns nothing.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace whyso {

/// Bytes that somebody else keeps alive, usually a Blob.
using Bytes = std::span<const std::byte>;

enum class ByteOrder : std::uint8_t { little, big };

inline Bytes bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

inline std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The `length` bytes at `offset`, or nothing where they do not all lie inside. Cannot
/// overflow.
inline std::optional<Bytes> slice(Bytes bytes, std::uint64_t offset, std::uint64_t length) {
  if (offset > bytes.size() || length > bytes.size() - offset) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

/// The bytes from `offset` to the end, or nothing where `offset` lies behind the end.
inline std::optional<Bytes> tail(Bytes bytes, std::uint64_t offset) {
  if (offset > bytes.size()) return std::nullopt;
  return bytes.subspan(static_cast<std::size_t>(offset));
}

inline std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

inline std::optional<std::uint64_t> checked_multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// An unsigned integer at `offset`, of any alignment and byte order.
template <class T>
  requires std::is_unsigned_v<T>
std::optional<T> read_integer(Bytes bytes, std::uint64_t offset, ByteOrder order) {
  const auto at = slice(bytes, offset, sizeof(T));
  if (!at) return std::nullopt;
  T value = 0;
  std::memcpy(&value, at->data(), sizeof(T));
  const bool native = (order == ByteOrder::little) == (std::endian::native == std::endian::little);
  return native ? value : std::byteswap(value);
}

/// The bytes at `offset` up to the next NUL, or nothing where none follows.
inline std::optional<std::string_view> read_c_string(Bytes bytes, std::uint64_t offset) {
  const auto rest = tail(bytes, offset);
  if (!rest || rest->empty()) return std::nullopt;
  const auto* end = static_cast<const std::byte*>(std::memchr(rest->data(), 0, rest->size()));
  if (end == nullptr) return std::nullopt;
  return text_of(rest->first(static_cast<std::size_t>(end - rest->data())));
}

/// A position in bytes that cannot run past the end: once a read fails, all later ones do.
class Reader {
 public:
  explicit Reader(Bytes bytes, ByteOrder order = ByteOrder::little)
      : bytes_(bytes), order_(order) {}

  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] bool has_failed() const { return failed_; }
  [[nodiscard]] std::uint64_t remaining() const { return bytes_.size() - position_; }

  template <class T>
  std::optional<T> integer() {
    const auto value = failed_ ? std::nullopt : read_integer<T>(bytes_, position_, order_);
    advance(value.has_value(), sizeof(T));
    return value;
  }

  std::optional<Bytes> take(std::uint64_t length) {
    const auto taken = failed_ ? std::nullopt : slice(bytes_, position_, length);
    advance(taken.has_value(), length);
    return taken;
  }

 private:
  void advance(bool succeeded, std::uint64_t by) {
    if (succeeded) {
      position_ += by;
    } else {
      failed_ = true;
    }
  }

  Bytes bytes_;
  ByteOrder order_;
  std::uint64_t position_ = 0;
  bool failed_ = false;
};

}  // namespace whyso
