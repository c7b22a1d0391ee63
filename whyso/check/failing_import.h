// SPDX-License-Identifier: Apache-2.0
// Imports that fail for a library which is here, where no search of the loader comes: SO101 tells
// it with the place.
#pragma once

#include <vector>

#include "whyso/check/diagnosis.h"
#include "whyso/check/finding.h"

namespace whyso::check {

/// Foretold are imports of packages of which a file lacks, when it is loaded alone, a library that
/// another folder has, and that does not load beside its own package and those it requires either.
[[nodiscard]] std::vector<Finding> failing_import_findings(const World& world,
                                                           const Diagnosis& diagnosis);

}  // namespace whyso::check
