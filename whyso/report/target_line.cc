// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/target_line.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "whyso/base/text.h"

namespace whyso::report {

void write_target_line(Page& page, const check::Report& report, std::optional<double> seconds) {
  std::vector<std::string> facts;
  if (!report.python.empty()) facts.push_back(report.python);
  facts.push_back(counted(report.packages, "package"));
  facts.push_back(counted(report.objects, "native object"));
  if (seconds) facts.push_back(fmt::format("read in {:.1f} s", *seconds));
  for (std::size_t i = 0; i + 1 < facts.size(); ++i) facts[i] += " ·";
  if (!report.chosen_by.empty()) facts.push_back("  (" + report.chosen_by + ")");
  const std::string target = shown(report.target, page.style());
  page.lead(painted(target, Role::strong, page.style()) + "  ", columns(target) + 2, facts, 2);
}

}  // namespace whyso::report
