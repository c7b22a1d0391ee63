// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/image.h"

#include <gtest/gtest.h>

#include "whyso/elf/abi.h"

namespace whyso::elf {
namespace {

TEST(ElfImage, refuses_only_what_has_no_magic_or_no_room_for_the_header) {
  EXPECT_EQ(
      ElfImage::parse(Blob(std::string("version https://git-lfs.github.com/spec/v1\n")), "/a.so")
          .error(),
      (Error{ErrorKind::malformed, "/a.so", "not an ELF file: no ELF magic"}));
  EXPECT_EQ(ElfImage::parse(Blob(std::string("\177ELF\2\1\1")), "/a.so").error().what,
            "too short for an ELF header: 7 bytes");
  const std::string zeros(64, '\0');
  EXPECT_TRUE(ElfImage::parse(Blob("\177ELF" + zeros)));
}

}  // namespace
}  // namespace whyso::elf
