// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/release.h"

#include "whyso/base/text.h"
#include "whyso/check/embedded_version.h"

namespace whyso::check {
namespace {

constexpr std::size_t told_parts = 3;

std::string first_parts(std::string_view version) {
  std::string first;
  std::size_t parts = 0;
  for (const auto part : split(version, '.')) {
    if (parts == told_parts || !parse_decimal(part)) break;
    if (parts++ > 0) first += '.';
    first += part;
  }
  return parts == told_parts ? first : std::string();
}

/// cuDNN's functions answer 92000 for 9.20.0; those of other libraries count otherwise.
Release answered(const World& world, const Path& file) {
  if (!file.name().contains("cudnn")) return {};
  for (const auto& [function, number] : version_answers(*world.tree, file)) {
    const std::string version = dotted_version(number);
    if (function.starts_with("cudnn") && !version.empty()) {
      return {version, function + "() answers " + std::to_string(number)};
    }
  }
  return {};
}

}  // namespace

Release release_of(const World& world, const Path& file) {
  const std::string spelled = first_parts(version_in_name(file.name()));
  if (!spelled.empty()) return {spelled, "the file is called " + std::string(file.name())};
  if (auto release = answered(world, file); !release.version.empty()) return release;
  const auto native = world.index.by_path.find(file);
  if (native == world.index.by_path.end()) return {};
  const auto& owners = world.natives[native->second].owners;
  if (owners.size() != 1) return {};
  const auto& owner = world.environment.distributions[owners.front()];
  return {first_parts(owner.version), owner.title()};
}

}  // namespace whyso::check
