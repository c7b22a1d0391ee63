// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/environment_path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "whyso/environment/small_world.h"
#include "whyso/process/import_graph.h"
#include "whyso/tree/memory_tree.h"

namespace whyso::process {
namespace {

using environment::path_of;

class EnvironmentPath : public testing::Test {
 protected:
  EnvironmentPath() {
    environment::add_python(tree_, "/base");
    environment::add_venv(tree_, "/venv", "/base");
    environment::add_distribution(
        tree_, site_,
        {.name = "pkg", .record = "pkg/__init__.py,,\npkg/_c.abi3.so,,\npkg/data.json,,\n"});
    tree_.add_file(site_ + "/pkg/__init__.py", "import json\nfrom ._c import f\n");
    tree_.add_file(site_ + "/hook.pth", "import hook; hook.install()\n");
  }

  const std::string site_ = "/venv/lib/python3.11/site-packages";
  tree::MemoryTree tree_;
};

TEST_F(EnvironmentPath, folders_suffixes_and_start_come_from_the_environment) {
  const SearchPath path = search_path_of(environment::read_at(tree_, "/venv"));
  EXPECT_EQ(path.version, (PythonVersion{3, 11}));
  ASSERT_FALSE(path.extension_suffixes.empty());
  EXPECT_EQ(path.extension_suffixes.back(), ".so");
  const auto standard = std::ranges::find(path.folders, path_of("/base/lib/python3.11"));
  const auto site = std::ranges::find(path.folders, path_of(site_));
  EXPECT_LT(standard, site);
  EXPECT_LT(site, path.folders.end());
  ASSERT_FALSE(path.standard_folders.empty());
  EXPECT_EQ(path.standard_folders.front(), path_of("/base/lib/python3.11"));
  EXPECT_EQ(path.startup_code, std::vector<std::string>{"import hook; hook.install()"});
}

TEST_F(EnvironmentPath, a_listed_module_that_is_gone_breaks_its_import) {
  const auto environment = environment::read_at(tree_, "/venv");
  const SearchPath path = search_path_of(environment);
  EXPECT_EQ(path.missing_files, std::vector<Path>{path_of(site_ + "/pkg/_c.abi3.so")});
  ImportGraph graph(tree_, path);
  const Reach reach = graph.reach("pkg");
  ASSERT_NE(reach.find_failure(), nullptr);
  EXPECT_EQ(reach.find_failure()->name, "pkg._c");
}

}  // namespace
}  // namespace whyso::process
