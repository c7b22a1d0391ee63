// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/effects.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

/// What Python prints last when it comes to that module; empty where nothing is known.
std::string text_of(const Diagnosis& diagnosis, const World& world, const std::string& module) {
  for (const auto& broken : diagnosis.broken) {
    if (world.natives[broken.load->module].module != module) continue;
    const std::string& error = broken.load->error;
    const bool is_said = !error.empty() && !broken.load->is_crash;
    return is_said ? "ImportError: " + error : error;
  }
  for (const auto& doubted : diagnosis.doubted) {
    if (world.natives[doubted.load->module].module != module) continue;
    const auto& gap = doubted.gaps.front();
    return "ImportError: " + std::string(gap.requirer.text()) + ": undefined symbol: " + gap.text();
  }
  for (const auto& displaced : diagnosis.displaced) {
    if (displaced.gaps.empty() || !displaced.modules.contains(module)) continue;
    const auto& gap = displaced.gaps.front();
    return "ImportError: " + gap.requirer.text() + ": undefined symbol: " + gap.text();
  }
  return {};
}

}  // namespace

std::set<std::string> Effects::names() const {
  std::set<std::string> names;
  for (const auto& effect : breaks) names.insert(effect.name);
  return names;
}

Severity Effects::severity(Severity otherwise) const {
  if (!breaks.empty()) return Severity::error;
  return may_break.empty() ? otherwise : Severity::warning;
}

Effects effects_of(const World& world, const Diagnosis& diagnosis,
                   const std::set<std::string>& modules,
                   const std::vector<Id<environment::Distribution>>& owners) {
  Effects effects;
  if (modules.empty()) return effects;
  auto imports = world.imports->broken_by(modules, owners);
  // The package that holds the broken module is named before those that come to it from outside.
  std::ranges::stable_partition(imports, [](const BrokenImport& broken) {
    return (broken.module + ".").starts_with(broken.name + ".");
  });
  for (const auto& broken : imports) {
    Effect effect{
        .kind = "import", .name = broken.name, .text = text_of(diagnosis, world, broken.module)};
    auto& list = broken.breakage == Breakage::certain ? effects.breaks : effects.may_break;
    list.push_back(std::move(effect));
  }
  return effects;
}

Effects effects_of_damage(const World& world, const Diagnosis& diagnosis,
                          const std::set<std::string>& modules,
                          const std::vector<Id<environment::Distribution>>& owners) {
  Effects effects = effects_of(world, diagnosis, modules, owners);
  if (!effects.breaks.empty() || modules.empty()) return effects;
  for (const auto& broken : world.imports->submodules_broken_by(modules, owners)) {
    effects.breaks.push_back(
        {.kind = "import", .name = broken.name, .text = text_of(diagnosis, world, broken.module)});
  }
  return effects;
}

std::vector<Id<environment::Distribution>> owners_of_modules(const World& world,
                                                             const std::set<std::string>& modules) {
  std::set<Id<environment::Distribution>> owners;
  for (const auto& object : world.natives) {
    if (modules.contains(object.module)) owners.insert(object.owners.begin(), object.owners.end());
  }
  return {owners.begin(), owners.end()};
}

std::string imports_text(const std::vector<Effect>& effects) {
  std::vector<std::string> words;
  for (const auto& effect : effects) words.push_back("`import " + effect.name + "`");
  return enumerated(words, 3);
}

std::string failing_text(const std::vector<Effect>& effects) {
  return imports_text(effects) + (effects.size() == 1 ? " fails" : " fail");
}

}  // namespace whyso::check
