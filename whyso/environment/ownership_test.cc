// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/ownership.h"

#include <gtest/gtest.h>

#include "whyso/environment/small_world.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

const std::string site = "/env/lib/python3.11/site-packages";

class OwnedFiles : public testing::Test {
 protected:
  void SetUp() override {
    add_python(tree_, "/opt/py");
    add_venv(tree_, "/env", "/opt/py", "include-system-site-packages = false\n");
  }

  void list(const std::string& name, const std::string& record) {
    add_distribution(tree_, site, {.name = name, .record = record});
  }

  const OwnedFile* find(const std::string& path) {
    environment_ = read_at(tree_, "/env");
    return environment_.ownership.find(path_of(path));
  }

  MemoryTree tree_;
  Environment environment_;
};

TEST_F(OwnedFiles, of_two_distributions_have_both_owners_with_their_rows) {
  list("a", "x/lib.so,sha256=aaa,3\n");
  list("b", "x/other.py,,\nx/lib.so,sha256=bbb,4\n");
  tree_.add_file(site + "/x/lib.so", "1234");
  const OwnedFile* file = find(site + "/x/lib.so");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->state, FileState::present);
  EXPECT_EQ(file->facts.size, 4U);
  const auto claims = environment_.ownership.claims(*file);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(environment_.distributions[claims[0].distribution].name, "a");
  EXPECT_EQ(row_of(environment_.distributions, claims[1]).hash->digest, "bbb");
  EXPECT_EQ(row_of(environment_.distributions, claims[1]).line, 5U);
  EXPECT_EQ(environment_.ownership.path(*file).text(), site + "/x/lib.so");
  EXPECT_EQ(&environment_.ownership.file(claims[1]), file);
}

TEST_F(OwnedFiles, listed_twice_by_one_distribution_have_one_owner) {
  list("a", "x.py,,\nx.py,,\n");
  const OwnedFile* file = find(site + "/x.py");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(environment_.ownership.claims(*file).size(), 2U);
  EXPECT_EQ(environment_.ownership.owners(*file).size(), 1U);
}

TEST_F(OwnedFiles, are_one_under_every_spelling_of_their_path) {
  list("a", "x/y.so,,\n");
  list("b", "./x//y.so,,\n");
  list("c", "x/../x/y.so,,\n");
  list("d", site + "/x/y.so,,\n");
  list("e", "../../../lib64/python3.11/site-packages/x/y.so,,\n");
  tree_.add_file(site + "/x/y.so", "1");
  const OwnedFile* file = find(site + "/x/y.so");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(environment_.ownership.owners(*file).size(), 5U);
}

TEST_F(OwnedFiles, behind_a_link_to_a_folder_are_those_it_leads_to) {
  list("a", "real/y.so,,\n");
  list("b", "link/y.so,,\n");
  tree_.add_file(site + "/real/y.so", "1");
  tree_.add_link(site + "/link", "real");
  const OwnedFile* file = find(site + "/real/y.so");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(environment_.ownership.owners(*file).size(), 2U);
}

TEST_F(OwnedFiles, that_are_links_are_present_even_if_they_lead_nowhere) {
  list("a", "x.so,,\n");
  tree_.add_link(site + "/x.so", "nowhere");
  const OwnedFile* file = find(site + "/x.so");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->state, FileState::present);
  EXPECT_EQ(file->facts.kind, tree::FileKind::symbolic_link);
}

TEST_F(OwnedFiles, that_are_gone_with_their_folder_are_absent) {
  list("a", "gone/lib/x.so,,\ngone.py,,\n");
  ASSERT_NE(find(site + "/gone/lib/x.so"), nullptr);
  EXPECT_EQ(find(site + "/gone/lib/x.so")->state, FileState::absent);
  EXPECT_EQ(find(site + "/gone.py")->state, FileState::absent);
}

TEST_F(OwnedFiles, below_an_unreadable_folder_are_not_called_absent) {
  list("a", "closed/x.so,,\n");
  tree_.add_unreadable(site + "/closed");
  const OwnedFile* file = find(site + "/closed/x.so");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(file->state, FileState::unreadable);
  EXPECT_EQ(environment_.ownership.problem(*file).where, site + "/closed/x.so");
}

