// SPDX-License-Identifier: Apache-2.0
// The dynamic string table. Its length entry (DT_STRSZ) is not looked at: the loader does not
// either, so the table ends with its segment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "whyso/base/bytes.h"
#include "whyso/base/file_bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

/// Strings addressed by their offset. Views it returns live as long as the file's bytes.
class Strings {
 public:
  Strings() = default;

  /// The table at `address`; malformed where no part of the file lies there.
  [[nodiscard]] static Result<Strings> read(const Memory& memory, std::uint64_t address);

  [[nodiscard]] std::uint64_t size() const { return range_.size; }

  /// The longest string that is read; longer ones are refused, so that a damaged table cannot make
  /// every name a walk through the whole file.
  static constexpr std::uint64_t longest = 256 * 1024;

  /// Malformed where no string that ends lies at `offset`; `what` says whose name it is.
  [[nodiscard]] Result<std::string_view> at(std::uint64_t offset, std::string_view what) const;

  /// The same with its gnu_hash(); for hundreds of thousands of symbols.
  [[nodiscard]] Result<std::pair<std::string_view, std::uint32_t>> hashed_at(
      std::uint64_t offset) const;

  /// Is it `text` that lies at `offset`?
  [[nodiscard]] bool is_at(std::uint64_t offset, std::string_view text) const;

 private:
  /// From `offset` of the table at least `likely` bytes, where it has as many.
  [[nodiscard]] Bytes from(std::uint64_t offset, std::uint64_t likely) const;

  FileBytes file_;
  FileRange range_;
  Bytes bytes_;  // the whole table, where the file is at hand
};

}  // namespace whyso::elf
