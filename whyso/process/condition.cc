// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/condition.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

constexpr std::size_t longest_condition = 4000;
constexpr int deepest = 40;

enum class ValueKind : std::uint8_t { unknown, boolean, number, text, numbers, texts, own_name };

struct Value {
  ValueKind kind = ValueKind::unknown;
  bool truth = false;
  std::vector<std::uint64_t> numbers;  ///< one of them for a number
  bool goes_on = false;                ///< more numbers follow that are not known: sys.version_info
  std::vector<std::string> texts;      ///< one of them for a text
};

Value boolean(bool truth) { return {.kind = ValueKind::boolean, .truth = truth}; }
Value number(std::uint64_t value) { return {.kind = ValueKind::number, .numbers = {value}}; }
Value text(std::string value) { return {.kind = ValueKind::text, .texts = {std::move(value)}}; }

Truth opposite(Truth truth) {
  if (truth == Truth::unknown) return truth;
  return truth == Truth::yes ? Truth::no : Truth::yes;
}

Truth truth_if(bool holds) { return holds ? Truth::yes : Truth::no; }

Truth truth_of(const Value& value) {
  switch (value.kind) {
    case ValueKind::boolean:
      return truth_if(value.truth);
    case ValueKind::number:
      return truth_if(value.numbers.front() != 0);
    case ValueKind::text:
      return truth_if(!value.texts.front().empty());
    default:
      return Truth::unknown;
  }
}

/// How two tuples or numbers compare; nothing where numbers decide that are not known.
std::optional<std::strong_ordering> order_of(const Value& a, const Value& b) {
  const std::size_t common = std::min(a.numbers.size(), b.numbers.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.numbers[i] != b.numbers[i]) return a.numbers[i] <=> b.numbers[i];
  }
  if (a.goes_on && b.goes_on) return std::nullopt;
  if (a.goes_on && common < b.numbers.size()) return std::nullopt;
  if (b.goes_on && common < a.numbers.size()) return std::nullopt;
  if (a.goes_on) return std::strong_ordering::greater;
  if (b.goes_on) return std::strong_ordering::less;
  return a.numbers.size() <=> b.numbers.size();
}

Truth holds(std::strong_ordering order, std::string_view op) {
  if (op == "==") return truth_if(order == 0);
  if (op == "!=") return truth_if(order != 0);
  if (op == "<") return truth_if(order < 0);
  if (op == "<=") return truth_if(order <= 0);
  if (op == ">") return truth_if(order > 0);
  return op == ">=" ? truth_if(order >= 0) : Truth::unknown;
}

Truth is_among(const Value& value, const Value& list) {
  if (value.kind != ValueKind::text || list.kind != ValueKind::texts) return Truth::unknown;
  return truth_if(std::ranges::find(list.texts, value.texts.front()) != list.texts.end());
}

/// `__name__` of a module that is imported: any name but one.
Truth compare_own_name(std::string_view op, const Value& other) {
  if (other.kind != ValueKind::text || other.texts.front() != "__main__") return Truth::unknown;
  if (op == "==") return Truth::no;
  return op == "!=" ? Truth::yes : Truth::unknown;
}

Truth compare(const Value& a, std::string_view op, const Value& b) {
  if (a.kind == ValueKind::own_name) return compare_own_name(op, b);
  if (b.kind == ValueKind::own_name) return compare_own_name(op, a);
  if (op == "in") return is_among(a, b);
  if (op == "not in") return opposite(is_among(a, b));
  if (a.kind != b.kind) return Truth::unknown;
  if (a.kind == ValueKind::text) return holds(a.texts.front() <=> b.texts.front(), op);
  if (a.kind != ValueKind::number && a.kind != ValueKind::numbers) return Truth::unknown;
  const auto order = order_of(a, b);
  return order ? holds(*order, op) : Truth::unknown;
}