TEST_F(OwnedFiles, beside_the_packages_belong_to_the_environment_and_others_do_not) {
  list("a",
       "../../../bin/tool,,\n../../../../etc/passwd,,\n/etc/shadow,,\n"
       "../../../../../../../../etc/group,,\n");
  tree_.add_file("/env/bin/tool", "#!");
  tree_.add_file("/etc/passwd", "root");
  EXPECT_FALSE(find("/env/bin/tool")->is_outside);
  EXPECT_EQ(find("/env/bin/tool")->state, FileState::present);
  EXPECT_TRUE(find("/etc/passwd")->is_outside);
  EXPECT_EQ(find("/etc/passwd")->state, FileState::present);
  EXPECT_TRUE(find("/etc/shadow")->is_outside);
  EXPECT_EQ(find("/etc/shadow")->state, FileState::absent);
  EXPECT_TRUE(find("/etc/group")->is_outside);
}

TEST_F(OwnedFiles, of_packages_inside_packages_are_one) {
  list("a", "inner/x.py,,\n");
  tree_.add_file(site + "/inner.pth", "inner\n");
  add_distribution(tree_, site + "/inner", {.name = "b", .record = "x.py,,\n../y.py,,\n"});
  tree_.add_file(site + "/inner/x.py", "");
  tree_.add_file(site + "/y.py", "");
  EXPECT_EQ(environment_.ownership.find(path_of("/none")), nullptr);
  const OwnedFile* file = find(site + "/inner/x.py");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(environment_.ownership.owners(*file).size(), 2U);
  EXPECT_EQ(find(site + "/y.py")->state, FileState::present);
}

TEST_F(OwnedFiles, come_in_the_order_of_distributions_and_rows) {
  list("b", "2.py,,\n1.py,,\n");
  list("a", "4.py,,\n2.py,,\n");
  environment_ = read_at(tree_, "/env");
  std::vector<std::string> names;
  for (const OwnedFile& file : environment_.ownership.files()) {
    const Path path = environment_.ownership.path(file);
    if (path.name().ends_with(".py")) names.emplace_back(path.name());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"4.py", "2.py", "1.py"}));
}

TEST_F(OwnedFiles, stay_readable_when_the_environment_is_moved) {
  list("a", "./x.py,,\ny.py,,\n");
  environment_ = read_at(tree_, "/env");
  const Environment moved = std::move(environment_);
  environment_ = Environment();
  ASSERT_NE(moved.ownership.find(path_of(site + "/x.py")), nullptr);
  EXPECT_NE(moved.ownership.find(path_of(site + "/y.py")), nullptr);
}

TEST(Ownership, in_the_scope_of_a_question_is_that_of_the_whole) {
  tree::MemoryTree tree;
  add_python(tree, "/py");
  add_venv(tree, "/env", "/py");
  add_distribution(tree, site,
                   {.name = "one", .record = "one/libx.so,,\none/gone.so,,\none/a.txt,,\n"});
  add_distribution(tree, site,
                   {.name = "two", .record = "two/b.txt,,\ntwo/c.txt,,\none/libx.so,,\n"});
  for (const char* file : {"/one/libx.so", "/one/a.txt", "/two/b.txt"}) {
    tree.add_file(site + file, "content");
  }
  const Environment whole = read_at(tree, "/env");
  for (const char* query : {"libx.so", "Two", "two/b.txt", "two.so"}) {
    const Environment scoped =
        read_environment(tree, {.prefix = path_of("/env")}, {}, scope_of_question(tree, query));
    for (const OwnedFile& file : whole.ownership.files()) {
      const Path path = whole.ownership.path(file);
      const OwnedFile* other = scoped.ownership.find(path);
      const bool is_in_scope = path.name().contains(".so") || path.text().ends_with(query) ||
                               (query == std::string_view("Two") && path.text().contains("/two/"));
      if (!is_in_scope) continue;
      ASSERT_NE(other, nullptr) << query << " " << path.text();
      EXPECT_EQ(other->state, file.state) << query << " " << path.text();
      EXPECT_EQ(other->facts.kind, file.facts.kind) << query << " " << path.text();
      if (path.name().contains(".so")) {
        EXPECT_EQ(scoped.ownership.owners(*other), whole.ownership.owners(file));
        EXPECT_EQ(other->facts, file.facts);
      }
    }
  }
}

}  // namespace
}  // namespace whyso::environment
