// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/dpkg_list.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::python {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The value where `line` is a field of that name in any case.
std::optional<std::string_view> field_value(std::string_view line, std::string_view name) {
  if (line.size() <= name.size() || line[name.size()] != ':') return std::nullopt;
  const bool is_same = std::ranges::equal(line.substr(0, name.size()), name,
                                          [](char a, char b) { return lower(a) == lower(b); });
  if (!is_same) return std::nullopt;
  return trim(line.substr(name.size() + 1));
}

void read_field(std::string_view line, DpkgPackage& package) {
  if (const auto name = field_value(line, "Package")) package.name = *name;
  if (const auto version = field_value(line, "Version")) package.version = *version;
  if (const auto machine = field_value(line, "Architecture")) package.architecture = *machine;
  if (const auto status = field_value(line, "Status")) {
    package.is_installed = status->ends_with(" installed");
  }
}

}  // namespace

std::vector<std::string_view> read_dpkg_list(std::string_view text) {
  std::vector<std::string_view> paths;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with('/') && line != "/.") paths.push_back(line);
  }
  return paths;
}

std::optional<DpkgListName> find_dpkg_list_name(std::string_view file_name) {
  constexpr std::string_view suffix = ".list";
  if (!file_name.ends_with(suffix)) return std::nullopt;
  const std::string_view stem = file_name.substr(0, file_name.size() - suffix.size());
  const auto colon = stem.find(':');
  DpkgListName result;
  result.package = stem.substr(0, colon);
  if (colon != std::string_view::npos) result.architecture = stem.substr(colon + 1);
  if (result.package.empty()) return std::nullopt;
  return result;
}

std::vector<DpkgPackage> read_dpkg_status(std::string_view text) {
  std::vector<DpkgPackage> packages;
  DpkgPackage package;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!line.empty()) read_field(line, package);
    if (!line.empty() && !text.empty()) continue;
    if (!package.name.empty()) packages.push_back(package);
    package = {};
  }
  return packages;
}

}  // namespace whyso::python
