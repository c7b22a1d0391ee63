// SPDX-License-Identifier: Apache-2.0
// The end of the program for our own bugs. Not for input: that is what Result is for.
#pragma once

namespace whyso {

/// Ends the program by an exception that only main catches (exit status 70).
[[noreturn]] void report_bug(const char* condition, const char* file, int line);

}  // namespace whyso

/// Holds in every build; a false condition is a bug of whyso.
#define WHYSO_CHECK(...) \
  ((__VA_ARGS__) ? void() : ::whyso::report_bug(#__VA_ARGS__, __FILE__, __LINE__))
