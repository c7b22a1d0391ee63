// SPDX-License-Identifier: Apache-2.0
// SO403: a path written into a file leads out of the environment, to another copy than meant.
#include "whyso/check/displaced_story.h"
#include "whyso/check/registry.h"

namespace whyso::check {

std::vector<Finding> find_rpath_leaves_env(const World& world, const Diagnosis& diagnosis) {
  return displaced_findings(world, diagnosis, Displacer::own_path, "SO403");
}

}  // namespace whyso::check
