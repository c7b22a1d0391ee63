// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/strings.h"

#include <fmt/core.h>

#include <algorithm>

namespace whyso::elf {

Result<std::string_view> Strings::at(std::uint64_t offset, std::string_view what) const {
  const Bytes rest = tail(bytes_, offset).value_or(Bytes());
  const Bytes window =
      rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(rest.size(), longest)));
  const auto text = read_c_string(window, 0);
  if (text) return *text;
  return failure(ErrorKind::malformed, {},
                 fmt::format("the name of {} at {:#x} of the dynamic string table has no end there",
                             what, offset));
}

bool Strings::is_at(std::uint64_t offset, std::string_view text) const {
  const auto found = slice(bytes_, offset, std::uint64_t{text.size()} + 1);
  return found && text_of(*found).substr(0, text.size()) == text && found->back() == std::byte{0};
}

}  // namespace whyso::elf
