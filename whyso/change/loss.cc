// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/loss.h"

#include <algorithm>
#include <map>
#include <utility>

#include "whyso/check/listed.h"
#include "whyso/process/source_words.h"

namespace whyso::change {
namespace {

using check::Effect;
using check::World;
using environment::Distribution;

bool has(const DistributionIds& list, Id<Distribution> id) {
  return std::ranges::find(list, id) != list.end();
}

class Sorter {
 public:
  explicit Sorter(const Comparison& comparison) : comparison_(comparison) {}

  Loss& at(const Path& path) {
    auto removers = comparison_.removers_of(path);
    auto survivors = comparison_.survivors_of(path);
    Loss& loss = losses_[{removers, survivors}];
    loss.removers = std::move(removers);
    loss.survivors = std::move(survivors);
    return loss;
  }

  /// Without a file that is lost: what METADATA alone tells.
  void add_requirement(Id<Distribution> remover, DistributionIds requirers) {
    Loss& loss = losses_[{DistributionIds{remover}, DistributionIds()}];
    loss.removers = {remover};
    loss.requirers = std::move(requirers);
  }

  std::vector<Loss> take() {
    std::vector<Loss> losses;
    for (auto& [key, loss] : losses_) losses.push_back(std::move(loss));
    return losses;
  }

