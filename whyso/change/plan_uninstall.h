// SPDX-License-Identifier: Apache-2.0
// From distributions that are to go to a plan. Changes nothing.
#pragma once

#include "whyso/change/plan.h"
#include "whyso/check/world.h"

namespace whyso::change {

/// The world after the removal is built by the steps that built this one, and compared. `target`,
/// `target_path` and `chosen_by` of the report are the caller's to fill in.
[[nodiscard]] Plan plan_uninstall(const check::World& world,
                                  const check::DistributionIds& distributions, Installer installer);

/// The installer that looks after the environment.
[[nodiscard]] Installer usual_installer(const check::World& world);

}  // namespace whyso::change
