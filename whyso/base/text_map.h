// SPDX-License-Identifier: Apache-2.0
// A map from text that can be asked with a view, without making a string first.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace whyso {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// References to its values stay valid until they are erased.
template <class Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace whyso
