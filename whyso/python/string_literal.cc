// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/string_literal.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

bool is_word_character(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/// What opened a literal and will close it.
struct Quote {
  char character = '"';
  bool is_triple = false;
  bool is_raw = false;
  bool is_formatted = false;
};

/// The letters before a quote, if they are a prefix and not the end of a word.
std::string_view prefix_before(std::string_view source, std::size_t quote) {
  constexpr std::string_view letters = "rRbBuUfFtT";
  std::size_t begin = quote;
  while (begin > 0 && quote - begin < 2 && letters.contains(source[begin - 1])) --begin;
  if (begin > 0 && is_word_character(source[begin - 1])) return {};
  return source.substr(begin, quote - begin);
}

Quote quote_at(std::string_view source, std::size_t position) {
  const std::string_view prefix = prefix_before(source, position);
  const std::string_view rest = source.substr(position, 3);
  Quote quote;
  quote.character = rest[0];
  quote.is_triple = rest.size() == 3 && rest[1] == rest[0] && rest[2] == rest[0];
  quote.is_raw = prefix.find_first_of("rR") != std::string_view::npos;
  quote.is_formatted = prefix.find_first_of("fFtT") != std::string_view::npos;
  return quote;
}

/// Where a backslash stands, or in a literal of one line its end; else the size.
std::size_t find_stop(std::string_view inside, bool is_triple) {
  if (is_triple) return std::min(inside.find('\\'), inside.size());
  const auto* stop =
      std::ranges::find_if(inside, [](char c) { return c == '\\' || is_line_end(c); });
  return static_cast<std::size_t>(stop - inside.begin());
}

/// Moves over one literal and those nested in it.
class LiteralReader {
 public:
  LiteralReader(std::string_view source, std::size_t position)
      : source_(source), position_(position) {}

  StringEnd read() {
    open_literal();
    while (!levels_.empty() && position_ < source_.size()) step();
    return {.position = position_, .is_closed = is_closed_ && levels_.empty()};
  }

 private:
  /// What an f-string is inside of, from the outside in.
  struct Level {
    enum class Kind : std::uint8_t { literal, field, format };
    Kind kind = Kind::literal;
    Quote quote;
    std::size_t depth = 0;  // of brackets in a field
  };

  void open_literal() {
    const Quote quote = quote_at(source_, position_);
    position_ += quote.is_triple ? 3 : 1;
    if (quote.is_formatted) {
      levels_.push_back({.quote = quote});
    } else {
      skip_plain(quote);
    }
  }

  void step() {
    switch (levels_.back().kind) {
      case Level::Kind::literal:
        return step_literal();
      case Level::Kind::field:
        return step_field();
      case Level::Kind::format:
        return step_format();
    }
  }

  bool take_terminator(Quote quote) {
    const std::string_view rest = source_.substr(position_, quote.is_triple ? 3 : 1);
    const bool is_there = rest.size() == (quote.is_triple ? 3 : 1) &&
                          std::ranges::all_of(rest, [&](char c) { return c == quote.character; });
    if (is_there) position_ += rest.size();
    return is_there;
  }

  /// A backslash and what it takes the meaning from.
  void skip_escape() {
    position_ += source_.substr(position_ + 1).starts_with("\r\n") ? 3 : 2;
    position_ = std::min(position_, source_.size());
  }

  void skip_plain(Quote quote) {
    std::size_t next_quote = position_;
    while (position_ < source_.size()) {
      if (next_quote <= position_) {
        next_quote = std::min(source_.find(quote.character, position_), source_.size());
      }
      position_ += find_stop(source_.substr(position_, next_quote - position_), quote.is_triple);
      if (position_ == source_.size()) break;
      if (source_[position_] == '\\') {
        skip_escape();
      } else if (position_ < next_quote || take_terminator(quote)) {
        return;
      } else {
        ++position_;
      }
    }
    is_closed_ = is_closed_ && !quote.is_triple;
  }

  void step_literal() {
    const Quote quote = levels_.back().quote;
    const std::string_view rest = source_.substr(position_);
    if (take_terminator(quote)) {
      levels_.pop_back();
    } else if (!quote.is_raw && rest.starts_with("\\N{")) {
      position_ = std::min(source_.find_first_of("}\r\n", position_), source_.size());
    } else if (rest[0] == '\\' && !rest.starts_with("\\{") && !rest.starts_with("\\}")) {
      skip_escape();
    } else if (rest[0] == '{' && !rest.starts_with("{{")) {
      ++position_;
      levels_.push_back({.kind = Level::Kind::field, .quote = quote});
    } else if (!quote.is_triple && is_line_end(rest[0])) {
      levels_.clear();
    } else {
      position_ += rest.starts_with("{{") ? 2 : 1;
    }
  }

  void step_field() {
    const char c = source_[position_];
    if (c == '"' || c == '\'') return open_literal();
    if (c == '#') {
      position_ = std::min(source_.find_first_of("\r\n", position_), source_.size());
      return;
    }
    ++position_;
    Level& field = levels_.back();
    const bool is_close = std::string_view(")]}").contains(c);
    if (std::string_view("([{").contains(c)) {
      ++field.depth;
    } else if (is_close && field.depth > 0) {
      --field.depth;
    } else if (is_close) {
      levels_.pop_back();
    } else if (c == ':' && field.depth == 0) {
      const Quote quote = field.quote;
      levels_.push_back({.kind = Level::Kind::format, .quote = quote});
    }
  }

  void step_format() {
    const Quote quote = levels_.back().quote;
    const char c = source_[position_];
    if (take_terminator(quote)) {
      while (levels_.back().kind != Level::Kind::literal) levels_.pop_back();
      levels_.pop_back();
    } else if (c == '{') {
      ++position_;
      levels_.push_back({.kind = Level::Kind::field, .quote = quote});
    } else if (c == '}') {
      ++position_;
      levels_.resize(levels_.size() - 2);
    } else if (!quote.is_triple && is_line_end(c)) {
      levels_.clear();
    } else {
      ++position_;
    }
  }

  std::string_view source_;
  std::size_t position_;
  bool is_closed_ = true;
  std::vector<Level> levels_;
};

}  // namespace

StringEnd end_of_string(std::string_view source, std::size_t quote) {
  return LiteralReader(source, quote).read();
}

}  // namespace whyso::python
