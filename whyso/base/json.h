// SPDX-License-Identifier: Apache-2.0
// JSON as plain values: read from text, and written with sorted keys, so that equal values are
// equal bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "whyso/base/result.h"

namespace whyso::json {

class Value;
using Array = std::vector<Value>;
using Object = std::map<std::string, Value, std::less<>>;

/// One JSON value. The TOML reader makes the same values (dates become text).
class Value {
 public:
  Value() = default;
  Value(std::nullptr_t) {}                          // NOLINT(google-explicit-constructor)
  Value(bool value) : data_(value) {}               // NOLINT(google-explicit-constructor)
  Value(std::int64_t value) : data_(value) {}       // NOLINT(google-explicit-constructor)
  Value(int value) : data_(std::int64_t{value}) {}  // NOLINT(google-explicit-constructor)
  Value(std::size_t value)
      : data_(static_cast<std::int64_t>(value)) {}       // NOLINT(google-explicit-constructor)
  Value(double value) : data_(value) {}                  // NOLINT(google-explicit-constructor)
  Value(std::string value) : data_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Value(std::string_view value)
      : data_(std::string(value)) {}                       // NOLINT(google-explicit-constructor)
  Value(const char* value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)
  Value(Array value) : data_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Value(Object value) : data_(std::move(value)) {}         // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(data_); }

  /// The value as that type, or null where it is of another.
  [[nodiscard]] const bool* find_bool() const { return std::get_if<bool>(&data_); }
  [[nodiscard]] const std::int64_t* find_integer() const {
    return std::get_if<std::int64_t>(&data_);
  }
  [[nodiscard]] const double* find_real() const { return std::get_if<double>(&data_); }
  [[nodiscard]] const std::string* find_text() const { return std::get_if<std::string>(&data_); }
  [[nodiscard]] const Array* find_array() const { return std::get_if<Array>(&data_); }
  [[nodiscard]] const Object* find_object() const { return std::get_if<Object>(&data_); }

  /// The member of an object, or null where this is no object or has no such member.
  [[nodiscard]] const Value* find(std::string_view key) const;

  bool operator==(const Value&) const = default;

 private:
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> data_;
};

/// `where` names the text in errors (malformed). Nesting deeper than 200 is refused.
[[nodiscard]] Result<Value> parse(std::string_view text, std::string_view where);

/// Two spaces of indentation and a final newline; strings that are no UTF-8 are made `printable`.
[[nodiscard]] std::string write(const Value& value);

/// On one line, without a newline.
[[nodiscard]] std::string write_compact(const Value& value);

}  // namespace whyso::json
