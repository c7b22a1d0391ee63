// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/file_bytes.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace whyso {

struct FileBytes::Pieces {
  struct Piece {
    std::uint64_t offset = 0;
    Blob blob;
  };

  ReadPiece read;
  std::vector<Piece> all;
};

FileBytes::FileBytes(std::uint64_t size, ReadPiece read)
    : size_(size), pieces_(std::make_shared<Pieces>(Pieces{std::move(read), {}})) {}

std::optional<Bytes> FileBytes::slice(std::uint64_t offset, std::uint64_t length) const {
  if (is_whole()) return whyso::slice(whole_.bytes(), offset, length);
  if (offset > size_ || length > size_ - offset || length > longest_piece) return std::nullopt;
  return whyso::slice(piece_from(offset, length), 0, length);
}

std::optional<Bytes> FileBytes::tail(std::uint64_t offset, std::uint64_t likely) const {
  if (is_whole()) return whyso::tail(whole_.bytes(), offset);
  if (offset > size_) return std::nullopt;
  return piece_from(offset, std::min(likely, size_ - offset));
}

/// Fewer than `wanted` where they cannot be had.
Bytes FileBytes::piece_from(std::uint64_t offset, std::uint64_t wanted) const {
  constexpr std::size_t shortest = 4096;  // what lies near is often asked for next
  for (const auto& piece : pieces_->all) {
    if (offset < piece.offset) continue;
    const auto rest = whyso::tail(piece.blob.bytes(), offset - piece.offset);
    if (rest && rest->size() >= wanted) return *rest;
  }
  const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, longest_piece));
  pieces_->all.push_back({offset, pieces_->read(offset, std::max(length, shortest))});
  return pieces_->all.back().blob.bytes();
}

}  // namespace whyso
