// SPDX-License-Identifier: Apache-2.0
// What a file that is called like a library really is, in words for people. Judges no load.
#pragma once

#include <optional>
#include <string>

#include "whyso/check/world.h"

namespace whyso::check {

enum class Nature : std::uint8_t {
  usable,
  other_machine,  ///< ELF for another machine, class or byte order, or for none
  no_elf,         ///< text, another system's format, too short to be anything
  cut_short,      ///< its segments end behind the end of the file
  refused,        ///< the loader stops at it for another reason
};

struct FileNature {
  Nature nature = Nature::usable;
  std::string words;  ///< "is built for AArch64, this Python is x86-64"
};

[[nodiscard]] FileNature nature_of(const World& world, const NativeObject& object);

}  // namespace whyso::check
