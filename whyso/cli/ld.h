// SPDX-License-Identifier: Apache-2.0
// The verb `ld`: the model of the dynamic loader alone.
#pragma once

#include "whyso/cli/resources.h"
#include "whyso/cli/run.h"

namespace whyso::cli {

[[nodiscard]] Status run_ld(const Options& options, const Resources& resources, Streams& streams);

}  // namespace whyso::cli
