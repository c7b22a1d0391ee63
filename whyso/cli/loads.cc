// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/json.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/answer_text.h"
#include "whyso/report/json.h"

namespace whyso::cli {

Status run_loads(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  const std::vector<std::string> names = options.settings.list("import");
  const auto loads = judge_loads(*question, names, options.surroundings, stopwatch);
  if (!loads) return refuse(loads.error(), streams);
  const auto text = [&](const Destination& place) {
    return place.format == Format::json
               ? json::write(report::loads_json(*loads, {std::string(resources.version)}))
               : report::loads_text(*loads, style_for(options, place));
  };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  if (!loads->problem.empty()) {
    streams.complain("nothing is known of loading: " + loads->problem);
    return Status::incomplete;
  }
  const bool fails = std::ranges::any_of(
      loads->imports, [](const check::ImportLoads& import) { return !import.is_ok; });
  return fails && !names.empty() ? Status::findings : Status::good;
}

}  // namespace whyso::cli
