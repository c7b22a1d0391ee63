// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/run.h"

#include <algorithm>
#include <map>

#include "whyso/base/text.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

using State = Category::State;

/// Errors first, then by code, then by what they are about.
void sort_findings(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    if (a.code != b.code) return a.code < b.code;
    return a.message < b.message;
  });
}

State worst_of(const std::vector<Finding>& findings, const std::vector<std::string_view>& codes) {
  State worst = State::sound;
  for (const auto& finding : findings) {
    if (std::ranges::find(codes, finding.code) == codes.end()) continue;
    const State state = finding.severity == Severity::error     ? State::error
                        : finding.severity == Severity::warning ? State::warning
                                                                : State::sound;
    worst = std::max(worst, state);
  }
  return worst;
}

Category files_category(const World& world, const std::vector<Finding>& findings) {
  Category category{.name = "files", .state = worst_of(findings, {"SO102", "SO204", "SO901"})};
  const std::size_t listed = world.environment.ownership.files().size();
  const std::size_t missing = world.listed.missing.size();
  category.text = missing == 0 ? "all " + counted(listed, "listed file") + " are there"
                               : counted(missing, "file") + " of " + grouped(listed) +
                                     " listed ones " + (missing == 1 ? "is" : "are") + " gone";
  if (!world.not_compared.empty()) {
    category.state = std::max(category.state, State::note);
    category.text += "; " + counted(world.not_compared.size(), "library") +
                     " written after the list is for --hash full to read";
  }
  if (missing > 0) category.state = std::max(category.state, State::note);
  if (listed > 0) return category;
  if (world.environment.distributions.empty()) {
    return {.name = "files", .state = State::sound, .text = "no package is installed"};
  }
  category = {.name = "files", .state = State::not_looked_at, .text = "no list of files was found"};
  return category;
}

Category ownership_category(const World& world, const std::vector<Finding>& findings) {
  Category category{.name = "ownership",
                    .state = worst_of(findings, {"SO202", "SO203", "SO205", "SO206"})};
  const std::size_t contested = world.contests.size();
  category.text = contested == 0
                      ? "no file is claimed by two packages with different contents"
                      : counted(contested, "file") + " " + (contested == 1 ? "is" : "are") +
                            " claimed by several packages with different contents";
  return category;
}

std::size_t loading_modules(const World& world) {
  return static_cast<std::size_t>(std::ranges::count_if(
      world.modules, [](const ModuleLoad& load) { return load.failed.empty(); }));
}

Category loading_category(const World& world, const std::vector<Finding>& findings) {
  if (!world.loading_problem.empty()) {
    return {.name = "loading",
            .state = State::not_looked_at,
            .text = std::string(world.loading_problem)};
  }
  Category category{
      .name = "loading",
      .state = worst_of(findings, {"SO101", "SO102", "SO103", "SO104", "SO106", "SO203", "SO204",
                                   "SO205", "SO401", "SO402", "SO403"})};
  // A warning is no load that fails: it belongs to another category.
  if (category.state == State::warning) category.state = State::sound;
  if (world.modules.empty()) {
    category.text = "no extension module is there";
    return category;
  }
  const std::size_t good = loading_modules(world);
  category.text = counted(good, "extension module");
  category.text += good == world.modules.size()
                       ? (good == 1 ? " loads by itself" : " load by themselves")
                       : " of " + grouped(world.modules.size()) + " load by themselves";
  return category;
}

}  // namespace

namespace {

/// "FILE:12" without its line; the whole where it has none.
std::string file_of(const Error& error) {
  const auto colon = error.where.rfind(':');
  const bool has_line = colon != std::string::npos &&
                        parse_decimal(std::string_view(error.where).substr(colon + 1)).has_value();
  return has_line ? error.where.substr(0, colon) : error.where;
}

/// Faults of one file are told once, by the first of them.
std::vector<Error> one_for_each_file(std::vector<Error> errors) {
  std::map<std::string, std::vector<Error>> by_file;
  for (auto& error : errors) by_file[file_of(error)].push_back(std::move(error));
  std::vector<Error> result;
  for (auto& [file, faults] : by_file) {
    Error error = faults.front();
    if (faults.size() > 1) {
      error.what += "; and " + counted(faults.size() - 1, "other fault") + " of this file";
    }
    result.push_back(std::move(error));
  }
  return result;
}

}  // namespace

std::vector<Error> unreadable_parts(const World& world) {
  std::vector<Error> errors = world.environment.problems;
  const auto& ownership = world.environment.ownership;
  for (const auto& file : ownership.files()) {
    if (file.state == environment::FileState::unreadable) errors.push_back(ownership.problem(file));
  }
  for (const auto& contest : world.contests) {
    if (contest.problem) errors.push_back(*contest.problem);
  }
  for (const auto& object : world.natives) {
    if (object.verdict == loader::Verdict::permission_denied) {
      errors.push_back({ErrorKind::not_permitted, object.path.text(), "Permission denied"});
    }
    if (object.verdict == loader::Verdict::failed) {
      errors.push_back({ErrorKind::io, object.path.text(), "could not be read"});
    }
  }
  errors.insert(errors.end(), world.compared.problems.begin(), world.compared.problems.end());
  return one_for_each_file(std::move(errors));
}

Report run_rules(const World& world) {
  Report report;
  const Diagnosis diagnosis = diagnose(world);
  for (const auto& rule : rules()) {
    for (auto& finding : rule.find(world, diagnosis)) report.findings.push_back(std::move(finding));
  }
  sort_findings(report.findings);
  report.python = world.environment.interpreter.title();
  report.packages = world.environment.distributions.size();
  report.objects = world.natives.size();
  report.unreadable = unreadable_parts(world);
  report.categories = {files_category(world, report.findings),
                       ownership_category(world, report.findings),
                       loading_category(world, report.findings)};
  return report;
}

}  // namespace whyso::check
