// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/plan_uninstall.h"

#include <algorithm>
#include <set>
#include <utility>

#include "whyso/change/burden.h"
#include "whyso/change/comparison.h"
#include "whyso/change/loss.h"
#include "whyso/change/lost_library.h"
#include "whyso/change/lost_module.h"
#include "whyso/change/plan_finding.h"
#include "whyso/change/touched_import.h"
#include "whyso/check/run.h"

namespace whyso::change {
namespace {

void add_sharing(const Comparison& comparison, PlannedPackage& package) {
  std::set<Id<environment::Distribution>> with;
  for (const auto& path : package.files) {
    const auto survivors = comparison.survivors_of(path);
    package.shared_files += survivors.empty() ? 0 : 1;
    with.insert(survivors.begin(), survivors.end());
  }
  package.shares_with =
      check::titles_of(comparison.before, check::DistributionIds(with.begin(), with.end()));
}

std::vector<PlannedPackage> packages_of(const Comparison& comparison, const GoingModules& going,
                                        const ModuleLosses& losses,
                                        const std::vector<TouchedImport>& touched,
                                        const check::DistributionIds& missed) {
  std::vector<PlannedPackage> packages;
  auto bearings = find_bearings(comparison, going, losses, touched);
  for (std::size_t i = 0; i < bearings.size(); ++i) {
    const auto& removed = comparison.removal.removed[i];
    const auto& distribution = comparison.before.environment.distributions[removed.distribution];
    PlannedPackage package{
        .name = distribution.name,
        .version = distribution.version,
        .burden = bearings[i].burden,
        .is_missed = std::ranges::find(missed, removed.distribution) != missed.end(),
        .loaded_by = std::move(bearings[i].loaded_by),
        .files = removed.taken.files,
        .folders = removed.taken.folders,
        .bytes = removed.taken.bytes};
    package.required_by =
        check::titles_of(comparison.before,
                         requirers_of(comparison.before, removed.distribution, comparison.staying));
    add_sharing(comparison, package);
    packages.push_back(std::move(package));
  }
  return packages;
}

}  // namespace

Installer usual_installer(const check::World& world) {
  return world.installers.tool == environment::Tool::uv ? Installer::uv : Installer::pip;
}

Plan plan_uninstall(const check::World& world, const check::DistributionIds& distributions,
                    Installer installer) {
  Plan plan{.installer = installer};
  const Comparison comparison(world,
                              uninstall(*world.tree, world.environment, distributions, installer));
  const GoingModules going = find_going_modules(comparison);
  const ModuleLosses modules = find_module_losses(comparison, going);
  const LibraryLosses libraries = find_library_losses(comparison);
  const auto touched = find_touched_imports(comparison);
  const auto losses = find_losses(comparison, libraries, modules, going.mentions, touched);
  plan.report.findings = findings_of(comparison, losses, modules, libraries);
  plan.report.python = world.environment.interpreter.title();
  plan.report.packages = world.environment.distributions.size();
  plan.report.objects = world.natives.size();
  plan.report.unreadable = check::unreadable_parts(world);
  plan.packages = packages_of(comparison, going, modules, touched, harmful(losses));
  for (const auto& refused : comparison.removal.refused) {
    plan.left_alone.push_back({check::title_of(world, refused.distribution), refused.reason});
  }
  plan.files = comparison.removal.file_count();
  plan.bytes = comparison.removal.bytes();
  return plan;
}

}  // namespace whyso::change
