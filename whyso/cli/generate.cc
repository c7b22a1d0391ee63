// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/help.h"
#include "whyso/cli/rule_page.h"
#include "whyso/cli/verbs.h"

namespace whyso::cli {

Status run_generate(const Options& options, const Resources& resources, Streams& streams) {
  const std::vector<std::string> known = {"man", "complete-bash", "complete-zsh", "complete-fish"};
  const std::string& what = options.request.arguments[0];
  std::vector<std::string> codes;
  for (const auto& page : parse_rule_pages(resources.rule_pages)) codes.push_back(page.code);
  if (what == "man") {
    streams.out += manual_page(resources.version);
  } else if (what == "complete-bash") {
    streams.out += bash_completion(codes);
  } else if (what == "complete-zsh") {
    streams.out += zsh_completion(codes);
  } else if (what == "complete-fish") {
    streams.out += fish_completion(codes);
  } else {
    const auto close = closest(what, known);
    streams.complain("`" + what + "` cannot be generated",
                     close.empty() ? "known are: " + join(known, ", ") : did_you_mean(close));
    return Status::wrong_usage;
  }
  return Status::good;
}

}  // namespace whyso::cli
