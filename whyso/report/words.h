// SPDX-License-Identifier: Apache-2.0
// The words for the enumerators of check, the same in text and in JSON.
#pragma once

#include <string>
#include <string_view>

#include "whyso/change/plan.h"
#include "whyso/check/finding.h"

namespace whyso::report {

[[nodiscard]] std::string_view word_of(check::Severity severity);      ///< "error"
[[nodiscard]] std::string_view word_of(check::Confidence confidence);  ///< "likely"
[[nodiscard]] std::string_view word_of(check::Applicability safety);   ///< "safe"
[[nodiscard]] std::string_view word_of(check::Category::State state);  ///< "not-looked-at"
[[nodiscard]] std::string_view word_of(ErrorKind kind);                ///< "not-permitted"
[[nodiscard]] std::string_view word_of(change::Burden burden);         ///< "load-bearing"
[[nodiscard]] std::string_view word_of(change::Installer installer);   ///< "uv"

/// How many findings there are of each severity.
struct Tally {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
};

[[nodiscard]] Tally tally(const check::Report& report);

}  // namespace whyso::report
