// SPDX-License-Identifier: Apache-2.0
// What the judging verbs share: results in several formats to several places, refusals, timings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/check/finding.h"
#include "whyso/cli/judge.h"
#include "whyso/cli/run.h"

namespace whyso::cli {

/// Writes `text(destination)` to each destination.
void deliver(const Options& options, const std::function<std::string(const Destination&)>& text,
             Streams& streams);

/// How text for that place looks: a file gets colours only where they were asked for by name.
[[nodiscard]] report::Style style_for(const Options& options, const Destination& destination);

/// Says why there is no answer; returns its status.
[[nodiscard]] Status refuse(const Refusal& refusal, Streams& streams);

/// The laps on `err` where the user asked for them.
void show_timings(const Options& options, const Stopwatch& stopwatch, Streams& streams);

/// "did you mean ...?", empty for no words.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& words);

/// "error", "warning" or "note", as --fail-on takes them.
[[nodiscard]] check::Severity severity_named(std::string_view word);

/// 3 where something could not be looked at, unless that is allowed; 1 where a finding is at or
/// above the level; else 0.
[[nodiscard]] Status status_of(const check::Report& report, check::Severity fail_on,
                               bool allow_partial);

}  // namespace whyso::cli
