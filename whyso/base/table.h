// SPDX-License-Identifier: Apache-2.0
// Vectors addressed by an index of their own type, so that indexes of two tables cannot be mixed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "whyso/base/check.h"

namespace whyso {

/// The place of a T in the Table it was handed out by.
template <class T>
struct Id {
  std::uint32_t index = 0;
  auto operator<=>(const Id&) const = default;
};

/// A growing list; an Id stays valid for as long as the table lives.
template <class T>
class Table {
 public:
  Id<T> add(T value) {
    rows_.push_back(std::move(value));
    return Id<T>{static_cast<std::uint32_t>(rows_.size() - 1)};
  }

  [[nodiscard]] const T& operator[](Id<T> id) const {
    WHYSO_CHECK(id.index < rows_.size());
    return rows_[id.index];
  }
  [[nodiscard]] T& operator[](Id<T> id) {
    WHYSO_CHECK(id.index < rows_.size());
    return rows_[id.index];
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The Id of the n-th row; n < size().
  [[nodiscard]] Id<T> id(std::size_t n) const {
    WHYSO_CHECK(n < rows_.size());
    return Id<T>{static_cast<std::uint32_t>(n)};
  }

  [[nodiscard]] auto begin() const { return rows_.begin(); }
  [[nodiscard]] auto end() const { return rows_.end(); }
  [[nodiscard]] auto begin() { return rows_.begin(); }
  [[nodiscard]] auto end() { return rows_.end(); }

 private:
  std::vector<T> rows_;
};

}  // namespace whyso

template <class T>
struct std::hash<whyso::Id<T>> {
  std::size_t operator()(whyso::Id<T> id) const noexcept { return id.index; }
};
