// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/search_below.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/environment/recognize.h"

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::FileKind;

struct Looked {
  Path folder;
  bool is_environment = false;
  std::vector<Path> below;
};

/// Folders that hold no environments but many files.
bool is_passed_over(const Path& folder) {
  static constexpr std::array<std::string_view, 6> names = {
      "__pycache__", "node_modules", ".git", "site-packages", "dist-packages", ".cache"};
  static constexpr std::array<std::string_view, 4> kernel = {"/proc", "/sys", "/dev", "/run"};
  return std::ranges::find(names, folder.name()) != names.end() ||
         std::ranges::find(kernel, folder.text()) != kernel.end();
}

Looked look(const tree::FileTree& tree, Path folder) {
  Looked looked{.folder = std::move(folder)};
  const auto entries = tree.list(looked.folder, tree::ListDetail::kinds);
  if (!entries.is_present()) return looked;
  bool is_candidate = false;
  bool has_linked_bin = false;
  for (const DirectoryEntry& entry : entries.value()) {
    is_candidate = is_candidate || entry.name == "pyvenv.cfg" || entry.name == "conda-meta" ||
                   entry.name == "bin";
    has_linked_bin =
        has_linked_bin || (entry.name == "bin" && entry.facts.kind == FileKind::symbolic_link);
    if (entry.facts.kind != FileKind::directory) continue;
    Path below = looked.folder / entry.name;
    if (!is_passed_over(below)) looked.below.push_back(std::move(below));
  }
  // A root folder whose bin is a link to usr/bin is no prefix: that is /usr.
  if (!is_candidate || has_linked_bin) return looked;
  tree::Resolver resolver(tree);
  looked.is_environment = recognize(resolver, looked.folder) == FolderKind::environment;
  return looked;
}

/// Other environments may lie inside: those of conda, and /usr/local in /usr.
std::vector<Path> inner_folders(const Looked& looked) {
  std::vector<Path> inner;
  for (const Path& below : looked.below) {
    if (below.name() == "envs" || below.name() == "local") inner.push_back(below);
  }
  return inner;
}

}  // namespace

FoundBelow search_below(const tree::FileTree& tree, const Path& folder,
                        const SearchLimits& limits) {
  FoundBelow found;
  std::vector<Path> level = {folder};
  std::size_t listed = 0;
  for (std::size_t depth = 0; depth <= limits.deepest && !level.empty(); ++depth) {
    const bool is_cut = listed + level.size() > limits.most_folders;
    if (is_cut) level.resize(limits.most_folders - listed);
    listed += level.size();
    std::vector<Looked> looked(level.size());
    for_each_index(level.size(), [&](std::size_t i) { looked[i] = look(tree, level[i]); });
    level.clear();
    for (Looked& one : looked) {
      if (one.is_environment) found.places.push_back({.prefix = one.folder});
      const auto next = one.is_environment ? inner_folders(one) : std::move(one.below);
      level.insert(level.end(), next.begin(), next.end());
    }
    if (is_cut || found.places.size() > limits.most_environments) {
      found.problems.push_back({ErrorKind::unsupported, folder.text(),
                                "too many folders: not all were searched for environments"});
      break;
    }
  }
  if (found.places.size() > limits.most_environments) {
    found.places.resize(limits.most_environments);
  }
  std::ranges::sort(found.places, {}, &EnvironmentPlace::prefix);
  return found;
}

}  // namespace whyso::environment
