// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/environment_path.h"

#include <optional>
#include <string_view>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

using environment::SiteKind;

std::optional<PythonVersion> parse_version(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.size() < 2) return std::nullopt;
  const auto major = parse_decimal(parts[0]);
  const auto minor = parse_decimal(parts[1]);
  if (!major || !minor || *major > 99 || *minor > 999) return std::nullopt;
  return PythonVersion{static_cast<int>(*major), static_cast<int>(*minor)};
}

PythonVersion version_of(const environment::Interpreter& interpreter) {
  if (const auto exact = parse_version(interpreter.version)) return *exact;
  if (!interpreter.library) return {};
  return parse_version(interpreter.library->version).value_or(PythonVersion());
}

bool is_module_file(std::string_view name) {
  return name.ends_with(".py") || name.ends_with(".so") || name.ends_with(".pyc");
}

}  // namespace

SearchPath search_path_of(const environment::Environment& environment) {
  SearchPath path{.version = version_of(environment.interpreter),
                  .extension_suffixes = environment.interpreter.extension_suffixes};
  for (const auto& directory : environment.search_path.directories) {
    if (!directory.exists) continue;
    path.folders.push_back(directory.real);
    path.spelled_folders.push_back(directory.path);
    const bool is_standard =
        directory.kind == SiteKind::standard_library || directory.kind == SiteKind::lib_dynload;
    if (is_standard) path.standard_folders.push_back(directory.real);
  }
  for (const auto& line : environment.search_path.executed) path.startup_code.push_back(line.text);
  for (const auto& file : environment.ownership.files()) {
    if (file.state != environment::FileState::absent || !is_module_file(file.relative)) continue;
    path.missing_files.push_back(environment.ownership.path(file));
  }
  return path;
}

}  // namespace whyso::process
