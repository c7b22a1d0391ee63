// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/finding_text.h"

#include <algorithm>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using check::Finding;

Role role_of(check::Severity severity) {
  if (severity == check::Severity::error) return Role::error;
  return severity == check::Severity::warning ? Role::warning : Role::note;
}

std::string doubt(check::Confidence confidence, std::string_view reason) {
  if (confidence == check::Confidence::certain) return "";
  std::string text = "(" + std::string(word_of(confidence));
  if (!reason.empty()) text += ": " + std::string(reason);
  return text + ")";
}

void write_headline(Page& page, const Finding& finding, const RuleNames& names) {
  const Style& style = page.style();
  const Role role = role_of(finding.severity);
  const std::string word(word_of(finding.severity));
  const std::string code = shown(finding.code, style);
  const std::string name = shown(rule_name(names, finding.code), style);
  const std::string url = style.rule_page_url.empty() ? "" : style.rule_page_url + code;
  const std::string tail = name.empty() ? ": " : " " + name + ": ";
  const std::string lead = painted(word + "[", role, style) +
                           linked(painted(code, role, style), url, style) +
                           painted("]", role, style) + painted(tail, Role::strong, style);
  const std::string message = finding.message + (finding.confidence == check::Confidence::certain
                                                     ? ""
                                                     : "  " + doubt(finding.confidence, ""));
  page.lead(lead, word.size() + columns(code) + 2 + columns(tail), message, 2);
}

std::string subject_line(const check::Subject& subject) {
  std::vector<std::string> parts;
  if (!subject.package.empty()) {
    parts.push_back(subject.package + (subject.version.empty() ? "" : " " + subject.version));
  }
  parts.push_back(subject.path.empty() ? subject.soname : subject.path);
  if (!subject.state.empty()) parts.push_back("(" + subject.state + ")");
  std::erase(parts, "");
  return join(parts, "  ");
}

/// Does the headline say all that is known of the only subject?
bool is_told_by_message(const Finding& finding) {
  if (finding.subjects.size() != 1) return false;
  const auto& subject = finding.subjects.front();
  return subject.package.empty() && finding.message.contains(subject.path) &&
         finding.message.contains(subject.state);
}

/// Subjects stand in the table where there is one; without one the first few are named.
void write_subjects(Page& page, const Finding& finding) {
  constexpr std::size_t few = 6;
  const bool is_verbose = page.style().verbosity > 0;
  const bool is_told = !finding.exhibit.rows.empty() || is_told_by_message(finding);
  if (is_told && !is_verbose) return;
  const std::size_t shown_count =
      is_verbose ? finding.subjects.size() : std::min(few, finding.subjects.size());
  for (std::size_t i = 0; i < shown_count; ++i) {
    const auto& subject = finding.subjects[i];
    page.labelled({.text = i == 0 ? "who" : ""}, subject_line(subject));
    if (!is_verbose) continue;
    for (const auto& user : subject.needed_by) page.labelled({.text = ""}, "  needed by " + user);
    if (!subject.content_of.empty()) {
      page.labelled({.text = ""}, "  content of " + subject.content_of);
    }
  }
  if (shown_count < finding.subjects.size()) {
    page.labelled({.text = ""},
                  grouped(finding.subjects.size() - shown_count) + " more, -v to see");
  }
}

void write_causes(Page& page, const Finding& finding) {
  for (const auto& cause : finding.because) {
    const std::string doubts = doubt(cause.confidence, cause.reason);
    page.labelled({.text = "because"}, cause.text + (doubts.empty() ? "" : "  " + doubts));
    if (page.style().verbosity == 0) continue;
    for (const auto& evidence : cause.evidence) {
      std::string line = evidence.kind;
      if (!evidence.file.empty()) line += " " + evidence.file;
      if (!evidence.detail.empty()) line += ", " + evidence.detail;
      page.labelled({.text = "evidence", .indent = 11, .column = 21}, line);
    }
  }
}

std::string effect_text(const check::Effect& effect) {
  return effect.kind == "import" ? "import " + effect.name : effect.name;
}

void write_effects(Page& page, const Finding& finding) {
  std::vector<std::string> names;
  for (const auto& effect : finding.breaks) names.push_back(effect_text(effect));
  if (!names.empty()) page.labelled({.text = "breaks"}, join(names, ", "));
  std::vector<std::string> said;
  for (const auto& effect : finding.breaks) {
    if (effect.text.empty() || std::ranges::find(said, effect.text) != said.end()) continue;
    said.push_back(effect.text);
    page.labelled({.text = ""}, effect.text);
  }
  for (const auto& remark : finding.remarks) {
    page.labelled({.text = names.empty() ? "but" : ""}, remark);
    names.emplace_back();
  }
}

/// The command stands last, where the eye rests.
void write_fixes(Page& page, const Finding& finding) {
  for (std::size_t i = 0; i < finding.fixes.size(); ++i) {
    const auto& fix = finding.fixes[i];
    const Label label = {.text = i == 0 ? "fix" : "or"};
    const std::string safety(word_of(fix.applicability));
    const std::string summary =
        fix.summary.empty() ? "(" + safety + ")" : fix.summary + "  (" + safety + ")";
    page.labelled(label, summary);
    if (!fix.commands.empty()) page.commands({.text = ""}, fix.commands);
  }
}

}  // namespace

void write_finding(Page& page, const Finding& finding, const RuleNames& names) {
  write_headline(page, finding, names);
  if (!finding.exhibit.rows.empty()) {
    page.table(2, finding.exhibit.header, finding.exhibit.rows);
  }
  write_subjects(page, finding);
  write_causes(page, finding);
  write_effects(page, finding);
  page.labelled({.text = "see"}, "whyso rule " + finding.code);
  write_fixes(page, finding);
}

std::string headline(const Finding& finding, const RuleNames& names) {
  const std::string_view name = rule_name(names, finding.code);
  return std::string(word_of(finding.severity)) + "[" + finding.code + "]" +
         (name.empty() ? "" : " " + std::string(name)) + ": " + finding.message;
}

}  // namespace whyso::report
