// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/file_pattern.h"

#include <algorithm>
#include <optional>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

constexpr std::size_t most_files = 400;

/// "[0-9]" at the start of the pattern: does it take `c`? Sets how long it is; 0: it is none.
bool takes_class(std::string_view pattern, char c, std::size_t& length) {
  const std::size_t end = pattern.find(']', 2);
  length = end == std::string_view::npos ? 0 : end + 1;
  if (length == 0) return false;
  std::string_view inside = pattern.substr(1, end - 1);
  const bool is_negated = inside.starts_with('!');
  if (is_negated) inside.remove_prefix(1);
  bool takes = false;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool is_range = i + 2 < inside.size() && inside[i + 1] == '-';
    takes |= is_range ? inside[i] <= c && c <= inside[i + 2] : inside[i] == c;
    if (is_range) i += 2;
  }
  return takes != is_negated;
}

/// How much of the pattern takes one character; nothing where it does not.
std::optional<std::size_t> take_one(std::string_view pattern, char c) {
  if (pattern.empty()) return std::nullopt;
  if (pattern[0] == '?') return 1;
  if (pattern[0] == '[') {
    std::size_t length = 0;
    const bool takes = takes_class(pattern, c, length);
    if (length > 0) return takes ? std::optional(length) : std::nullopt;
  }
  return pattern[0] == c ? std::optional<std::size_t>(1) : std::nullopt;
}

bool has_wildcard(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

}  // namespace

bool fits(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::optional<std::size_t> star;  // behind the last one, and where it began to take
  std::size_t star_at = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = ++in_pattern;
      star_at = at;
      continue;
    }
    const auto taken = take_one(pattern.substr(in_pattern), text[at]);
    if (taken) {
      in_pattern += *taken;
      ++at;
    } else if (star) {
      in_pattern = *star;
      at = ++star_at;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

std::vector<std::string> files_fitting(ModuleSearch& search, std::string_view pattern) {
  std::vector<Path> found = {Path()};
  if (!pattern.starts_with('/')) return {};
  for (const auto component : split(pattern, '/')) {
    if (component.empty()) continue;
    std::vector<Path> next;
    for (const auto& folder : found) {
      for (const auto& entry : search.entries_of(folder)) {
        const bool is_it = has_wildcard(component)
                               ? fits(entry.name, component) && entry.name[0] != '.'
                               : entry.name == component;
        if (is_it && next.size() < most_files) next.push_back(folder / entry.name);
      }
    }
    found = std::move(next);
  }
  std::vector<std::string> paths;
  for (const auto& path : found) paths.push_back(path.text());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace whyso::process
