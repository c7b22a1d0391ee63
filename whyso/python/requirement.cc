// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/requirement.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/text_cursor.h"

namespace whyso::python {
namespace {

bool is_name_character(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }

bool is_no_blank(char c) { return c != ' ' && c != '\t'; }

class RequirementParser {
 public:
  explicit RequirementParser(std::string_view text) : text_(text), cursor_(text) {}

  Result<Requirement> parse() {
    cursor_.skip_blanks();
    requirement_.name = TRY(parse_name());
    cursor_.skip_blanks();
    TRY_VOID(parse_extras());
    cursor_.skip_blanks();
    if (cursor_.take("@")) {
      TRY_VOID(parse_url());
    } else {
      TRY_VOID(parse_versions());
    }
    TRY_VOID(parse_marker());
    return std::move(requirement_);
  }

 private:
  Result<std::string> parse_name() {
    TextCursor next = cursor_;
    std::string_view name = next.take_while(is_name_character);
    while (!name.empty() && !is_alphanumeric(name.back())) name.remove_suffix(1);
    if (name.empty() || !is_alphanumeric(name.front())) return fail("a name is expected");
    cursor_.take(name);
    return std::string(name);
  }

  Result<void> parse_extras() {
    if (!cursor_.take("[")) return {};
    cursor_.skip_blanks();
    if (cursor_.take("]")) return {};
    while (true) {
      cursor_.skip_blanks();
      requirement_.extras.push_back(TRY(parse_name()));
      cursor_.skip_blanks();
      if (cursor_.take("]")) return {};
      if (!cursor_.take(",")) return fail("a comma or a bracket is expected");
    }
  }

  Result<void> parse_url() {
    cursor_.skip_blanks();
    requirement_.url = cursor_.take_while(is_no_blank);
    if (requirement_.url->empty()) return fail("an address is expected");
    return {};
  }

  Result<void> parse_versions() {
    const bool has_parenthesis = cursor_.take("(");
    const std::size_t begin = cursor_.position();
    const std::string_view clauses =
        cursor_.take_while([](char c) { return c != ';' && c != ')'; });
    if (has_parenthesis && !cursor_.take(")")) return fail("a parenthesis is not closed");
    if (!are_separated(clauses)) return fail("a version specifier is expected");
    auto versions = SpecifierSet::parse(clauses);
    if (!versions) {
      return failure(ErrorKind::malformed, "", place(begin) + versions.error().what);
    }
    requirement_.versions = *std::move(versions);
    return {};
  }

  /// An empty clause may stand at the end only.
  static bool are_separated(std::string_view clauses) {
    std::vector<std::string_view> parts = split(clauses, ',');
    if (parts.size() > 1 && trim(parts.back()).empty()) parts.pop_back();
    return trim(clauses).empty() ||
           std::ranges::none_of(parts, [](auto part) { return trim(part).empty(); });
  }

  Result<void> parse_marker() {
    cursor_.skip_blanks();
    if (cursor_.at_end()) return {};
    if (!cursor_.take(";")) return fail("a semicolon is expected");
    auto marker = Marker::parse(trim(cursor_.rest()));
    if (!marker) {
      return failure(ErrorKind::malformed, "", place(cursor_.position()) + marker.error().what);
    }
    requirement_.marker = *std::move(marker);
    return {};
  }

  [[nodiscard]] std::string place(std::size_t position) const {
    return "requirement `" + std::string(text_) + "`, column " + std::to_string(position + 1) +
           ": ";
  }

  [[nodiscard]] std::unexpected<Error> fail(std::string_view what) const {
    return failure(ErrorKind::malformed, "", place(cursor_.position()) + std::string(what));
  }

  std::string_view text_;
  TextCursor cursor_;
  Requirement requirement_;
};

}  // namespace

Result<Requirement> Requirement::parse(std::string_view text) {
  return RequirementParser(trim(text)).parse();
}

}  // namespace whyso::python
