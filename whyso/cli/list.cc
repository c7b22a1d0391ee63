// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "whyso/base/json.h"
#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/json.h"
#include "whyso/report/list_text.h"

namespace whyso::cli {
namespace {

using check::PackageState;

/// The rows of one table, and how they are written.
struct Table {
  std::function<std::string(const report::Style&)> text;
  json::Value rows;
};

template <class Rows, class Text, class Json>
Table table_of(Rows rows, const Options& options, Text text, Json to_json) {
  if (options.settings.text("sort") == "size") {
    std::ranges::stable_sort(rows, std::greater(), [](const auto& row) { return row.bytes; });
  }
  json::Value value = to_json(rows);
  return {[rows = std::move(rows), text](const report::Style& style) { return text(rows, style); },
          std::move(value)};
}

Table packages(const check::Listing& listing, const Options& options) {
  auto rows = listing.packages;
  const bool wants_empty = options.settings.has("metadata-only");
  const bool wants_gutted = options.settings.has("gutted");
  std::erase_if(rows, [&](const check::PackageRow& row) {
    const bool is_wanted = (wants_empty && row.state == PackageState::metadata_only) ||
                           (wants_gutted && row.state == PackageState::gutted);
    return (wants_empty || wants_gutted) && !is_wanted;
  });
  return table_of(std::move(rows), options, report::packages_text, report::packages_json);
}

Table table(std::string_view kind, const check::Listing& listing, const Options& options) {
  if (kind == "packages") return packages(listing, options);
  if (kind == "clashes") {
    return table_of(listing.clashes, options, report::clashes_text, report::clashes_json);
  }
  auto rows = listing.libraries;
  if (kind == "orphans") {
    std::erase_if(rows, [](const check::LibraryRow& row) { return !row.owners.empty(); });
  }
  return table_of(std::move(rows), options, report::libraries_text, report::libraries_json);
}

std::optional<Refusal> wrong_kind(const std::string& kind, const Options& options) {
  const std::vector<std::string> kinds = {"packages", "libs", "clashes", "orphans"};
  if (std::ranges::find(kinds, kind) == kinds.end()) {
    const auto close = closest(kind, kinds);
    return Refusal{Status::wrong_usage, "`" + kind + "` cannot be listed",
                   close.empty() ? "possible are: " + join(kinds, ", ") : did_you_mean(close)};
  }
  for (const char* option : {"metadata-only", "gutted"}) {
    if (kind == "packages" || !options.settings.has(option)) continue;
    return Refusal{Status::wrong_usage, "--" + std::string(option) + " is about packages",
                   "whyso list packages --" + std::string(option)};
  }
  return std::nullopt;
}

}  // namespace

Status run_list(const Options& options, const Resources& resources, Streams& streams) {
  Stopwatch stopwatch;
  const std::string& kind = options.request.arguments[0];
  if (const auto wrong = wrong_kind(kind, options)) return refuse(*wrong, streams);
  const auto question = question_of(options, resources);
  if (!question) return refuse(question.error(), streams);
  const auto listing = judge_list(*question, kind, options.surroundings, stopwatch);
  if (!listing) return refuse(listing.error(), streams);
  const Table shown = table(kind, *listing, options);
  const auto text = [&](const Destination& place) {
    if (place.format != Format::json) return shown.text(style_for(options, place));
    json::Object object = report::document({std::string(resources.version)});
    object.emplace("kind", kind);
    object.emplace("rows", shown.rows);
    return json::write(object);
  };
  deliver(options, text, streams);
  stopwatch.lap("writing");
  show_timings(options, stopwatch, streams);
  return Status::good;
}

}  // namespace whyso::cli
