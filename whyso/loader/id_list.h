// SPDX-License-Identifier: Apache-2.0
// Short lists of objects kept in one vector, so that a process that has thousands of them is cheap
// to copy. Knows nothing of what the lists mean.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "whyso/base/table.h"

namespace whyso::loader {

struct Object;

/// The place of a list in an IdPool; empty by default.
struct IdList {
  std::uint32_t first = 0;
  std::uint32_t size = 0;
  [[nodiscard]] bool is_empty() const { return size == 0; }
};

/// A list never changes; a longer one takes its place.
class IdPool {
 public:
  IdList add(std::span<const Id<Object>> ids) {
    const IdList list{static_cast<std::uint32_t>(ids_.size()),
                      static_cast<std::uint32_t>(ids.size())};
    ids_.insert(ids_.end(), ids.begin(), ids.end());
    return list;
  }

  /// `list` with one more at its end.
  IdList appended(IdList list, Id<Object> id) {
    std::vector<Id<Object>> ids(of(list).begin(), of(list).end());
    ids.push_back(id);
    return add(ids);
  }

  /// Valid until the next list is added.
  [[nodiscard]] std::span<const Id<Object>> of(IdList list) const {
    return std::span(ids_).subspan(list.first, list.size);
  }

 private:
  std::vector<Id<Object>> ids_;
};

}  // namespace whyso::loader
