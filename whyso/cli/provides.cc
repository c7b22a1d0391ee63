// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/json.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/answer_text.h"
#include "whyso/report/json.h"

namespace whyso::cli {

Status run_provides(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  const std::string& query = options.request.arguments[0];
  const auto provides = judge_provides(*question, query, options.surroundings, stopwatch);
  if (!provides) return refuse(provides.error(), streams);
  const auto text = [&](const Destination& place) {
    return place.format == Format::json
               ? json::write(report::provides_json(*provides, {std::string(resources.version)}))
               : report::provides_text(*provides, style_for(options, place));
  };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  if (!provides->providers.empty()) return Status::good;
  streams.complain("nothing is known to provide `" + query + "`",
                   did_you_mean(provides->did_you_mean));
  return Status::findings;
}

}  // namespace whyso::cli
