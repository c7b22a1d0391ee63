// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/entry_points.h"

#include <optional>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

/// "MODULE[:OBJECT] [\[EXTRAS\]]"
bool read_value(std::string_view value, EntryPoint& entry) {
  if (value.ends_with(']')) {
    const auto open = value.find('[');
    if (open == std::string_view::npos) return false;
    entry.extras = trim(value.substr(open + 1, value.size() - open - 2));
    value = trim(value.substr(0, open));
  }
  const auto colon = value.find(':');
  entry.module = trim(value.substr(0, colon));
  if (colon != std::string_view::npos) entry.object = trim(value.substr(colon + 1));
  return !entry.module.empty();
}

std::optional<EntryPoint> read_entry(std::string_view group, std::string_view line) {
  const auto equals = line.find('=');
  if (group.empty() || equals == std::string_view::npos) return std::nullopt;
  EntryPoint entry;
  entry.group = group;
  entry.name = trim(line.substr(0, equals));
  if (entry.name.empty() || !read_value(trim(line.substr(equals + 1)), entry)) return std::nullopt;
  return entry;
}

}  // namespace

std::vector<EntryPoint> read_entry_points(std::string_view text) {
  std::vector<EntryPoint> entries;
  std::string_view group;
  for (std::string_view line : lines_of(text)) {
    line = trim(line);
    if (line.starts_with('#') || line.starts_with(';')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      group = line.substr(1, line.size() - 2);
      continue;
    }
    if (const auto entry = read_entry(group, line)) entries.push_back(*entry);
  }
  return entries;
}

}  // namespace whyso::python
