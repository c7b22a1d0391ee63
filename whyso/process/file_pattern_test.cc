// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/file_pattern.h"

#include <gtest/gtest.h>

#include "whyso/process/habits.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::process {
namespace {

// Expected values: Python's fnmatch.fnmatchcase.
TEST(Pattern, fits_as_fnmatch_does) {
  EXPECT_TRUE(fits("libcudnn.so.9", "libcudnn.so.*[0-9]"));
  EXPECT_FALSE(fits("libcudnn.so.", "libcudnn.so.*[0-9]"));
  EXPECT_FALSE(fits("libcudnn_ops.so.9", "libcudnn.so.*[0-9]"));
  EXPECT_TRUE(fits("a.so", "?.so"));
  EXPECT_TRUE(fits("b.so", "[!a]*"));
  EXPECT_FALSE(fits("a.so", "[!a]*"));
  EXPECT_TRUE(fits("[", "["));
  EXPECT_TRUE(fits("", "*"));
  EXPECT_FALSE(fits(std::string(3000, 'a'), "*a*a*a*a*b"));
}

TEST(Pattern, finds_files_in_each_folder_that_fits) {
  tree::MemoryTree tree;
  tree.add_file("/s/nvidia/a/lib/liba.so.1", "");
  tree.add_file("/s/nvidia/b/lib/libb.so.2", "");
  tree.add_file("/s/nvidia/b/lib/note.txt", "");
  ModuleSearch search(tree, {});
  using Texts = std::vector<std::string>;
  EXPECT_EQ(files_fitting(search, "/s/nvidia/*/lib/*.so.[0-9]"),
            (Texts{"/s/nvidia/a/lib/liba.so.1", "/s/nvidia/b/lib/libb.so.2"}));
  EXPECT_EQ(files_fitting(search, "/s/nvidia/b/lib/libb.so.2"),
            (Texts{"/s/nvidia/b/lib/libb.so.2"}));
  EXPECT_EQ(files_fitting(search, "/s/none/*"), Texts());
  EXPECT_EQ(files_fitting(search, "nvidia/*"), Texts());
}

TEST(Habits, a_list_holds_for_the_code_that_has_its_words) {
  const auto habits = Habits::parse(
      "# comment\n"
      "old | 01 | libdeps.so | words | newer; other | cudnn | libcudnn.so.* | required | s | d\n"
      "old | 02 | libdeps.so | words | newer; other | nvtx  | libnvtx.so.*  | optional | s | d\n"
      "new | 01 | libdeps.so | newer | | cudnn | libcudnn.so.* | optional | s | d\n",
      "liba.so.1 | libb.so | s | d\n");
  ASSERT_TRUE(habits) << habits.error().text();
  ASSERT_EQ(habits->preloads.size(), 2U);
  EXPECT_EQ(habits->preloads[0].preloads.size(), 2U);
  EXPECT_TRUE(habits->preloads[0].preloads[0].is_required);
  EXPECT_EQ(habits->find_list("libdeps.so", "these words"), &habits->preloads[0]);
  EXPECT_EQ(habits->find_list("libdeps.so", "a newer one"), &habits->preloads[1]);
  EXPECT_EQ(habits->find_list("libother.so", "these words"), nullptr);
  EXPECT_EQ(habits->first_uses.at(0).opens, "libb.so");
  EXPECT_FALSE(Habits::parse("a | b\n", ""));
}

}  // namespace
}  // namespace whyso::process
