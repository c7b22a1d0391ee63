// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/touched_import.h"

#include <algorithm>
#include <span>
#include <utility>

#include "whyso/check/native.h"
#include "whyso/check/requirements.h"
#include "whyso/process/prediction.h"

namespace whyso::change {
namespace {

using check::World;
using process::PredictedImport;

PredictedImport predict_one(const World& world, const std::string& name) {
  auto imports = process::predict(world.imports->graph(), *world.python.process,
                                  std::span(&name, 1), world.habits);
  return std::move(imports.front());
}

std::set<Path> files_that_go(const Comparison& comparison, const PredictedImport& import) {
  std::set<Path> files;
  for (const auto& load : import.loads) {
    const bool is_certain =
        load.likelihood == process::Likelihood::certain && load.when == process::When::import;
    if (!is_certain) continue;
    const auto walk = comparison.before.resolver->resolve(load.path);
    if (walk.is_found() && comparison.gone.contains(walk.real)) files.insert(walk.real);
  }
  return files;
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Names that were asked for in vain, without their folders.
std::set<std::string, std::less<>> missing_names(const PredictedImport& import) {
  std::set<std::string, std::less<>> names;
  for (const auto& failure : import.failures) {
    names.emplace(file_name(failure.name));
    for (const auto& missing : failure.missing) names.emplace(file_name(missing.name));
  }
  return names;
}

/// Files by whose name a request fails afterwards; all where none is told by name.
std::set<Path> missed_of(const std::set<Path>& files, const PredictedImport& after) {
  const auto names = missing_names(after);
  std::set<Path> missed;
  for (const auto& file : files) {
    if (names.contains(file.name())) missed.insert(file);
  }
  return missed.empty() ? files : missed;
}

/// All that loads of objects that stay map, each in a process of its own.
std::set<Id<loader::KnownFile>> mapped_by_staying(const Comparison& comparison) {
  const World& world = comparison.before;
  std::set<Id<loader::KnownFile>> mapped;
  for (const auto* loads : {&world.modules, &world.plugins}) {
    for (const auto& load : *loads) {
      if (comparison.gone.contains(world.natives[load.module].path)) continue;
      mapped.insert(load.mapped.begin(), load.mapped.end());
    }
  }
  return mapped;
}

/// Owners of libraries that go and that others may load: those that others map, and those of
/// packages that hold nothing to import.
std::set<Id<environment::Distribution>> owners_of_libraries(const Comparison& comparison) {
  const World& world = comparison.before;
  const auto mapped = mapped_by_staying(comparison);
  std::set<Id<environment::Distribution>> owners;
  for (const auto& object : world.natives) {
    const bool is_library =
        object.role == check::Role::library && comparison.gone.contains(object.path);
    if (!is_library) continue;
    const bool holds_nothing_else = std::ranges::all_of(
        object.owners, [&](auto id) { return world.imports->names_of(id).empty(); });
    const bool is_mapped = object.file && mapped.contains(*object.file);
    if (!holds_nothing_else && !is_mapped) continue;
    owners.insert(object.owners.begin(), object.owners.end());
  }
  return owners;
}

/// Imports of what stays and requires such an owner, or is one.
std::vector<std::string> concerned_names(const Comparison& comparison) {
  const World& world = comparison.before;
  const auto sources = owners_of_libraries(comparison);
  std::set<Id<environment::Distribution>> concerned(sources);
  for (const auto id : sources) {
    const auto requirers = check::dependents(world.environment, world.imports->requirements(), id);
    concerned.insert(requirers.begin(), requirers.end());
  }
  std::vector<std::string> names;
  for (const auto id : comparison.staying) {
    if (!concerned.contains(id)) continue;
    const auto& of_one = world.imports->names_of(id);
    names.insert(names.end(), of_one.begin(), of_one.end());
  }
  return names;
}

}  // namespace

std::vector<TouchedImport> find_touched_imports(const Comparison& comparison) {
  const World& before = comparison.before;
  const World& after = *comparison.after;
  if (!before.python.process || !after.python.process) return {};
  std::vector<TouchedImport> touched;
  for (const auto& name : concerned_names(comparison)) {
    const PredictedImport today = predict_one(before, name);
    TouchedImport import{.name = name, .files = files_that_go(comparison, today)};
    if (!today.is_ok || import.files.empty()) continue;
    const PredictedImport then = predict_one(after, name);
    if (!then.is_ok) {
      import.error = then.error;
      import.missed = missed_of(import.files, then);
    }
    touched.push_back(std::move(import));
  }
  return touched;
}

}  // namespace whyso::change
