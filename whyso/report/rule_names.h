// SPDX-License-Identifier: Apache-2.0
// What a report needs to know of the rules: their names. The list itself is an argument.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace whyso::report {

/// "SO102" -> "gutted-package".
using RuleNames = std::map<std::string, std::string, std::less<>>;

/// Empty where the code is not known.
inline std::string_view rule_name(const RuleNames& names, std::string_view code) {
  const auto found = names.find(code);
  return found == names.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace whyso::report
