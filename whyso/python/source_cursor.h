// SPDX-License-Identifier: Apache-2.0
// A position in Python source: logical lines, brackets, comments, joined lines. Knows no statement;
// strings are string_literal.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace whyso::python {

/// Reads source as CPython's tokenizer does, as far as needed to find where logical lines begin and
/// what they begin with. Never fails: source that is no Python ends up somewhere. Cost: one pass.
/// Returned views are of the source.
class SourceCursor {
 public:
  /// A byte order mark is stepped over.
  explicit SourceCursor(std::string_view source);

  /// Goes to the first token of the next logical line that has one; its column, a tab reaching to
  /// the next multiple of eight. Nothing at the end. Only at the start of a line.
  std::optional<unsigned> next_line();

  /// Steps over blanks and joined lines ("\" at the end of a line).
  void skip_blanks();
  /// The same, and line ends and comments, which mean nothing inside brackets.
  void skip_blanks_in_brackets();

  /// Is nothing left on this logical line but a comment? Steps over blanks.
  [[nodiscard]] bool is_line_end();

  [[nodiscard]] char peek() const { return position_ < source_.size() ? source_[position_] : '\0'; }
  /// Steps over `expected` where it comes next.
  bool take(char expected);
  /// The identifier or keyword that comes next, empty where none does.
  std::string_view take_word();

  /// Goes behind the ';' or the end of the logical line, whichever comes first; true for ';'.
  bool skip_statement();
  /// Goes behind the ':' that ends the head of a compound statement: what stood before it, without
  /// blanks at its ends. Nothing where the logical line has none; then at the end of the line.
  std::optional<std::string_view> take_head();

  /// Of the next character in the source.
  [[nodiscard]] std::size_t position() const { return position_; }

  /// The number of the line, from 1.
  [[nodiscard]] std::uint32_t line();

  /// Did the source end inside a bracket or a string of three quotes?
  [[nodiscard]] bool has_ended_inside() const { return ended_inside_; }

 private:
  enum class CharacterClass : std::uint8_t {
    plain,
    line_end,
    quote,
    comment,
    open,
    close,
    backslash,
    semicolon,
    colon,
    lambda,  // the 'l' that it may begin with; in heads only
  };
  using Classes = std::array<CharacterClass, 256>;

  static constexpr Classes make_classes(bool is_head);

  void skip_plain(const Classes& classes);
  char scan(const Classes& classes);
  bool is_stop(CharacterClass kind, std::size_t depth);
  [[nodiscard]] bool is_line_joined() const;
  [[nodiscard]] std::size_t end_of_line() const;
  [[nodiscard]] std::size_t count_spaces() const;
  void skip_line_end();
  void skip_comment();
  void skip_escape();
  bool take_word_lambda();

  std::string_view source_;
  std::size_t position_ = 0;
  std::size_t lambdas_ = 0;
  std::size_t counted_ = 0;  // up to where lines are counted
  std::uint32_t line_ = 1;
  bool has_carriage_return_ = false;
  bool ended_inside_ = false;
};

}  // namespace whyso::python
