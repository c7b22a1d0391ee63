// SPDX-License-Identifier: Apache-2.0
// Bytes to files and streams, and what went wrong there.
#pragma once

#include <string_view>

#include "whyso/cli/run.h"

namespace whyso::cli {

/// All of `text` to an open descriptor; 0 where all is well, else the errno.
[[nodiscard]] int write_all(int descriptor, std::string_view text);

/// All that a run has to say, to its files, standard output and standard error, in this order.
/// Returns `status`, or what takes its place where something could not be written.
[[nodiscard]] Status write_streams(Streams streams, Status status);

}  // namespace whyso::cli
