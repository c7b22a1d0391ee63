// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/narrow.h"

#include <algorithm>
#include <optional>

#include "whyso/base/text.h"

namespace whyso::cli {
namespace {

using check::Finding;
using report::RuleNames;

/// "SO2", "SO203" or "bytes-belong-to-other" of SO203.
bool matches(std::string_view pattern, std::string_view code, const RuleNames& names) {
  return code.starts_with(pattern) || report::rule_name(names, code) == pattern;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view code,
                 const RuleNames& names) {
  return std::ranges::any_of(
      patterns, [&](const std::string& pattern) { return matches(pattern, code, names); });
}

bool is_wanted(const Wanted& wanted, std::string_view code, const RuleNames& names) {
  const bool is_selected = wanted.select.empty() || matches_any(wanted.select, code, names);
  return is_selected && !matches_any(wanted.ignore, code, names);
}

/// Names of distributions compare without case, and with -, _ and . alike (PEP 503).
std::string normalised(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool is_dash = c == '-' || c == '_' || c == '.';
    if (is_dash && result.ends_with('-')) continue;
    result += is_dash ? '-' : lower(c);
  }
  return result;
}

/// Is `package` the one that lists the subject, or the one whose bytes it holds?
bool is_about(const check::Subject& subject, std::string_view package) {
  if (package.empty()) return true;
  const std::string name = normalised(package);
  const std::string_view content = subject.content_of;
  return normalised(subject.package) == name ||
         normalised(content.substr(0, content.find(' '))) == name;
}

bool is_valid(const Suppression& entry, std::string_view today) {
  return entry.until.empty() || today <= entry.until;
}

/// For each subject the entry that covers it. A finding is silent only where all are covered, so
/// that a fault of one package does not hide that of another.
std::vector<std::optional<std::size_t>> covering_entries(const Finding& finding,
                                                         const Wanted& wanted,
                                                         const RuleNames& names) {
  std::vector<check::Subject> subjects = finding.subjects;
  if (subjects.empty()) subjects.emplace_back();
  std::vector<std::optional<std::size_t>> entries(subjects.size());
  for (std::size_t i = 0; i < wanted.suppressions.size(); ++i) {
    const auto& entry = wanted.suppressions[i];
    if (!is_valid(entry, wanted.today) || !matches(entry.code, finding.code, names)) continue;
    for (std::size_t n = 0; n < subjects.size(); ++n) {
      if (!entries[n] && is_about(subjects[n], entry.package)) entries[n] = i;
    }
  }
  return entries;
}

std::string described(const Suppression& entry) {
  return entry.code + (entry.package.empty() ? "" : " for " + entry.package);
}

Finding entry_finding(const Suppression& entry, const std::string& today) {
  const bool is_expired = !entry.until.empty() && today > entry.until;
  const std::string what = is_expired ? "has expired on " + entry.until : "silences nothing";
  return {.code = "SO903",
          .severity = check::Severity::note,
          .message = "the ignore entry " + described(entry) + " " + what,
          .subjects = {{.package = entry.package, .path = entry.place, .state = what}},
          .because = {{.text = "its reason was: " + entry.reason}},
          .fixes = {{.id = "remove-entry",
                     .applicability = check::Applicability::manual,
                     .summary = is_expired ? "remove the entry or give it a new date"
                                           : "remove the entry"}}};
}

/// What is not reported does not make its category bad: it is told as a note.
void soften(check::Report& report) {
  using State = check::Category::State;
  check::Severity worst = check::Severity::note;
  for (const auto& finding : report.findings) worst = std::max(worst, finding.severity);
  for (auto& category : report.categories) {
    const bool is_error = category.state == State::error;
    const bool is_bad = is_error || category.state == State::warning;
    if (is_bad && worst == check::Severity::note) category.state = State::note;
    if (is_error && worst == check::Severity::warning) category.state = State::warning;
  }
}

Usage<void> check_pattern(const std::string& pattern, const std::string& place,
                          const RuleNames& names) {
  std::vector<std::string> known;
  for (const auto& [code, name] : names) {
    if (matches(pattern, code, names)) return {};
    known.push_back(code);
    known.push_back(name);
  }
  const auto close = closest(pattern, known);
  return std::unexpected(UsageError{
      place + ": `" + pattern + "` is no rule",
      close.empty() ? "whyso rule --list lists all rules" : "did you mean " + close[0] + "?"});
}

}  // namespace

Usage<void> check_codes(const Wanted& wanted, const RuleNames& names) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& pattern : wanted.select) all.emplace_back(pattern, wanted.select_place);
  for (const auto& pattern : wanted.ignore) all.emplace_back(pattern, wanted.ignore_place);
  for (const auto& entry : wanted.suppressions) all.emplace_back(entry.code, entry.place);
  for (const auto& [pattern, place] : all) {
    if (auto checked = check_pattern(pattern, place, names); !checked) return checked;
  }
  return {};
}

check::Report narrowed(check::Report report, const Wanted& wanted, const RuleNames& names) {
  std::vector<bool> used(wanted.suppressions.size());
  std::vector<Finding> kept;
  for (auto& finding : report.findings) {
    if (!is_wanted(wanted, finding.code, names)) continue;
    const auto entries = covering_entries(finding, wanted, names);
    for (const auto& entry : entries) {
      if (entry) used[*entry] = true;
    }
    if (std::ranges::any_of(entries, [](const auto& entry) { return !entry.has_value(); })) {
      kept.push_back(std::move(finding));
      continue;
    }
    const auto& suppression = wanted.suppressions[*entries[0]];
    report.suppressed.push_back({std::move(finding), suppression.reason, suppression.until});
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto& entry = wanted.suppressions[i];
    const bool is_judged = is_wanted(wanted, "SO903", names) &&
                           (wanted.select.empty() || is_wanted(wanted, entry.code, names));
    if (!used[i] && is_judged) kept.push_back(entry_finding(entry, wanted.today));
  }
  report.findings = std::move(kept);
  soften(report);
  return report;
}

}  // namespace whyso::cli
