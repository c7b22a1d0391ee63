// SPDX-License-Identifier: Apache-2.0
// Digests of bytes as Python's packaging records them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"

namespace whyso {

using Sha256 = std::array<std::byte, 32>;

[[nodiscard]] Sha256 sha256(Bytes bytes);

/// Digests that RECORD may name; md5 and sha1 are forbidden there but seen in the wild.
enum class HashAlgorithm : std::uint8_t { md5, sha1, sha224, sha256, sha384, sha512 };

/// By the name that Python's hashlib uses; nothing where unknown.
[[nodiscard]] std::optional<HashAlgorithm> find_hash_algorithm(std::string_view name);

/// A digest of bytes that come in parts.
class Hasher {
 public:
  explicit Hasher(HashAlgorithm algorithm);

  void update(Bytes bytes);

  /// The digest's raw bytes; the hasher then begins anew.
  [[nodiscard]] std::string finish();

 private:
  HashAlgorithm algorithm_;
  std::vector<std::max_align_t> context_;
};

/// The digest's raw bytes.
[[nodiscard]] std::string digest(HashAlgorithm algorithm, Bytes bytes);

/// "urlsafe base64 without padding", as in RECORD.
[[nodiscard]] std::string base64url(std::string_view raw);

/// Takes padding too; nothing where `text` is no base64url.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

[[nodiscard]] std::string hexadecimal(std::string_view raw);

}  // namespace whyso
