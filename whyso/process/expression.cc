// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/expression.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/process/argument_list.h"
#include "whyso/process/condition.h"
#include "whyso/process/path_functions.h"
#include "whyso/python/string_literal.h"

namespace whyso::process {
namespace {

constexpr int deepest = 40;
constexpr std::size_t longest = 20'000;

bool is_name_character(char c) {
  return is_alphanumeric(c) || c == '_' || static_cast<unsigned char>(c) > 127;
}

/// Recursive descent over "a if b else c", "+", "/", "%", postfix chains and atoms. Anything else
/// is stepped over and makes the value unknown.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Scope& scope, PythonVersion version, int depth)
      : text_(text), scope_(scope), version_(version), depth_(depth) {}

  TextValue read_all() {
    TextValue value = read_choice();
    while (!at_end()) {
      // An operator that says nothing about texts: what it combines may still hold calls.
      ++at_;
      const TextValue rest = read_choice();
      value = {};
    }
    return value;
  }

 private:
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ >= text_.size();
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\' || c == '\f') {
        ++at_;
      } else {
        return;
      }
    }
  }

  std::string_view peek_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && is_name_character(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }

  bool take_word(std::string_view word) {
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
  }

  /// a if b else c, a or b
  TextValue read_choice() {
    TextValue value = read_sum();
    while (true) {
      if (take_word("or") || take_word("and")) {
        value.add(read_sum());
      } else if (take_word("if")) {
        value = read_conditional(std::move(value));
      } else {
        return value;
      }
    }
  }

  TextValue read_conditional(TextValue value) {
    skip_blanks();
    const std::string_view rest = text_.substr(at_);
    const std::size_t end = find_word_outside(rest, "else");
    if (end == std::string_view::npos) return value;
    const std::string_view condition = rest.substr(0, end);
    at_ += end + 4;
    TextValue other = nested(text_.substr(at_));
    at_ = text_.size();
    const Truth truth = judge_condition(trim(condition), version_);
    if (truth == Truth::yes) return value;
    if (truth == Truth::no) return other;
    value.add(other);
    return value;
  }

  TextValue read_sum() {
    TextValue value = read_postfix();
    while (!at_end()) {
      const char c = peek();
      const bool is_operator =
          (c == '+' || c == '/' || c == '%') && !text_.substr(at_).starts_with("//");
      if (!is_operator) return value;
      ++at_;
      const TextValue right = read_postfix();
      if (c == '+') value = concatenated(value, right);
      if (c == '/') value = joined(value, right);
      if (c == '%') value = formatted(value, {right});
    }
    return value;
  }

  TextValue read_postfix() {
    skip_blanks();
    const std::size_t begin = at_;
    bool is_plain = is_name_character(peek()) && !is_digit(peek());
    TextValue value = read_atom();
    is_plain = is_plain && at_ > begin && is_name_character(text_[at_ - 1]);
    TextValue before;
    while (!at_end()) {
      if (peek() == '.' && at_ + 1 < text_.size()) {
        ++at_;
        const std::string_view attribute = peek_word();
        at_ += attribute.size();
        before = value;
        value = attribute_of(value, attribute);
      } else if (peek() == '(') {
        const std::string_view callee =
            is_plain ? trim(text_.substr(begin, at_ - begin)) : std::string_view();
        const std::string_view method = last_word(text_.substr(0, at_));
        value = read_call(callee.empty() ? method : callee, before);
        is_plain = false;
      } else if (peek() == '[') {
        const TextValue inside = read_bracketed(']');
      } else {
        return value;
      }
    }
    return value;
  }

  static std::string_view last_word(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && is_name_character(text[begin - 1])) --begin;
    return text.substr(begin);
  }

  TextValue read_atom() {
    const char c = peek();
    if (c == '(') return read_bracketed(')');
    if (c == '[') return read_bracketed(']');
    if (c == '{') return read_bracketed('}');
    if (c == '\'' || c == '"') return read_strings("");
    if (is_digit(c)) {
      at_ += peek_word().size();
      return {};
    }
    const std::string_view word = peek_word();
    if (word.empty()) {
      at_ = std::min(at_ + 1, text_.size());  // a sign: stepped over
      return {};
    }
    const std::size_t after = at_ + word.size();
    const bool is_prefix = after < text_.size() && (text_[after] == '\'' || text_[after] == '"');
    at_ = after;
    if (is_prefix) return read_strings(word);
    if (word == "lambda" || word == "not" || word == "await") return {};
    return scope_.value_of(word);
  }

  /// Literals that stand side by side are one.
  TextValue read_strings(std::string_view prefix) {
    TextValue value = read_string(prefix);
    while (!at_end()) {
      const std::string_view word = peek_word();
      const std::size_t after = at_ + word.size();
      const bool is_string = after < text_.size() && (text_[after] == '\'' || text_[after] == '"');
      if (!is_string || word.size() > 2) return value;
      at_ = after;
      value = concatenated(value, read_string(word));
    }
    return value;
  }

  TextValue read_string(std::string_view prefix) {
    const auto end = python::end_of_string(text_, at_);
    std::string_view literal = text_.substr(at_, end.position - at_);
    at_ = end.position;
    const std::size_t quotes = literal.starts_with("'''") || literal.starts_with("\"\"\"") ? 3 : 1;
    if (!end.is_closed || literal.size() < 2 * quotes) return {};
    literal = literal.substr(quotes, literal.size() - 2 * quotes);
    const bool is_format = prefix.find_first_of("fF") != std::string_view::npos;
    if (is_format) return read_format(literal);
    const bool is_raw = prefix.find_first_of("rR") != std::string_view::npos;
    if (!is_raw && literal.contains('\\')) return {};
    return TextValue::of(literal);
  }

  TextValue read_format(std::string_view literal) {
    TextValue value = TextValue::of("");
    std::size_t at = 0;
    while (at < literal.size()) {
      const std::size_t open = std::min(literal.find('{', at), literal.size());
      value = concatenated(value, TextValue::of(literal.substr(at, open - at)));
      if (open == literal.size()) break;
      const std::size_t close = std::min(literal.find('}', open), literal.size());
      std::string_view inside = literal.substr(open + 1, close - open - 1);
      inside = inside.substr(0, inside.find_first_of("!:"));
      value = concatenated(value, nested(inside));
      at = close + 1;
    }
    return value;
  }

  TextValue nested(std::string_view text) {
    if (depth_ >= deepest) return {};
    return ExpressionReader(text, scope_, version_, depth_ + 1).read_all();
  }

  /// What stands between two brackets; the cursor is left behind the second.
  std::string_view take_bracketed(char close) {
    const std::size_t begin = ++at_;
    const std::size_t end = end_of_bracket(text_, begin);
    at_ = std::min(end + 1, text_.size());
    const bool is_closed = end < text_.size() && text_[end] == close;
    return text_.substr(begin, (is_closed ? end : at_) - begin);
  }

  TextValue value_of(const Element& element) {
    if (!element.variable.empty()) scope_.bind(element.variable, nested(element.source));
    return nested(element.text);
  }

  TextValue read_bracketed(char close) {
    TextValue value;
    for (const auto& element : elements_of(take_bracketed(close))) value.add(value_of(element));
    return value;
  }

  TextValue read_call(std::string_view callee, const TextValue& receiver) {
    EvaluatedCall call{.callee = callee, .receiver = receiver, .text = take_bracketed(')')};
    for (const auto& element : elements_of(call.text)) {
      if (element.name.empty()) {
        call.arguments.push_back(value_of(element));
      } else {
        call.named.emplace_back(element.name, value_of(element));
      }
    }
    if (scope_.has_function(callee)) return scope_.call(call);
    if (auto value = call_path_function(call, scope_)) return *std::move(value);
    return scope_.call(call);
  }

  std::string_view text_;
  const Scope& scope_;
  PythonVersion version_;
  int depth_;
  std::size_t at_ = 0;
};

}  // namespace

TextValue evaluate(std::string_view expression, const Scope& scope, PythonVersion version) {
  if (expression.size() > longest) return {};
  return ExpressionReader(expression, scope, version, 0).read_all();
}

}  // namespace whyso::process
