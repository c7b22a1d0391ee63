// SPDX-License-Identifier: Apache-2.0
// A library that is needed and that lies where no search of the loader comes: SO101 tells it with
// the place.
#pragma once

#include <string>
#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/finding.h"

namespace whyso::check {

[[nodiscard]] std::vector<Finding> unreached_findings(const World& world,
                                                      const Diagnosis& diagnosis);

}  // namespace whyso::check
