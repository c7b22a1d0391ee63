// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/imports.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/check/listed.h"
#include "whyso/process/environment_path.h"
#include "whyso/python/module_name.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using environment::Environment;

bool is_dotted_identifier(std::string_view name) {
  return !name.empty() && std::ranges::all_of(split(name, '.'), [](auto part) {
    return python::is_identifier(part);
  });
}

/// Those that lie in no other of the list: the packages of a namespace, the top-level ones.
std::vector<std::string> outermost(const std::set<std::string>& packages) {
  std::vector<std::string> names;
  for (const auto& name : packages) {
    if (names.empty() || !(name + ".").starts_with(names.back() + ".")) names.push_back(name);
  }
  return names;
}

/// Packages with an `__init__`, and modules beside no package.
std::vector<std::string> names_in(const Distribution& distribution) {
  std::set<std::string> packages;
  std::set<std::string> modules;
  const auto* files = distribution.files.find();
  if (files == nullptr) return {};
  for (const auto& row : files->rows()) {
    if (!is_payload(row.path)) continue;
    const std::string module = module_of_file(row.path);
    if (module.empty()) continue;
    const bool is_package = row.path.ends_with("/__init__.py");
    if (is_package) packages.insert(module);
    if (!is_package && !row.path.contains('/')) modules.insert(module);
  }
  packages.insert(modules.begin(), modules.end());
  return outermost(packages);
}

/// "PIL.Image": modules of packages that a user may import by themselves.
std::set<std::string> submodules_in(const Distribution& distribution) {
  constexpr std::size_t most = 400;
  std::set<std::string> names;
  const auto* files = distribution.files.find();
  if (files == nullptr) return names;
  for (const auto& row : files->rows()) {
    if (!is_payload(row.path) || names.size() == most) continue;
    std::string module = module_of_file(row.path);
    const bool is_one_level_down = std::ranges::count(module, '.') == 1;
    const bool is_public = !module.starts_with('_') && !module.contains("._");
    if (is_one_level_down && is_public) names.insert(std::move(module));
  }
  return names;
}

}  // namespace

std::string module_of_file(std::string_view written) {
  if (written.starts_with('/') || written.starts_with("..")) return {};
  const auto slash = written.rfind('/');
  const std::string_view file = written.substr(slash == std::string_view::npos ? 0 : slash + 1);
  const auto extension = python::find_extension_module(file);
  const auto source = python::find_source_module(file);
  if (!extension && !source) return {};
  std::string name;
  if (slash != std::string_view::npos) name = replace_all(written.substr(0, slash), "/", ".");
  const std::string_view last = source ? *source : extension->module;
  if (!name.empty() && last != "__init__") name += '.';
  if (last != "__init__") name += last;
  return is_dotted_identifier(name) ? name : std::string();
}

Imports::Imports(const tree::FileTree& tree, const Environment& environment)
    : environment_(&environment), graph_(tree, process::search_path_of(environment)) {}

const Requirements& Imports::requirements() {
  if (!requirements_) requirements_ = read_requirements(*environment_);
  return *requirements_;
}

const std::vector<std::string>& Imports::names_of(Id<Distribution> distribution) {
  auto [entry, is_new] = names_.try_emplace(distribution);
  if (is_new) entry->second = names_in(environment_->distributions[distribution]);
  return entry->second;
}

std::optional<BrokenImport> Imports::try_name(const std::string& name,
                                              const std::set<std::string>& modules) {
  if (modules.contains(name)) return BrokenImport{name, Breakage::certain, name, 1};
  const auto way = graph_.find_certain_way(
      name, [&](std::string_view module, const process::FoundModule& /*found*/) {
        return modules.contains(std::string(module));
      });
  if (way) return BrokenImport{name, Breakage::certain, way->back().name, way->size()};
  for (const auto& reached : graph_.reach(name).modules) {
    const bool counts = reached.certainty == process::Certainty::conditional;
    if (counts && modules.contains(reached.name)) {
      return BrokenImport{name, Breakage::possible, reached.name};
    }
  }
  return std::nullopt;
}

std::vector<std::string> Imports::candidates(const std::set<std::string>& modules,
                                             const std::vector<Id<Distribution>>& owners) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const auto owner : owners) std::ranges::for_each(names_of(owner), add);
  const std::size_t owned = names.size();
  for (const auto& module : modules) {
    const std::string top = module.substr(0, module.find('.'));
    const bool is_covered = std::ranges::any_of(
        std::span(names).first(owned),
        [&](const std::string& name) { return (module + ".").starts_with(name + "."); });
    if (!is_covered) add(top);
  }
  for (const auto owner : owners) {
    for (const auto dependent : dependents(*environment_, requirements(), owner)) {
      std::ranges::for_each(names_of(dependent), add);
    }
  }
  return names;
}

std::vector<BrokenImport> Imports::broken_by(const std::set<std::string>& modules,
                                             const std::vector<Id<Distribution>>& owners) {
  std::vector<BrokenImport> broken;
  for (const auto& name : candidates(modules, owners)) {
    if (auto import = try_name(name, modules)) broken.push_back(*std::move(import));
  }
  return broken;
}

std::vector<BrokenImport> Imports::submodules_broken_by(
    const std::set<std::string>& modules, const std::vector<Id<Distribution>>& owners) {
  std::vector<BrokenImport> broken;
  for (const auto owner : owners) {
    for (const auto& name : submodules_in(environment_->distributions[owner])) {
      auto import = try_name(name, modules);
      const bool is_certain = import && import->breakage == Breakage::certain;
      if (is_certain) broken.push_back(*std::move(import));
    }
  }
  const auto nearest = std::ranges::min_element(broken, {}, &BrokenImport::hops);
  if (nearest == broken.end()) return broken;
  std::erase_if(
      broken, [least = nearest->hops](const BrokenImport& import) { return import.hops > least; });
  return broken;
}

}  // namespace whyso::check
