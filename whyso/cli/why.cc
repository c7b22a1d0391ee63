// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/json.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/answer_text.h"
#include "whyso/report/json.h"

namespace whyso::cli {

Status run_why(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  const std::string& query = options.request.arguments[0];
  const auto why = judge_why(*question, query, options.surroundings, stopwatch);
  if (!why) return refuse(why.error(), streams);
  const bool is_found = !why->loads.empty() || !why->files.empty() || !why->distributions.empty();
  const auto text = [&](const Destination& place) {
    return place.format == Format::json
               ? json::write(report::why_json(*why, {std::string(resources.version)}))
               : report::why_text(*why, style_for(options, place));
  };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  if (is_found) return Status::good;
  streams.complain("nothing here is called `" + query + "` or needs it",
                   did_you_mean(why->did_you_mean));
  return Status::findings;
}

}  // namespace whyso::cli
