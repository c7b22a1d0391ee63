// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/installers.h"

#include <gtest/gtest.h>

#include "whyso/base/text.h"
#include "whyso/environment/small_world.h"
#include "whyso/environment/system_packages.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

const std::string site = "/env/lib/python3.11/site-packages";

class Installers : public testing::Test {
 protected:
  void SetUp() override {
    add_python(tree_, "/opt/py");
    add_venv(tree_, "/env", "/opt/py", "include-system-site-packages = false\n");
    variables_.path = "/tools";
  }

  void add_pip() {
    add_distribution(tree_, site, {.name = "pip", .record = "pip/__init__.py,,\n"});
    tree_.add_file(site + "/pip/__init__.py", "");
  }

  std::string reinstall() {
    const Environment environment = read_at(tree_, "/env", variables_);
    const auto facts = read_installer_facts(tree_, environment, variables_);
    return join(reinstall_command(facts, facts.tool), " ");
  }

  MemoryTree tree_;
  ProcessVariables variables_;
};

TEST_F(Installers, of_an_environment_of_uv_is_uv_where_it_is_at_hand) {
  add_distribution(tree_, site, {.name = "torch", .installer = "uv"});
  EXPECT_EQ(reinstall(), "");
  tree_.add_file("/tools/uv", "ELF", 0755);
  EXPECT_EQ(reinstall(), "uv pip install --python /env/bin/python --reinstall --no-deps");
  variables_.virtual_env = "/env";
  EXPECT_EQ(reinstall(), "uv pip install --reinstall --no-deps");
  variables_.virtual_env = "/other";
  EXPECT_EQ(reinstall(), "uv pip install --python /env/bin/python --reinstall --no-deps");
}

class TargetFolder : public Installers {
 protected:
  void SetUp() override {
    variables_.path = "/tools";
    add_distribution(tree_, "/lambda", {.name = "a", .record = "shared/a.py,,\n"});
    add_distribution(tree_, "/lambda", {.name = "b", .record = "shared/b.py,,\nown/b.py,,\n"});
    add_distribution(tree_, "/lambda", {.name = "c", .record = "own/c.py,,\n../../bin/c,,\n"});
    add_distribution(tree_, "/lambda", {.name = "d", .record = "d.py,,\n../../bin/d,,\n"});
  }

  Environment read() {
    return read_environment(tree_, {.prefix = path_of("/lambda"), .is_bare_folder = true}, {});
  }
};

TEST_F(TargetFolder, is_mended_by_uv_one_by_one) {
  tree_.add_file("/tools/uv", "ELF", 0755);
  tree_.add_file("/tools/pip", "#!", 0755);
  const Environment environment = read();
  const auto facts = read_installer_facts(tree_, environment, variables_);
  EXPECT_EQ(join(reinstall_command(facts, facts.tool), " "),
            "uv pip install --target /lambda --reinstall --no-deps");
  EXPECT_EQ(join(uninstall_command(facts, facts.tool), " "), "uv pip uninstall --target /lambda");
  EXPECT_TRUE(
      swept_along(facts, facts.tool, environment, environment.find_distributions("a")).empty());
}

TEST_F(TargetFolder, is_mended_by_pip_with_all_whose_folders_it_replaces) {
  tree_.add_file("/tools/pip", "#!", 0755);
  const Environment environment = read();
  const auto facts = read_installer_facts(tree_, environment, variables_);
  EXPECT_EQ(join(reinstall_command(facts, facts.tool), " "),
            "pip install --target /lambda --upgrade --force-reinstall --no-deps");
  EXPECT_TRUE(uninstall_command(facts, facts.tool).empty());
  const auto swept =
      swept_along(facts, facts.tool, environment, environment.find_distributions("a"));
  ASSERT_EQ(swept.size(), 2U);
  EXPECT_EQ(environment.distributions[swept[0]].name, "b");
  EXPECT_EQ(environment.distributions[swept[1]].name, "c");
}

TEST_F(Installers, of_an_environment_of_pip_is_its_own_pip) {
  tree_.add_file("/tools/uv", "ELF", 0755);
  add_pip();
  add_distribution(tree_, site, {.name = "torch"});
  EXPECT_EQ(reinstall(), "/env/bin/python -m pip install --force-reinstall --no-deps");
}

TEST_F(Installers, is_a_pip_from_outside_where_there_is_nothing_else) {
  add_distribution(tree_, site, {.name = "torch"});
  tree_.add_file("/tools/pip3", "#!", 0755);
  EXPECT_EQ(reinstall(), "pip3 --python /env/bin/python install --force-reinstall --no-deps");
}

