// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/json.h"
#include "whyso/base/text.h"
#include "whyso/cli/verbs.h"
#include "whyso/report/json.h"
#include "whyso/report/page.h"

namespace whyso::cli {
namespace {

/// Options that are habits and not requests of one run.
bool is_habit(const Setting& setting) { return setting.option->source != Source::command_line; }

std::string value_of(const Setting& setting) {
  if (!setting.is_given) return std::string(setting.option->fallback);
  if (!setting.option->value.empty()) return join(setting.values, ",");
  if (setting.option->is_repeatable) return std::to_string(setting.values.size());
  return setting.values.empty() ? "off" : "on";
}

std::string config_text(const Options& options) {
  report::Page page(options.style);
  for (const auto& setting : options.settings.rows()) {
    if (!is_habit(setting)) continue;
    std::string text = value_of(setting);
    if (setting.is_given) text += "  (from " + setting.origin + ")";
    page.labelled({.text = setting.option->name, .indent = 0, .column = 15}, text);
  }
  page.blank();
  const std::string& file = options.configuration.file;
  page.paragraph(0, file.empty() ? "no configuration file was found" : "file " + file);
  for (const auto& entry : options.configuration.suppressions) {
    page.labelled({.text = "ignore"},
                  entry.code + (entry.package.empty() ? "" : " of " + entry.package) +
                      (entry.until.empty() ? "" : " until " + entry.until) + ": " + entry.reason);
  }
  return std::move(page).text();
}

json::Value setting_json(const Setting& setting) {
  json::Object object;
  object.emplace("name", setting.option->name);
  object.emplace("value", value_of(setting));
  object.emplace("is_default", !setting.is_given);
  object.emplace("origin", setting.origin);
  return object;
}

json::Value suppression_json(const Suppression& entry) {
  json::Object object;
  object.emplace("code", entry.code);
  object.emplace("package", entry.package);
  object.emplace("until", entry.until);
  object.emplace("reason", entry.reason);
  return object;
}

std::string config_json(const Options& options, const Resources& resources) {
  json::Array settings;
  for (const auto& setting : options.settings.rows()) {
    if (is_habit(setting)) settings.push_back(setting_json(setting));
  }
  json::Array ignored;
  for (const auto& entry : options.configuration.suppressions) {
    ignored.push_back(suppression_json(entry));
  }
  json::Object object = report::document({std::string(resources.version)});
  object.emplace("file", options.configuration.file);
  object.emplace("settings", std::move(settings));
  object.emplace("ignore", std::move(ignored));
  return json::write(object);
}

}  // namespace

Status run_config(const Options& options, const Resources& resources, Streams& streams) {
  streams.out +=
      options.format == Format::json ? config_json(options, resources) : config_text(options);
  return Status::good;
}

}  // namespace whyso::cli
