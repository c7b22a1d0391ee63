// SPDX-License-Identifier: Apache-2.0
// Raw deflate streams and CRC-32. Knows no archive format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"

namespace whyso::archive {

/// No deflate stream unpacks to more bytes than this times its own length (258 bytes from two
/// bits).
inline constexpr std::uint64_t most_deflate_gain = 1032;

/// The `size` bytes that a raw deflate stream (RFC 1951) holds. Malformed where it is damaged or
/// holds more or fewer. Allocates `size` bytes, unless the stream cannot hold that many.
[[nodiscard]] Result<std::string> inflate(Bytes compressed, std::uint64_t size);

/// What the raw deflate stream at the start of `bytes` holds, whatever follows it; nothing where
/// none that is whole begins there, or it holds more than `most` bytes.
[[nodiscard]] std::optional<std::string> inflate_at_start(Bytes bytes, std::size_t most);

/// The CRC-32 of zip and gzip.
[[nodiscard]] std::uint32_t crc32(Bytes bytes);

}  // namespace whyso::archive
