// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/inventory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whyso/environment/small_world.h"
#include "whyso/tree/directory_tree.h"

namespace whyso::environment {
namespace {

using tree::FileKind;
using tree::MemoryTree;

TEST(Inventory, lists_every_folder_once_and_sorted) {
  MemoryTree tree;
  tree.add_file("/site/b/two", "22");
  tree.add_file("/site/a/one", "1");
  tree.add_file("/site/three", "333");
  const auto inventory =
      Inventory::walk(tree, {{path_of("/site/a")}, {path_of("/site")}, {path_of("/site")}});
  ASSERT_EQ(inventory.roots(), std::vector{path_of("/site")});
  ASSERT_EQ(inventory.folders().size(), 3U);
  EXPECT_EQ(inventory.folders()[0].path.text(), "/site");
  EXPECT_EQ(inventory.folders()[1].path.text(), "/site/a");
  EXPECT_EQ(inventory.folders()[2].path.text(), "/site/b");
  EXPECT_EQ(inventory.file_count(), 3U);
  EXPECT_EQ(inventory.find(path_of("/site/b/two"))->value().size, 2U);
}

TEST(Inventory, knows_what_is_absent_and_what_it_cannot_tell) {
  MemoryTree tree;
  tree.add_file("/site/file", "x");
  tree.add_link("/site/link", "/elsewhere");
  const auto inventory = Inventory::walk(tree, {{path_of("/site")}});
  EXPECT_TRUE(inventory.find(path_of("/site/none"))->is_absent());
  EXPECT_TRUE(inventory.find(path_of("/site/none/below/it"))->is_absent());
  EXPECT_TRUE(inventory.find(path_of("/site/file/below"))->is_absent());
  EXPECT_EQ(inventory.find(path_of("/site/link"))->value().kind, FileKind::symbolic_link);
  EXPECT_FALSE(inventory.find(path_of("/site/link/below")).has_value());
  EXPECT_FALSE(inventory.find(path_of("/elsewhere/file")).has_value());
}

TEST(Inventory, in_a_scope_knows_what_is_chosen_and_says_what_it_does_not_know) {
  MemoryTree tree;
  tree.add_file("/site/top.txt", "x");
  tree.add_file("/site/pkg/libx.so.1", "12345");
  tree.add_file("/site/pkg/data.txt", "x");
  tree.add_link("/site/pkg/link", "data.txt");
  const FileScope scope{.choice = {.infix = ".so"}, .knows_all_names = false};
  const auto inventory = Inventory::walk(tree, {{path_of("/site")}}, {}, scope);
  EXPECT_EQ(inventory.find(path_of("/site/pkg/libx.so.1"))->value().size, 5U);
  EXPECT_TRUE(inventory.find(path_of("/site/pkg/liby.so"))->is_absent());
  EXPECT_TRUE(inventory.find(path_of("/site/none/liby.so"))->is_absent());
  EXPECT_TRUE(inventory.find(path_of("/site/pkg/link"))->is_present());
  EXPECT_TRUE(inventory.find(path_of("/site/top.txt"))->is_present()) << "roots are told whole";
  EXPECT_FALSE(inventory.find(path_of("/site/pkg/data.txt")).has_value());
  EXPECT_FALSE(inventory.find(path_of("/site/pkg/none.txt")).has_value());
}

TEST(Inventory, an_unreadable_folder_is_a_problem_and_not_absence) {
  MemoryTree tree;
  tree.add_file("/site/file", "x");
  tree.add_unreadable("/site/closed");
  const auto inventory = Inventory::walk(tree, {{path_of("/site/closed")}, {path_of("/site/ok")}});
  ASSERT_EQ(inventory.problems().size(), 1U);
  EXPECT_EQ(inventory.problems()[0].where, "/site/closed");
  EXPECT_EQ(inventory.problems()[0].kind, ErrorKind::not_permitted);
  EXPECT_TRUE(inventory.find(path_of("/site/closed/x"))->is_unreadable());
}

TEST(Inventory, folders_below_the_deepest_level_are_said) {
  MemoryTree tree;
  tree.add_file("/site/1/2/3/file", "x");
  const auto inventory = Inventory::walk(tree, {{path_of("/site")}}, {.deepest = 2});
  EXPECT_NE(inventory.find_folder("/site/1/2"), nullptr);
  EXPECT_EQ(inventory.find_folder("/site/1/2/3"), nullptr);
  ASSERT_EQ(inventory.problems().size(), 1U);
  EXPECT_EQ(inventory.problems()[0].where, "/site/1/2/3");
  EXPECT_FALSE(inventory.find(path_of("/site/1/2/3/file")).has_value());
}

TEST(Inventory, ends_at_the_limit_and_says_so_once) {
  MemoryTree tree;
  for (int folder = 0; folder < 9; ++folder) {
    for (int file = 0; file < 9; ++file) {
      tree.add_file("/site/" + std::to_string(folder) + "/" + std::to_string(file), "");
    }
  }
  const auto inventory = Inventory::walk(tree, {{path_of("/site")}}, {.most_entries = 40});
  EXPECT_LE(inventory.file_count(), 40U);
  ASSERT_EQ(inventory.problems().size(), 1U);
  EXPECT_EQ(inventory.problems()[0].kind, ErrorKind::unsupported);
}

TEST(Inventory, a_source_folder_is_walked_without_what_is_not_source) {
  MemoryTree tree;
  tree.add_file("/project/src/module.so", "");
  tree.add_file("/project/.git/objects/1", "");
  tree.add_file("/project/node_modules/x/1", "");
  tree.add_file("/project/env/pyvenv.cfg", "");
  tree.add_file("/project/env/lib/python3.11/site-packages/x.py", "");
  const auto inventory = Inventory::walk(
      tree,
      {{path_of("/project"), true}, {path_of("/project/env/lib/python3.11/site-packages"), false}});
  EXPECT_TRUE(inventory.find(path_of("/project/src/module.so"))->is_present());
  EXPECT_EQ(inventory.find_folder("/project/.git"), nullptr);
  EXPECT_EQ(inventory.find_folder("/project/node_modules"), nullptr);
  EXPECT_EQ(inventory.find_folder("/project/env/lib"), nullptr);
  EXPECT_NE(inventory.find_folder("/project/env/lib/python3.11/site-packages"), nullptr);
}

TEST(Inventory, fifos_and_links_to_folders_are_entries_that_nobody_enters) {
  std::string root = testing::TempDir() + "whyso-inventory-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  std::filesystem::create_directories(root + "/site");
  std::filesystem::create_directory_symlink("..", root + "/site/up");
  ASSERT_EQ(::mkfifo((root + "/site/fifo").c_str(), 0644), 0);
  std::ofstream(root + "/site/with space\nand \xff byte") << "x";
  const auto inventory = Inventory::walk(tree::DirectoryTree(), {{path_of(root + "/site")}});
  EXPECT_EQ(inventory.folders().size(), 1U);
  EXPECT_EQ(inventory.file_count(), 3U);
  EXPECT_EQ(inventory.find(path_of(root + "/site/fifo"))->value().kind, FileKind::other);
  EXPECT_TRUE(inventory.find(path_of(root + "/site/with space\nand \xff byte"))->is_present());
  EXPECT_TRUE(inventory.problems().empty());
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace whyso::environment
