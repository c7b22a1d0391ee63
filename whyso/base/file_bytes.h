// SPDX-License-Identifier: Apache-2.0
// The bytes of a file for one who needs few of them: all at hand, or read in pieces as they are
// asked for. Opens nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "whyso/base/blob.h"
#include "whyso/base/bytes.h"

namespace whyso {

/// Views that it returns live as long as any copy of it. In pieces it is for one thread alone.
class FileBytes {
 public:
  /// Up to `length` bytes from `offset`, fewer at the end of the file or where it cannot be read.
  using ReadPiece = std::function<Blob(std::uint64_t offset, std::size_t length)>;

  /// In pieces no more than this is read at once: who needs more must read the whole file.
  static constexpr std::size_t longest_piece = 256 * 1024;

  FileBytes() = default;
  explicit FileBytes(Blob whole) : whole_(std::move(whole)), size_(whole_.size()) {}
  FileBytes(std::uint64_t size, ReadPiece read);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  /// False: what is not returned may be there all the same.
  [[nodiscard]] bool is_whole() const { return pieces_ == nullptr; }

  /// Exactly these bytes; nothing where they are not all to be had.
  [[nodiscard]] std::optional<Bytes> slice(std::uint64_t offset, std::uint64_t length) const;

  /// The bytes from `offset` to the end of the file, in pieces at least the first `likely` of them.
  /// Nothing behind the end of the file.
  [[nodiscard]] std::optional<Bytes> tail(std::uint64_t offset, std::uint64_t likely) const;

 private:
  struct Pieces;

  [[nodiscard]] Bytes piece_from(std::uint64_t offset, std::uint64_t wanted) const;

  Blob whole_;
  std::uint64_t size_ = 0;
  std::shared_ptr<Pieces> pieces_;
};

}  // namespace whyso
