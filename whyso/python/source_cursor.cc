// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/source_cursor.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/python/string_literal.h"

namespace whyso::python {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr unsigned tab_width = 8;

constexpr std::array<bool, 256> word_characters = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0; c < table.size(); ++c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    table[c] = is_letter || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
  }
  return table;
}();

bool is_word_character(char c) { return word_characters[static_cast<unsigned char>(c)]; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

bool is_line_end_character(char c) { return c == '\n' || c == '\r'; }

}  // namespace

constexpr SourceCursor::Classes SourceCursor::make_classes(bool is_head) {
  Classes classes{};
  const auto set = [&](std::string_view characters, CharacterClass kind) {
    for (const char c : characters) classes[static_cast<unsigned char>(c)] = kind;
  };
  set("\r\n", CharacterClass::line_end);
  set("'\"", CharacterClass::quote);
  set("#", CharacterClass::comment);
  set("([{", CharacterClass::open);
  set(")]}", CharacterClass::close);
  set("\\", CharacterClass::backslash);
  set(is_head ? ":" : ";", is_head ? CharacterClass::colon : CharacterClass::semicolon);
  if (is_head) set("l", CharacterClass::lambda);
  return classes;
}

SourceCursor::SourceCursor(std::string_view source)
    : source_(source), has_carriage_return_(source.contains('\r')) {
  if (source.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
}

std::optional<unsigned> SourceCursor::next_line() {
  unsigned column = 0;
  std::optional<unsigned> joined;  // the column before the first joined line
  for (; position_ < source_.size(); ++position_) {
    const char c = source_[position_];
    if (c == ' ') {
      const std::size_t spaces = count_spaces();
      column += static_cast<unsigned>(spaces);
      position_ += spaces - 1;
    } else if (c == '\t') {
      column = (column / tab_width + 1) * tab_width;
    } else if (c == '\f') {
      column = 0;
    } else if (is_line_joined()) {
      joined = joined.value_or(column);
      ++position_;
      if (source_.substr(position_).starts_with("\r\n")) ++position_;
    } else if (c == '#' || is_line_end_character(c)) {
      skip_comment();
      column = 0;
      joined.reset();
    } else {
      return joined.value_or(column);
    }
  }
  position_ = source_.size();
  return std::nullopt;
}

std::size_t SourceCursor::count_spaces() const {
  return std::min(source_.find_first_not_of(' ', position_), source_.size()) - position_;
}

bool SourceCursor::is_line_joined() const {
  return peek() == '\\' && position_ + 1 < source_.size() &&
         is_line_end_character(source_[position_ + 1]);
}

void SourceCursor::skip_blanks() {
  while (true) {
    if (is_blank(peek())) {
      ++position_;
    } else if (is_line_joined()) {
      ++position_;
      skip_line_end();
    } else {
      return;
    }
  }
}

void SourceCursor::skip_blanks_in_brackets() {
  for (skip_blanks(); position_ < source_.size(); skip_blanks()) {
    if (is_line_end_character(peek())) {
      skip_line_end();
    } else if (peek() == '#') {
      skip_comment();
    } else {
      return;
    }
  }
}

bool SourceCursor::is_line_end() {
  skip_blanks();
  return position_ == source_.size() || peek() == '#' || is_line_end_character(peek());
}

bool SourceCursor::take(char expected) {
  if (position_ == source_.size() || source_[position_] != expected) return false;
  ++position_;
  return true;
}

std::string_view SourceCursor::take_word() {
  const std::string_view rest = source_.substr(position_);
  if (!rest.empty() && is_digit(rest[0])) return {};
  const auto* end = std::ranges::find_if_not(rest, is_word_character);
  const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  position_ += word.size();
  return word;
}

bool SourceCursor::skip_statement() {
  static constexpr Classes classes = make_classes(false);
  const bool is_semicolon = scan(classes) == ';';
  if (is_semicolon) {
    ++position_;
  } else {
    skip_line_end();
  }
  return is_semicolon;
}

std::optional<std::string_view> SourceCursor::take_head() {
  static constexpr Classes classes = make_classes(true);
  const std::size_t begin = position_;
  lambdas_ = 0;
  if (scan(classes) != ':') return std::nullopt;
  const std::string_view head = source_.substr(begin, position_ - begin);
  ++position_;
  return trim(head);
}

/// Most characters of a source mean nothing here: pointers, because this loop sees them all.
void SourceCursor::skip_plain(const Classes& classes) {
  const char* at = source_.data() + position_;
  const char* const end = source_.data() + source_.size();
  while (at != end && classes[static_cast<unsigned char>(*at)] == CharacterClass::plain) ++at;
  position_ = static_cast<std::size_t>(at - source_.data());
}

/// Goes to the next character at which a statement or a head may end; NUL where the source does.
char SourceCursor::scan(const Classes& classes) {
  std::size_t depth = 0;
  for (skip_plain(classes); position_ < source_.size(); skip_plain(classes)) {
    const CharacterClass kind = classes[static_cast<unsigned char>(source_[position_])];
    switch (kind) {
      case CharacterClass::quote: {
        const StringEnd end = end_of_string(source_, position_);
        position_ = end.position;
        ended_inside_ = ended_inside_ || !end.is_closed;
        break;
      }
      case CharacterClass::comment:
        position_ = end_of_line();
        break;
      case CharacterClass::open:
        ++depth;
        ++position_;
        break;
      case CharacterClass::close:
        depth -= depth > 0 ? 1 : 0;
        ++position_;
        break;
      case CharacterClass::backslash:
        skip_escape();
        break;
      default:
        if (is_stop(kind, depth)) return source_[position_];
        ++position_;
    }
  }
  ended_inside_ = ended_inside_ || depth > 0;
  return '\0';
}

bool SourceCursor::is_stop(CharacterClass kind, std::size_t depth) {
  if (depth > 0) return false;
  if (kind == CharacterClass::lambda) {
    if (take_word_lambda()) ++lambdas_;
    return false;
  }
  if (kind != CharacterClass::colon) return true;
  if (source_.substr(position_).starts_with(":=")) return false;
  if (lambdas_ == 0) return true;
  --lambdas_;
  return false;
}

/// Steps onto the last letter of "lambda" where that word stands here.
bool SourceCursor::take_word_lambda() {
  constexpr std::string_view word = "lambda";
  const std::string_view rest = source_.substr(position_);
  const bool is_word = rest.starts_with(word) &&
                       !(position_ > 0 && is_word_character(source_[position_ - 1])) &&
                       !(rest.size() > word.size() && is_word_character(rest[word.size()]));
  if (is_word) position_ += word.size() - 1;
  return is_word;
}

void SourceCursor::skip_line_end() {
  if (source_.substr(position_).starts_with("\r\n")) ++position_;
  position_ = std::min(position_ + 1, source_.size());
}

std::size_t SourceCursor::end_of_line() const {
  const auto end = has_carriage_return_ ? source_.find_first_of("\r\n", position_)
                                        : source_.find('\n', position_);
  return std::min(end, source_.size());
}

/// Goes onto the last character of the line end, or to the end of the source.
void SourceCursor::skip_comment() {
  position_ = end_of_line();
  if (source_.substr(position_).starts_with("\r\n")) ++position_;
}

/// A backslash and what it takes the meaning from.
void SourceCursor::skip_escape() {
  ++position_;
  if (position_ < source_.size()) skip_line_end();
}

std::uint32_t SourceCursor::line() {
  const std::string_view passed = source_.substr(counted_, position_ - counted_);
  for (auto at = passed.find('\n'); at != std::string_view::npos; at = passed.find('\n', at + 1)) {
    ++line_;
  }
  for (std::size_t i = 0; has_carriage_return_ && i < passed.size(); ++i) {
    const std::size_t next = counted_ + i + 1;
    const bool is_alone = next == source_.size() || source_[next] != '\n';
    if (passed[i] == '\r' && is_alone) ++line_;
  }
  counted_ = position_;
  return line_;
}

}  // namespace whyso::python
