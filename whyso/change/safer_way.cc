// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/safer_way.h"

#include <algorithm>
#include <set>
#include <string>

#include "whyso/base/byte_size.h"
#include "whyso/base/text.h"
#include "whyso/check/mend.h"

namespace whyso::change {
namespace {

std::set<Path> missed_files(const std::vector<Loss>& losses) {
  std::set<Path> missed;
  for (const auto& loss : losses) {
    for (const auto& library : loss.libraries) missed.insert(library.path);
    missed.insert(loss.other_libraries.begin(), loss.other_libraries.end());
    const bool are_missed = !loss.importers.empty() || !loss.survivors.empty();
    if (!are_missed) continue;
    for (const auto& module : loss.modules) missed.insert(module.path);
  }
  return missed;
}

bool takes_any(const Removal& removal, const std::set<Path>& files) {
  return std::ranges::any_of(removal.removed, [&](const RemovedDistribution& removed) {
    return std::ranges::any_of(removed.taken.files,
                               [&](const Path& path) { return files.contains(path); });
  });
}

/// What is broken of METADATA's requirements where only `others` go; empty: nothing.
std::string unmet_requirement(const Comparison& comparison, const DistributionIds& others,
                              const DistributionIds& kept) {
  DistributionIds staying = comparison.staying;
  staying.insert(staying.end(), kept.begin(), kept.end());
  const auto& world = comparison.before;
  for (const auto id : others) {
    const auto requirers = requirers_of(world, id, staying);
    if (requirers.empty()) continue;
    return check::title_of(world, requirers.front()) + " requires " + check::title_of(world, id);
  }
  return {};
}

}  // namespace

std::optional<check::Fix> leave_fix(const Comparison& comparison, const std::vector<Loss>& losses,
                                    const DistributionIds& kept) {
  DistributionIds others = comparison.removed;
  std::erase_if(others, [&](auto id) { return std::ranges::find(kept, id) != kept.end(); });
  if (others.empty() || kept.empty()) return std::nullopt;
  const auto& world = comparison.before;
  const Removal removal =
      uninstall(*world.tree, world.environment, others, comparison.removal.installer);
  if (takes_any(removal, missed_files(losses))) return std::nullopt;
  const std::string leave = kept.size() == 1
                                ? "leave " + check::title_of(world, kept.front())
                                : "leave the " + std::to_string(kept.size()) + " marked ones";
  const std::string rest = others.size() == 1 ? check::title_of(world, others.front()) + " alone"
                                              : "the other " + std::to_string(others.size());
  const std::string unmet = unmet_requirement(comparison, others, kept);
  const std::string effect = unmet.empty() ? "breaks nothing" : "breaks no import, but " + unmet;
  check::Fix fix = check::replace_fix(
      world, others, {},
      leave + ", remove " + rest + ": frees " + byte_size(removal.bytes()) + ", " + effect);
  fix.id = "leave-" + std::to_string(kept.size());
  return fix;
}

check::Fix put_back_fix(const Comparison& comparison, const DistributionIds& removers,
                        const DistributionIds& survivors) {
  const std::string what = survivors.size() == 1
                               ? check::title_of(comparison.before, survivors.front())
                               : counted(survivors.size(), "package");
  return check::replace_fix(
      comparison.before, removers, survivors,
      "in this order: the reinstall of " + what + " puts the shared files back");
}

}  // namespace whyso::change
