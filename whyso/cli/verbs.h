// SPDX-License-Identifier: Apache-2.0
// What each verb does; one file a verb. `ld` has a header of its own.
#pragma once

#include "whyso/cli/resources.h"
#include "whyso/cli/run.h"

namespace whyso::cli {

[[nodiscard]] Status run_check(const Options& options, const Resources& resources,
                               Streams& streams);
[[nodiscard]] Status run_why(const Options& options, const Resources& resources, Streams& streams);
[[nodiscard]] Status run_provides(const Options& options, const Resources& resources,
                                  Streams& streams);
[[nodiscard]] Status run_loads(const Options& options, const Resources& resources,
                               Streams& streams);
[[nodiscard]] Status run_list(const Options& options, const Resources& resources, Streams& streams);
[[nodiscard]] Status run_plan(const Options& options, const Resources& resources, Streams& streams);
[[nodiscard]] Status run_rule(const Options& options, const Resources& resources, Streams& streams);
[[nodiscard]] Status run_config(const Options& options, const Resources& resources,
                                Streams& streams);
[[nodiscard]] Status run_schema(const Options& options, const Resources& resources,
                                Streams& streams);
[[nodiscard]] Status run_generate(const Options& options, const Resources& resources,
                                  Streams& streams);
[[nodiscard]] Status run_version(const Options& options, const Resources& resources,
                                 Streams& streams);
[[nodiscard]] Status run_help(const Options& options, const Resources& resources, Streams& streams);

}  // namespace whyso::cli
