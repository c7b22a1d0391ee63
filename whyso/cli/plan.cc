// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/json.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/narrow.h"
#include "whyso/cli/rule_page.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/plan_json.h"
#include "whyso/report/plan_text.h"
#include "whyso/report/text.h"

namespace whyso::cli {
namespace {

/// The packages to be removed, or why that cannot be planned.
Judged<std::vector<std::string>> packages_of(const Options& options) {
  std::vector<std::string> words = options.request.arguments;
  const std::string what = words.front();
  words.erase(words.begin());
  const std::string usage = "usage: whyso plan uninstall PACKAGE...";
  if (what != "uninstall") {
    return std::unexpected(
        Refusal{Status::wrong_usage, "`" + what + "` cannot be planned by this version", usage});
  }
  if (words.empty()) {
    return std::unexpected(
        Refusal{Status::wrong_usage, "`whyso plan uninstall` needs a package", usage});
  }
  return words;
}

std::string rendered(const Options& options, const change::Plan& plan, const report::Tool& tool,
                     const report::RuleNames& names, const Destination& place) {
  if (place.format == Format::json) return json::write(report::plan_json(plan, names, tool));
  const report::Style style = style_for(options, place);
  return options.is_quiet ? report::quiet_text(plan.report, names, style)
                          : report::plan_text(plan, names, style);
}

}  // namespace

Status run_plan(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const auto packages = packages_of(options);
  if (!packages) return refuse(packages.error(), streams);
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  const auto plan = judge_uninstall(*question, *packages, options.settings.given_text("installer"),
                                    options.surroundings, stopwatch);
  if (!plan) return refuse(plan.error(), streams);
  const auto names = names_of(parse_rule_pages(resources.rule_pages));
  const report::Tool tool = {std::string(resources.version)};
  const auto text = [&](const Destination& place) {
    return rendered(options, *plan, tool, names, place);
  };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  return status_of(plan->report, severity_named(options.settings.text("fail-on")),
                   options.settings.has("allow-partial"));
}

}  // namespace whyso::cli
