// SPDX-License-Identifier: Apache-2.0
// Text in lines of a given width: labelled paragraphs, commands, tables. Knows nothing of findings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "whyso/report/style.h"

namespace whyso::report {

/// `text`, which is already `shown`, in lines of at most `first` and then `next` columns, broken at
/// spaces outside of `backticks`; a word that is longer stands on a line of its own.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t first,
                                            std::size_t next);

/// The same for words that are parted already and may hold spaces.
[[nodiscard]] std::vector<std::string> wrap(std::span<const std::string> words, std::size_t first,
                                            std::size_t next);

/// Commands, to be run one after the other, as lines of about `width` columns that a POSIX shell
/// takes as they are: words quoted where needed, " \\" where a command goes on, " &&" where the
/// next one follows. A line within a command begins with two spaces.
[[nodiscard]] std::vector<std::string> command_lines(
    std::span<const std::vector<std::string>> commands, std::size_t width, bool ascii);

struct Label {
  std::string_view text;  ///< "because"
  std::size_t indent = 2;
  std::size_t column = 11;  ///< where what follows begins
};

/// Lines that are being written. Every text that goes in may be of foreign origin.
class Page {
 public:
  explicit Page(const Style& style) : style_(style) {}

  [[nodiscard]] const Style& style() const { return style_; }

  /// `lead`, which may hold escape sequences and takes `lead_columns`, then `text` wrapped; further
  /// lines begin at `hang`.
  void lead(std::string_view lead, std::size_t lead_columns, std::string_view text,
            std::size_t hang);

  /// The same for words that are not to be broken.
  void lead(std::string_view lead, std::size_t lead_columns, std::span<const std::string> words,
            std::size_t hang);

  /// One paragraph behind a label; an empty label leaves its place blank.
  void labelled(const Label& label, std::string_view text);

  /// Commands behind a label.
  void commands(const Label& label, std::span<const std::vector<std::string>> commands);

  /// A paragraph at an indent.
  void paragraph(std::size_t indent, std::string_view text, Role role = Role::plain);

  /// One line as it is, whatever its length.
  void verbatim(std::size_t indent, std::string_view line);

  /// A table at an indent; where it does not fit into the width, each row, the header too, is
  /// folded into as many lines as needed, all but the first further indented.
  void table(std::size_t indent, std::span<const std::string> header,
             std::span<const std::vector<std::string>> rows);

  /// A blank line; never two in a row, none at the start.
  void blank();

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void write_lines(std::span<const std::string> lines, std::size_t hang);
  using Row = std::vector<std::string>;
  using Group = std::pair<std::size_t, std::size_t>;  // columns [first, second)
  void write_row(std::size_t indent, const Row& row, std::span<const std::size_t> widths,
                 std::span<const Group> groups, Role role);

  Style style_;
  std::string text_;
};

}  // namespace whyso::report
