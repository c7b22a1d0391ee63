// SPDX-License-Identifier: Apache-2.0
// Python modules that go, and the imports of what stays that come to them. Read from sources, as
// process/import_graph.h does.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "whyso/change/comparison.h"

namespace whyso::change {

/// A source of what stays.
struct StayingSource {
  std::string module;
  Id<environment::Distribution> owner;
  Path path;
};

/// Modules of the distributions that go.
struct GoingModules {
  std::map<std::string, Path> files;  ///< by dotted name, with the file that answers today
  /// In which the name of one of the top-level packages stands as a word; tests are left out.
  std::vector<StayingSource> mentions;
};

/// Cost: all sources of what stays are searched for names.
[[nodiscard]] GoingModules find_going_modules(const Comparison& comparison);

/// A module whose file goes and that nothing answers afterwards.
struct LostModule {
  std::string name;  ///< "fsspec.core"
  Path path;
};

/// A module of what stays that itself imports a lost one whatever happens.
struct Importer {
  std::string name;
  Id<environment::Distribution> owner;
  std::string module;  ///< the lost one
  std::string error;   ///< what Python prints last; empty: a handler may say something else
};

/// A top-level package or module that another folder of sys.path has, too.
struct MovedModule {
  std::string name;
  Path from;
  Path to;
};

struct ModuleLosses {
  std::vector<LostModule> lost;     ///< sorted by name
  std::vector<Importer> importers;  ///< sorted by name
  std::vector<MovedModule> moved;   ///< sorted by name
};

[[nodiscard]] ModuleLosses find_module_losses(const Comparison& comparison,
                                              const GoingModules& going);

/// An import that certainly comes to one of some modules.
struct BrokenName {
  std::string name;        ///< "torch"
  std::string module;      ///< the module that it comes to
  bool is_caught = false;  ///< on the way some handler may turn the error into another
};

/// Those of `names` that today come to one of `modules` for certain; first those that hold it.
[[nodiscard]] std::vector<BrokenName> names_that_reach(const check::World& world,
                                                       const std::vector<std::string>& names,
                                                       const std::set<std::string>& modules);

/// Does that import fail afterwards for want of the module, as far as reading tells? Not where
/// there is another copy in a folder of something that stays, and code on the way may bring it in.
[[nodiscard]] bool is_missed_for_certain(const Comparison& comparison, const std::string& importing,
                                         const std::string& module);

/// Are there only comments and blank lines in it? Such an `__init__.py` is not missed.
[[nodiscard]] bool is_blank_source(const check::World& world, const Path& path);

/// "ModuleNotFoundError: No module named 'fsspec'": Python names the first part of the dotted name
/// that is lost.
[[nodiscard]] std::string missing_module_error(const std::set<std::string>& lost,
                                               const std::string& module);

}  // namespace whyso::change
