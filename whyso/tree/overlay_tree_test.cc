// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/overlay_tree.h"

#include <gtest/gtest.h>

#include "whyso/tree/memory_tree.h"
#include "whyso/tree/resolve.h"

namespace whyso::tree {
namespace {

Path path_of(std::string_view text) { return *Path::parse(text); }

std::vector<std::string> names_in(const FileTree& tree, std::string_view folder) {
  std::vector<std::string> names;
  const auto entries = tree.list(path_of(folder), ListDetail::facts);
  if (!entries.is_present()) return {"absent"};
  for (const auto& entry : entries.value()) names.push_back(entry.name);
  return names;
}

class Overlay : public testing::Test {
 protected:
  void SetUp() override {
    base_.add_file("/env/lib/a.so", "a");
    base_.add_file("/env/lib/b.so", "b");
    base_.add_file("/env/lib/sub/deep/c.so", "c");
    base_.add_link("/env/lib/link.so", "a.so");
    base_.add_link("/env/lib64", "lib");
    base_.add_file("/env/library.so", "not below lib");
    base_.add_unreadable("/env/closed");
  }

  [[nodiscard]] OverlayTree without(const std::vector<std::string_view>& texts) const {
    std::vector<Path> paths;
    for (const auto text : texts) paths.push_back(path_of(text));
    return {base_, paths};
  }

  MemoryTree base_;
};

TEST_F(Overlay, a_removed_file_is_absent_to_every_question) {
  const auto tree = without({"/env/lib/a.so", "/env/lib/link.so"});
  const Path file = path_of("/env/lib/a.so");
  EXPECT_TRUE(tree.stat(file).is_absent());
  EXPECT_TRUE(tree.read(file).is_absent());
  EXPECT_TRUE(tree.read_part(file, 0, 1).is_absent());
  EXPECT_TRUE(tree.list(file, ListDetail::kinds).is_absent());
  EXPECT_TRUE(tree.read_link(path_of("/env/lib/link.so")).is_absent());
  EXPECT_EQ(names_in(tree, "/env/lib"), (std::vector<std::string>{"b.so", "sub"}));
}

TEST_F(Overlay, what_was_not_removed_answers_as_before) {
  const auto tree = without({"/env/lib/a.so"});
  EXPECT_EQ(tree.stat(path_of("/env/lib/b.so")), base_.stat(path_of("/env/lib/b.so")));
  EXPECT_EQ(tree.read(path_of("/env/lib/b.so")).value().blob.text(), "b");
  EXPECT_EQ(tree.read_part(path_of("/env/library.so"), 4, 5).value().blob.text(), "below");
  EXPECT_EQ(tree.read_link(path_of("/env/lib/link.so")), Lookup<std::string>("a.so"));
  EXPECT_TRUE(tree.stat(path_of("/env/closed")).is_unreadable());
  EXPECT_EQ(tree.origin(), "memory");
}

TEST_F(Overlay, a_removed_folder_hides_all_below_it) {
  const auto tree = without({"/env/lib/sub"});
  EXPECT_TRUE(tree.stat(path_of("/env/lib/sub")).is_absent());
  EXPECT_TRUE(tree.stat(path_of("/env/lib/sub/deep/c.so")).is_absent());
  EXPECT_TRUE(tree.read(path_of("/env/lib/sub/deep/c.so")).is_absent());
  EXPECT_EQ(names_in(tree, "/env/lib/sub/deep"), std::vector<std::string>{"absent"});
  EXPECT_EQ(names_in(tree, "/env/lib"), (std::vector<std::string>{"a.so", "b.so", "link.so"}));
}

TEST_F(Overlay, a_folder_whose_last_file_was_removed_stays) {
  const auto tree = without({"/env/lib/sub/deep/c.so"});
  EXPECT_TRUE(names_in(tree, "/env/lib/sub/deep").empty());
  EXPECT_EQ(names_in(tree, "/env/lib/sub"), std::vector<std::string>{"deep"});
}

TEST_F(Overlay, a_name_that_begins_like_a_removed_folder_stays) {
  const auto tree = without({"/env/lib"});
  EXPECT_TRUE(tree.stat(path_of("/env/library.so")).is_present());
  EXPECT_EQ(names_in(tree, "/env"), (std::vector<std::string>{"closed", "lib64", "library.so"}));
}

TEST_F(Overlay, the_walk_over_links_sees_what_is_left) {
  const auto tree = without({"/env/lib/a.so"});
  Resolver resolver(tree);
  EXPECT_EQ(resolver.resolve("/env/lib64/link.so").outcome, WalkOutcome::absent);
  EXPECT_TRUE(resolver.resolve("/env/lib64/b.so").is_found());
}

TEST_F(Overlay, what_was_never_there_may_be_removed) {
  const auto tree = without({"/env/lib/none.so", "/nowhere"});
  EXPECT_EQ(names_in(tree, "/env/lib"), names_in(base_, "/env/lib"));
}

}  // namespace
}  // namespace whyso::tree
