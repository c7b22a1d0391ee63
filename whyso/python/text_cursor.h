// SPDX-License-Identifier: Apache-2.0
// A position in a short text, for the small grammars of this folder. Knows none of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace whyso::python {

/// Reads a text from left to right and cannot run past its end. Returned views are of that text.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  [[nodiscard]] bool at_end() const { return position_ == text_.size(); }
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] std::string_view rest() const { return text_.substr(position_); }

  /// The next character, NUL at the end.
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[position_]; }

  /// Steps over `expected` where it comes next.
  bool take(std::string_view expected) {
    if (!rest().starts_with(expected)) return false;
    position_ += expected.size();
    return true;
  }

  /// Steps over one character that `accepts`.
  template <class Accepts>
  bool take_one(Accepts accepts) {
    if (at_end() || !accepts(text_[position_])) return false;
    ++position_;
    return true;
  }

  /// All characters up to the first that `accepts` refuses.
  template <class Accepts>
  std::string_view take_while(Accepts accepts) {
    const std::size_t begin = position_;
    while (take_one(accepts)) {
    }
    return text_.substr(begin, position_ - begin);
  }

  void skip_blanks() {
    take_while([](char c) { return c == ' ' || c == '\t'; });
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace whyso::python
