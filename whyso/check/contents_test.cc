// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/contents.h"

#include <gtest/gtest.h>

#include "whyso/base/hash.h"
#include "whyso/check/listed.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::check {
namespace {

/// A folder of packages with nothing but lists and files in it.
class Packages : public testing::Test {
 protected:
  static constexpr std::string_view site = "/e/lib/python3.11/site-packages/";

  void SetUp() override { tree_.add_file("/e/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.7\n"); }

  static std::string row(std::string_view path, std::string_view content) {
    const auto digest = sha256(bytes_of(content));
    return std::string(path) + ",sha256=" + base64url(text_of(digest)) + "," +
           std::to_string(content.size()) + "\n";
  }

  void add_distribution(const std::string& name, const std::string& rows) {
    const std::string folder = std::string(site) + name + "-1.0.dist-info/";
    tree_.add_file(folder + "METADATA",
                   "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0\n");
    tree_.add_file(folder + "RECORD", rows);
  }

  void put(std::string_view path, std::string_view content) {
    tree_.add_file(std::string(site) + std::string(path), content);
  }

  environment::Environment read() {
    return environment::read_environment(tree_, {.prefix = *Path::parse("/e"), .named = "/e"}, {});
  }

  std::vector<Contest> contests(const environment::Environment& environment) {
    return find_contests(tree_, environment, read_listed(environment), {});
  }

  tree::MemoryTree tree_;
};

std::string holder_name(const environment::Environment& environment, const Contest& contest) {
  if (!contest.holder) return "nobody";
  return environment.distributions[contest.claims[*contest.holder].distribution].name;
}

TEST_F(Packages, equal_contents_are_no_contest) {
  add_distribution("a", row("x/lib.so", "same"));
  add_distribution("b", row("x/lib.so", "same"));
  put("x/lib.so", "same");
  EXPECT_TRUE(contests(read()).empty());
}

TEST_F(Packages, a_size_that_only_one_owner_recorded_tells_whose_bytes_they_are) {
  add_distribution("a", row("x/lib.so", "short"));
  add_distribution("b", row("x/lib.so", "much longer"));
  put("x/lib.so", "much longer");
  const auto environment = read();
  const auto unread =
      find_contests(tree_, environment, read_listed(environment), {.is_allowed = false});
  ASSERT_EQ(unread.size(), 1U);
  EXPECT_EQ(holder_name(environment, unread[0]), "b");
  EXPECT_EQ(unread[0].proof, Proof::size);
}

TEST_F(Packages, a_small_file_is_proven_by_hash_even_where_its_size_would_tell) {
  add_distribution("a", row("x/lib.so", "short"));
  add_distribution("b", row("x/lib.so", "much longer"));
  put("x/lib.so", "MUCH LONGER");
  const auto environment = read();
  const auto found = contests(environment);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(holder_name(environment, found[0]), "nobody");
  EXPECT_EQ(found[0].proof, Proof::hash);
}

TEST_F(Packages, digests_by_different_algorithms_are_no_contest) {
  add_distribution("a", row("x/lib.so", "same"));
  add_distribution("b", "x/lib.so,sha512=abc,4\n");
  put("x/lib.so", "same");
  EXPECT_TRUE(contests(read()).empty());
}

TEST_F(Packages, equal_sizes_are_told_apart_by_hash) {
  add_distribution("a", row("x/lib.so", "aaaa"));
  add_distribution("b", row("x/lib.so", "bbbb"));
  put("x/lib.so", "aaaa");
  const auto environment = read();
  const auto found = contests(environment);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(holder_name(environment, found[0]), "a");
  EXPECT_EQ(found[0].proof, Proof::hash);
}

TEST_F(Packages, bytes_of_neither_owner_are_nobodys) {
  add_distribution("a", row("x/lib.so", "aaaa"));
  add_distribution("b", row("x/lib.so", "bbbb"));
  put("x/lib.so", "cccc");
  const auto environment = read();
  const auto found = contests(environment);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(holder_name(environment, found[0]), "nobody");
  EXPECT_EQ(found[0].proof, Proof::hash);
}

TEST_F(Packages, missing_and_resized_files_are_counted) {
  add_distribution("a", row("x/lib.so", "four") + row("x/gone.so", "four") + row("x/a.py", "1") +
                            "a-1.0.dist-info/RECORD,,\n");
  put("x/lib.so", "fourfive");
  put("x/a.py", "12");
  const auto environment = read();
  const auto listed = read_listed(environment);
  ASSERT_EQ(listed.counts.size(), 1U);
  EXPECT_EQ(listed.counts[0].files, 3U);
  EXPECT_EQ(listed.counts[0].missing, 1U);
  EXPECT_EQ(listed.counts[0].libraries, 2U);
  EXPECT_EQ(listed.counts[0].missing_libraries, 1U);
  EXPECT_EQ(listed.resized.size(), 1U);
  EXPECT_EQ(listed.edited.size(), 1U);
}

TEST_F(Packages, comparing_everything_finds_a_change_that_keeps_the_size) {
  add_distribution("a", row("x/lib.so", "aaaa") + row("x/a.py", "1"));
  put("x/lib.so", "bbbb");
  put("x/a.py", "1");
  const auto environment = read();
  const auto compared = compare_contents(tree_, environment, all_present(environment));
  ASSERT_EQ(compared.altered.size(), 1U);
  EXPECT_EQ(compared.altered[0].digest, base64url(text_of(sha256(bytes_of("bbbb")))));
  EXPECT_EQ(compared.bytes, 5U);
}

}  // namespace
}  // namespace whyso::check
