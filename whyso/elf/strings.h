// SPDX-License-Identifier: Apache-2.0
// The dynamic string table. Its length entry (DT_STRSZ) is not looked at: the loader does not
// either, so the table ends with its segment.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"

namespace whyso::elf {

/// Strings addressed by their offset. Views it returns live as long as the bytes.
class Strings {
 public:
  Strings() = default;
  explicit Strings(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t size() const { return bytes_.size(); }

  /// The longest string that is read; longer ones are refused, so that a damaged table cannot make
  /// every name a walk through the whole file.
  static constexpr std::uint64_t longest = 256 * 1024;

  /// Malformed where no string that ends lies at `offset`; `what` says whose name it is.
  [[nodiscard]] Result<std::string_view> at(std::uint64_t offset, std::string_view what) const;

  /// Is it `text` that lies at `offset`?
  [[nodiscard]] bool is_at(std::uint64_t offset, std::string_view text) const;

 private:
  Bytes bytes_;
};

}  // namespace whyso::elf
