// SPDX-License-Identifier: Apache-2.0
// Plans on trees in memory, where Python modules alone count; libraries are in tests/scenarios.
#include <gtest/gtest.h>

#include "whyso/change/plan_uninstall.h"
#include "whyso/environment/small_world.h"

namespace whyso::change {
namespace {

using check::Severity;

const std::string site = "/env/lib/python3.11/site-packages";

struct Package {
  std::string name;
  std::map<std::string, std::string> files;
  std::string requires_name;
};

class PlanTest : public testing::Test {
 protected:
  void SetUp() override {
    environment::add_python(tree_, "/base");
    environment::add_venv(tree_, "/env", "/base");
  }

  void install(const Package& package) {
    std::string record;
    for (const auto& [file, text] : package.files) {
      record += file + ",,\n";
      tree_.add_file(site + "/" + file, text);
    }
    environment::add_distribution(tree_, site, {.name = package.name, .record = record});
    if (package.requires_name.empty()) return;
    tree_.add_file(site + "/" + package.name + "-1.0.dist-info/METADATA",
                   "Metadata-Version: 2.1\nName: " + package.name +
                       "\nVersion: 1.0\nRequires-Dist: " + package.requires_name + "\n");
  }

  Plan plan(const std::vector<std::string>& names) {
    world_ =
        check::begin_world({.tree = &tree_, .environment = environment::read_at(tree_, "/env")});
    check::add_natives(*world_);
    check::DistributionIds ids;
    for (const auto& name : names) {
      ids.push_back(world_->environment.find_distributions(name).front());
    }
    return plan_uninstall(*world_, ids, Installer::pip);
  }

  tree::MemoryTree tree_;
  std::unique_ptr<check::World> world_;
};

TEST_F(PlanTest, an_import_that_always_comes_to_what_goes_breaks) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader", .files = {{"reader.py", "import rows\n"}}});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  const auto& finding = made.report.findings.front();
  EXPECT_EQ(finding.code, "SO601");
  EXPECT_EQ(finding.severity, Severity::error);
  ASSERT_EQ(finding.breaks.size(), 1U);
  EXPECT_EQ(finding.breaks.front().name, "reader");
  EXPECT_EQ(finding.breaks.front().text, "ModuleNotFoundError: No module named 'rows'");
  EXPECT_EQ(made.packages.front().burden, Burden::load_bearing);
  EXPECT_EQ(made.packages.front().loaded_by, std::vector<std::string>{"reader"});
}

TEST_F(PlanTest, an_import_that_may_be_left_out_breaks_nothing) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader",
           .files = {{"reader.py", "try:\n    import rows\nexcept ImportError:\n    rows = None\n"},
                     {"other.py", "def read():\n    import rows\n"}}});
  const Plan made = plan({"rows"});
  EXPECT_TRUE(made.report.findings.empty());
  EXPECT_EQ(made.packages.front().burden, Burden::load_bearing) << "it is loaded all the same";
}

TEST_F(PlanTest, a_part_that_imports_what_its_package_requires_breaks) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader",
           .files = {{"reader/__init__.py", ""}, {"reader/table.py", "from rows import row\n"}},
           .requires_name = "rows"});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::error);
  EXPECT_EQ(made.report.findings.front().breaks.front().name, "reader.table");
}

TEST_F(PlanTest, a_part_that_imports_what_its_package_does_not_require_is_a_note) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader",
           .files = {{"reader/__init__.py", ""}, {"reader/table.py", "from rows import row\n"}}});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::note);
  EXPECT_FALSE(made.packages.front().is_missed);
}

TEST_F(PlanTest, a_requirement_that_nothing_imports_is_a_warning) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader", .files = {{"reader.py", ""}}, .requires_name = "rows"});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::warning);
  EXPECT_EQ(made.report.findings.front().message, "rows 1.0 is required by reader 1.0");
}

TEST_F(PlanTest, a_requirer_that_holds_the_name_as_a_text_may_break) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader",
           .files = {{"reader.py",
                      "import importlib\nfor name in ('rows', 'os'):\n"
                      "    importlib.import_module(name)\n"}},
           .requires_name = "rows"});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::warning);
  EXPECT_EQ(made.report.findings.front().remarks,
            std::vector<std::string>{
                "`import reader` may fail, too: what code does about that name is not read"});
}

TEST_F(PlanTest, an_import_breaks_for_certain_only_where_no_code_may_provide_another_copy) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "tools",
           .files = {{"tools/__init__.py",
                      "import os, sys\nsys.path.append(os.path.dirname(__file__) + '/vendor')\n"
                      "import rows\n"},
                     {"tools/vendor/rows/__init__.py", ""}},
           .requires_name = "rows"});
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::warning);
  EXPECT_TRUE(made.report.findings.front().breaks.empty());
}

TEST_F(PlanTest, what_goes_together_is_not_missed) {
  install({.name = "rows", .files = {{"rows/__init__.py", ""}}});
  install({.name = "reader", .files = {{"reader.py", "import rows\n"}}, .requires_name = "rows"});
  EXPECT_TRUE(plan({"rows", "reader"}).report.findings.empty());
}

TEST_F(PlanTest, modules_that_another_package_lists_break_its_import) {
  install({.name = "array", .files = {{"array_py/__init__.py", "x = 1\n"}}});
  install({.name = "greedy", .files = {{"array_py/__init__.py", "x = 1\n"}, {"greedy.py", ""}}});
  const Plan made = plan({"greedy"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  const auto& finding = made.report.findings.front();
  EXPECT_EQ(finding.code, "SO603");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.breaks.front().name, "array_py");
  EXPECT_EQ(made.packages.front().shared_files, 1U);
  EXPECT_EQ(made.packages.front().shares_with, std::vector<std::string>{"array 1.0"});
}

TEST_F(PlanTest, a_shared_init_without_code_is_not_missed) {
  install({.name = "one", .files = {{"space/__init__.py", "# empty\n"}, {"space/one.py", ""}}});
  install({.name = "two", .files = {{"space/__init__.py", "# empty\n"}, {"space/two.py", ""}}});
  EXPECT_TRUE(plan({"one"}).report.findings.empty());
}

TEST_F(PlanTest, another_copy_on_the_way_is_told) {
  install({.name = "rows", .files = {{"rows.py", "x = 1\n"}}});
  install({.name = "reader", .files = {{"reader.py", "import rows\n"}}});
  tree_.add_file(site + "/more.pth", "/elsewhere\n");
  tree_.add_file("/elsewhere/rows.py", "x = 2\n");
  const Plan made = plan({"rows"});
  ASSERT_EQ(made.report.findings.size(), 1U);
  EXPECT_EQ(made.report.findings.front().severity, Severity::warning);
  EXPECT_EQ(made.report.findings.front().exhibit.rows.front(),
            (std::vector<std::string>{"import rows", site + "/rows.py", "/elsewhere/rows.py"}));
}

TEST_F(PlanTest, the_others_are_offered_where_they_are_not_missed) {
  install({.name = "rows", .files = {{"rows.py", ""}}});
  install({.name = "reader", .files = {{"reader.py", "import rows\n"}}});
  install({.name = "leftover", .files = {{"leftover.py", "x = 1\n"}}});
  const Plan made = plan({"rows", "leftover"});
  ASSERT_EQ(made.report.findings.front().fixes.size(), 1U);
  EXPECT_EQ(made.report.findings.front().fixes.front().id, "leave-1");
  EXPECT_TRUE(made.packages[0].is_missed);
  EXPECT_FALSE(made.packages[1].is_missed);
}

}  // namespace
}  // namespace whyso::change
