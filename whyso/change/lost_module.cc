// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/lost_module.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/base/text.h"
#include "whyso/check/imports.h"
#include "whyso/check/listed.h"
#include "whyso/process/source_words.h"

namespace whyso::change {
namespace {

using check::World;
using environment::Distribution;
using process::FoundModule;
using process::ModuleKind;

std::string_view top_level(std::string_view module) { return module.substr(0, module.find('.')); }

/// Modules of the files that go, as sys.path spells them, with the file that answers today.
std::map<std::string, Path> modules_that_go(const Comparison& comparison) {
  std::map<std::string, Path> modules;
  const World& world = comparison.before;
  auto& search = world.imports->graph().search();
  for (const auto id : comparison.removed) {
    const auto* files = world.environment.distributions[id].files.find();
    const auto count = files == nullptr ? 0 : static_cast<std::uint32_t>(files->rows().size());
    for (std::uint32_t row = 0; row < count; ++row) {
      const std::string_view written = files->rows()[row].path;
      if (!check::is_payload(written)) continue;
      std::string module = check::module_of_file(written);
      if (module.empty()) continue;
      const auto& ownership = world.environment.ownership;
      Path path = ownership.path(ownership.file({id, row}));
      if (!comparison.gone.contains(path)) continue;
      if (search.find(module).file == path) modules.emplace(std::move(module), std::move(path));
    }
  }
  return modules;
}

/// Does nothing answer any more what answered to that name?
bool is_lost(const World& before, const Path& path, const FoundModule& now) {
  if (now.kind == ModuleKind::absent || now.kind == ModuleKind::missing) return true;
  return now.kind == ModuleKind::namespace_package && !is_blank_source(before, path);
}

bool is_test(std::string_view written) {
  return written.contains("/tests/") || written.contains("/test/") || written.contains("/testing/");
}

std::vector<StayingSource> sources_that_stay(const Comparison& comparison) {
  std::vector<StayingSource> sources;
  const auto& environment = comparison.before.environment;
  for (const auto id : comparison.staying) {
    const auto* files = environment.distributions[id].files.find();
    const auto count = files == nullptr ? 0 : static_cast<std::uint32_t>(files->rows().size());
    for (std::uint32_t row = 0; row < count; ++row) {
      const std::string_view written = files->rows()[row].path;
      if (!written.ends_with(".py") || !check::is_payload(written) || is_test(written)) continue;
      const auto& file = environment.ownership.file({id, row});
      const bool is_there = file.state == environment::FileState::present &&
                            file.facts.kind == tree::FileKind::regular;
      std::string module = is_there ? check::module_of_file(written) : std::string();
      if (module.empty()) continue;
      Path path = environment.ownership.path(file);
      if (!comparison.gone.contains(path)) sources.push_back({std::move(module), id, path});
    }
  }
  return sources;
}

/// Those in which one of the words stands.
std::vector<StayingSource> sources_with_word(const World& world, std::vector<StayingSource> sources,
                                             const std::set<std::string, std::less<>>& words) {
  std::vector<char> has(sources.size());
  for_each_index(sources.size(), [&](std::size_t i) {
    const auto content = world.tree->read(sources[i].path);
    if (!content.is_present()) return;
    const std::string_view text = content.value().blob.text();
    has[i] = std::ranges::any_of(
                 words, [&](const std::string& word) { return process::has_word(text, word); })
                 ? 1
                 : 0;
  });
  std::vector<StayingSource> found;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (has[i] != 0) found.push_back(std::move(sources[i]));
  }
  return found;
}

using Way = std::vector<process::ReachedModule>;

std::optional<Way> way_to(const World& world, const std::string& name,
                          const std::set<std::string>& modules) {
  return world.imports->graph().find_certain_way(
      name, [&](std::string_view module, const FoundModule& /*found*/) {
        return modules.contains(std::string(module));
      });
}

/// Does an import on the way stand in a block that may catch its failure, if only to raise another?
bool is_caught(const World& world, const Way& way) {
  auto& graph = world.imports->graph();
  return std::ranges::any_of(way, [&](const process::ReachedModule& module) {
    if (module.importer.empty()) return false;
    const auto& imports = graph.code_of(graph.module(module.importer)).imports;
    return std::ranges::any_of(imports, [&](const process::ImportStatement& statement) {
      return statement.line == module.line && !statement.guards.empty();
    });
  });
}

/// Does something that stays list a package or module of that name in a folder of its own?
bool has_copy_elsewhere(const Comparison& comparison, std::string_view top) {
  const std::string package = "/" + std::string(top) + "/__init__.py";
  const std::string module = "/" + std::string(top) + ".py";
  return std::ranges::any_of(comparison.staying, [&](Id<Distribution> id) {
    const auto* files = comparison.before.environment.distributions[id].files.find();
    return files != nullptr && std::ranges::any_of(files->rows(), [&](const auto& row) {
             return row.path.ends_with(package) || row.path.ends_with(module);
           });
  });
}

/// Modules that import a lost one themselves, and not by one that they import.
std::vector<Importer> find_importers(const Comparison& comparison,
                                     const std::vector<StayingSource>& sources,
                                     const std::vector<LostModule>& lost) {
  const World& world = comparison.before;
  // What one module of a package does about a missing one, the others do.
  std::map<std::pair<Id<Distribution>, std::string_view>, bool> is_certain;
  std::set<std::string> modules;
  for (const auto& each : lost) modules.insert(each.name);
  std::vector<Importer> importers;
  for (const auto& source : sources) {
    const auto way = way_to(world, source.module, modules);
    if (!way || way->size() < 2 || (*way)[way->size() - 2].name != source.module) continue;
    const std::string& module = way->back().name;
    const auto [certain, is_new] =
        is_certain.try_emplace({source.owner, top_level(*modules.find(module))}, true);
    if (is_new) certain->second = is_missed_for_certain(comparison, source.module, module);
    if (!certain->second) continue;
    importers.push_back({source.module, source.owner, module,
                         is_caught(world, *way) ? "" : missing_module_error(modules, module)});
  }
  std::ranges::sort(importers, {}, &Importer::name);
  return importers;
}

}  // namespace

