// SPDX-License-Identifier: Apache-2.0
#include "whyso/cli/configuration.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <expected>
#include <fstream>
#include <iterator>

#include "whyso/base/text.h"
#include "whyso/base/toml.h"

namespace whyso::cli {
namespace {

std::unexpected<UsageError> wrong(std::string message, std::string hint = "") {
  return std::unexpected(UsageError{std::move(message), std::move(hint)});
}

/// "2026-12-31": digits and dashes at their places, a month and a day that exist.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto month = parse_decimal(text.substr(5, 2));
  const auto day = parse_decimal(text.substr(8, 2));
  return parse_decimal(text.substr(0, 4)) && month && day && *month >= 1 && *month <= 12 &&
         *day >= 1 && *day <= 31;
}

Usage<Suppression> read_suppression(const json::Object& entry, const std::string& place) {
  Suppression suppression = {.place = place};
  const std::array fields = {
      std::pair{"code", &suppression.code}, std::pair{"package", &suppression.package},
      std::pair{"until", &suppression.until}, std::pair{"reason", &suppression.reason}};
  for (const auto& [key, value] : entry) {
    const auto* const field =
        std::ranges::find_if(fields, [&](const auto& pair) { return key == pair.first; });
    if (field == fields.end()) {
      return wrong(fmt::format("{}: unknown key `{}`", place, key),
                   "known are: code, package, until, reason");
    }
    if (value.find_text() == nullptr)
      return wrong(fmt::format("{}: {} must be a text", place, key));
    *field->second = *value.find_text();
  }
  if (suppression.code.empty()) return wrong(place + ": code is missing");
  if (trim(suppression.reason).empty()) {
    return wrong(place + ": reason is missing", "say why this finding may stay");
  }
  if (!suppression.until.empty() && !is_date(suppression.until)) {
    return wrong(place + ": until must be a date like 2026-12-31");
  }
  return suppression;
}

Usage<std::vector<Suppression>> read_suppressions(const json::Object& table,
                                                  const std::string& file) {
  std::vector<Suppression> suppressions;
  const auto ignore = table.find("ignore");
  if (ignore == table.end()) return suppressions;
  const auto* const array = ignore->second.find_array();
  for (const auto& entry : array == nullptr ? json::Array{ignore->second} : *array) {
    const auto* const object = entry.find_object();
    if (object == nullptr) continue;
    const std::string place = file + ": ignore entry " + std::to_string(suppressions.size() + 1);
    auto suppression = read_suppression(*object, place);
    if (!suppression) return std::unexpected(std::move(suppression).error());
    suppressions.push_back(*std::move(suppression));
  }
  return suppressions;
}

/// The content of a file; nothing where there is none. Fails with the words for why not.
std::expected<std::optional<std::string>, std::string> read_text(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) {
    const bool is_absent = errno == ENOENT || errno == ENOTDIR;
    if (is_absent) return std::nullopt;
    return std::unexpected(path + ": " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::unexpected(path + ": " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::unexpected(path + ": cannot be read");
  return text;
}

/// What the first of `files` that says something says.
Usage<Configuration> read_first(const std::vector<std::string>& files) {
  std::vector<std::string> unreadable;
  Configuration found;
  for (const auto& file : files) {
    auto text = read_text(file);
    if (!text) {
      unreadable.push_back(std::move(text).error());
      continue;
    }
    if (!*text) continue;
    auto configuration = read_configuration(**text, file);
    if (!configuration) return std::unexpected(std::move(configuration).error());
    if (!*configuration) continue;
    found = **std::move(configuration);
    break;
  }
  found.unreadable = std::move(unreadable);
  return found;
}

std::string parent_of(const std::string& folder) {
  const std::size_t slash = folder.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : folder.substr(0, slash);
}

}  // namespace

Usage<std::optional<Configuration>> read_configuration(std::string_view text,
                                                       const std::string& file) {
  auto document = toml::parse(text, file);
  if (!document) {
    // A project's file that is broken elsewhere is not ours to complain about.
    if (text.find("whyso") == std::string_view::npos) return std::nullopt;
    return wrong(document.error().text());
  }
  const json::Value* table = &*document;
  if (file.ends_with("pyproject.toml")) {
    const auto* const tool = document->find("tool");
    table = tool == nullptr ? nullptr : tool->find("whyso");
    if (table == nullptr) return std::nullopt;
  }
  if (table->find_object() == nullptr) return wrong(file + ": tool.whyso must be a table");
  auto suppressions = read_suppressions(*table->find_object(), file);
  if (!suppressions) return std::unexpected(std::move(suppressions).error());
  return Configuration{file, *table->find_object(), *std::move(suppressions), {}};
}

Usage<Configuration> find_configuration(const std::string& folder, const std::string& user_folder) {
  std::vector<std::string> files;
  for (std::string at = folder; at.starts_with('/'); at = parent_of(at)) {
    const std::string prefix = at == "/" ? "" : at;
    files.push_back(prefix + "/whyso.toml");
    files.push_back(prefix + "/pyproject.toml");
    if (at == "/") break;
  }
  if (!user_folder.empty()) files.push_back(user_folder + "/whyso/whyso.toml");
  return read_first(files);
}

}  // namespace whyso::cli
