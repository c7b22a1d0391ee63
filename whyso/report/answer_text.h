// SPDX-License-Identifier: Apache-2.0
// What `why` and `provides` answer, as text for people.
#pragma once

#include <string>

#include "whyso/check/answer.h"
#include "whyso/report/style.h"

namespace whyso::report {

/// Each load with its search, each file, each distribution; empty where nothing was found.
/// Refused paths are shortened unless `verbosity` asks for all.
[[nodiscard]] std::string why_text(const check::Why& why, const Style& style);

/// A table of who has it; knowledge is said to be knowledge. Empty where nobody does.
[[nodiscard]] std::string provides_text(const check::Provides& provides, const Style& style);

/// What each import loads, in order; with verbosity also what fails and is handled, and why there
/// may be more.
[[nodiscard]] std::string loads_text(const check::Loads& loads, const Style& style);

}  // namespace whyso::report
