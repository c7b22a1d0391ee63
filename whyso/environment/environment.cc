// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/environment.h"

#include <utility>

#include "whyso/python/name.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

std::vector<InventoryRoot> roots_of(const tree::FileTree& tree, const SearchPath& search_path) {
  std::vector<InventoryRoot> roots;
  for (const SiteDirectory& directory : search_path.directories) {
    if (!directory.exists || !may_hold_distributions(directory.kind)) continue;
    const auto facts = tree.stat(directory.real);
    const bool is_folder = facts.is_present() && facts.value().kind == tree::FileKind::directory;
    if (is_folder) roots.push_back({directory.real, !is_site_folder(directory.kind)});
  }
  return roots;
}

void append(std::vector<Error>& all, const std::vector<Error>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::vector<Id<Distribution>> Environment::find_distributions(std::string_view name) const {
  std::vector<Id<Distribution>> found;
  const std::string normalized = python::normalized_name(name);
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto id = distributions.id(i);
    if (distributions[id].normalized == normalized) found.push_back(id);
  }
  return found;
}

Environment read_environment(const tree::FileTree& tree, const EnvironmentPlace& place,
                             const ProcessVariables& variables, const FileScope& scope) {
  Environment result{.place = place, .prefix = place.prefix, .scope = scope};
  result.interpreter = read_interpreter(tree, place);
  tree::Resolver resolver(tree);
  const tree::Walk walk = resolver.resolve(result.interpreter.prefix.text());
  result.prefix = walk.is_found() ? walk.real : result.interpreter.prefix;
  result.search_path = read_search_path(tree, result.interpreter, variables);
  result.inventory = Inventory::walk(tree, roots_of(tree, result.search_path), {}, scope);
  for (Distribution& distribution :
       read_distributions(tree, result.search_path, result.inventory, result.prefix, scope)) {
    append(result.problems, distribution.problems);
    result.distributions.add(std::move(distribution));
  }
  result.ownership = Ownership::claim(tree, result.distributions, result.inventory, result.prefix);
  append(result.problems, result.interpreter.problems);
  append(result.problems, result.search_path.problems);
  append(result.problems, result.inventory.problems());
  return result;
}

}  // namespace whyso::environment
