// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/system_packages.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/python/dpkg_list.h"

namespace whyso::environment {
namespace {

using Asked = std::unordered_multimap<std::string_view, std::size_t>;

/// Folders that became links into /usr; packages may still list the old names.
std::string_view without_usr(std::string_view path) {
  for (std::string_view moved : {"/usr/lib", "/usr/bin", "/usr/sbin"}) {
    if (path.starts_with(moved)) return path.substr(4);
  }
  return {};
}

Asked asked_for(std::span<const Path> paths) {
  Asked asked;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string_view path = paths[i].text();
    asked.emplace(path, i);
    const std::string_view old = without_usr(path);
    if (!old.empty()) asked.emplace(old, i);
  }
  return asked;
}

std::vector<std::size_t> paths_in(std::string_view text, const Asked& asked) {
  std::vector<std::size_t> found;
  for (std::string_view path : python::read_dpkg_list(text)) {
    const auto [first, last] = asked.equal_range(path);
    for (auto at = first; at != last; ++at) found.push_back(at->second);
  }
  return found;
}

/// Versions by "NAME:ARCHITECTURE".
std::unordered_map<std::string, python::DpkgPackage> packages_of(std::string_view status) {
  std::unordered_map<std::string, python::DpkgPackage> packages;
  for (const python::DpkgPackage& package : python::read_dpkg_status(status)) {
    packages.emplace(std::string(package.name), package);
    packages.emplace(std::string(package.name) + ":" + std::string(package.architecture), package);
  }
  return packages;
}

SystemPackage package_of_list(
    std::string_view file_name,
    const std::unordered_map<std::string, python::DpkgPackage>& packages) {
  const auto name = python::find_dpkg_list_name(file_name);
  if (!name) return {};
  SystemPackage package{.name = std::string(name->package),
                        .architecture = std::string(name->architecture)};
  const std::string key =
      package.architecture.empty() ? package.name : package.name + ":" + package.architecture;
  const auto at = packages.find(key);
  if (at == packages.end()) return package;
  package.version = at->second.version;
  package.architecture = at->second.architecture;
  return package;
}

}  // namespace

std::string SystemPackage::title() const {
  return version.empty() ? "deb " + name : "deb " + name + " " + version;
}

Lookup<std::vector<std::vector<SystemPackage>>> find_system_packages(const tree::FileTree& tree,
                                                                     std::span<const Path> paths) {
  const Path database = Path() / "var" / "lib" / "dpkg";
  const auto entries = tree.list(database / "info", tree::ListDetail::kinds);
  if (entries.is_unreadable()) return entries.error();
  if (entries.is_absent()) return Absent();
  std::vector<std::string> lists;
  for (const tree::DirectoryEntry& entry : entries.value()) {
    if (python::find_dpkg_list_name(entry.name)) lists.push_back(entry.name);
  }
  const Asked asked = asked_for(paths);
  std::vector<std::vector<std::size_t>> matches(lists.size());
  for_each_index(lists.size(), [&](std::size_t i) {
    const auto content = tree.read(database / "info" / lists[i]);
    if (content.is_present()) matches[i] = paths_in(content.value().blob.text(), asked);
  });
  const auto status = tree.read(database / "status");
  const Blob text = status.is_present() ? status.value().blob : Blob();
  const auto packages = packages_of(text.text());
  std::vector<std::vector<SystemPackage>> owners(paths.size());
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const std::size_t path : matches[i]) {
      auto package = package_of_list(lists[i], packages);
      if (std::ranges::find(owners[path], package) == owners[path].end()) {
        owners[path].push_back(std::move(package));
      }
    }
  }
  return owners;
}

}  // namespace whyso::environment
