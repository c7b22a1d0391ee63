// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/ld.h"

namespace whyso::cli {

Status run_ld(const Options& options, const Resources& /*resources*/, Streams& streams) {
  streams.complain("this build has no model of the loader for " + options.request.arguments[0]);
  return Status::wrong_usage;
}

}  // namespace whyso::cli
