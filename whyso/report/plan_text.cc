// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/plan_text.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "whyso/base/byte_size.h"
#include "whyso/base/text.h"
#include "whyso/report/finding_text.h"
#include "whyso/report/page.h"
#include "whyso/report/target_line.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using change::Burden;
using change::Plan;
using change::PlannedPackage;

std::string title_of(const PlannedPackage& package) {
  return package.name + (package.version.empty() ? "" : " " + package.version);
}

std::string imports_of(const PlannedPackage& package) {
  std::vector<std::string> words;
  for (const auto& name : package.loaded_by) words.push_back("`import " + name + "`");
  return enumerated(words, 2);
}

std::string burden_text(const PlannedPackage& package) {
  switch (package.burden) {
    case Burden::load_bearing:
      return "loaded by " + imports_of(package);
    case Burden::optional:
      return "may be loaded by " + imports_of(package);
    case Burden::inert:
      return "no import loads it";
    case Burden::not_known:
      break;
  }
  return "whether an import loads it is not known";
}

std::string use_text(const PlannedPackage& package) {
  std::vector<std::string> parts = {burden_text(package)};
  if (!package.required_by.empty()) {
    parts.push_back("required by " + enumerated(package.required_by, 2));
  }
  if (package.shared_files > 0) {
    parts.push_back(counted(package.shared_files, "file") + " also listed by " +
                    enumerated(package.shares_with, 2));
  }
  return join(parts, "; ");
}

/// Is there nothing to be said of it?
bool is_plain(const PlannedPackage& package) {
  return !package.is_missed && package.burden == Burden::inert && package.required_by.empty();
}

struct Widths {
  std::size_t title = 0;
  std::size_t size = 0;
};

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t taken = columns(text);
  return text + std::string(taken < width ? width - taken : 0, ' ');
}

void write_package(Page& page, const PlannedPackage& package, const Widths& widths) {
  const Style& style = page.style();
  const std::string mark = package.is_missed ? "!" : "-";
  const std::string title = padded(shown(title_of(package), style), widths.title);
  const std::string size = padded(byte_size(package.bytes), widths.size);
  const Role role = package.is_missed ? Role::warning : Role::good;
  const std::string lead = "  " + painted(mark, role, style) + " " + title + "  " + size + "  ";
  const std::size_t column = 4 + columns(title) + 2 + columns(size) + 2;
  page.lead(lead, column, use_text(package), column);
}

/// What nothing uses is one paragraph.
void write_plain(Page& page, const std::vector<const PlannedPackage*>& packages) {
  std::vector<std::string> titles;
  std::uint64_t bytes = 0;
  for (const auto* package : packages) {
    titles.push_back(title_of(*package));
    bytes += package->bytes;
  }
  const std::string text =
      "no import loads " + enumerated(titles, 99) + " (" + byte_size(bytes) + ")";
  page.lead("  " + painted("-", Role::good, page.style()) + " ", 4, text, 4);
}

void write_packages(Page& page, const Plan& plan) {
  std::vector<const PlannedPackage*> plain;
  std::vector<const PlannedPackage*> told;
  const bool is_verbose = page.style().verbosity > 0;
  for (const auto& package : plan.packages) {
    (is_plain(package) && !is_verbose ? plain : told).push_back(&package);
  }
  Widths widths;
  for (const auto* package : told) {
    widths.title = std::max(widths.title, columns(shown(title_of(*package), page.style())));
    widths.size = std::max(widths.size, columns(byte_size(package->bytes)));
  }
  page.blank();
  for (const auto* package : told) write_package(page, *package, widths);
  if (!plain.empty()) write_plain(page, plain);
  for (const auto& left : plan.left_alone) {
    page.lead("  ? ", 4, left.package + " is left alone: " + left.reason, 4);
  }
}

std::string headline_of(const Plan& plan) {
  const std::string command =
      plan.installer == change::Installer::uv ? "uv pip uninstall" : "pip uninstall";
  return "Plan: `" + command + "` removes " + counted(plan.packages.size(), "package") + ", " +
         counted(plan.files, "file") + ", " + byte_size(plan.bytes);
}

std::string verdict(const Tally& counts) {
  std::string text = counts.warnings > 0 ? "breaks no import" : "breaks nothing";
  if (counts.notes > 0) text += ", " + counted(counts.notes, "note") + " (-v to see)";
  return text;
}

}  // namespace

std::string plan_text(const Plan& plan, const RuleNames& names, const Style& style) {
  Page page(style);
  write_target_line(page, plan.report, std::nullopt);
  page.blank();
  page.paragraph(0, headline_of(plan), Role::strong);
  write_packages(page, plan);
  for (const auto& finding : plan.report.findings) {
    if (finding.severity == check::Severity::note && style.verbosity == 0) continue;
    page.blank();
    write_finding(page, finding, names);
  }
  const Tally counts = tally(plan.report);
  if (counts.errors == 0) {
    page.blank();
    page.paragraph(0, verdict(counts));
  }
  return std::move(page).text();
}

}  // namespace whyso::report
