// SPDX-License-Identifier: Apache-2.0
// Immutable bytes with an owner. Where the bytes come from (memory, a mapping) is not known here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "whyso/base/bytes.h"

namespace whyso {

/// Bytes that stay as they are for as long as any copy of the Blob lives; cheap to copy.
class Blob {
 public:
  Blob() = default;
  explicit Blob(std::string text) : Blob(std::make_shared<const std::string>(std::move(text))) {}

  /// `bytes` must stay valid for as long as `owner` lives.
  Blob(std::shared_ptr<const void> owner, Bytes bytes) : owner_(std::move(owner)), bytes_(bytes) {}

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::string_view text() const { return text_of(bytes_); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

  bool operator==(const Blob& other) const { return text() == other.text(); }

 private:
  explicit Blob(std::shared_ptr<const std::string> text) : owner_(text), bytes_(bytes_of(*text)) {}

  std::shared_ptr<const void> owner_;
  Bytes bytes_;
};

}  // namespace whyso
