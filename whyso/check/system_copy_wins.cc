// SPDX-License-Identifier: Apache-2.0
// SO402: a library of the environment that no search reaches, so that the system's serves.
#include "whyso/check/displaced_story.h"
#include "whyso/check/registry.h"

namespace whyso::check {

std::vector<Finding> find_system_copy_wins(const World& world, const Diagnosis& diagnosis) {
  return displaced_findings(world, diagnosis, Displacer::system, "SO402");
}

}  // namespace whyso::check