 private:
  const Comparison& comparison_;
  std::map<std::pair<DistributionIds, DistributionIds>, Loss> losses_;
};

void add_libraries(const Comparison& comparison, const LibraryLosses& libraries,
                   const std::vector<TouchedImport>& touched, Sorter& sorter) {
  std::set<Path> asked_for;
  for (const auto& library : libraries.lost) {
    asked_for.insert(library.path);
    sorter.at(library.path).libraries.push_back(library);
  }
  for (const auto& import : touched) {
    for (const auto& path : import.missed) {
      if (!asked_for.insert(path).second) continue;
      sorter.at(path).libraries.push_back({.name = std::string(path.name()),
                                           .path = path,
                                           .needed_by = {"import " + import.name},
                                           .is_of_plugins = false});
    }
  }
  std::vector<Path> gone(comparison.gone.begin(), comparison.gone.end());
  std::ranges::sort(gone);
  for (const auto& path : gone) {
    const bool counts = check::is_library_name(path.name()) && !asked_for.contains(path) &&
                        !comparison.survivors_of(path).empty();
    if (counts) sorter.at(path).other_libraries.push_back(path);
  }
}

void add_modules(const ModuleLosses& modules, Sorter& sorter) {
  std::map<std::string, Path> paths;
  for (const auto& module : modules.lost) {
    paths.emplace(module.name, module.path);
    sorter.at(module.path).modules.push_back(module);
  }
  for (const auto& importer : modules.importers) {
    sorter.at(paths.at(importer.module)).importers.push_back(importer);
  }
}

/// Names that fail today already.
std::set<std::string> failing_names(const Comparison& comparison,
                                    const std::vector<std::string>& names) {
  const World& world = comparison.before;
  std::set<std::string> modules;
  for (const auto& load : world.modules) {
    if (!load.failed.empty()) modules.insert(world.natives[load.module].module);
  }
  std::set<std::string> failing;
  for (const auto& broken : names_that_reach(world, names, modules)) failing.insert(broken.name);
  return failing;
}

void add_breaks(const Comparison& comparison, const std::vector<std::string>& names, Loss& loss) {
  std::set<std::string> lost;
  for (const auto& module : loss.modules) lost.insert(module.name);
  std::set<std::string> modules = lost;
  for (const auto& library : loss.libraries) {
    modules.insert(library.modules.begin(), library.modules.end());
  }
  for (const auto& broken : names_that_reach(comparison.before, names, modules)) {
    const bool is_module = lost.contains(broken.module);
    if (is_module && !is_missed_for_certain(comparison, broken.name, broken.module)) {
      loss.may_break.push_back(broken.name);
      continue;
    }
    std::string text = is_module ? missing_module_error(lost, broken.module)
                                 : import_error(*comparison.after, broken.module);
    if (broken.is_caught) text.clear();
    loss.breaks.push_back({.kind = "import", .name = broken.name, .text = std::move(text)});
  }
}

/// Without an importer or an own module of survivors no import comes to lost modules.
bool may_break(const Loss& loss) {
  const bool has_modules =
      !loss.importers.empty() || (!loss.survivors.empty() && !loss.modules.empty());
  return has_modules || std::ranges::any_of(loss.libraries, [](const LostLibrary& library) {
           return !library.modules.empty();
         });
}

/// Sources that name one of the lost top-level modules as a text, "kiwisolver".
std::set<std::string> sources_with_text(const Comparison& comparison,
                                        const std::vector<StayingSource>& mentions,
                                        const Loss& loss) {
  std::set<std::string> names;
  for (const auto& module : loss.modules) {
    if (!module.name.contains('.')) names.insert(module.name);
  }
  std::set<std::string> sources;
  for (const auto& source : mentions) {
    if (!has(loss.requirers, source.owner)) continue;
    const auto content = comparison.before.tree->read(source.path);
    if (!content.is_present()) continue;
    const std::string_view text = content.value().blob.text();
    const bool names_one = std::ranges::any_of(
        names, [&](const std::string& name) { return process::has_word_before_quote(text, name); });
    if (names_one) sources.insert(source.module);
  }
  return sources;
}

void add_may_break(const Comparison& comparison, const std::vector<StayingSource>& mentions,
                   Loss& loss) {
  if (loss.requirers.empty() || loss.modules.empty()) return;
  const auto sources = sources_with_text(comparison, mentions, loss);
  std::vector<std::string> names;
  for (const auto id : loss.requirers) {
    const auto& of_requirer = comparison.before.imports->names_of(id);
    names.insert(names.end(), of_requirer.begin(), of_requirer.end());
  }
  for (const auto& reaching : names_that_reach(comparison.before, names, sources)) {
    const bool is_certain = std::ranges::any_of(
        loss.breaks, [&](const Effect& effect) { return effect.name == reaching.name; });
    const bool is_known =
        is_certain || std::ranges::find(loss.may_break, reaching.name) != loss.may_break.end();
    if (!is_known) loss.may_break.push_back(reaching.name);
  }
}

/// Of an import that was predicted as a whole the text is known better.
void add_touched(const std::vector<TouchedImport>& touched, Loss& loss) {
  for (const auto& import : touched) {
    const bool misses = std::ranges::any_of(loss.libraries, [&](const LostLibrary& library) {
      return import.missed.contains(library.path);
    });
    if (!misses) continue;
    const auto known = std::ranges::find(loss.breaks, import.name, &Effect::name);
    if (known == loss.breaks.end()) {
      loss.breaks.push_back({.kind = "import", .name = import.name, .text = import.error});
    } else if (!import.error.empty()) {
      known->text = import.error;
    }
  }
}

bool is_silent(const Loss& loss) {
  return loss.libraries.empty() && loss.other_libraries.empty() && loss.importers.empty() &&
         loss.requirers.empty() && (loss.survivors.empty() || loss.modules.empty());
}

}  // namespace

bool Loss::has_required_importer() const {
  return std::ranges::any_of(importers,
                             [&](const Importer& each) { return has(requirers, each.owner); });
}

DistributionIds requirers_of(const World& world, Id<Distribution> id,
                             const DistributionIds& staying) {
  const auto& environment = world.environment;
  const std::string& name = environment.distributions[id].normalized;
  const bool stays = std::ranges::any_of(staying, [&](Id<Distribution> other) {
    return environment.distributions[other].normalized == name;
  });
  const auto& requirements = world.imports->requirements();
  const auto found = requirements.find(name);
  if (stays || found == requirements.end()) return {};
  DistributionIds requirers;
  for (const auto& required : found->second) {
    const bool counts = required.extra.empty() && has(staying, required.requirer) &&
                        !has(requirers, required.requirer);
    if (counts) requirers.push_back(required.requirer);
  }
  return requirers;
}

std::vector<Loss> find_losses(const Comparison& comparison, const LibraryLosses& libraries,
                              const ModuleLosses& modules,
                              const std::vector<StayingSource>& mentions,
                              const std::vector<TouchedImport>& touched) {
  Sorter sorter(comparison);
  add_libraries(comparison, libraries, touched, sorter);
  add_modules(modules, sorter);
  for (const auto id : comparison.removed) {
    auto requirers = requirers_of(comparison.before, id, comparison.staying);
    if (!requirers.empty()) sorter.add_requirement(id, std::move(requirers));
  }
  std::vector<Loss> losses = sorter.take();
  std::erase_if(losses, is_silent);
  std::vector<std::string> names = comparison.staying_names();
  const auto failing = failing_names(comparison, names);
  std::erase_if(names, [&](const std::string& name) { return failing.contains(name); });
  for (auto& loss : losses) {
    if (may_break(loss)) add_breaks(comparison, names, loss);
  }
  for (auto& loss : losses) {
    add_touched(touched, loss);
    add_may_break(comparison, mentions, loss);
  }
  return losses;
}

}  // namespace whyso::change