/// The value of a name with what follows it, written without spaces.
Value value_of(std::string_view name, PythonVersion version) {
  if (name == "TYPE_CHECKING" || name.ends_with(".TYPE_CHECKING")) return boolean(false);
  // Set by the setup.py of numpy and of its kin while they are built, at no other time.
  if (name.starts_with("__") && name.ends_with("_SETUP__")) return boolean(false);
  struct Known {
    std::string_view name;
    Value value;
  };
  const std::uint64_t major = static_cast<std::uint64_t>(version.major);
  const std::uint64_t minor = static_cast<std::uint64_t>(version.minor);
  const Value version_info{.kind = ValueKind::numbers, .numbers = {major, minor}, .goes_on = true};
  const Value pair{.kind = ValueKind::numbers, .numbers = {major, minor}};
  const auto known = std::to_array<Known>({
      {"True", boolean(true)},
      {"False", boolean(false)},
      {"None", boolean(false)},
      {"__debug__", boolean(true)},
      {"__name__", {.kind = ValueKind::own_name}},
      {"PY2", boolean(false)},
      {"PY3", boolean(true)},
      {"six.PY2", boolean(false)},
      {"six.PY3", boolean(true)},
      {"sys.platform", text("linux")},
      {"_sys.platform", text("linux")},
      {"os.name", text("posix")},
      {"_os.name", text("posix")},
      {"platform.system()", text("Linux")},
      {"sys.implementation.name", text("cpython")},
      {"platform.python_implementation()", text("CPython")},
      {"sys.version_info", version_info},
      {"_sys.version_info", version_info},
      {"version_info", version_info},
      {"sys.version_info[:2]", pair},
      {"sys.version_info[0:2]", pair},
      {"sys.version_info[0]", number(major)},
      {"sys.version_info.major", number(major)},
      {"sys.version_info[1]", number(minor)},
      {"sys.version_info.minor", number(minor)},
  });
  const auto* row = std::ranges::find(known, name, &Known::name);
  return row == known.end() ? Value() : row->value;
}

/// Recursive descent over or, and, not, comparisons; fails as a whole on what it does not know.
class Condition {
 public:
  Condition(std::string_view expression, PythonVersion version)
      : rest_(expression), version_(version) {}

  Truth judge() {
    const Truth truth = disjunction();
    skip_space();
    return failed_ || !rest_.empty() ? Truth::unknown : truth;
  }

 private:
  Truth disjunction() {
    Truth truth = conjunction();
    while (word("or")) {
      const Truth next = conjunction();
      if (truth == Truth::yes || next == Truth::yes) {
        truth = Truth::yes;
      } else if (next == Truth::unknown) {
        truth = Truth::unknown;
      }
    }
    return truth;
  }

  Truth conjunction() {
    Truth truth = negation();
    while (word("and")) {
      const Truth next = negation();
      if (truth == Truth::no || next == Truth::no) {
        truth = Truth::no;
      } else if (next == Truth::unknown) {
        truth = Truth::unknown;
      }
    }
    return truth;
  }

  Truth negation() {
    bool is_negated = false;
    while (word("not")) is_negated = !is_negated;
    const Truth truth = comparison();
    return is_negated ? opposite(truth) : truth;
  }

  Truth comparison() {
    if (auto inner = parenthesized()) return *inner;
    const Value left = operand();
    const std::string_view op = comparator();
    if (op.empty()) return truth_of(left);
    const Value right = operand();
    const bool is_chain = !comparator().empty();
    if (is_chain) failed_ = true;
    return compare(left, op, right);
  }

  /// A condition in parentheses; nothing, and nothing consumed, where they hold a tuple or a part
  /// of something larger.
  std::optional<Truth> parenthesized() {
    skip_space();
    if (!rest_.starts_with('(') || depth_ >= deepest) return std::nullopt;
    const auto inside = bracketed();
    if (!inside) return std::nullopt;
    const std::string_view before = rest_;
    rest_.remove_prefix(inside->size() + 2);
    skip_space();
    const bool stands_alone = rest_.empty() || rest_.starts_with("and") || rest_.starts_with("or");
    if (stands_alone && !has_comma(*inside)) {
      Condition inner(*inside, version_);
      inner.depth_ = depth_ + 1;
      return inner.judge();
    }
    rest_ = before;
    return std::nullopt;
  }

  Value operand() {
    skip_space();
    if (rest_.empty()) return fail();
    const char first = rest_.front();
    if (first == '(' || first == '[' || first == '{') return sequence();
    if (first == '"' || first == '\'') return literal();
    if (is_digit(first)) return number_literal();
    return named();
  }

  Value fail() {
    failed_ = true;
    return {};
  }

