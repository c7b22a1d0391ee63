// SPDX-License-Identifier: Apache-2.0
// The one home of nlohmann-json, which only reads; writing is ours for the order of keys.
#include "whyso/base/json.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>

#include "whyso/base/text.h"

namespace whyso::json {
namespace {

constexpr std::size_t deepest = 200;

/// Builds Values from the parser's events; stops at too deep nesting.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override {
    return add(value <= INT64_MAX ? Value(static_cast<std::int64_t>(value))
                                  : Value(static_cast<double>(value)));
  }
  bool number_float(double value, const std::string& /*text*/) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*size*/) override { return open(Object()); }
  bool start_array(std::size_t /*size*/) override { return open(Array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& value) override {
    open_.back().key = std::move(value);
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) override {
    error = "not JSON at byte " + std::to_string(position);
    return false;
  }

  std::optional<Value> result;
  std::string error = "nested too deep";

 private:
  struct Level {
    std::variant<Array, Object> value;
    std::string key;
  };

  bool open(std::variant<Array, Object> value) {
    if (open_.size() >= deepest) return false;
    open_.push_back({std::move(value), {}});
    return true;
  }

  bool close() {
    Level level = std::move(open_.back());
    open_.pop_back();
    return std::visit([this](auto& value) { return add(Value(std::move(value))); }, level.value);
  }

  bool add(Value value) {
    if (open_.empty()) {
      result = std::move(value);
      return true;
    }
    Level& level = open_.back();
    if (auto* object = std::get_if<Object>(&level.value)) {
      object->insert_or_assign(level.key, std::move(value));
    } else {
      std::get<Array>(level.value).push_back(std::move(value));
    }
    return true;
  }

  std::vector<Level> open_;
};

struct Layout {
  std::string_view newline;
  std::string_view indentation;
  std::string_view colon;
};

void write_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : is_utf8(text) ? std::string(text) : printable(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      char escaped[7];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", byte);
      out += escaped;
    } else {
      out += c;
    }
  }
  out += '"';
}

void write_real(std::string& out, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", std::isfinite(value) ? value : 0.0);
  out += text;
}

void write_value(std::string& out, const Value& value, const Layout& layout, std::size_t depth);

void write_break(std::string& out, const Layout& layout, std::size_t depth) {
  out += layout.newline;
  for (std::size_t i = 0; i < depth; ++i) out += layout.indentation;
}

void write_array(std::string& out, const Array& array, const Layout& layout, std::size_t depth) {
  out += '[';
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (i > 0) out += ',';
    write_break(out, layout, depth + 1);
    write_value(out, array[i], layout, depth + 1);
  }
  if (!array.empty()) write_break(out, layout, depth);
  out += ']';
}

void write_object(std::string& out, const Object& object, const Layout& layout, std::size_t depth) {
  out += '{';
  bool first = true;
  for (const auto& [key, member] : object) {
    if (!first) out += ',';
    first = false;
    write_break(out, layout, depth + 1);
    write_text(out, key);
    out += layout.colon;
    write_value(out, member, layout, depth + 1);
  }
  if (!object.empty()) write_break(out, layout, depth);
  out += '}';
}

void write_value(std::string& out, const Value& value, const Layout& layout, std::size_t depth) {
  if (const auto* object = value.find_object()) return write_object(out, *object, layout, depth);
  if (const auto* array = value.find_array()) return write_array(out, *array, layout, depth);
  if (const auto* text = value.find_text()) return write_text(out, *text);
  if (const auto* real = value.find_real()) return write_real(out, *real);
  if (const auto* integer = value.find_integer()) {
    out += std::to_string(*integer);
    return;
  }
  const auto* boolean = value.find_bool();
  out += boolean == nullptr ? "null" : *boolean ? "true" : "false";
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  const auto* object = find_object();
  if (object == nullptr) return nullptr;
  const auto member = object->find(key);
  return member == object->end() ? nullptr : &member->second;
}

Result<Value> parse(std::string_view text, std::string_view where) {
  Builder builder;
  try {
    nlohmann::json::sax_parse(text, &builder);
  } catch (const nlohmann::json::exception& error) {
    return failure(ErrorKind::malformed, std::string(where), error.what());
  }
  if (builder.result) return *std::move(builder.result);
  return failure(ErrorKind::malformed, std::string(where), builder.error);
}

std::string write(const Value& value) {
  std::string out;
  write_value(out, value, {.newline = "\n", .indentation = "  ", .colon = ": "}, 0);
  return out += '\n';
}

std::string write_compact(const Value& value) {
  std::string out;
  write_value(out, value, {.newline = "", .indentation = "", .colon = ":"}, 0);
  return out;
}

}  // namespace whyso::json
