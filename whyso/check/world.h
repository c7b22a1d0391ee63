// SPDX-License-Identifier: Apache-2.0
// Everything that a rule may look at. Built once, by the steps below in their order; rules read it
// and open nothing themselves.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "whyso/check/contents.h"
#include "whyso/check/imports.h"
#include "whyso/check/knowledge.h"
#include "whyso/check/listed.h"
#include "whyso/check/module_load.h"
#include "whyso/check/native.h"
#include "whyso/environment/environment.h"
#include "whyso/environment/installers.h"
#include "whyso/loader/load.h"
#include "whyso/process/habits.h"
#include "whyso/tree/resolve.h"

namespace whyso::check {

using DistributionIds = std::vector<Id<environment::Distribution>>;

/// Natives by what they are called and what they call for.
struct NativeIndex {
  std::map<std::string, std::vector<NativeId>, std::less<>> by_name;  ///< soname and file name
  std::map<std::string, std::vector<NativeId>, std::less<>> needing;  ///< DT_NEEDED
  std::map<Id<loader::KnownFile>, NativeId> by_file;
  std::map<Path, NativeId> by_path;
};

/// Its parts point to each other, so that it stays where it was made.
struct World {
  World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const tree::FileTree* tree = nullptr;
  environment::Environment environment;
  environment::ProcessVariables variables;
  environment::InstallerFacts installers;
  Knowledge knowledge;
  process::Habits habits;  ///< what frameworks are known to open

  std::unique_ptr<tree::Resolver> resolver;
  std::unique_ptr<loader::Loader> loader;  ///< null: nothing is known of loading, see next
  std::string loading_problem;             ///< why loading could not be judged; empty: it was
  StartedPython python;
  Table<NativeObject> natives;
  NativeIndex index;
  std::vector<ModuleLoad> modules;  ///< of every extension module
  std::vector<ModuleLoad> plugins;  ///< of every library that no extension module maps, and of
                                    ///< the modules of the standard library

  Listed listed;
  std::vector<Contest> contests;
  Comparison compared;                      ///< of listed files besides the contested ones
  std::vector<std::uint32_t> not_compared;  ///< in doubt, and too large to hash unasked
  std::unique_ptr<Imports> imports;         ///< a cache of sources: asking it changes no answer
};

struct WorldRequest {
  const tree::FileTree* tree = nullptr;
  environment::Environment environment;
  environment::ProcessVariables variables;
  Knowledge knowledge;
  process::Habits habits = {};
};

/// Listed files are compared with what is there.
[[nodiscard]] std::unique_ptr<World> begin_world(WorldRequest request);

/// Shared objects are read by the loader of the environment's Python.
void add_natives(World& world);

/// That Python is started in the model: all that predicting loads asks for.
void add_python(World& world);

/// Extension modules are loaded in the model, each in a fresh Python, which is started if it was
/// not.
void add_loads(World& world);

enum class Hashing : std::uint8_t { none, contested, full };

/// Bytes are compared with what was recorded, where it decides something or everywhere.
void add_contents(World& world, Hashing hashing);

/// "torch/lib/libtorch.so": below the folder of packages it lies in, else below the prefix, else
/// the whole path. Text of foreign origin is made printable where it is shown, not here.
[[nodiscard]] std::string shown_path(const World& world, const Path& path);

[[nodiscard]] std::string shown_path(const World& world, std::string_view path);

/// "nvidia-nccl-cu12 2.27.5"
[[nodiscard]] std::string title_of(const World& world, Id<environment::Distribution> distribution);

[[nodiscard]] std::vector<std::string> titles_of(const World& world,
                                                 const DistributionIds& distributions);

/// "torch 2.10.0" of the first owner, empty where nobody lists it.
[[nodiscard]] std::string owner_title(const World& world, const NativeObject& object);

/// Distributions of one name and several versions in one folder of packages: at most one is true.
/// Two forms of metadata of one version, as Debian has them, are none.
[[nodiscard]] std::vector<std::vector<Id<environment::Distribution>>> duplicates(
    const World& world);

}  // namespace whyso::check
