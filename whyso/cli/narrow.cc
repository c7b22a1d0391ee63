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

bool is_about(const Finding& finding, const std::string& package) {
  return package.empty() || std::ranges::any_of(finding.subjects, [&](const auto& subject) {
           return normalised(subject.package) == normalised(package);
         });
}

/// The entry that silences a finding; ISO dates compare as text.
std::optional<std::size_t> find_suppression(const Finding& finding, const Wanted& wanted,
                                            const RuleNames& names) {
  for (std::size_t i = 0; i < wanted.suppressions.size(); ++i) {
    const auto& entry = wanted.suppressions[i];
    const bool is_valid = entry.until.empty() || wanted.today <= entry.until;
    if (is_valid && matches(entry.code, finding.code, names) && is_about(finding, entry.package)) {
      return i;
    }
  }
  return std::nullopt;
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
  for (const auto& pattern : wanted.select) all.emplace_back(pattern, "--select");
  for (const auto& pattern : wanted.ignore) all.emplace_back(pattern, "--ignore");
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
    const auto entry = find_suppression(finding, wanted, names);
    if (!entry) {
      kept.push_back(std::move(finding));
      continue;
    }
    used[*entry] = true;
    const auto& suppression = wanted.suppressions[*entry];
    report.suppressed.push_back({std::move(finding), suppression.reason, suppression.until});
  }
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto& entry = wanted.suppressions[i];
    const bool is_judged = is_wanted(wanted, "SO903", names) &&
                           (wanted.select.empty() || is_wanted(wanted, entry.code, names));
    if (!used[i] && is_judged) kept.push_back(entry_finding(entry, wanted.today));
  }
  report.findings = std::move(kept);
  return report;
}

}  // namespace whyso::cli
