// SPDX-License-Identifier: Apache-2.0
// The one home of toml++.
#include "whyso/base/toml.h"

#include <sstream>

namespace {

/// Some of toml++'s assertions speak of its input.
struct BrokenAssumption {};

constexpr void require(bool condition) {
  if (!condition) throw BrokenAssumption();
}

}  // namespace

// Without its assertions the library would take for granted what hostile input does not keep.
#undef NDEBUG
#define TOML_ASSERT(expression) require(static_cast<bool>(expression))
#define TOML_ENABLE_FORMATTERS 1
#include <toml++/toml.h>

namespace whyso::toml {
namespace {

json::Value value_of(const ::toml::node& node);

json::Value table_of(const ::toml::table& table) {
  json::Object object;
  for (const auto& [key, member] : table) object.emplace(key.str(), value_of(member));
  return object;
}

json::Value array_of(const ::toml::array& array) {
  json::Array values;
  for (const auto& element : array) values.push_back(value_of(element));
  return values;
}

template <class T>
json::Value text_of_date(const T& date) {
  std::ostringstream text;
  text << date;
  return std::move(text).str();
}

json::Value value_of(const ::toml::node& node) {
  if (const auto* table = node.as_table()) return table_of(*table);
  if (const auto* array = node.as_array()) return array_of(*array);
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::int64_t{integer->get()};
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* date = node.as_date()) return text_of_date(date->get());
  if (const auto* time = node.as_time()) return text_of_date(time->get());
  if (const auto* moment = node.as_date_time()) return text_of_date(moment->get());
  return {};
}

}  // namespace

Result<json::Value> parse(std::string_view text, std::string_view where) {
  try {
    return table_of(::toml::parse(text));
  } catch (const ::toml::parse_error& error) {
    const auto begin = error.source().begin;
    return failure(
        ErrorKind::malformed,
        std::string(where) + ":" + std::to_string(begin.line) + ":" + std::to_string(begin.column),
        std::string(error.description()));
  } catch (const BrokenAssumption&) {
    return failure(ErrorKind::malformed, std::string(where), "cannot be read as TOML");
  }
}

}  // namespace whyso::toml
