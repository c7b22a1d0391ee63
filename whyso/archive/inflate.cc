// SPDX-License-Identifier: Apache-2.0
#include "whyso/archive/inflate.h"

#include <fmt/core.h>
#include <libdeflate.h>

#include <algorithm>
#include <memory>

namespace whyso::archive {

Result<std::string> inflate(Bytes compressed, std::uint64_t size) {
  if (size / most_deflate_gain > compressed.size()) {
    return failure(ErrorKind::malformed, {},
                   fmt::format("{} bytes cannot unpack to {}", compressed.size(), size));
  }
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (decompressor == nullptr) return failure(ErrorKind::io, {}, "out of memory");
  std::string text;
  libdeflate_result result = LIBDEFLATE_SUCCESS;
  text.resize_and_overwrite(static_cast<std::size_t>(size), [&](char* out, std::size_t length) {
    result = libdeflate_deflate_decompress(decompressor.get(), compressed.data(), compressed.size(),
                                           out, length, nullptr);
    return result == LIBDEFLATE_SUCCESS ? length : 0;
  });
  if (result == LIBDEFLATE_SUCCESS) return text;
  const char* what = "the compressed data are damaged";
  if (result == LIBDEFLATE_SHORT_OUTPUT) what = "the compressed data hold fewer bytes than said";
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
    what = "the compressed data hold more bytes than said";
  return failure(ErrorKind::malformed, {}, what);
}

std::optional<std::string> inflate_at_start(Bytes bytes, std::size_t most) {
  const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
      libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
  if (decompressor == nullptr) return std::nullopt;
  std::string text;
  for (std::size_t room = std::size_t{64} * 1024;; room *= 4) {
    const std::size_t size = std::min(room, most);
    std::size_t used = 0;
    std::size_t made = 0;
    libdeflate_result result = LIBDEFLATE_SUCCESS;
    text.resize_and_overwrite(size, [&](char* out, std::size_t length) {
      result = libdeflate_deflate_decompress_ex(decompressor.get(), bytes.data(), bytes.size(), out,
                                                length, &used, &made);
      return result == LIBDEFLATE_SUCCESS ? made : 0;
    });
    if (result == LIBDEFLATE_SUCCESS) return text;
    if (result != LIBDEFLATE_INSUFFICIENT_SPACE || size == most) return std::nullopt;
  }
}

std::uint32_t crc32(Bytes bytes) { return libdeflate_crc32(0, bytes.data(), bytes.size()); }

}  // namespace whyso::archive
