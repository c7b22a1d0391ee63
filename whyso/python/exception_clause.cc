// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/exception_clause.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

enum class Catches : std::uint8_t { no, perhaps, yes };

struct Caught {
  Catches import_error = Catches::no;
  Catches module_not_found = Catches::no;
  Catches os_error = Catches::no;
};

constexpr Caught everything{Catches::yes, Catches::yes, Catches::yes};
constexpr Caught anything{Catches::perhaps, Catches::perhaps, Catches::perhaps};

struct Known {
  std::string_view name;
  Caught caught;
};

constexpr std::array known = {
    Known{"BaseException", everything},
    Known{"Exception", everything},
    Known{"ImportError", {Catches::yes, Catches::yes, Catches::no}},
    Known{"ModuleNotFoundError", {Catches::no, Catches::yes, Catches::no}},
    Known{"OSError", {Catches::no, Catches::no, Catches::yes}},
    Known{"IOError", {Catches::no, Catches::no, Catches::yes}},
    Known{"EnvironmentError", {Catches::no, Catches::no, Catches::yes}}};

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper_letter(char c) { return c >= 'A' && c <= 'Z'; }

bool is_class_name(std::string_view name) {
  const auto first = name.find_first_not_of('_');
  return first != std::string_view::npos && is_upper_letter(name[first]) &&
         std::ranges::any_of(name, is_lower_letter);
}

Caught caught_by_name(std::string_view text) {
  const std::string_view name = trim(text.substr(text.rfind('.') + 1));
  const auto* found = std::ranges::find(known, name, &Known::name);
  if (found != known.end()) return found->caught;
  return is_class_name(name) ? Caught{} : anything;
}

/// Without "*", "as name", and the parentheses of a tuple.
std::string_view bare_list(std::string_view text) {
  text = trim(text);
  if (text.starts_with('*')) text = trim(text.substr(1));
  const auto as = text.rfind(" as ");
  if (as != std::string_view::npos) text = trim(text.substr(0, as));
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  return text;
}

Caught caught_by(std::string_view exceptions) {
  if (trim(exceptions).empty()) return everything;
  Caught all;
  for (const std::string_view name : split(bare_list(exceptions), ',')) {
    if (trim(name).empty()) continue;
    const Caught one = caught_by_name(name);
    all.import_error = std::max(all.import_error, one.import_error);
    all.module_not_found = std::max(all.module_not_found, one.module_not_found);
    all.os_error = std::max(all.os_error, one.os_error);
  }
  return all;
}

void apply(Outcome& outcome, Catches catches, bool ends_in_raise) {
  if (outcome == Outcome::swallowed || outcome == Outcome::raised_again) return;
  if (catches == Catches::perhaps) outcome = Outcome::unknown;
  if (catches == Catches::yes) outcome = ends_in_raise ? Outcome::raised_again : Outcome::swallowed;
}

}  // namespace

ImportHandlers with_clause(ImportHandlers handlers, std::string_view exceptions,
                           bool ends_in_raise) {
  const Caught caught = caught_by(exceptions);
  apply(handlers.import_error, caught.import_error, ends_in_raise);
  apply(handlers.module_not_found, caught.module_not_found, ends_in_raise);
  apply(handlers.os_error, caught.os_error, ends_in_raise);
  return handlers;
}

}  // namespace whyso::python
