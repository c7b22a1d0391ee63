// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/search_path.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "whyso/base/text.h"
#include "whyso/environment/small_world.h"
#include "whyso/tree/directory_tree.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

SearchPath search_path_of(const tree::FileTree& tree, std::string_view prefix,
                          const ProcessVariables& variables = {}) {
  return read_search_path(tree, read_interpreter(tree, {.prefix = path_of(prefix)}), variables);
}

/// Those that hold packages; the standard library is in every one.
std::vector<std::string> packages_in(const SearchPath& search_path) {
  std::vector<std::string> paths;
  for (const SiteDirectory& directory : search_path.directories) {
    if (may_hold_distributions(directory.kind)) paths.push_back(directory.path.text());
  }
  return paths;
}

using Paths = std::vector<std::string>;

TEST(SearchPath, begins_with_the_standard_library_of_the_base) {
  MemoryTree tree;
  add_python(tree, "/opt/py");
  add_venv(tree, "/env", "/opt/py", "include-system-site-packages = false\n");
  const auto found = search_path_of(tree, "/env").directories;
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].path.text(), "/opt/py/lib/python311.zip");
  EXPECT_FALSE(found[0].exists);
  EXPECT_EQ(found[1].path.text(), "/opt/py/lib/python3.11");
  EXPECT_EQ(found[2].path.text(), "/opt/py/lib/python3.11/lib-dynload");
  EXPECT_TRUE(found[2].is_base);
  EXPECT_EQ(found[3].path.text(), "/env/lib/python3.11/site-packages");
  EXPECT_EQ(found[3].kind, SiteKind::site_packages);
  EXPECT_FALSE(found[3].is_base);
}

TEST(SearchPath, of_an_open_environment_goes_on_with_user_and_base) {
  MemoryTree tree;
  add_python(tree, "/opt/py");
  add_venv(tree, "/env", "/opt/py", "include-system-site-packages = true\n");
  tree.add_folder("/home/me/.local/lib/python3.11/site-packages");
  const ProcessVariables variables{.home = "/home/me"};
  EXPECT_EQ(
      packages_in(search_path_of(tree, "/env", variables)),
      (Paths{"/env/lib/python3.11/site-packages", "/home/me/.local/lib/python3.11/site-packages",
             "/opt/py/lib/python3.11/site-packages"}));
  const ProcessVariables without_user{.home = "/home/me", .python_no_user_site = "1"};
  EXPECT_EQ(packages_in(search_path_of(tree, "/env", without_user)).size(), 2U);
}

TEST(SearchPath, of_a_closed_environment_has_no_user_folder) {
  MemoryTree tree;
  add_python(tree, "/opt/py");
  add_venv(tree, "/env", "/opt/py", "include-system-site-packages = false\n");
  tree.add_folder("/home/me/.local/lib/python3.11/site-packages");
  EXPECT_EQ(packages_in(search_path_of(tree, "/env", {.home = "/home/me"})),
            Paths{"/env/lib/python3.11/site-packages"});
}

TEST(SearchPath, of_debian_names_its_own_folders) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_folder("/usr/local/lib/python3.11/dist-packages");
  tree.add_folder("/usr/lib/python3/dist-packages");
  const auto paths = packages_in(search_path_of(tree, "/usr"));
  ASSERT_GE(paths.size(), 2U);
  EXPECT_EQ(Paths(paths.end() - 2, paths.end()),
            (Paths{"/usr/local/lib/python3.11/dist-packages", "/usr/lib/python3/dist-packages"}));
}

TEST(SearchPath, keeps_an_own_lib64_apart_and_a_linked_one_once) {
  MemoryTree tree;
  add_python(tree, "/usr");
  tree.add_file("/usr/lib64/python3.11/os.py", "");
  tree.add_folder("/usr/lib64/python3.11/lib-dynload");
  tree.add_file("/env/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = false\n");
  tree.add_link("/env/bin/python", "/usr/bin/python3");
  tree.add_folder("/env/lib/python3.11/site-packages");
  tree.add_folder("/env/lib64/python3.11/site-packages");
  EXPECT_EQ(packages_in(search_path_of(tree, "/env")),
            (Paths{"/env/lib64/python3.11/site-packages", "/env/lib/python3.11/site-packages"}));
}

