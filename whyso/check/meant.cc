// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/meant.h"

#include <algorithm>
#include <set>

#include "whyso/check/listed.h"
#include "whyso/check/native.h"

namespace whyso::check {
namespace {

constexpr std::size_t most_names = 3;

/// Is the file that folder's or module's, "PIL" of "PIL/_imaging.abi3.so"?
bool is_of_top_level(std::string_view written, std::string_view module) {
  if (!written.starts_with(module) || written.size() == module.size()) return false;
  const char next = written[module.size()];
  return next == '/' || next == '.';
}

/// Wheels that bundle a library put a hash behind its stem.
bool has_stem(std::string_view name, std::string_view stem) {
  const std::string_view own = library_stem(name);
  return own.starts_with(stem) && (own.size() == stem.size() || own[stem.size()] == '-');
}

}  // namespace

std::vector<std::string> packages_imported_as(const World& world, std::string_view module) {
  std::vector<std::string> packages;
  for (const auto& distribution : world.environment.distributions) {
    const auto* files = distribution.files.find();
    if (files == nullptr || module.empty() || packages.size() == most_names) continue;
    const bool has_it = std::ranges::any_of(files->rows(), [&](const auto& row) {
      return is_payload(row.path) && is_of_top_level(row.path, module);
    });
    if (has_it) packages.push_back(distribution.name);
  }
  return packages;
}

std::vector<std::string> libraries_of_stem(const World& world, std::string_view stem) {
  std::set<std::string> names;
  if (stem.empty()) return {};
  for (const auto& file : world.environment.ownership.files()) {
    const std::string_view name = file.relative.substr(file.relative.rfind('/') + 1);
    if (is_library_name(name) && has_stem(name, stem)) names.emplace(name);
  }
  std::vector<std::string> first(names.begin(), names.end());
  first.resize(std::min(first.size(), most_names));
  return first;
}

}  // namespace whyso::check
