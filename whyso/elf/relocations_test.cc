// SPDX-License-Identifier: Apache-2.0
// Relocations of this machine's libraries, compared with what readelf prints of them.
#include "whyso/elf/relocations.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "whyso/elf/image.h"

namespace whyso::elf {
namespace {

using Entries = std::multiset<std::pair<std::uint64_t, std::uint64_t>>;  // offset and info

Entries readelf(const std::string& path) {
  Entries entries;
  FILE* const pipe = popen(("readelf -rW " + path + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return entries;
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    unsigned long long offset = 0;
    unsigned long long info = 0;
    const bool is_entry = std::sscanf(line.c_str(), "%16llx  %16llx R_", &offset, &info) == 2;
    if (is_entry && line.contains(" R_")) entries.emplace(offset, info);
    line.clear();
  }
  pclose(pipe);
  return entries;
}

void add(Entries& entries, const RelocationRange& range) {
  for (std::size_t i = 0; i < range.size(); ++i) {
    const Relocation relocation = range.at(i);
    entries.emplace(relocation.offset, std::uint64_t{relocation.symbol} << 32U | relocation.type);
  }
}

class RealFiles : public testing::TestWithParam<const char*> {};

TEST_P(RealFiles, have_the_relocations_that_readelf_prints) {
  const std::string path = GetParam();
  const Entries expected = std::filesystem::exists(path) ? readelf(path) : Entries();
  if (expected.empty()) GTEST_SKIP() << "no such file, or no readelf";
  std::ifstream file(path, std::ios::binary);
  const auto image = ElfImage::parse(Blob(std::string(std::istreambuf_iterator<char>(file), {})));
  const auto memory = image->memory();
  const auto dynamic = image->dynamic();
  const auto relocations = Relocations::read(*memory, (*dynamic)->tables, image->header().machine);
  ASSERT_TRUE(relocations);
  Entries ours;
  const RelocationKinds kinds(image->header().machine);
  for (const auto& range : relocations->relative) {
    add(ours, range);
    for (std::size_t i = 0; i < range.size(); ++i) {
      EXPECT_EQ(kinds.of(range.at(i).type), RelocationKind::relative);
    }
  }
  for (const auto& range : relocations->at_load) add(ours, range);
  add(ours, relocations->plt);
  // readelf prints DT_RELR as lines of another form.
  EXPECT_EQ(ours, expected);
}

constexpr const char* files[] = {
    "/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
    "/usr/lib/x86_64-linux-gnu/libstdc++.so.6", "/usr/bin/python3", "/usr/bin/git"};
INSTANTIATE_TEST_SUITE_P(This, RealFiles, testing::ValuesIn(files));

// <elf.h>
TEST(RelocationKinds, are_those_of_each_machine) {
  using enum RelocationKind;
  EXPECT_EQ(RelocationKinds(Machine::x86_64).of(7), call);
  EXPECT_EQ(RelocationKinds(Machine::x86_64).of(18), tls_static);
  EXPECT_EQ(RelocationKinds(Machine::x86_64).of(36), tls_descriptor);
  EXPECT_EQ(RelocationKinds(Machine::x86_64).of(200), unknown);
  EXPECT_EQ(RelocationKinds(Machine::aarch64).of(1026), call);
  EXPECT_EQ(RelocationKinds(Machine::aarch64).of(1031), tls_descriptor);
  EXPECT_EQ(RelocationKinds(Machine::aarch64).of(1027), relative);
  EXPECT_EQ(RelocationKinds(Machine::riscv).of(5), call);
  EXPECT_TRUE(RelocationKinds(Machine::i386).are_known());
  EXPECT_FALSE(RelocationKinds(Machine::sparc64).are_known());
}

}  // namespace
}  // namespace whyso::elf