TEST(SearchPath, takes_folders_of_pth_files_in_sorted_order_and_says_what_runs) {
  MemoryTree tree;
  add_python(tree, "/py");
  const std::string site = "/py/lib/python3.11/site-packages";
  tree.add_file(site + "/b.pth", "/workshop\n# comment\nnowhere\ninner\n/workshop\n");
  tree.add_file(site + "/a.pth",
                "import os; x = 1\nimport __editable___foo_1_0_finder; "
                "__editable___foo_1_0_finder.install()\n");
  tree.add_file(site + "/.hidden.pth", "/hidden\n");
  tree.add_file(site + "/inner/c.pth", "/not/read\n");
  tree.add_folder("/workshop");
  tree.add_folder("/hidden");
  tree.add_folder("/not/read");
  const SearchPath found = search_path_of(tree, "/py");
  EXPECT_EQ(packages_in(found), (Paths{site, "/workshop", site + "/inner"}));
  EXPECT_EQ(found.directories.back().from, site + "/b.pth:4");
  ASSERT_EQ(found.executed.size(), 2U);
  EXPECT_EQ(found.executed[0].text, "import os; x = 1");
  EXPECT_EQ(found.executed[0].editable_finder, "");
  EXPECT_EQ(found.executed[1].file.text(), site + "/a.pth");
  EXPECT_EQ(found.executed[1].line, 2U);
  EXPECT_EQ(found.executed[1].editable_finder, "__editable___foo_1_0_finder");
}

TEST(SearchPath, begins_with_PYTHONPATH_seen_from_the_working_folder) {
  MemoryTree tree;
  add_python(tree, "/py");
  tree.add_folder("/workshop/src");
  const auto found = search_path_of(
      tree, "/py", {.python_path = "src::/none", .working_folder = path_of("/workshop")});
  EXPECT_EQ(found.directories[0].path.text(), "/workshop/src");
  EXPECT_EQ(found.directories[0].kind, SiteKind::python_path);
  EXPECT_EQ(found.directories[1].path.text(), "/none");
  EXPECT_FALSE(found.directories[1].exists);
}

TEST(SearchPath, of_a_bare_folder_is_that_folder) {
  MemoryTree tree;
  tree.add_file("/lambda/x-1.0.dist-info/METADATA", "");
  const auto python =
      read_interpreter(tree, {.prefix = path_of("/lambda"), .is_bare_folder = true});
  EXPECT_EQ(packages_in(read_search_path(tree, python, {})), Paths{"/lambda"});
}

std::string output_of(const std::string& command) {
  std::string output;
  FILE* stream = ::popen(command.c_str(), "r");
  if (stream == nullptr) return output;
  for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) output += static_cast<char>(c);
  const int status = ::pclose(stream);
  return status == 0 ? output : std::string();
}

Paths existing_or_standard(const SearchPath& search_path) {
  Paths paths;
  for (const SiteDirectory& directory : search_path.directories) {
    paths.push_back(directory.path.text());
  }
  return paths;
}

TEST(SearchPath, is_that_which_the_machines_own_python_has) {
  std::string root = testing::TempDir() + "whyso-path-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  // -I leaves out variables and the user's folder; the first entry would be that of the script.
  const std::string ask = " -I -c 'import sys; print(\"\\n\".join(sys.path))'";
  const std::string prefix = output_of("python3 -I -c 'import sys; print(sys.prefix)'");
  if (prefix.empty()) GTEST_SKIP() << "there is no python3";
  for (std::string options : {"", "--system-site-packages"}) {
    const std::string env = root + "/env" + options;
    if (std::system(("python3 -I -m venv --without-pip " + options + " '" + env + "' 2>/dev/null")
                        .c_str()) != 0) {
      GTEST_SKIP() << "python3 has no venv";
    }
    std::filesystem::create_directories(root + "/added");
    std::ofstream(env + "/lib/" +
                  find_library_name(
                      std::filesystem::directory_iterator(env + "/lib")->path().filename().string())
                      ->text +
                  "/site-packages/x.pth")
        << "../../../../added\n";
    Paths expected;
    const std::string said = output_of("'" + env + "/bin/python'" + ask);
    for (std::string_view line : lines_of(said)) expected.emplace_back(line);
    EXPECT_EQ(existing_or_standard(search_path_of(tree::DirectoryTree(), env)), expected);
  }
  std::filesystem::remove_all(root);
}

TEST(SearchPath, is_the_machines_own_whatever_is_left_of_the_settings) {
  std::string root = testing::TempDir() + "whyso-settings-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  const std::string env = root + "/env";
  const std::string make = "python3 -I -m venv --without-pip '" + env + "' 2>/dev/null";
  if (std::system(make.c_str()) != 0) GTEST_SKIP() << "there is no python3 with venv";
  for (std::string settings :
       {"", "junk", "include-system-site-packages = false\n", "home =\n", "HOME\nversion = 1\n",
        "home = /nonexistent/bin\ninclude-system-site-packages = false\n"}) {
    std::ofstream(env + "/pyvenv.cfg") << settings;
    Paths expected;
    const std::string said =
        output_of("'" + env + "/bin/python' -I -c 'import sys; print(\"\\n\".join(sys.path))'");
    for (std::string_view line : lines_of(said)) expected.emplace_back(line);
    EXPECT_EQ(existing_or_standard(search_path_of(tree::DirectoryTree(), env)), expected)
        << settings;
  }
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace whyso::environment
