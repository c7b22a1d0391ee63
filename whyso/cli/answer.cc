// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::cli {

void deliver(const Options& options, const std::function<std::string(const Destination&)>& text,
             Streams& streams) {
  for (const auto& destination : options.destinations) {
    if (destination.file == "-") {
      streams.out += text(destination);
    } else {
      streams.files.push_back({destination.file, text(destination)});
    }
  }
}

report::Style style_for(const Options& options, const Destination& destination) {
  report::Style style = options.style;
  const bool is_file = destination.file != "-";
  if (is_file && options.settings.text("color") != "always") style.colour = false;
  return style;
}

Status refuse(const Refusal& refusal, Streams& streams) {
  constexpr std::size_t most_choices = 20;
  streams.complain(refusal.message);
  for (std::size_t i = 0; i < refusal.choices.size() && i < most_choices; ++i) {
    streams.err += "  " + printable(refusal.choices[i]) + "\n";
  }
  if (refusal.choices.size() > most_choices) {
    streams.err += "  and " + grouped(refusal.choices.size() - most_choices) + " more\n";
  }
  if (!refusal.hint.empty()) streams.err += "       " + printable(refusal.hint) + "\n";
  return refusal.status;
}

void show_timings(const Options& options, const Stopwatch& stopwatch, Streams& streams) {
  if (!options.settings.has("timings")) return;
  for (const auto& lap : stopwatch.laps()) {
    streams.err += fmt::format("{:>10.1f} ms  {}\n", lap.seconds * 1000, lap.stage);
  }
  streams.err += fmt::format("{:>10.1f} ms  in all\n", stopwatch.seconds() * 1000);
}

std::string did_you_mean(const std::vector<std::string>& words) {
  return words.empty() ? "" : "did you mean " + join(words, " or ") + "?";
}

check::Severity severity_named(std::string_view word) {
  if (word == "note") return check::Severity::note;
  return word == "warning" ? check::Severity::warning : check::Severity::error;
}

Status status_of(const check::Report& report, check::Severity fail_on, bool allow_partial) {
  if (!report.unreadable.empty() && !allow_partial) return Status::incomplete;
  const bool has_failed = std::ranges::any_of(
      report.findings, [&](const auto& finding) { return finding.severity >= fail_on; });
  return has_failed ? Status::findings : Status::good;
}

}  // namespace whyso::cli
