// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/wheel_name.h"

#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/python/name.h"
#include "whyso/python/version.h"

namespace whyso::python {
namespace {

/// Nothing where it begins with no digit or the number does not fit.
std::optional<BuildTag> find_build_tag(std::string_view text) {
  const auto* end = std::ranges::find_if_not(text, is_digit);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const auto number = parse_decimal(text.substr(0, length));
  if (!number) return std::nullopt;
  return BuildTag{.number = *number, .text = text.substr(length)};
}

}  // namespace

Result<WheelName> read_wheel_name(std::string_view file_name) {
  const auto fail = [&](std::string_view what) {
    return failure(ErrorKind::malformed, std::string(file_name), std::string(what));
  };
  constexpr std::string_view suffix = ".whl";
  if (!file_name.ends_with(suffix)) return fail("does not end in .whl");
  const std::string_view stem = file_name.substr(0, file_name.size() - suffix.size());
  const std::vector<std::string_view> parts = split(stem, '-');
  if (parts.size() != 5 && parts.size() != 6) return fail("has not five or six parts");
  WheelName wheel;
  wheel.name = parts[0];
  if (!is_valid_name(wheel.name) || wheel.name.contains("__")) return fail("has no valid name");
  wheel.version = parts[1];
  if (!Version::parse(wheel.version).is_valid()) return fail("has no valid version");
  if (parts.size() == 6) {
    wheel.build = find_build_tag(parts[2]);
    if (!wheel.build) return fail("has a build tag that does not begin with a digit");
  }
  const auto* tag_begin = parts[parts.size() - 3].data();
  const auto tags = find_tag_set(stem.substr(static_cast<std::size_t>(tag_begin - stem.data())));
  if (!tags) return fail("has an empty tag");
  wheel.tags = *tags;
  return wheel;
}

}  // namespace whyso::python