TEST_F(Installers, has_no_pip_whose_files_are_gone) {
  add_distribution(tree_, site, {.name = "pip", .record = "pip/__init__.py,,\n"});
  EXPECT_EQ(reinstall(), "");
}

TEST_F(Installers, of_a_package_of_conda_is_conda) {
  tree_.add_file("/tools/mamba", "ELF", 0755);
  const Environment environment = read_at(tree_, "/env", variables_);
  const auto facts = read_installer_facts(tree_, environment, variables_);
  const Distribution package{.name = "foo", .version = "1.0", .kind = DistributionKind::conda};
  EXPECT_EQ(tool_for(facts, package), Tool::conda);
  EXPECT_EQ(join(reinstall_command(facts, Tool::conda), " "),
            "mamba install -p /env --force-reinstall --no-deps");
  EXPECT_EQ(exact_requirement(package), "foo=1.0");
}

TEST_F(Installers, of_a_managed_system_are_told_that_it_is_meant) {
  add_python(tree_, "/usr");
  tree_.add_file("/usr/lib/python3.11/EXTERNALLY-MANAGED", "");
  tree_.add_file("/tools/uv", "ELF", 0755);
  const Environment environment = read_at(tree_, "/usr", variables_);
  const auto facts = read_installer_facts(tree_, environment, variables_);
  EXPECT_EQ(join(uninstall_command(facts, Tool::uv), " "),
            "uv pip uninstall --python /usr/bin/python3 --break-system-packages");
}

TEST_F(Installers, of_what_debian_installed_is_apt) {
  add_python(tree_, "/usr");
  add_distribution(tree_, "/usr/lib/python3/dist-packages", {.name = "six", .installer = ""});
  add_distribution(tree_, "/usr/local/lib/python3.11/dist-packages", {.name = "torch"});
  tree_.add_file("/tools/uv", "ELF", 0755);
  const Environment environment = read_at(tree_, "/usr", variables_);
  const auto facts = read_installer_facts(tree_, environment, variables_);
  const auto tool_of = [&](std::string_view name) {
    return tool_for(facts, environment.distributions[environment.find_distributions(name).at(0)]);
  };
  EXPECT_EQ(tool_of("six"), Tool::apt);
  EXPECT_EQ(tool_of("torch"), Tool::uv);
  EXPECT_EQ(join(reinstall_command(facts, Tool::apt), " "), "apt-get install --reinstall");
  EXPECT_TRUE(uninstall_command(facts, Tool::apt).empty());
}

TEST(SystemPackages, own_files_by_the_lists_of_dpkg) {
  MemoryTree tree;
  tree.add_file("/var/lib/dpkg/info/libc6:amd64.list",
                "/.\n/lib\n/lib/x86_64-linux-gnu/libc.so.6\n/usr/share/doc/libc6\n");
  tree.add_file("/var/lib/dpkg/info/python3-yaml.list",
                "/.\n/usr/lib/python3/dist-packages/yaml/__init__.py\n");
  tree.add_file("/var/lib/dpkg/info/python3-yaml.md5sums", "");
  tree.add_file("/var/lib/dpkg/status",
                "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\n"
                "Version: 2.36-9\n\nPackage: python3-yaml\nStatus: install ok installed\n"
                "Architecture: amd64\nVersion: 6.0-3\n");
  const std::vector<Path> paths = {path_of("/usr/lib/x86_64-linux-gnu/libc.so.6"),
                                   path_of("/usr/lib/python3/dist-packages/yaml/__init__.py"),
                                   path_of("/usr/lib/nobody.so")};
  const auto owners = find_system_packages(tree, paths).value();
  ASSERT_EQ(owners.size(), 3U);
  ASSERT_EQ(owners[0].size(), 1U);
  EXPECT_EQ(owners[0][0].title(), "deb libc6 2.36-9");
  ASSERT_EQ(owners[1].size(), 1U);
  EXPECT_EQ(owners[1][0].title(), "deb python3-yaml 6.0-3");
  EXPECT_TRUE(owners[2].empty());
}

TEST(SystemPackages, are_absent_where_there_is_no_dpkg) {
  MemoryTree tree;
  tree.add_folder("/usr");
  EXPECT_TRUE(find_system_packages(tree, {}).is_absent());
}

}  // namespace
}  // namespace whyso::environment
