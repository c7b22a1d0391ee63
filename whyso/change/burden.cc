// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/burden.h"

#include <algorithm>
#include <map>
#include <set>

#include "whyso/change/lost_library.h"

namespace whyso::change {
namespace {

using environment::Distribution;
using process::Certainty;

/// Imports that come to a file of each distribution, and how surely at best.
using Reached = std::map<Id<Distribution>, std::map<std::string, Certainty>>;

bool is_of_survivors(const Comparison& comparison, const GoingModules& going) {
  return std::ranges::any_of(going.files, [&](const auto& module) {
    return !comparison.survivors_of(module.second).empty();
  });
}

/// An empty `__init__.py` that others list, too, is no load of the package.
bool counts(const Comparison& comparison, const Path& file) {
  if (!comparison.gone.contains(file)) return false;
  return comparison.survivors_of(file).empty() || !is_blank_source(comparison.before, file);
}

/// By sources alone. Without a source that names a package none of its modules is come to.
Reached reached_by_sources(const Comparison& comparison, const GoingModules& going) {
  Reached reached;
  if (going.mentions.empty() && !is_of_survivors(comparison, going)) return reached;
  for (const auto& name : comparison.staying_names()) {
    for (const auto& module : comparison.before.imports->graph().reach(name).modules) {
      if (!module.found.file || !counts(comparison, *module.found.file)) continue;
      for (const auto id : comparison.removers_of(*module.found.file)) {
        const auto [known, is_new] = reached[id].try_emplace(name, module.certainty);
        if (!is_new) known->second = std::min(known->second, module.certainty);
      }
    }
  }
  return reached;
}

/// Imports that come to one of the modules; where none does, the modules themselves.
std::vector<std::string> imports_of(const Comparison& comparison,
                                    const std::set<std::string>& modules) {
  std::vector<std::string> names;
  for (const auto& reaching :
       names_that_reach(comparison.before, comparison.staying_names(), modules)) {
    names.push_back(reaching.name);
  }
  if (names.empty()) names.assign(modules.begin(), modules.end());
  return names;
}

void add_reached(const std::map<std::string, Certainty>& reached, Bearing& bearing) {
  std::vector<std::string> maybe;
  for (const auto& [name, certainty] : reached) {
    auto& list = certainty == Certainty::conditional ? maybe : bearing.loaded_by;
    if (std::ranges::find(list, name) == list.end()) list.push_back(name);
  }
  if (!bearing.loaded_by.empty()) {
    bearing.burden = Burden::load_bearing;
  } else if (!maybe.empty()) {
    bearing = {Burden::optional, std::move(maybe)};
  }
}

/// Imports that load one of its libraries in whatever way.
void add_touched(const Comparison& comparison, const std::vector<TouchedImport>& touched,
                 Id<Distribution> id, Bearing& bearing) {
  for (const auto& import : touched) {
    const bool loads_one = std::ranges::any_of(import.files, [&](const Path& path) {
      const auto removers = comparison.removers_of(path);
      return std::ranges::find(removers, id) != removers.end();
    });
    auto& names = bearing.loaded_by;
    if (loads_one && std::ranges::find(names, import.name) == names.end()) {
      names.push_back(import.name);
    }
  }
}

/// Modules that no import of a top-level one comes to, and that themselves import one that goes.
void add_importers(const Comparison& comparison, const GoingModules& going,
                   const ModuleLosses& losses, Id<Distribution> id, Bearing& bearing) {
  if (bearing.burden != Burden::inert && bearing.burden != Burden::not_known) return;
  for (const auto& importer : losses.importers) {
    const auto removers = comparison.removers_of(going.files.at(importer.module));
    if (std::ranges::find(removers, id) == removers.end()) continue;
    bearing.burden = Burden::optional;
    bearing.loaded_by.push_back(importer.name);
  }
}

}  // namespace

std::vector<Bearing> find_bearings(const Comparison& comparison, const GoingModules& going,
                                   const ModuleLosses& losses,
                                   const std::vector<TouchedImport>& touched) {
  const Reached reached = reached_by_sources(comparison, going);
  const bool is_known = comparison.before.loading_problem.empty();
  std::vector<Bearing> bearings;
  for (const auto id : comparison.removed) {
    Bearing bearing{.burden = is_known ? Burden::inert : Burden::not_known};
    const auto modules = modules_that_map(comparison, id);
    if (!modules.empty()) bearing.loaded_by = imports_of(comparison, modules);
    add_touched(comparison, touched, id, bearing);
    const auto found = reached.find(id);
    add_reached(found == reached.end() ? std::map<std::string, Certainty>() : found->second,
                bearing);
    add_importers(comparison, going, losses, id, bearing);
    bearings.push_back(std::move(bearing));
  }
  return bearings;
}

}  // namespace whyso::change
