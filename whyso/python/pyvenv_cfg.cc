// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/pyvenv_cfg.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include "whyso/base/text.h"

namespace whyso::python {

PyvenvCfg PyvenvCfg::parse(Blob text) {
  PyvenvCfg result;
  for (const std::string_view line : lines_of(text.text())) {
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    result.settings_.push_back({trim(line.substr(0, equals)), trim(line.substr(equals + 1))});
  }
  result.text_ = std::move(text);
  return result;
}

std::optional<std::string_view> PyvenvCfg::home() const {
  const auto found = std::ranges::find_if(
      settings_, [](const Setting& setting) { return lower(setting.key) == "home"; });
  if (found == settings_.end()) return std::nullopt;
  return found->value;
}

bool PyvenvCfg::includes_system_site() const {
  const auto setting = find("include-system-site-packages");
  return !setting || lower(*setting) == "true";
}

std::optional<std::string_view> PyvenvCfg::python_version() const {
  if (const auto version = find("version")) return version;
  const auto info = find("version_info");
  if (!info) return std::nullopt;
  std::size_t end = 0;
  for (int dots = 0; end < info->size(); ++end) {
    if ((*info)[end] == '.' && ++dots == 3) break;
  }
  return info->substr(0, end);
}

std::optional<std::string_view> PyvenvCfg::find(std::string_view key) const {
  for (const Setting& setting : settings_ | std::views::reverse) {
    if (lower(setting.key) == key) return setting.value;
  }
  return std::nullopt;
}

}  // namespace whyso::python
