// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/name.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"
#include "whyso/python/version.h"

namespace whyso::python {
namespace {

constexpr std::size_t longest_file_name = 255;

bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

/// Gives the characters of the normalised name one by one, 0 at the end.
class NormalizedCharacters {
 public:
  explicit NormalizedCharacters(std::string_view name) : rest_(name) {}

  char next() {
    if (rest_.empty()) return '\0';
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (!is_separator(c)) return lower(c);
    while (!rest_.empty() && is_separator(rest_.front())) rest_.remove_prefix(1);
    return '-';
  }

  [[nodiscard]] bool has_ended() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// Where the name ends: at the '-' behind which a valid version stands, else at the first.
std::size_t end_of_name(std::string_view stem) {
  const std::size_t first = stem.find('-');
  if (stem.size() > longest_file_name) return first;
  for (auto at = first; at != std::string_view::npos; at = stem.find('-', at + 1)) {
    if (Version::parse(stem.substr(at + 1)).is_valid()) return at;
  }
  return first;
}

/// Cuts "-pyX.Y" and a platform behind it off `stem`.
std::optional<std::string_view> take_python(std::string_view& stem) {
  for (auto at = stem.find("-py"); at != std::string_view::npos; at = stem.find("-py", at + 1)) {
    const std::string_view python = stem.substr(at + 3, stem.find('-', at + 3) - (at + 3));
    if (python.empty() || !is_digit(python.front())) continue;
    stem = stem.substr(0, at);
    return python;
  }
  return std::nullopt;
}

struct Suffix {
  std::string_view text;
  MetadataForm form;
};

constexpr std::array suffixes = {Suffix{".dist-info", MetadataForm::dist_info},
                                 Suffix{".egg-info", MetadataForm::egg_info},
                                 Suffix{".egg", MetadataForm::egg}};

}  // namespace

std::string normalized_name(std::string_view name) {
  std::string result;
  result.reserve(name.size());
  for (NormalizedCharacters characters(name); !characters.has_ended();) {
    result += characters.next();
  }
  return result;
}

bool is_valid_name(std::string_view name) {
  if (name.empty() || !is_alphanumeric(name.front()) || !is_alphanumeric(name.back())) return false;
  return std::ranges::all_of(name, [](char c) { return is_alphanumeric(c) || is_separator(c); });
}

bool is_same_name(std::string_view a, std::string_view b) {
  NormalizedCharacters left(a);
  NormalizedCharacters right(b);
  while (!left.has_ended() && !right.has_ended()) {
    if (left.next() != right.next()) return false;
  }
  return left.has_ended() && right.has_ended();
}

std::optional<MetadataFolderName> find_metadata_folder_name(std::string_view file_name) {
  const auto* suffix = std::ranges::find_if(
      suffixes, [&](const Suffix& one) { return file_name.ends_with(one.text); });
  if (suffix == suffixes.end()) return std::nullopt;
  std::string_view stem = file_name.substr(0, file_name.size() - suffix->text.size());
  MetadataFolderName result;
  result.form = suffix->form;
  if (suffix->form != MetadataForm::dist_info) result.python = take_python(stem);
  const std::size_t end = end_of_name(stem);
  result.name = stem.substr(0, end);
  if (end != std::string_view::npos) result.version = stem.substr(end + 1);
  if (!is_valid_name(result.name)) return std::nullopt;
  return result;
}

}  // namespace whyso::python
