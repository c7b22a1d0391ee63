// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/strings.h"

#include <fmt/core.h>

#include <algorithm>

namespace whyso::elf {

Result<Strings> Strings::read(const Memory& memory, std::uint64_t address) {
  Strings strings;
  strings.range_ = TRY(memory.range_from(address, "the dynamic string table"));
  if (memory.file().is_whole()) {
    strings.bytes_ = TRY(memory.bytes_from(address, "the dynamic string table"));
  } else {
    strings.file_ = memory.file();
  }
  return strings;
}

Bytes Strings::from(std::uint64_t offset, std::uint64_t likely) const {
  if (file_.is_whole()) return tail(bytes_, offset).value_or(Bytes());
  if (offset > range_.size) return {};
  const std::uint64_t size = range_.size - offset;
  const Bytes rest = file_.tail(range_.offset + offset, std::min(likely, size)).value_or(Bytes());
  return rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(size, rest.size())));
}

Result<std::string_view> Strings::at(std::uint64_t offset, std::string_view what) const {
  constexpr std::uint64_t usual = 256;
  const Bytes rest = from(offset, usual);
  const Bytes window =
      rest.first(static_cast<std::size_t>(std::min<std::uint64_t>(rest.size(), longest)));
  const auto text = read_c_string(window, 0);
  if (text) return *text;
  return failure(ErrorKind::malformed, {},
                 fmt::format("the name of {} at {:#x} of the dynamic string table has no end there",
                             what, offset));
}

Result<std::pair<std::string_view, std::uint32_t>> Strings::hashed_at(std::uint64_t offset) const {
  const std::string_view rest = text_of(tail(bytes_, offset).value_or(Bytes()));
  const std::size_t most = std::min<std::size_t>(rest.size(), longest);
  std::uint32_t hash = 5381;
  for (std::size_t size = 0; size < most; ++size) {
    const auto c = static_cast<unsigned char>(rest[size]);
    if (c == 0) return std::pair(rest.substr(0, size), hash);
    hash = hash * 33 + c;
  }
  return failure(
      ErrorKind::malformed, {},
      fmt::format("the name of a symbol at {:#x} of the dynamic string table has no end there",
                  offset));
}

bool Strings::is_at(std::uint64_t offset, std::string_view text) const {
  const std::uint64_t size = std::uint64_t{text.size()} + 1;
  const auto found = slice(from(offset, size), 0, size);
  return found && text_of(*found).substr(0, text.size()) == text && found->back() == std::byte{0};
}

}  // namespace whyso::elf
