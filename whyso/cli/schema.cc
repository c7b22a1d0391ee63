// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/cli/answer.h"
#include "whyso/cli/verbs.h"

namespace whyso::cli {

Status run_schema(const Options& options, const Resources& resources, Streams& streams) {
  const auto& arguments = options.request.arguments;
  const std::string verb = arguments.empty() ? "check" : arguments[0];
  constexpr std::string_view ending = ".schema.json";
  std::vector<std::string> known;
  for (const auto& file : resources.schemas) {
    const std::string_view name = file.name.substr(0, file.name.size() - ending.size());
    if (name == verb) {
      streams.out += file.text;
      return Status::good;
    }
    known.emplace_back(name);
  }
  const auto close = closest(verb, known);
  streams.complain("there is no schema for `" + verb + "`",
                   close.empty() ? "there is one for " + join(known, ", ") : did_you_mean(close));
  return Status::wrong_usage;
}

}  // namespace whyso::cli
