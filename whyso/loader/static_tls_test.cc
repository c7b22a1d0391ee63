// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/static_tls.h"

#include <gtest/gtest.h>

namespace whyso::loader {
namespace {

LoaderRules x86_64(int minor) {
  LoaderRules rules;
  rules.glibc = {2, minor};
  rules.abi = {.elf_class = elf::ElfClass::elf64, .machine = elf::Machine::x86_64};
  return rules;
}

/// A process that has libc alone, whose block has 144 bytes in glibc 2.36.
StaticTls started(int minor, std::string_view tunables = "") {
  const TlsSegment libc{.size = 144, .alignment = 8};
  return StaticTls::lay_out(std::span(&libc, 1), x86_64(minor), tunables);
}

/// The greatest block of 8-byte steps that still fits.
std::uint64_t room_of(const StaticTls& tls, bool optional = false) {
  std::uint64_t size = 0;
  while (StaticTls(tls).take({.size = size + 8, .alignment = 8}, optional)) size += 8;
  return size;
}

TEST(StaticTls, has_the_room_that_was_measured_at_the_first_dlopen) {
  EXPECT_EQ(room_of(started(31)), 1712U);
  EXPECT_EQ(room_of(started(36)), 1712U);
  EXPECT_EQ(room_of(started(41)), 1664U);
}

TEST(StaticTls, grows_by_the_tunable_since_glibc_2_32) {
  constexpr std::string_view more = "glibc.malloc.check=1:glibc.rtld.optional_static_tls=16384";
  EXPECT_GT(room_of(started(36, more)), 16384U);
  EXPECT_EQ(room_of(started(31, more)), 1712U);
  EXPECT_GT(room_of(started(36, "glibc.rtld.nns=8")), room_of(started(36)));
}

TEST(StaticTls, lends_only_a_part_to_what_could_do_without) {
  EXPECT_LE(room_of(started(36), true), 512U);
  EXPECT_GT(room_of(started(36), true), 400U);
}

TEST(StaticTls, refuses_an_alignment_greater_than_its_own) {
  EXPECT_FALSE(started(36).take({.size = 8, .alignment = 128}, false));
}

TEST(StaticTls, takes_blocks_until_it_is_full) {
  StaticTls tls = started(36);
  int taken = 0;
  while (tls.take({.size = 200, .alignment = 1}, false)) ++taken;
  EXPECT_EQ(taken, 8);  // as the scenario tls-ie-many has it
}

TEST(StaticTls, survives_odd_sizes) {
  EXPECT_FALSE(started(36).take({.size = ~0ULL, .alignment = 8}, false));
  EXPECT_FALSE(started(36).take({.size = ~0ULL - 3, .alignment = 8, .first_byte = 7}, false));
  EXPECT_FALSE(StaticTls().take({.size = 8, .alignment = 8}, false));
}

}  // namespace
}  // namespace whyso::loader
