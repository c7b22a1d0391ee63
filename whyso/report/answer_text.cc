// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/answer_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/report/page.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

constexpr std::size_t fact_column = 17;

void fact(Page& page, std::string_view label, std::string_view text) {
  if (!text.empty()) page.labelled({.text = label, .column = fact_column}, text);
}

/// The first few stand behind the label, one a line; the rest is counted.
void list(Page& page, std::string_view label, const std::vector<std::string>& items,
          std::size_t few = 5) {
  const bool is_all = page.style().verbosity > 0 || items.size() <= few;
  const std::size_t count = is_all ? items.size() : few;
  for (std::size_t i = 0; i < count; ++i) fact(page, i == 0 ? label : "", items[i]);
  if (!is_all) fact(page, "", grouped(items.size() - count) + " more, -v to see");
}

std::string owner_text(const check::Ownership& owner) {
  std::string text = owner.listed_by.empty() ? "listed by no package" : join(owner.listed_by, ", ");
  if (!owner.content_of.empty()) {
    text += ", content of " + owner.content_of;
  } else if (!owner.content_state.empty()) {
    text += ", content " + owner.content_state;
  }
  return text;
}

void write_tried(Page& page, const check::SearchStep& step) {
  constexpr std::size_t few = 4;
  const bool is_all = page.style().verbosity > 0 || step.tried.size() <= few;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < step.tried.size(); ++i) {
    const auto& tried = step.tried[i];
    if (!is_all && i >= few && !tried.taken) {
      ++left_out;
      continue;
    }
    const std::string glyph = shown(tried.taken ? "✓" : "✗", page.style());
    page.lead(std::string(9, ' ') +
                  painted(glyph, tried.taken ? Role::good : Role::faint, page.style()) + " ",
              10 + columns(glyph), tried.path + ": " + tried.verdict, 11);
  }
  if (left_out > 0) page.paragraph(11, grouped(left_out) + " more paths refused, -v to see");
}

void write_steps(Page& page, const check::LoadStory& load) {
  if (load.steps.empty()) return;
  std::size_t width = 0;
  for (const auto& step : load.steps) {
    width = std::max(width, columns(shown(step.name, page.style())));
  }
  width = std::min<std::size_t>(width, 38);
  page.paragraph(2, "the loader looked");
  for (std::size_t i = 0; i < load.steps.size(); ++i) {
    const auto& step = load.steps[i];
    std::string name = shown(step.name, page.style());
    const std::size_t taken = columns(name);
    if (taken < width) name.append(width - taken, ' ');
    const std::string number = std::to_string(i);
    const std::string lead = std::string(5 - std::min<std::size_t>(number.size(), 4), ' ') +
                             number + "  " +
                             painted(name, step.decided ? Role::strong : Role::plain, page.style());
    const std::size_t column = 7 + std::max(taken, width) + 2;
    page.lead(lead + "  ", column, step.summary, std::min<std::size_t>(column, 47));
    write_tried(page, step);
  }
}

void write_others(Page& page, const check::LoadStory& load) {
  for (std::size_t i = 0; i < load.others.size(); ++i) {
    const auto& other = load.others[i];
    fact(page, i == 0 ? "you also have" : "and", other.path);
    fact(page, "", owner_text(other.owner));
    if (!other.why_not.empty()) fact(page, "", "not taken: " + other.why_not);
  }
}

void write_load(Page& page, const check::LoadStory& load) {
  const Style& style = page.style();
  const std::string name = shown(load.name, style);
  const bool is_found = !load.path.empty();
  const std::string arrow = shown(is_found ? "→" : "✗", style);
  page.lead(painted(name, Role::strong, style) + " " +
                painted(arrow, is_found ? Role::good : Role::error, style) + " ",
            columns(name) + columns(arrow) + 2, is_found ? load.path : "not found", 2);
  page.blank();
  if (is_found) {
    fact(page, "really", load.real_path == load.path ? "" : load.real_path);
    fact(page, "belongs to", owner_text(load.owner));
  }
  fact(page, "fails with", load.error);
  list(page, "asked for by", load.asked_for_by);
  fact(page, "in", load.process);
  write_steps(page, load);
  write_others(page, load);
}

void write_file(Page& page, const check::FileStory& file) {
  page.paragraph(0, file.path, Role::strong);
  page.blank();
  fact(page, "belongs to", owner_text(file.owner));
  fact(page, "is", file.format);
  fact(page, "soname", file.soname);
  list(page, "needs", file.needs, 12);
  list(page, "needed by", file.needed_by, 12);
}

void write_distribution(Page& page, const check::DistributionStory& story) {
  page.paragraph(0, story.name + " " + story.version, Role::strong);
  page.blank();
  fact(page, "lies in", story.location);
  fact(page, "installed by", story.installer);
  fact(page, "asked for", story.requested ? "by you" : "");
  list(page, "required by", story.required_by);
  const std::string missing =
      story.missing == 0 ? "none is missing" : grouped(story.missing) + " missing";
  fact(page, "files", grouped(story.files) + " listed, " + missing);
  list(page, "libraries", story.libraries, 12);
}

}  // namespace

std::string why_text(const check::Why& why, const Style& style) {
  Page page(style);
  for (const auto& load : why.loads) {
    page.blank();
    write_load(page, load);
  }
  for (const auto& file : why.files) {
    page.blank();
    write_file(page, file);
  }
  for (const auto& story : why.distributions) {
    page.blank();
    write_distribution(page, story);
  }
  return std::move(page).text();
}

std::string provides_text(const check::Provides& provides, const Style& style) {
  std::vector<std::vector<std::string>> here;
  std::vector<std::vector<std::string>> known;
  for (const auto& provider : provides.providers) {
    if (provider.is_knowledge) {
      known.push_back({provider.provider, provider.soname, provider.source});
    } else {
      here.push_back({provider.provider, provider.path, provider.state});
    }
  }
  Page page(style);
  if (!here.empty()) page.table(0, std::vector<std::string>{"provided by", "file", "state"}, here);
  if (known.empty()) return std::move(page).text();
  page.blank();
  if (here.empty()) page.paragraph(0, "Nothing here provides " + provides.query + ".");
  page.paragraph(0, "Known to provide it (from the table built in, not seen here):");
  page.table(2, std::vector<std::string>{"provider", "library", "source"}, known);
  return std::move(page).text();
}

}  // namespace whyso::report
