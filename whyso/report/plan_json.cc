// SPDX-License-Identifier: Apache-2.0
#include "whyso/report/plan_json.h"

#include "whyso/report/words.h"

namespace whyso::report {
namespace {

using json::Array;
using json::Object;
using json::Value;

Array texts(const std::vector<std::string>& values) { return Array(values.begin(), values.end()); }

Array texts(const std::vector<Path>& paths) {
  Array array;
  for (const auto& path : paths) array.push_back(path.text());
  return array;
}

Value package_json(const change::PlannedPackage& package) {
  return Object{{"name", package.name},
                {"version", package.version},
                {"burden", word_of(package.burden)},
                {"missed", package.is_missed},
                {"loaded_by", texts(package.loaded_by)},
                {"required_by", texts(package.required_by)},
                {"shares_with", texts(package.shares_with)},
                {"shared_files", package.shared_files},
                {"files", texts(package.files)},
                {"folders", texts(package.folders)},
                {"bytes", std::size_t{package.bytes}}};
}

}  // namespace

Value plan_json(const change::Plan& plan, const RuleNames& names, const Tool& tool) {
  Array packages;
  for (const auto& package : plan.packages) packages.push_back(package_json(package));
  Array left_alone;
  for (const auto& left : plan.left_alone) {
    left_alone.push_back(Object{{"package", left.package}, {"reason", left.reason}});
  }
  Object object = findings_document(plan.report, names, tool);
  object.emplace("plan", Object{{"verb", "uninstall"},
                                {"installer", word_of(plan.installer)},
                                {"files", plan.files},
                                {"bytes", std::size_t{plan.bytes}},
                                {"packages", std::move(packages)},
                                {"left_alone", std::move(left_alone)}});
  return object;
}

}  // namespace whyso::report
