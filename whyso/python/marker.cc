// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/marker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/name.h"
#include "whyso/python/specifier.h"
#include "whyso/python/text_cursor.h"

namespace whyso::python {
namespace {

constexpr int deepest = 100;

struct Variable {
  std::string_view name;
  std::string MarkerEnvironment::* value;  // null for the sets
  bool is_version = false;
};

constexpr std::array variables = {
    Variable{"os_name", &MarkerEnvironment::os_name},
    Variable{"sys_platform", &MarkerEnvironment::sys_platform},
    Variable{"platform_machine", &MarkerEnvironment::platform_machine},
    Variable{"platform_python_implementation", &MarkerEnvironment::platform_python_implementation},
    Variable{"python_implementation", &MarkerEnvironment::platform_python_implementation},
    Variable{"platform_release", &MarkerEnvironment::platform_release, true},
    Variable{"platform_system", &MarkerEnvironment::platform_system},
    Variable{"platform_version", &MarkerEnvironment::platform_version},
    Variable{"python_version", &MarkerEnvironment::python_version, true},
    Variable{"python_full_version", &MarkerEnvironment::python_full_version, true},
    Variable{"implementation_name", &MarkerEnvironment::implementation_name},
    Variable{"implementation_version", &MarkerEnvironment::implementation_version, true},
    Variable{"extra", nullptr},
    Variable{"extras", nullptr},
    Variable{"dependency_groups", nullptr}};

/// Those that may be written with a '.', as Python writes them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> dotted = {
    {{"os.name", "os_name"},
     {"sys.platform", "sys_platform"},
     {"platform.version", "platform_version"},
     {"platform.machine", "platform_machine"},
     {"platform.python_implementation", "platform_python_implementation"}}};

constexpr std::array<std::string_view, 8> comparisons = {
    "===", "==", "~=", "!=", "<=", ">=", "<", ">"};

const Variable* find_variable(std::string_view name) {
  const auto* found = std::ranges::find(variables, name, &Variable::name);
  return found == variables.end() ? nullptr : found;
}

bool is_word_character(char c) { return is_alphanumeric(c) || c == '_'; }

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  if (name.empty()) return names.empty();
  return std::ranges::any_of(names, [&](const auto& one) { return is_same_name(one, name); });
}

std::optional<bool> compare_texts(std::string_view left, std::string_view operation,
                                  std::string_view right) {
  if (operation == "in") return right.contains(left);
  if (operation == "not in") return !right.contains(left);
  if (operation == "==" || operation == "<=" || operation == ">=") return left == right;
  if (operation == "!=") return left != right;
  if (operation == "<" || operation == ">") return false;
  return std::nullopt;
}

std::optional<bool> compare_values(std::string_view left, std::string_view operation,
                                   std::string_view right, bool is_version) {
  if (!is_version) return compare_texts(left, operation, right);
  const auto specifier = Specifier::parse(std::string(operation) + std::string(right));
  if (!specifier) return compare_texts(left, operation, right);
  return specifier->contains(Version::parse(left));
}

std::optional<bool> compare_set(const std::vector<std::string>& names, std::string_view operation,
                                std::string_view literal) {
  if (operation == "==" || operation == "in") return is_among(names, literal);
  if (operation == "!=" || operation == "not in") return !is_among(names, literal);
  return std::nullopt;
}

}  // namespace

/// Recursive descent over the grammar of PEP 508.
class MarkerParser {
 public:
  explicit MarkerParser(std::string_view text) : text_(text), cursor_(text) {}

  Result<Marker> parse() {
    Marker marker = TRY(parse_any(0));
    if (!cursor_.at_end()) return fail("something follows the marker");
    return marker;
  }

 private:
  using Parse = Result<Marker> (MarkerParser::*)(int);

  Result<Marker> parse_any(int depth) {
    return parse_list(depth, "or", Marker::Kind::any_of, &MarkerParser::parse_all);
  }

  Result<Marker> parse_all(int depth) {
    return parse_list(depth, "and", Marker::Kind::all_of, &MarkerParser::parse_atom);
  }

  Result<Marker> parse_list(int depth, std::string_view word, Marker::Kind kind, Parse parse_part) {
    std::vector<Marker> parts;
    do {
      parts.push_back(TRY((this->*parse_part)(depth)));
    } while (take_word(word));
    if (parts.size() == 1) return std::move(parts.front());
    Marker marker;
    marker.kind_ = kind;
    marker.parts_ = std::move(parts);
    return marker;
  }

