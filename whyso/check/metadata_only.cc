// SPDX-License-Identifier: Apache-2.0
// SO201: distributions that never had a file besides their metadata. No fault: said so that they
// are not taken for gutted ones.
#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {

std::vector<Finding> find_metadata_only(const World& world, const Diagnosis& /*diagnosis*/) {
  DistributionIds empty;
  const auto& distributions = world.environment.distributions;
  for (std::size_t i = 0; i < distributions.size(); ++i) {
    const auto id = distributions.id(i);
    const auto* files = distributions[id].files.find();
    const bool counts = files != nullptr && !files->rows().empty() &&
                        !distributions[id].is_editable && world.listed.counts[i].files == 0;
    if (counts) empty.push_back(id);
  }
  if (empty.empty()) return {};
  Finding finding{.code = "SO201", .severity = Severity::note};
  const auto titles = titles_of(world, empty);
  finding.message = enumerated(titles, 3) + (titles.size() == 1 ? " consists" : " consist") +
                    " of metadata alone, as published";
  for (const auto id : empty) {
    finding.subjects.push_back({.package = std::string(distributions[id].name),
                                .version = std::string(distributions[id].version),
                                .state = "its RECORD lists no other file"});
  }
  return {finding};
}

}  // namespace whyso::check
