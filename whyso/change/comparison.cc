// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/comparison.h"

#include <algorithm>
#include <utility>

namespace whyso::change {
namespace {

/// The same steps as those that made `before`; no bytes are compared: those that stay did not
/// change.
std::unique_ptr<check::World> build_after(const check::World& before, const tree::FileTree& tree) {
  auto world = check::begin_world({.tree = &tree,
                                   .environment = environment::read_environment(
                                       tree, before.environment.place, before.variables),
                                   .variables = before.variables,
                                   .knowledge = before.knowledge,
                                   .habits = before.habits});
  check::add_natives(*world);
  check::add_loads(*world);
  return world;
}

}  // namespace

Comparison::Comparison(const check::World& world, Removal taken)
    : before(world), removal(std::move(taken)), tree(*world.tree, removal.paths()) {
  for (const auto& each : removal.removed) {
    gone.insert(each.taken.files.begin(), each.taken.files.end());
    removed.push_back(each.distribution);
  }
  const auto& distributions = before.environment.distributions;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto id = distributions.id(i);
    if (std::ranges::find(removed, id) == removed.end()) staying.push_back(id);
  }
  after = build_after(before, tree);
}

DistributionIds Comparison::owners_of(const Path& path, bool that_go) const {
  const auto& ownership = before.environment.ownership;
  const auto* file = ownership.find(path);
  if (file == nullptr) return {};
  DistributionIds owners = ownership.owners(*file);
  std::erase_if(owners, [&](auto id) {
    return (std::ranges::find(removed, id) != removed.end()) != that_go;
  });
  return owners;
}

DistributionIds Comparison::survivors_of(const Path& path) const { return owners_of(path, false); }

DistributionIds Comparison::removers_of(const Path& path) const { return owners_of(path, true); }

std::vector<std::string> Comparison::staying_names() const {
  std::vector<std::string> names;
  for (const auto id : staying) {
    for (const auto& name : before.imports->names_of(id)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

}  // namespace whyso::change