  Result<Marker> parse_atom(int depth) {
    cursor_.skip_blanks();
    if (!cursor_.take("(")) return parse_comparison();
    if (depth == deepest) return fail("nested too deep");
    Marker marker = TRY(parse_any(depth + 1));
    if (!cursor_.take(")")) return fail("a parenthesis is not closed");
    cursor_.skip_blanks();
    return marker;
  }

  Result<Marker> parse_comparison() {
    Marker marker;
    marker.left_ = TRY(parse_operand());
    marker.operator_ = TRY(parse_operator());
    marker.right_ = TRY(parse_operand());
    if (!marker.left_.is_variable && !marker.right_.is_variable) {
      return fail("two texts are compared");
    }
    return marker;
  }

  Result<Marker::Operand> parse_operand() {
    cursor_.skip_blanks();
    Marker::Operand operand;
    const char quote = cursor_.peek();
    if (quote == '"' || quote == '\'') {
      cursor_.take_one([](char) { return true; });
      operand.text = cursor_.take_while([&](char c) { return c != quote; });
      if (!cursor_.take(std::string_view(&quote, 1))) return fail("a quote is not closed");
    } else {
      operand.is_variable = true;
      operand.text =
          canonical(cursor_.take_while([](char c) { return is_word_character(c) || c == '.'; }));
      if (find_variable(operand.text) == nullptr) return fail("a variable or text is expected");
    }
    cursor_.skip_blanks();
    return operand;
  }

  static std::string_view canonical(std::string_view word) {
    const auto* found = std::ranges::find(dotted, word, &decltype(dotted)::value_type::first);
    return found == dotted.end() ? word : found->second;
  }

  Result<std::string> parse_operator() {
    for (const std::string_view comparison : comparisons) {
      if (cursor_.take(comparison)) return std::string(comparison);
    }
    if (take_word("in")) return std::string("in");
    if (take_word("not") && take_word("in")) return std::string("not in");
    return fail("an operator is expected");
  }

  /// `word` if no longer word begins here, with the blanks behind it.
  bool take_word(std::string_view word) {
    TextCursor next = cursor_;
    if (next.take_while(is_word_character) != word) return false;
    next.skip_blanks();
    cursor_ = next;
    return true;
  }

  std::unexpected<Error> fail(std::string_view what) const {
    return failure(ErrorKind::malformed, "",
                   "marker `" + std::string(text_) + "`, column " +
                       std::to_string(cursor_.position() + 1) + ": " + std::string(what));
  }

  std::string_view text_;
  TextCursor cursor_;
};

MarkerEnvironment linux_environment(std::string_view python_full_version,
                                    std::string_view machine) {
  const std::string full(python_full_version);
  const auto minor_end = full.find('.', full.find('.') + 1);
  return {.os_name = "posix",
          .sys_platform = "linux",
          .platform_machine = std::string(machine),
          .platform_python_implementation = "CPython",
          .platform_release = "",
          .platform_system = "Linux",
          .platform_version = "",
          .python_version = full.substr(0, minor_end),
          .python_full_version = full,
          .implementation_name = "cpython",
          .implementation_version = full,
          .extras = {}};
}

Result<Marker> Marker::parse(std::string_view text) { return MarkerParser(text).parse(); }

std::optional<bool> Marker::evaluate(const MarkerEnvironment& environment) const {
  return kind_ == Kind::comparison ? compare(environment) : combine(environment);
}

std::optional<bool> Marker::compare(const MarkerEnvironment& environment) const {
  const Variable* variable = find_variable(left_.is_variable ? left_.text : right_.text);
  if (variable->value == nullptr) {
    const std::vector<std::string> none;
    const bool are_extras = variable->name != "dependency_groups";
    return compare_set(are_extras ? environment.extras : none, operator_,
                       left_.is_variable ? right_.text : left_.text);
  }
  const auto value = [&](const Operand& operand) -> std::string_view {
    const Variable* known = operand.is_variable ? find_variable(operand.text) : nullptr;
    if (known == nullptr || known->value == nullptr) return operand.text;
    return environment.*(known->value);
  };
  return compare_values(value(left_), operator_, value(right_), variable->is_version);
}

std::optional<bool> Marker::combine(const MarkerEnvironment& environment) const {
  const bool decisive = kind_ == Kind::any_of;
  std::optional<bool> result = !decisive;
  for (const Marker& part : parts_) {
    const std::optional<bool> value = part.evaluate(environment);
    if (value == decisive) return decisive;
    if (!value) result = std::nullopt;
  }
  return result;
}

bool Marker::asks_for_extra() const {
  const auto is_extra = [](const Operand& operand) {
    return operand.is_variable && operand.text.starts_with("extra");
  };
  return is_extra(left_) || is_extra(right_) ||
         std::ranges::any_of(parts_, &Marker::asks_for_extra);
}

}  // namespace whyso::python