GoingModules find_going_modules(const Comparison& comparison) {
  GoingModules going{.files = modules_that_go(comparison)};
  std::set<std::string, std::less<>> words;
  for (const auto& [name, path] : going.files) words.emplace(top_level(name));
  if (words.empty()) return going;
  going.mentions = sources_with_word(comparison.before, sources_that_stay(comparison), words);
  return going;
}

ModuleLosses find_module_losses(const Comparison& comparison, const GoingModules& going) {
  ModuleLosses losses;
  auto& search = comparison.after->imports->graph().search();
  for (const auto& [name, path] : going.files) {
    const FoundModule& now = search.find(name);
    if (is_lost(comparison.before, path, now)) {
      losses.lost.push_back({name, path});
    } else if (now.has_code() && now.file && !name.contains('.')) {
      losses.moved.push_back({name, path, *now.file});
    }
  }
  if (losses.lost.empty()) return losses;
  losses.importers = find_importers(comparison, going.mentions, losses.lost);
  return losses;
}

std::vector<BrokenName> names_that_reach(const World& world, const std::vector<std::string>& names,
                                         const std::set<std::string>& modules) {
  std::vector<BrokenName> broken;
  if (modules.empty()) return broken;
  for (const auto& name : names) {
    const auto way = way_to(world, name, modules);
    if (way) broken.push_back({name, way->back().name, is_caught(world, *way)});
  }
  // The package that holds the module is named before those that come to it from outside.
  std::ranges::stable_partition(broken, [](const BrokenName& each) {
    return (each.module + ".").starts_with(each.name + ".");
  });
  return broken;
}

bool is_missed_for_certain(const Comparison& comparison, const std::string& importing,
                           const std::string& module) {
  auto& graph = comparison.after->imports->graph();
  if (graph.search().find(module).kind != ModuleKind::absent) return true;
  if (!has_copy_elsewhere(comparison, top_level(module))) return true;
  return graph.reach(importing).find_failure() != nullptr;
}

bool is_blank_source(const World& world, const Path& path) {
  const auto content = world.tree->read(path);
  if (!content.is_present()) return false;
  return std::ranges::all_of(lines_of(content.value().blob.text()), [](std::string_view line) {
    const std::string_view words = trim(line);
    return words.empty() || words.starts_with('#');
  });
}

std::string missing_module_error(const std::set<std::string>& lost, const std::string& module) {
  std::string name = module;
  for (auto dot = name.rfind('.'); dot != std::string::npos; dot = name.rfind('.')) {
    if (!lost.contains(name.substr(0, dot))) break;
    name.resize(dot);
  }
  return "ModuleNotFoundError: No module named '" + name + "'";
}

}  // namespace whyso::change
