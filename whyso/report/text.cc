// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/report/finding_text.h"
#include "whyso/report/page.h"
#include "whyso/report/target_line.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using check::Category;
using check::Report;

struct Mark {
  std::string_view glyph;
  Role role;
};

Mark mark_of(Category::State state) {
  switch (state) {
    case Category::State::sound:
      return {"✓", Role::good};
    case Category::State::note:
      return {"·", Role::note};
    case Category::State::warning:
      return {"!", Role::warning};
    case Category::State::error:
      return {"✗", Role::error};
    case Category::State::not_looked_at:
      return {"?", Role::warning};
  }
  return {"?", Role::plain};
}

void write_category(Page& page, const Category& category, std::size_t name_width) {
  const Style& style = page.style();
  const Mark mark = mark_of(category.state);
  const std::string glyph = shown(mark.glyph, style);
  std::string name = shown(category.name, style);
  const std::size_t taken = columns(name);
  if (taken < name_width) name.append(name_width - taken, ' ');
  const std::size_t column = 2 + 2 + columns(glyph) + 1 + std::max(taken, name_width) + 2;
  page.lead("  [" + painted(glyph, mark.role, style) + "] " + name + "  ", column, category.text,
            column);
}

/// "2: libgomp is loaded in 2 copies (SO305), ..." of the notes.
Category folded_notes(const Report& report) {
  std::string text;
  std::size_t count = 0;
  for (const auto& finding : report.findings) {
    if (finding.severity != check::Severity::note) continue;
    text += (count++ == 0 ? "" : ", ") + finding.message + " (" + finding.code + ")";
  }
  return {"notes", Category::State::note, std::to_string(count) + ": " + text + "; -v to see"};
}

void write_categories(Page& page, const Report& report, const Tally& counts) {
  std::vector<Category> categories = report.categories;
  if (counts.notes > 0 && page.style().verbosity == 0) categories.push_back(folded_notes(report));
  std::size_t name_width = 0;
  for (const auto& category : categories) {
    name_width = std::max(name_width, columns(shown(category.name, page.style())));
  }
  page.blank();
  for (const auto& category : categories) write_category(page, category, name_width);
}

void write_unreadable(Page& page, const Report& report) {
  constexpr std::size_t few = 3;
  // The finding tells it, where it was not silenced.
  const bool is_told = std::ranges::any_of(
      report.findings, [](const check::Finding& finding) { return finding.code == "SO901"; });
  if (report.unreadable.empty() || is_told) return;
  page.blank();
  const std::size_t count = report.unreadable.size();
  const std::size_t named = page.style().verbosity > 0 ? count : std::min(few, count);
  page.labelled({.text = "coverage", .indent = 0, .column = 10},
                "incomplete: " + counted(count, "place") + " could not be looked at");
  for (std::size_t i = 0; i < named; ++i) page.paragraph(10, report.unreadable[i].text());
  if (named < count) page.paragraph(10, grouped(count - named) + " more, -v to see");
}

void write_suppressed(Page& page, const Report& report, const RuleNames& names) {
  if (page.style().verbosity == 0) return;
  for (const auto& suppressed : report.suppressed) {
    page.blank();
    page.paragraph(0, "ignored " + headline(suppressed.finding, names), Role::faint);
    page.labelled({.text = "reason"}, suppressed.reason);
    if (!suppressed.until.empty()) page.labelled({.text = "until"}, suppressed.until);
  }
}

std::string verdict(const Report& report, const Tally& counts) {
  std::vector<std::string> parts;
  if (counts.errors > 0) parts.push_back(counted(counts.errors, "error"));
  if (counts.warnings > 0) parts.push_back(counted(counts.warnings, "warning"));
  if (parts.empty() && report.unreadable.empty()) parts.emplace_back("sound");
  if (!report.unreadable.empty()) parts.emplace_back("incomplete");
  if (!report.suppressed.empty()) {
    parts.push_back(grouped(report.suppressed.size()) + " ignored by configuration");
  }
  return join(parts, ", ");
}

/// Nothing is wrong: what was looked at is told. Else the findings tell more.
void write_overview(Page& page, const Report& report, const Tally& counts) {
  const bool is_quiet = counts.errors + counts.warnings == 0;
  if (is_quiet || page.style().verbosity > 0) write_categories(page, report, counts);
  if (is_quiet) return;
  std::string text = verdict(report, counts);
  const bool has_folded_notes = counts.notes > 0 && page.style().verbosity == 0;
  if (has_folded_notes) text += ", " + counted(counts.notes, "note") + " (-v to see)";
  page.blank();
  page.paragraph(0, text);
}

}  // namespace

std::string check_text(const Report& report, const RuleNames& names, const Style& style,
                       std::optional<double> seconds) {
  Page page(style);
  const Tally counts = tally(report);
  write_target_line(page, report, seconds);
  write_overview(page, report, counts);
  write_unreadable(page, report);
  write_suppressed(page, report, names);
  // Notes come first: the last line is the command that mends.
  for (const bool are_notes : {true, false}) {
    for (const auto& finding : report.findings) {
      const bool is_note = finding.severity == check::Severity::note;
      if (is_note != are_notes || (is_note && style.verbosity == 0)) continue;
      page.blank();
      write_finding(page, finding, names);
    }
  }
  if (counts.errors + counts.warnings == 0) {
    page.blank();
    page.paragraph(0, verdict(report, counts));
  }
  return std::move(page).text();
}

std::string quiet_text(const Report& report, const RuleNames& names, const Style& style) {
  std::string text;
  for (const auto& finding : report.findings) {
    if (finding.severity != check::Severity::error) continue;
    text += shown(headline(finding, names), style) + "\n";
  }
  return text;
}

std::string concise_text(const Report& report, const RuleNames& names, const Style& style) {
  std::string text;
  for (const auto& finding : report.findings) {
    if (finding.severity == check::Severity::note && style.verbosity == 0) continue;
    text += shown(report.target + ": " + headline(finding, names), style) + "\n";
  }
  return text;
}

}  // namespace whyso::report
