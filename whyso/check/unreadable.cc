// SPDX-License-Identifier: Apache-2.0
// SO901: what could not be looked at. The rest is judged, and the result is called incomplete.
#include "whyso/base/text.h"
#include "whyso/check/registry.h"
#include "whyso/check/run.h"

namespace whyso::check {

std::vector<Finding> find_unreadable(const World& world, const Diagnosis& /*diagnosis*/) {
  const auto errors = unreadable_parts(world);
  if (errors.empty()) return {};
  Finding finding{.code = "SO901", .severity = Severity::warning};
  finding.message = "could not look at " +
                    (errors.size() == 1 ? errors.front().text() : counted(errors.size(), "place"));
  for (const auto& error : errors) {
    finding.subjects.push_back({.path = error.where, .state = error.what});
  }
  return {finding};
}

}  // namespace whyso::check
