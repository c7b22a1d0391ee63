// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/json.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/narrow.h"
#include "whyso/cli/rule_page.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/json.h"
#include "whyso/report/text.h"

namespace whyso::cli {
namespace {

struct Screen {
  const check::Report& report;
  const report::RuleNames& names;
  const report::Tool& tool;
  double seconds = 0;
};

std::string text_of(const Options& options, const Screen& screen, const Destination& destination) {
  const report::Style style = style_for(options, destination);
  if (options.is_quiet) return report::quiet_text(screen.report, screen.names, style);
  // The time stands only where a person has waited: else equal input must give equal bytes.
  const bool is_seen = destination.file == "-" && options.surroundings.out_is_terminal;
  return report::check_text(screen.report, screen.names, style,
                            is_seen ? std::optional(screen.seconds) : std::nullopt);
}

std::string rendered(const Options& options, const Screen& screen, const Destination& destination) {
  switch (destination.format) {
    case Format::json:
      return json::write(report::check_json(screen.report, screen.names, screen.tool));
    case Format::ndjson:
      return report::check_ndjson(screen.report, screen.names, screen.tool);
    case Format::concise:
      return report::concise_text(screen.report, screen.names, style_for(options, destination));
    case Format::text:
      break;
  }
  return text_of(options, screen, destination);
}

}  // namespace

Status run_check(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const auto names = names_of(parse_rule_pages(resources.rule_pages));
  const Wanted wanted = {options.settings.list("select"),    options.settings.list("ignore"),
                         options.configuration.suppressions, options.surroundings.today,
                         options.settings["select"].place(), options.settings["ignore"].place()};
  if (const auto checked = check_codes(wanted, names); !checked) {
    return refuse({Status::wrong_usage, checked.error().message, checked.error().hint}, streams);
  }
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  auto judged = judge_check(*question, options.surroundings, stopwatch);
  if (!judged) return refuse(judged.error(), streams);
  const check::Report report = narrowed(*std::move(judged), wanted, names);
  const report::Tool tool = {std::string(resources.version)};
  const Screen screen = {report, names, tool, stopwatch.seconds()};
  const auto text = [&](const Destination& place) { return rendered(options, screen, place); };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  return status_of(report, severity_named(options.settings.text("fail-on")),
                   options.settings.has("allow-partial"));
}

}  // namespace whyso::cli
