// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/taken_names.h"

namespace whyso::process {

std::optional<std::string> absolute_name(const python::ImportStatement& statement,
                                         std::string_view name, bool is_package) {
  if (statement.level == 0) return statement.module;
  std::string_view package = name;
  const unsigned up = statement.level - (is_package ? 1 : 0);
  for (unsigned i = 0; i < up; ++i) {
    const auto dot = package.rfind('.');
    if (dot == std::string_view::npos) return std::nullopt;
    package = package.substr(0, dot);
  }
  if (package.empty()) return std::nullopt;
  if (statement.module.empty()) return std::string(package);
  return std::string(package) + "." + statement.module;
}

std::map<std::string, TakenName, std::less<>> taken_names(const python::ImportScan& scan,
                                                          std::string_view name, bool is_package) {
  std::map<std::string, TakenName, std::less<>> taken;
  for (const auto& statement : scan.imports) {
    const auto module = absolute_name(statement, name, is_package);
    if (!module) continue;
    if (!statement.is_from) {
      const std::string& bound = statement.bound_as.empty() ? *module : statement.bound_as;
      taken.insert_or_assign(bound, TakenName{*module, ""});
    }
    for (const auto& member : statement.names) {
      if (member.name != "*")
        taken.insert_or_assign(member.bound_as, TakenName{*module, member.name});
    }
  }
  return taken;
}

}  // namespace whyso::process
