// SPDX-License-Identifier: Apache-2.0
// Texts kept once and compared by number. Knows nothing of what they name.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "whyso/base/table.h"

namespace whyso::loader {

struct Name;
using NameId = Id<Name>;

/// Every text gets one NameId, the same each time; two ids are equal where the texts are. Not to be
/// shared between threads.
class Names {
 public:
  NameId intern(std::string_view text) {
    const auto known = ids_.find(text);
    if (known != ids_.end()) return NameId{known->second};
    const auto index = static_cast<std::uint32_t>(texts_.size());
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), index);
    return NameId{index};
  }

  /// Nothing where that text has no id.
  [[nodiscard]] std::optional<NameId> find(std::string_view text) const {
    const auto known = ids_.find(text);
    if (known == ids_.end()) return std::nullopt;
    return NameId{known->second};
  }

  /// Lives as long as this object.
  [[nodiscard]] const std::string& text(NameId id) const { return texts_[id.index]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque never moves its elements: the keys below view them
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace whyso::loader
