// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/choose.h"

#include <gtest/gtest.h>

#include "whyso/environment/active_python.h"
#include "whyso/environment/search_below.h"
#include "whyso/environment/small_world.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

class Choosing : public testing::Test {
 protected:
  void SetUp() override {
    add_python(tree_, "/usr");
    tree_.add_link("/bin", "usr/bin");
    tree_.add_link("/lib", "usr/lib");
    add_venv(tree_, "/workshop/.venv", "/usr");
    add_venv(tree_, "/workshop/other", "/usr");
    tree_.add_file("/workshop/.venv/lib/python3.11/site-packages/torch/lib/x.so", "");
    variables_.working_folder = path_of("/workshop");
  }

  /// "PREFIX,PREFIX (REASON)", or the error.
  std::string chosen(const std::optional<std::string>& target) {
    const auto choice = choose_environment(tree_, variables_, target);
    if (!choice) return choice.error().text();
    std::string text;
    for (const EnvironmentPlace& place : choice->places) {
      text += (text.empty() ? "" : ",") + place.prefix.text();
    }
    return text + " (" + choice->reason + ")";
  }

  MemoryTree tree_;
  ProcessVariables variables_;
};

TEST_F(Choosing, asks_the_active_environment_first) {
  add_venv(tree_, "/active", "/usr");
  tree_.add_folder("/conda/conda-meta");
  variables_.path = "/none:/usr/bin";
  EXPECT_EQ(chosen({}), "/workshop/.venv (./.venv)");
  variables_.conda_prefix = "/conda";
  EXPECT_EQ(chosen({}), "/conda (CONDA_PREFIX)");
  variables_.virtual_env = "/active";
  EXPECT_EQ(chosen({}), "/active (VIRTUAL_ENV)");
  variables_ = {.path = "/none:/usr/bin", .working_folder = path_of("/usr/lib")};
  EXPECT_EQ(chosen({}), "/usr (python3 on PATH)");
}

TEST_F(Choosing, an_active_environment_that_is_gone_is_said) {
  variables_.virtual_env = "/gone";
  EXPECT_EQ(chosen({}), "/gone: no such directory, but VIRTUAL_ENV names it");
}

TEST_F(Choosing, without_any_is_an_error) {
  variables_ = {.path = "/none"};
  EXPECT_TRUE(chosen({}).starts_with("no environment is active")) << chosen({});
}

TEST_F(Choosing, takes_an_environment_by_any_part_of_it) {
  const std::string expected = "/workshop/.venv (the argument)";
  for (const char* target :
       {".venv", "/workshop/.venv", "./.venv/", ".venv/bin/python", ".venv/bin",
        "../workshop/.venv/lib", ".venv/lib/python3.11/site-packages",
        ".venv/lib64/python3.11/site-packages/torch/lib/x.so", ".venv/pyvenv.cfg"}) {
    EXPECT_EQ(chosen(target), expected) << target;
  }
}

TEST_F(Choosing, takes_all_environments_below_a_folder) {
  EXPECT_EQ(chosen("."), "/workshop/.venv,/workshop/other (the argument)");
  const auto choice = choose_environment(tree_, variables_, ".").value();
  EXPECT_EQ(choice.places[0].named, "./.venv");
}

TEST_F(Choosing, takes_the_root_for_all_below_and_usr_for_itself) {
  EXPECT_EQ(chosen("/"), "/usr,/workshop/.venv,/workshop/other (the argument)");
  EXPECT_EQ(chosen("/usr"), "/usr (the argument)");
  EXPECT_EQ(chosen("/usr/bin/python3"), "/usr (the argument)");
}

TEST_F(Choosing, takes_packages_without_a_python) {
  tree_.add_file("/lambda/x-1.0.dist-info/METADATA", "");
  tree_.add_file("/layer/python/lib/python3.11/site-packages/x.py", "");
  EXPECT_EQ(chosen("/lambda"), "/lambda (the argument)");
  EXPECT_TRUE(choose_environment(tree_, variables_, "/lambda")->places[0].is_bare_folder);
  EXPECT_EQ(chosen("/layer/python"), "/layer/python (the argument)");
  EXPECT_EQ(chosen("/layer/python/lib/python3.11/site-packages"),
            "/layer/python/lib/python3.11/site-packages (the argument)");
}

