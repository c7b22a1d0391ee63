// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/knowledge.h"

#include <gtest/gtest.h>

namespace whyso::check {
namespace {

TEST(Knowledge, reads_rows_of_five_fields_and_conditions) {
  const auto knowledge = Knowledge::parse(
      "# comment\n\nlibnvToolsExt.so.1 | pypi nvidia-nvtx-cu12 | cuda=12, version<12.9, with torch "
      "| RECORD | 2026-12-01\n",
      "sonames");
  ASSERT_TRUE(knowledge);
  ASSERT_EQ(knowledge->providers.size(), 1U);
  const auto& row = knowledge->providers.front();
  EXPECT_EQ(row.kind, "pypi");
  EXPECT_EQ(row.package, "nvidia-nvtx-cu12");
  EXPECT_EQ(row.cuda, "12");
  EXPECT_EQ(row.versions, "<12.9");
  EXPECT_EQ(row.words, "with torch");
  EXPECT_EQ(row.date, "2026-12-01");
}

TEST(Knowledge, names_the_line_that_is_no_row) {
  const auto knowledge = Knowledge::parse("a | pypi b | | c | d\nbroken | row\n", "sonames");
  ASSERT_FALSE(knowledge);
  EXPECT_EQ(knowledge.error().where, "sonames:2");
  EXPECT_FALSE(Knowledge::parse("a | nokind | | c | d\n", "sonames"));
}

TEST(Knowledge, a_star_stands_for_any_text) {
  EXPECT_TRUE(fits("libtorch*.so", "libtorch_cuda.so"));
  EXPECT_TRUE(fits("lib*.so.*", "libfoo.so.1.2"));
  EXPECT_TRUE(fits("*", ""));
  EXPECT_FALSE(fits("libtorch*.so", "libtorch.so.1"));
  EXPECT_FALSE(fits("libc10.so", "libc10.so.1"));
  EXPECT_FALSE(fits("a*b*ab", "ab"));
}

TEST(Knowledge, tells_driver_libraries_apart) {
  const auto knowledge =
      Knowledge::parse("libcuda.so.1 | driver NVIDIA | | manual | 2026-12-01\n", "sonames");
  ASSERT_TRUE(knowledge);
  EXPECT_TRUE(is_driver_library(*knowledge, "libcuda.so.1"));
  EXPECT_FALSE(is_driver_library(*knowledge, "libcudart.so.12"));
}

TEST(Knowledge, a_family_is_found_by_its_rule_and_pattern) {
  Knowledge knowledge;
  ASSERT_TRUE(
      knowledge.add_families("# text\nlibx*.so* | parts | X | manual | 2026-12-01\n", "families"));
  ASSERT_NE(knowledge.family_of("libx_part.so.9", FamilyRule::parts), nullptr);
  EXPECT_EQ(knowledge.family_of("libx_part.so.9", FamilyRule::parts)->name, "X");
  EXPECT_EQ(knowledge.family_of("libx_part.so.9", FamilyRule::runtime), nullptr);
  EXPECT_EQ(knowledge.family_of("liby.so.9", FamilyRule::parts), nullptr);
  EXPECT_FALSE(Knowledge().add_families("libx.so | norule | X | manual | 2026-12-01\n", "f"));
}

}  // namespace
}  // namespace whyso::check
