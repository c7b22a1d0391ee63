// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/loss_sum.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/effects.h"

namespace whyso::change {
namespace {

using check::Effect;

/// "4 libraries", "libnccl.so.2", "123 modules", "fsspec".
std::string what_goes(const LossGroup& group, const Sum& sum) {
  if (sum.libraries == 1 && !group.front()->libraries.empty()) {
    return group.front()->libraries.front().name;
  }
  if (sum.libraries > 0) return counted(sum.libraries, "library");
  std::set<std::string> packages;
  for (const auto* loss : group) {
    for (const auto& module : loss->modules) {
      packages.insert(module.name.substr(0, module.name.find('.')));
    }
  }
  return enumerated(std::vector<std::string>(packages.begin(), packages.end()), 3);
}

std::string load_words(const Sum& sum) {
  return check::imports_text(sum.breaks) + (sum.breaks.size() == 1 ? " needs" : " need");
}

std::string importers_text(const Comparison& comparison, const Sum& sum) {
  std::set<Id<environment::Distribution>> owners;
  for (const auto* importer : sum.importers) owners.insert(importer->owner);
  return counted(sum.importers.size(), "module") + " of " +
         titles(comparison, DistributionIds(owners.begin(), owners.end()), 3) +
         (sum.importers.size() == 1 ? " imports" : " import");
}

}  // namespace

void add_new(DistributionIds& to, const DistributionIds& from) {
  for (const auto id : from) {
    if (std::ranges::find(to, id) == to.end()) to.push_back(id);
  }
}

Sum sum_of(const LossGroup& group) {
  Sum sum;
  for (const auto* loss : group) {
    add_new(sum.removers, loss->removers);
    add_new(sum.survivors, loss->survivors);
    add_new(sum.requirers, loss->requirers);
    for (const auto& effect : loss->breaks) {
      const bool is_known = std::ranges::any_of(
          sum.breaks, [&](const Effect& other) { return other.name == effect.name; });
      if (!is_known) sum.breaks.push_back(effect);
    }
    for (const auto& importer : loss->importers) sum.importers.push_back(&importer);
    sum.may_break.insert(loss->may_break.begin(), loss->may_break.end());
    sum.libraries +=
        loss->libraries.empty() ? loss->other_libraries.size() : loss->libraries.size();
    sum.modules += loss->modules.size();
  }
  std::ranges::sort(sum.removers);
  std::ranges::sort(sum.survivors);
  return sum;
}

std::string titles(const Comparison& comparison, const DistributionIds& ids, std::size_t most) {
  return enumerated(check::titles_of(comparison.before, ids), most);
}

std::string command_of(const Comparison& comparison) {
  return comparison.removal.installer == Installer::uv ? "`uv pip uninstall`" : "`pip uninstall`";
}

std::string message_of(const Comparison& comparison, const LossGroup& group, const Sum& sum) {
  const std::string what = what_goes(group, sum);
  const std::string would = command_of(comparison) + " would delete " + what;
  if (!sum.survivors.empty()) {
    const std::string others = titles(comparison, sum.survivors, 3);
    const std::string list = sum.survivors.size() == 1 ? " lists, too" : " list, too";
    return sum.breaks.empty() ? would + ", which " + others + list
                              : would + " that " + load_words(sum) + " and other packages list";
  }
  if (!sum.breaks.empty()) return would + ", which " + load_words(sum);
  if (!sum.importers.empty()) return would + ", which " + importers_text(comparison, sum);
  if (sum.libraries > 0) {
    return would + ", which a library asks for that no import loads by itself";
  }
  return titles(comparison, sum.removers, 4) + (sum.removers.size() == 1 ? " is" : " are") +
         " required by " + titles(comparison, sum.requirers, 3);
}

}  // namespace whyso::change
