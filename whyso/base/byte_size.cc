// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/byte_size.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace whyso {

std::string byte_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> units = {"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  double number = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  // What would be shown as 1000 belongs to the next unit.
  for (; number >= 999.5 && unit + 1 < units.size(); ++unit) number /= 1000;
  return fmt::format("{:.{}f} {}", number, number < 9.95 ? 1 : 0, units.at(unit));
}

}  // namespace whyso
