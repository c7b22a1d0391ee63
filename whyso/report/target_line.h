// SPDX-License-Identifier: Apache-2.0
// The first line of every screen about an environment: which it is, and why this one.
#pragma once

#include <optional>

#include "whyso/check/finding.h"
#include "whyso/report/page.h"

namespace whyso::report {

/// "env  CPython 3.12.8 · 214 packages · ...   (VIRTUAL_ENV)". `seconds`: how long it took, where a
/// person waits for it.
void write_target_line(Page& page, const check::Report& report, std::optional<double> seconds);

}  // namespace whyso::report
