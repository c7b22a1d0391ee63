// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/report/answer_text.h"
#include "whyso/report/page.h"
#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using check::ImportLoads;
using check::LoadLine;

std::string headline(const ImportLoads& import) {
  std::string text = "import " + import.name;
  text +=
      import.is_ok ? " loads " + counted(import.loads.size(), "object") : " fails: " + import.error;
  return text;
}

/// "needed by torch/lib/libtorch.so"
std::string story_of(const LoadLine& load) {
  std::string text = load.how == "needed" ? "needed by " : load.how + " by ";
  text += load.shown_by.empty() ? "the import itself" : load.shown_by;
  if (load.when != "import") text += ", " + load.when;
  if (load.certainty != "certain") text += ", " + load.certainty;
  return text;
}

/// Two lines each: the object with its owner, then who asks for it.
void write_loads(Page& page, const ImportLoads& import) {
  const std::size_t digits = std::to_string(import.loads.size()).size();
  const std::size_t hang = digits + 4;
  for (std::size_t i = 0; i < import.loads.size(); ++i) {
    const LoadLine& load = import.loads[i];
    std::string number = std::to_string(i + 1);
    number.insert(0, digits + 2 - number.size(), ' ');
    const std::string owner = load.owner.empty() ? "of no package" : load.owner;
    page.lead(number + "  ", hang, load.shown + " (" + owner + ")", hang + 2);
    page.paragraph(hang + 2, story_of(load), Role::faint);
  }
}

void write_failures(Page& page, const ImportLoads& import) {
  for (const auto& failure : import.failures) {
    if (failure.is_handled && page.style().verbosity == 0) continue;
    if (failure.shown_by.empty() && failure.error == import.error) continue;  // in the headline
    std::string text = failure.error;
    if (!failure.shown_by.empty()) text += " (" + failure.shown_by + ")";
    page.labelled({.text = failure.is_handled ? "handled" : "fails"}, text);
  }
  if (import.unknown.empty()) return;
  const std::size_t few = page.style().verbosity > 0 ? import.unknown.size() : 0;
  for (std::size_t i = 0; i < few; ++i) {
    page.labelled({.text = "unknown"}, import.unknown[i].text());
  }
  if (few == 0) {
    page.labelled({.text = "unknown"}, counted(import.unknown.size(), "place") +
                                           " could not be read to the end, -v to see");
  }
}

}  // namespace

std::string loads_text(const check::Loads& loads, const Style& style) {
  Page page(style);
  if (loads.imports.empty()) page.paragraph(0, "no package has a module to import");
  for (const auto& import : loads.imports) {
    page.paragraph(0, headline(import), import.is_ok ? Role::strong : Role::error);
    write_loads(page, import);
    write_failures(page, import);
    page.blank();
  }
  return std::move(page).text();
}

}  // namespace whyso::report
