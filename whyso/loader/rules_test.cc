// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/rules.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "whyso/tree/memory_tree.h"

namespace whyso::loader {
namespace {

using Texts = std::vector<std::string>;

const elf::Abi x86_64{.elf_class = elf::ElfClass::elf64, .machine = elf::Machine::x86_64};

// What ld.so tried on Debian's 2.36, in LD_DEBUG=libs.
TEST(Subdirectories, are_those_of_glibc_2_36_on_an_amd_cpu) {
  const Machine machine{.isa_level = 3, .platform = "x86_64"};
  EXPECT_EQ(
      subdirectories_of({.has_glibc_hwcaps = true, .has_legacy_hwcaps = true}, x86_64, machine, {}),
      (Texts{"glibc-hwcaps/x86-64-v3/", "glibc-hwcaps/x86-64-v2/", "tls/x86_64/x86_64/",
             "tls/x86_64/", "tls/x86_64/", "tls/", "x86_64/x86_64/", "x86_64/", "x86_64/", ""}));
}

TEST(Subdirectories, name_the_most_special_combination_first) {
  const Machine machine{.isa_level = 1, .platform = "haswell", .has_avx512_1 = true};
  const auto names = subdirectories_of({.has_legacy_hwcaps = true}, x86_64, machine, {});
  ASSERT_EQ(names.size(), 16U);
  EXPECT_EQ(Texts(names.begin(), names.begin() + 5),
            (Texts{"tls/haswell/avx512_1/x86_64/", "tls/haswell/avx512_1/", "tls/haswell/x86_64/",
                   "tls/haswell/", "tls/avx512_1/x86_64/"}));
}

TEST(Subdirectories, follow_the_options_of_the_loader) {
  const Machine machine{.isa_level = 3, .platform = "x86_64"};
  EXPECT_EQ(subdirectories_of({.has_glibc_hwcaps = true}, x86_64, machine,
                              {.prepend = {"mine"}, .mask = Texts{"x86-64-v2"}}),
            (Texts{"glibc-hwcaps/mine/", "glibc-hwcaps/x86-64-v2/", ""}));
}

// glibc's news: glibc-hwcaps came with 2.33, tls/ and the platform's directories went with 2.37.
TEST(Releases, decide_which_subdirectories_are_searched) {
  LoaderRules rules;
  rules.abi = x86_64;
  const Machine machine{.isa_level = 2, .platform = "x86_64"};
  const auto searches = [&](int minor, std::string_view name) {
    const auto names = under_release(rules, {2, minor}, machine).subdirectories;
    return std::ranges::find(names, name) != names.end();
  };
  EXPECT_FALSE(searches(31, "glibc-hwcaps/x86-64-v2/"));
  EXPECT_TRUE(searches(33, "glibc-hwcaps/x86-64-v2/"));
  EXPECT_TRUE(searches(36, "tls/"));
  EXPECT_FALSE(searches(37, "tls/"));
}

TEST(Releases, are_known_by_their_words) {
  EXPECT_EQ(find_release("glibc-2.17"), (GlibcVersion{2, 17}));
  EXPECT_EQ(find_release("glibc-2.42"), (GlibcVersion{2, 42}));
  for (const char* word :
       {"glibc-2.16", "glibc-2.43", "glibc-2.", "glibc-3.1", "2.31", "musl", ""}) {
    EXPECT_FALSE(find_release(word)) << word;
  }
}

// assert() in elf/dl-lookup.c and elf/dl-version.c of each release.
TEST(Releases, tell_their_own_lines_where_assertions_fail) {
  EXPECT_EQ(assertion_lines_of({2, 17}).unversioned, 167);
  EXPECT_EQ(assertion_lines_of({2, 28}).unversioned, 111);
  EXPECT_EQ(assertion_lines_of({2, 31}).unversioned, 111);
  EXPECT_EQ(assertion_lines_of({2, 34}).unversioned, 105);
  EXPECT_EQ(assertion_lines_of({2, 36}).unversioned, 107);
  EXPECT_EQ(assertion_lines_of({2, 40}).unversioned, 106);
  EXPECT_EQ(assertion_lines_of({2, 41}).unversioned, 0);
  EXPECT_EQ(assertion_lines_of({2, 26}).version_provider, 224);
  EXPECT_EQ(assertion_lines_of({2, 31}).version_provider, 205);
  EXPECT_EQ(assertion_lines_of({2, 36}).version_provider, 204);
}

TEST(Rules, a_tree_without_that_loader_has_none) {
  tree::MemoryTree tree;
  tree::Resolver resolver(tree);
  EXPECT_TRUE(read_rules(resolver, "/lib64/ld-linux-x86-64.so.2", {}).is_absent());
}

TEST(Rules, a_file_that_is_no_loader_of_glibc_is_unsupported) {
  tree::MemoryTree tree;
  tree.add_file("/lib/ld.so", "#!/bin/sh\n");
  tree::Resolver resolver(tree);
  EXPECT_TRUE(read_rules(resolver, "/lib/ld.so", {}).is_unreadable());
}

}  // namespace
}  // namespace whyso::loader
