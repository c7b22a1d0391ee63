// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/text_value.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

constexpr std::size_t most_texts = 48;
constexpr std::size_t longest_text = 4096;

/// Each of the left with each of the right.
template <class Combine>
TextValue combined(const TextValue& left, const TextValue& right, const Combine& combine) {
  TextValue result;
  for (const auto& a : left.texts) {
    for (const auto& b : right.texts) {
      if (result.texts.size() == most_texts) return result;
      PossibleText made = {combine(a.text, b.text), a.is_pattern || b.is_pattern,
                           a.is_guess || b.is_guess};
      if (made.text.size() <= longest_text) result.texts.push_back(std::move(made));
    }
  }
  return result;
}

template <class Change>
TextValue changed(TextValue value, const Change& change) {
  for (auto& each : value.texts) each.text = change(each.text);
  return value;
}

TextValue or_anything(const TextValue& value) {
  return value.is_known() ? value : TextValue{.texts = {{"*", true, true}}};
}

}  // namespace

void TextValue::add(const TextValue& other) {
  for (const auto& each : other.texts) {
    if (texts.size() == most_texts) return;
    if (std::ranges::find(texts, each) == texts.end()) texts.push_back(each);
  }
}

TextValue concatenated(const TextValue& left, const TextValue& right) {
  if (!left.is_known() && !right.is_known()) return {};
  return combined(or_anything(left), or_anything(right),
                  [](const std::string& a, const std::string& b) { return a + b; });
}

TextValue joined(const TextValue& left, const TextValue& right) {
  return combined(left, right, [](const std::string& a, const std::string& b) {
    if (b.starts_with('/') || a.empty()) return b;
    return a.ends_with('/') ? a + b : a + "/" + b;
  });
}

TextValue folder_of(const TextValue& path) {
  return changed(path, [](const std::string& text) {
    const auto slash = text.rfind('/');
    if (slash == std::string::npos) return std::string();
    return slash == 0 ? std::string("/") : text.substr(0, slash);
  });
}

TextValue name_of(const TextValue& path) {
  return changed(path, [](const std::string& text) { return text.substr(text.rfind('/') + 1); });
}

TextValue as_patterns(TextValue value) {
  for (auto& each : value.texts) each.is_pattern = true;
  return value;
}

std::string normalized(std::string_view text) {
  if (!text.starts_with('/')) return std::string(text);
  std::vector<std::string_view> parts;
  for (const auto part : split(text, '/')) {
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string result;
  for (const auto part : parts) result += "/" + std::string(part);
  return result.empty() ? "/" : result;
}

}  // namespace whyso::process
