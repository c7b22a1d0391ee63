// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/judge.h"

namespace whyso::cli {
namespace {

std::unexpected<Refusal> no_judge() {
  return std::unexpected(Refusal{Status::incomplete, "this build cannot judge an environment", ""});
}

}  // namespace

Judged<check::Report> judge_check(const Question& /*question*/, const Surroundings& /*around*/,
                                  Stopwatch& /*stopwatch*/) {
  return no_judge();
}

Judged<check::Why> judge_why(const Question& /*question*/, const std::string& /*query*/,
                             const Surroundings& /*around*/, Stopwatch& /*stopwatch*/) {
  return no_judge();
}

Judged<check::Provides> judge_provides(const Question& /*question*/, const std::string& /*query*/,
                                       const Surroundings& /*around*/, Stopwatch& /*stopwatch*/) {
  return no_judge();
}

}  // namespace whyso::cli