TEST_F(Choosing, takes_a_program_whose_base_is_gone) {
  add_venv(tree_, "/broken", "/gone/py");
  EXPECT_EQ(chosen("/broken/bin/python"), "/broken (the argument)");
  EXPECT_EQ(chosen("/broken"), "/broken (the argument)");
}

TEST_F(Choosing, says_what_was_not_found_and_what_is_called_alike) {
  EXPECT_EQ(chosen(".vnev"), ".vnev: no such file or directory; did you mean /workshop/.venv?");
  EXPECT_EQ(chosen("/workshop/.vnev/bin"),
            "/workshop/.vnev/bin: no such file or directory; did you mean /workshop/.venv?");
  tree_.add_file("/empty/file", "");
  EXPECT_EQ(chosen("/empty"), "/empty: no Python environment is there or below it");
  EXPECT_FALSE(choose_environment(tree_, variables_, "").has_value());
}

TEST_F(Choosing, looks_behind_the_shims_of_pyenv) {
  tree_.add_file("/pyenv/shims/python3", "#!/usr/bin/env bash\nexec pyenv exec\n", 0755);
  add_python(tree_, "/pyenv/versions/3.11.7");
  add_python(tree_, "/pyenv/versions/3.11.10");
  tree_.add_file("/pyenv/version", "3.11.7\n");
  variables_ = {.path = "/pyenv/shims:/usr/bin", .working_folder = path_of("/home")};
  tree_.add_folder("/home");
  EXPECT_EQ(find_python_on_path(tree_, variables_)->text(), "/pyenv/versions/3.11.7/bin/python3");
  EXPECT_EQ(chosen({}), "/pyenv/versions/3.11.7 (python3 on PATH)");
  tree_.add_file("/home/.python-version", "3.11\n");
  EXPECT_EQ(find_python_on_path(tree_, variables_)->text(), "/pyenv/versions/3.11.10/bin/python3");
  variables_.pyenv_version = "system";
  EXPECT_EQ(find_python_on_path(tree_, variables_)->text(), "/usr/bin/python3");
}

TEST_F(Choosing, a_program_must_be_executable) {
  tree_.add_file("/first/python3", "text", 0644);
  tree_.add_folder("/second/python3");
  variables_.path = "/first:/second:/usr/bin";
  EXPECT_EQ(find_python_on_path(tree_, variables_)->text(), "/usr/bin/python3");
}

TEST(SearchBelow, follows_no_link_and_stops_at_its_limits) {
  MemoryTree tree;
  add_python(tree, "/usr");
  for (int i = 0; i < 9; ++i) {
    add_venv(tree, "/envs/" + std::to_string(i), "/usr");
    tree.add_link("/envs/link" + std::to_string(i), "..");
  }
  add_venv(tree, "/envs/a/b/c/d/e/f/g", "/usr");
  add_venv(tree, "/envs/0/inside", "/usr");
  EXPECT_EQ(search_below(tree, path_of("/envs")).places.size(), 9U);
  const auto few = search_below(tree, path_of("/envs"), {.most_environments = 4});
  EXPECT_EQ(few.places.size(), 4U);
  EXPECT_EQ(few.problems.size(), 1U);
  const auto cut = search_below(tree, path_of("/envs"), {.most_folders = 3});
  EXPECT_LE(cut.places.size(), 3U);
  EXPECT_EQ(cut.problems.size(), 1U);
}

TEST(SearchBelow, finds_those_of_conda_inside_the_first_one) {
  MemoryTree tree;
  tree.add_folder("/conda/conda-meta");
  tree.add_folder("/conda/envs/x/conda-meta");
  const auto found = search_below(tree, Path());
  ASSERT_EQ(found.places.size(), 2U);
  EXPECT_EQ(found.places[1].prefix.text(), "/conda/envs/x");
}

}  // namespace
}  // namespace whyso::environment
