// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/egg_info.h"

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

std::string marker_of_section(std::string_view section) {
  const auto colon = section.find(':');
  const std::string extra(section.substr(0, colon));
  const std::string marker(colon == std::string_view::npos ? "" : section.substr(colon + 1));
  if (extra.empty()) return marker.empty() ? "" : "; " + marker;
  const std::string condition = "extra == \"" + extra + "\"";
  return marker.empty() ? "; " + condition : "; (" + marker + ") and " + condition;
}

std::vector<std::string_view> filled_lines(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  for (auto& line : lines) line = trim(line);
  std::erase_if(lines, [](std::string_view line) { return line.empty(); });
  return lines;
}

}  // namespace

std::vector<std::string_view> read_installed_files(std::string_view text) {
  std::vector<std::string_view> lines = lines_of(text);
  std::erase_if(lines, [](std::string_view line) { return line.empty(); });
  return lines;
}

std::vector<std::string_view> read_top_level(std::string_view text) { return filled_lines(text); }

std::vector<std::string> read_requires_txt(std::string_view text) {
  std::vector<std::string> requirements;
  std::string marker;
  for (const std::string_view line : filled_lines(text)) {
    if (line.starts_with('#')) continue;
    if (line.starts_with('[') && line.ends_with(']')) {
      marker = marker_of_section(line.substr(1, line.size() - 2));
      continue;
    }
    // Behind an address a ';' needs a space before it.
    const bool is_address = line.contains('@');
    requirements.push_back(std::string(line) + (is_address ? " " : "") + marker);
  }
  return requirements;
}

std::optional<EggLink> read_egg_link(std::string_view text) {
  const std::vector<std::string_view> lines = filled_lines(text);
  if (lines.empty()) return std::nullopt;
  return EggLink{.folder = lines[0], .setup = lines.size() > 1 ? lines[1] : std::string_view()};
}

}  // namespace whyso::python
