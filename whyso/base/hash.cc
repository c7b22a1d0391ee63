// SPDX-License-Identifier: Apache-2.0
// The one home of nettle.
#include "whyso/base/hash.h"

#include <nettle/md5.h>
#include <nettle/nettle-meta.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include <algorithm>
#include <array>
#include <vector>

namespace whyso {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct Named {
  std::string_view name;
  const nettle_hash* hash;
};

const std::array<Named, 6>& algorithms() {
  static const std::array<Named, 6> all = {{{"md5", &nettle_md5},
                                            {"sha1", &nettle_sha1},
                                            {"sha224", &nettle_sha224},
                                            {"sha256", &nettle_sha256},
                                            {"sha384", &nettle_sha384},
                                            {"sha512", &nettle_sha512}}};
  return all;
}

const nettle_hash& hash_of(HashAlgorithm algorithm) {
  return *algorithms()[static_cast<std::size_t>(algorithm)].hash;
}

}  // namespace

Sha256 sha256(Bytes bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
  Sha256 result;
  sha256_digest(&context, result.size(), reinterpret_cast<std::uint8_t*>(result.data()));
  return result;
}

std::optional<HashAlgorithm> find_hash_algorithm(std::string_view name) {
  const auto found = std::ranges::find(algorithms(), name, &Named::name);
  if (found == algorithms().end()) return std::nullopt;
  return static_cast<HashAlgorithm>(found - algorithms().begin());
}

Hasher::Hasher(HashAlgorithm algorithm)
    : algorithm_(algorithm),
      context_(hash_of(algorithm).context_size / sizeof(std::max_align_t) + 1) {
  hash_of(algorithm_).init(context_.data());
}

void Hasher::update(Bytes bytes) {
  hash_of(algorithm_)
      .update(context_.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Hasher::finish() {
  const nettle_hash& hash = hash_of(algorithm_);
  std::string result(hash.digest_size, '\0');
  hash.digest(context_.data(), result.size(), reinterpret_cast<std::uint8_t*>(result.data()));
  return result;
}

std::string digest(HashAlgorithm algorithm, Bytes bytes) {
  Hasher hasher(algorithm);
  hasher.update(bytes);
  return hasher.finish();
}

std::string base64url(std::string_view raw) {
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : raw) {
    bits = (bits << 8) | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) text += digits[(bits >> (count - 6)) & 63];
  }
  if (count > 0) text += digits[(bits << (6 - count)) & 63];
  return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string raw;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    raw += static_cast<char>((bits >> count) & 255);
  }
  if (count >= 6) return std::nullopt;
  return raw;
}

std::string hexadecimal(std::string_view raw) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (const char c : raw) {
    text += hex[static_cast<unsigned char>(c) >> 4];
    text += hex[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

}  // namespace whyso
