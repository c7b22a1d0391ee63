// SPDX-License-Identifier: Apache-2.0
// SO401: a library of the environment that loses to one in LD_LIBRARY_PATH.
#include "whyso/check/displaced_story.h"
#include "whyso/check/registry.h"

namespace whyso::check {

std::vector<Finding> find_shadowed_by_env(const World& world, const Diagnosis& diagnosis) {
  return displaced_findings(world, diagnosis, Displacer::variable, "SO401");
}

}  // namespace whyso::check
