// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/requirements.h"

#include <algorithm>
#include <set>

#include "whyso/python/name.h"
#include "whyso/python/version.h"

namespace whyso::check {
namespace {

using environment::Distribution;
using environment::Environment;

/// The extra under which a requirement counts; nothing where it never does here.
std::optional<std::string> counts_under(const python::Requirement& requirement,
                                        python::MarkerEnvironment& markers,
                                        const std::vector<std::string>& extras) {
  markers.extras.clear();
  if (requirement.applies_to(markers)) return std::string();
  for (const auto& extra : extras) {
    markers.extras = {extra};
    if (requirement.applies_to(markers)) return extra;
  }
  return std::nullopt;
}

}  // namespace

Requirements read_requirements(const Environment& environment) {
  Requirements requirements;
  auto markers = python::linux_environment(environment.interpreter.version, "x86_64");
  for (std::size_t i = 0; i < environment.distributions.size(); ++i) {
    const auto id = environment.distributions.id(i);
    const Distribution& distribution = environment.distributions[id];
    for (const auto& text : distribution.required) {
      const auto parsed = python::Requirement::parse(text);
      if (!parsed) continue;
      const auto extra = counts_under(*parsed, markers, distribution.extras);
      if (!extra) continue;
      requirements[python::normalized_name(parsed->name)].push_back(
          {id, text, *extra, parsed->versions});
    }
  }
  return requirements;
}

bool is_required(const Environment& environment, const Requirements& requirements,
                 Id<Distribution> id) {
  const Distribution& distribution = environment.distributions[id];
  const auto found = requirements.find(distribution.normalized);
  if (found == requirements.end()) return false;
  const auto version = python::Version::parse(distribution.version);
  return std::ranges::any_of(found->second, [&](const RequiredBy& required) {
    return required.extra.empty() && required.requirer != id && required.versions.contains(version);
  });
}

std::vector<Id<Distribution>> dependents(const Environment& environment,
                                         const Requirements& requirements,
                                         Id<Distribution> distribution) {
  std::set<Id<Distribution>> seen;
  std::vector<Id<Distribution>> work = {distribution};
  while (!work.empty()) {
    const auto id = work.back();
    work.pop_back();
    const auto found = requirements.find(environment.distributions[id].normalized);
    if (found == requirements.end()) continue;
    for (const auto& required : found->second) {
      if (!required.extra.empty() || required.requirer == distribution) continue;
      if (seen.insert(required.requirer).second) work.push_back(required.requirer);
    }
  }
  return {seen.begin(), seen.end()};
}

}  // namespace whyso::check
