// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/lost_library.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace whyso::change {
namespace {

using check::ModuleLoad;
using check::NativeObject;
using check::World;
using loader::KnownFile;

const NativeObject& object_of(const World& world, const ModuleLoad& load) {
  return world.natives[load.module];
}

const KnownFile& file_of(const World& world, Id<KnownFile> id) {
  return world.loader->files().file(id);
}

std::string name_of(const World& world, const KnownFile& file) {
  return file.soname ? world.loader->files().text(*file.soname)
                     : std::string(file.object.real.name());
}

/// Loads of both worlds that are about one file.
struct LoadPair {
  const ModuleLoad* before = nullptr;
  const ModuleLoad* after = nullptr;
  bool is_plugin = false;  ///< afterwards
};

using LoadsByPath = std::map<Path, std::pair<const ModuleLoad*, bool>>;

LoadsByPath loads_by_path(const World& world) {
  LoadsByPath loads;
  for (const auto& load : world.modules) loads[object_of(world, load).path] = {&load, false};
  for (const auto& load : world.plugins) loads[object_of(world, load).path] = {&load, true};
  return loads;
}

/// A library that an extension module maps today and that none maps afterwards becomes a plug-in:
/// it has no load of its own today.
std::vector<LoadPair> pairs_of(const Comparison& comparison) {
  std::vector<LoadPair> pairs;
  const auto before = loads_by_path(comparison.before);
  for (const auto& [path, load] : loads_by_path(*comparison.after)) {
    const auto found = before.find(path);
    const ModuleLoad* then = found == before.end() ? nullptr : found->second.first;
    pairs.push_back({then, load.first, load.second});
  }
  return pairs;
}

/// The files that go, by the names under which they may be asked for.
std::map<std::string, std::vector<Path>, std::less<>> gone_by_name(const Comparison& comparison) {
  std::map<std::string, std::vector<Path>, std::less<>> gone;
  for (const auto& path : comparison.gone) {
    if (check::is_library_name(path.name())) gone[std::string(path.name())].push_back(path);
  }
  const World& world = comparison.before;
  for (const auto& object : world.natives) {
    if (!object.file || !comparison.gone.contains(object.path)) continue;
    const std::string name = name_of(world, file_of(world, *object.file));
    if (name != object.path.name()) gone[name].push_back(object.path);
  }
  for (auto& [name, paths] : gone) std::ranges::sort(paths);
  return gone;
}

bool fails_for(const ModuleLoad& load, const std::string& name) {
  return std::ranges::any_of(load.failed, [&](const auto& failed) { return failed.name == name; });
}

class Finder {
 public:
  explicit Finder(const Comparison& comparison)
      : comparison_(comparison), gone_(gone_by_name(comparison)) {}

  LibraryLosses find() {
    for (const auto& pair : pairs_of(comparison_)) {
      add_lost(pair);
      if (pair.before != nullptr) add_moved(pair);
    }
    LibraryLosses losses;
    for (auto& [name, lost] : lost_) losses.lost.push_back(std::move(lost));
    for (auto& [name, moved] : moved_) losses.moved.push_back(std::move(moved));
    return losses;
  }

 private:
  void add_lost(const LoadPair& pair) {
    const World& after = *comparison_.after;
    for (const auto& request : pair.after->failed) {
      const bool is_old = pair.before != nullptr && fails_for(*pair.before, request.name);
      const std::string_view file =
          std::string_view(request.name).substr(request.name.rfind('/') + 1);
      const auto known = gone_.find(file);
      if (is_old || known == gone_.end()) continue;
      LostLibrary& lost = lost_[request.name];
      lost.name = request.name;
      lost.path = mapped_of(pair, known->second);
      if (!request.requirer.empty()) {
        lost.needed_by.insert(check::shown_path(after, request.requirer));
      }
      const NativeObject& object = object_of(after, *pair.after);
      if (!pair.is_plugin) lost.modules.insert(object.module);
      lost.is_of_plugins = lost.is_of_plugins && pair.is_plugin;
    }
  }

  /// Of several files of one name the one that the load maps today.
  [[nodiscard]] Path mapped_of(const LoadPair& pair, const std::vector<Path>& paths) const {
    if (pair.before == nullptr || paths.size() == 1) return paths.front();
    for (const auto id : pair.before->mapped) {
      const Path& real = file_of(comparison_.before, id).object.real;
      if (std::ranges::find(paths, real) != paths.end()) return real;
    }
    return paths.front();
  }

  void add_moved(const LoadPair& pair) {
    const World& before = comparison_.before;
    const World& after = *comparison_.after;
    for (const auto id : pair.before->mapped) {
      const KnownFile& then = file_of(before, id);
      if (!comparison_.gone.contains(then.object.real)) continue;
      const std::string name = name_of(before, then);
      for (const auto now_id : pair.after->mapped) {
        const KnownFile& now = file_of(after, now_id);
        if (name_of(after, now) != name) continue;
        MovedLibrary& moved = moved_[name];
        moved.name = name;
        moved.from = then.object.real;
        moved.to = now.object.real;
        const NativeObject& object = object_of(after, *pair.after);
        moved.loaded_by.insert(object.module.empty() ? check::shown_path(after, object.path)
                                                     : object.module);
      }
    }
  }

  const Comparison& comparison_;
  std::map<std::string, std::vector<Path>, std::less<>> gone_;
  std::map<std::string, LostLibrary> lost_;
  std::map<std::string, MovedLibrary> moved_;
};

}  // namespace

LibraryLosses find_library_losses(const Comparison& comparison) {
  const bool is_known = comparison.before.loader && comparison.after->loader;
  return is_known ? Finder(comparison).find() : LibraryLosses();
}

std::string import_error(const World& after, const std::string& module) {
  for (const auto& load : after.modules) {
    if (object_of(after, load).module != module || load.failed.empty()) continue;
    return load.is_crash ? load.error : "ImportError: " + load.error;
  }
  return {};
}

std::set<std::string> modules_that_map(const Comparison& comparison,
                                       Id<environment::Distribution> distribution) {
  std::set<std::string> modules;
  const World& world = comparison.before;
  for (const auto& load : world.modules) {
    const NativeObject& object = object_of(world, load);
    if (comparison.gone.contains(object.path)) continue;
    const bool maps = std::ranges::any_of(load.mapped, [&](Id<KnownFile> id) {
      const auto removers = comparison.removers_of(file_of(world, id).object.real);
      return std::ranges::find(removers, distribution) != removers.end();
    });
    if (maps) modules.insert(object.module);
  }
  return modules;
}

}  // namespace whyso::change