  Value number_literal() {
    std::size_t size = 0;
    while (size < rest_.size() && is_alphanumeric(rest_[size])) ++size;
    const auto value = parse_decimal(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return value ? number(*value) : Value();
  }

  Value literal() {
    const char quote = rest_.front();
    const auto end = rest_.find(quote, 1);
    if (end == std::string_view::npos) return fail();
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (inside.contains('\\') || rest_.starts_with(quote)) return fail();
    return text(std::string(inside));
  }

  /// A tuple, list or set of numbers or of texts; unknown with anything else in it.
  Value sequence() {
    const auto inside = bracketed();
    if (!inside) return fail();
    rest_.remove_prefix(inside->size() + 2);
    if (depth_ >= deepest) return {};
    Value all{.kind = ValueKind::texts};
    for (const std::string_view part : split(*inside, ',')) {
      if (trim(part).empty()) continue;
      Condition element(part, version_);
      element.depth_ = depth_ + 1;
      const Value value = element.operand();
      if (element.failed_ || !trim(element.rest_).empty()) return {};
      if (value.kind != ValueKind::number && value.kind != ValueKind::text) return {};
      if (value.kind == ValueKind::number) all.numbers.push_back(value.numbers.front());
      if (value.kind == ValueKind::text) all.texts.push_back(value.texts.front());
    }
    if (!all.numbers.empty() && !all.texts.empty()) return {};
    if (!all.numbers.empty()) all.kind = ValueKind::numbers;
    return all;
  }

  /// A name with its attributes, calls and subscripts.
  Value named() {
    std::string name;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '(' || c == '[') {
        const auto inside = bracketed();
        if (!inside) return fail();
        name += without_spaces(rest_.substr(0, inside->size() + 2));
        rest_.remove_prefix(inside->size() + 2);
      } else if (is_alphanumeric(c) || c == '_' || c == '.' ||
                 static_cast<unsigned char>(c) > 127) {
        name += c;
        rest_.remove_prefix(1);
      } else {
        break;
      }
    }
    if (name.empty()) return fail();
    return with_start(name);
  }

  Value with_start(const std::string& name) const {
    constexpr std::string_view start = "sys.platform.startswith(";
    if (!name.starts_with(start)) return value_of(name, version_);
    Condition argument(std::string_view(name).substr(start.size()), version_);
    const Value prefix = argument.operand();
    if (prefix.kind == ValueKind::unknown || argument.rest_ != ")") return {};
    return boolean(std::ranges::any_of(prefix.texts, [](const std::string& each) {
      return std::string_view("linux").starts_with(each);
    }));
  }

  static std::string without_spaces(std::string_view part) {
    return replace_all(replace_all(part, " ", ""), "\n", "");
  }

  /// What lies between the bracket at the front and the one that closes it.
  [[nodiscard]] std::optional<std::string_view> bracketed() const {
    int open = 0;
    char quote = 0;
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const char c = rest_[i];
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(' || c == '[' || c == '{') {
        ++open;
      } else if ((c == ')' || c == ']' || c == '}') && --open == 0) {
        return rest_.substr(1, i - 1);
      }
    }
    return std::nullopt;
  }

  /// A comma that is in no further bracket; one in a text counts, which makes it unknown.
  static bool has_comma(std::string_view inside) {
    int open = 0;
    for (const char c : inside) {
      if (c == '(' || c == '[' || c == '{') ++open;
      if (c == ')' || c == ']' || c == '}') --open;
      if (c == ',' && open == 0) return true;
    }
    return false;
  }

  std::string_view comparator() {
    skip_space();
    static constexpr auto signs =
        std::to_array<std::string_view>({"==", "!=", "<=", ">=", "<", ">"});
    for (const auto sign : signs) {
      if (!rest_.starts_with(sign)) continue;
      rest_.remove_prefix(sign.size());
      return sign;
    }
    if (word("in")) return "in";
    const std::string_view before = rest_;
    if (word("not") && word("in")) return "not in";
    rest_ = before;
    return {};
  }

  bool word(std::string_view expected) {
    skip_space();
    if (!rest_.starts_with(expected)) return false;
    if (rest_.size() > expected.size()) {
      const char next = rest_[expected.size()];
      if (is_alphanumeric(next) || next == '_' || next == '.') return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
  }

  void skip_space() {
    while (!rest_.empty() && std::string_view(" \t\r\n\f\\").contains(rest_.front())) {
      rest_.remove_prefix(1);
    }
  }

  std::string_view rest_;
  PythonVersion version_;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

Truth judge_condition(std::string_view expression, PythonVersion version) {
  if (expression.size() > longest_condition) return Truth::unknown;
  return Condition(expression, version).judge();
}

}  // namespace whyso::process
