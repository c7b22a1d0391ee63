// SPDX-License-Identifier: Apache-2.0
// Rules as pip's req_uninstall.py and uv's uninstall.rs have them; tests/change compares with the
// real tools.
#include "whyso/change/removal.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "whyso/environment/small_world.h"

namespace whyso::change {
namespace {

using environment::path_of;

const std::string site = "/env/lib/python3.11/site-packages";

class Uninstall : public testing::Test {
 protected:
  void SetUp() override {
    environment::add_python(tree_, "/base");
    environment::add_venv(tree_, "/env", "/base");
    add("of_nobody.txt");
  }

  /// A distribution whose listed files are made.
  void install(const std::string& name, const std::vector<std::string>& files) {
    std::string record;
    for (const auto& file : files) {
      record += file + ",,\n";
      add(file);
    }
    environment::add_distribution(tree_, site, {.name = name, .record = record});
  }

  void add(const std::string& file) {
    tree_.add_file(path_of(site).join(file).value().text(), "text");
  }

  /// What goes besides the metadata, below the environment.
  std::vector<std::string> taken(const std::vector<std::string>& names, Installer installer) {
    const auto environment = environment::read_at(tree_, "/env");
    std::vector<Id<environment::Distribution>> ids;
    for (const auto& name : names) ids.push_back(environment.find_distributions(name).front());
    removal_ = uninstall(tree_, environment, ids, installer);
    std::vector<std::string> texts;
    for (const auto& path : removal_.paths()) {
      if (!path.text().contains(".dist-info")) texts.emplace_back(path.within(path_of("/env")));
    }
    return texts;
  }

  static std::vector<std::string> in_site(std::vector<std::string> names) {
    for (auto& name : names) name.insert(0, "lib/python3.11/site-packages/");
    return names;
  }

  tree::MemoryTree tree_;
  Removal removal_;
};

using Texts = std::vector<std::string>;

TEST_F(Uninstall, takes_the_files_of_the_record_and_folders_in_which_nothing_else_lies) {
  install("one", {"one/__init__.py", "one/sub/a.txt"});
  const Texts all = in_site({"one", "one/__init__.py", "one/sub", "one/sub/a.txt"});
  EXPECT_EQ(taken({"one"}, Installer::pip), all);
  EXPECT_EQ(taken({"one"}, Installer::uv), all);
  EXPECT_EQ(removal_.bytes(), 8U + 45U + 4U + 120U) << "two files, METADATA, INSTALLER, RECORD";
}

TEST_F(Uninstall, takes_what_another_record_lists_too) {
  install("one", {"both/lib.so"});
  install("two", {"both/lib.so", "both/two.txt"});
  EXPECT_EQ(taken({"one"}, Installer::pip), in_site({"both/lib.so"}));
  EXPECT_EQ(taken({"one"}, Installer::uv), in_site({"both/lib.so"}));
  EXPECT_EQ(taken({"one", "two"}, Installer::pip),
            in_site({"both", "both/lib.so", "both/two.txt"}));
  EXPECT_TRUE(removal_.removed[1].taken.files.end() ==
              std::ranges::find(removal_.removed[1].taken.files, path_of(site + "/both/lib.so")));
}

TEST_F(Uninstall, by_pip_leaves_a_parent_that_becomes_empty_and_by_uv_does_not) {
  install("one", {"space/one/lib/a.so"});
  EXPECT_EQ(taken({"one"}, Installer::pip), in_site({"space/one/lib", "space/one/lib/a.so"}));
  EXPECT_EQ(taken({"one"}, Installer::uv),
            in_site({"space", "space/one", "space/one/lib", "space/one/lib/a.so"}));
}

TEST_F(Uninstall, by_pip_takes_the_byte_code_of_its_own_python_alone) {
  install("one", {"one/__init__.py", "one/a.py"});
  add("one/__pycache__/a.cpython-311.pyc");
  add("one/__pycache__/a.cpython-310.pyc");
  add("one/a.pyc");
  EXPECT_EQ(
      taken({"one"}, Installer::pip),
      in_site({"one/__init__.py", "one/__pycache__/a.cpython-311.pyc", "one/a.py", "one/a.pyc"}));
}

TEST_F(Uninstall, by_uv_takes_each_pycache_beside_a_file_that_went) {
  install("one", {"one/a.py", "top.py"});
  install("two", {"one/b.py"});
  add("one/__pycache__/b.cpython-311.pyc");
  add("__pycache__/top.cpython-311.pyc");
  EXPECT_EQ(taken({"one"}, Installer::uv),
            in_site({"one/__pycache__", "one/__pycache__/b.cpython-311.pyc", "one/a.py", "top.py"}))
      << "but not the one beside all packages";
}

TEST_F(Uninstall, takes_files_outside_of_the_site_folder_and_no_folder_there_by_uv) {
  install("one", {"../../../share/one/a.txt", "../../../bin/tool"});
  EXPECT_EQ(taken({"one"}, Installer::pip), (Texts{"bin/tool", "share/one", "share/one/a.txt"}));
  EXPECT_EQ(taken({"one"}, Installer::uv), (Texts{"bin/tool", "share/one/a.txt"}));
}

TEST_F(Uninstall, never_leaves_the_environment) {
  install("one", {"one.py", "../../../../etc/passwd", "/etc/shadow"});
  const auto by_pip = taken({"one"}, Installer::pip);
  EXPECT_EQ(by_pip, in_site({"one.py"}));
  EXPECT_EQ(taken({"one"}, Installer::uv), by_pip);
}

TEST_F(Uninstall, by_pip_takes_scripts_that_the_record_does_not_list) {
  install("one", {"one.py", "one-1.0.dist-info/entry_points.txt"});
  tree_.add_file(site + "/one-1.0.dist-info/entry_points.txt",
                 "[console_scripts]\ntool = one:main\nevil = x:y\n[other]\nnone = one:main\n");
  tree_.add_file("/env/bin/tool", "script");
  tree_.add_file("/env/bin/none", "no script of it");
  EXPECT_EQ(taken({"one"}, Installer::pip),
            (Texts{"bin/tool", "lib/python3.11/site-packages/one.py"}));
  EXPECT_EQ(taken({"one"}, Installer::uv), in_site({"one.py"}));
}

TEST_F(Uninstall, takes_a_link_and_not_what_it_leads_to) {
  install("one", {"one/a.txt"});
  tree_.add_link(site + "/one/link", "../other");
  add("other/file.txt");
  environment::add_distribution(tree_, site,
                                {.name = "one", .record = "one/a.txt,,\none/link,,\n"});
  const Texts all = in_site({"one", "one/a.txt", "one/link"});
  EXPECT_EQ(taken({"one"}, Installer::pip), all);
  EXPECT_EQ(taken({"one"}, Installer::uv), all);
}

TEST_F(Uninstall, by_pip_leaves_a_link_that_leads_nowhere) {
  install("one", {"one/a.txt"});
  tree_.add_link(site + "/one/link", "nowhere");
  environment::add_distribution(tree_, site,
                                {.name = "one", .record = "one/a.txt,,\none/link,,\n"});
  EXPECT_EQ(taken({"one"}, Installer::pip), in_site({"one/a.txt"}));
}

TEST_F(Uninstall, takes_a_folder_that_the_record_names) {
  install("one", {"one.py"});
  add("data/deep/file.txt");
  environment::add_distribution(tree_, site, {.name = "one", .record = "one.py,,\ndata,,\n"});
  const Texts all = in_site({"data", "data/deep", "data/deep/file.txt", "one.py"});
  EXPECT_EQ(taken({"one"}, Installer::pip), all);
  EXPECT_EQ(taken({"one"}, Installer::uv), all);
}

TEST_F(Uninstall, is_refused_without_a_record_and_for_an_egg_info) {
  environment::add_distribution(tree_, site, {.name = "lost"});
  tree_.add_file(site + "/lost-1.0.dist-info/METADATA", "Name: lost\nVersion: 1.0\n");
  tree_.add_file(site + "/old-2.0.egg-info", "Metadata-Version: 1.0\nName: old\nVersion: 2.0\n");
  tree_.add_unreadable(site + "/lost-1.0.dist-info/RECORD");
  EXPECT_TRUE(taken({"lost", "old"}, Installer::pip).empty());
  ASSERT_EQ(removal_.refused.size(), 2U);
  EXPECT_EQ(removal_.refused[0].reason, "it has no RECORD that could be read");
  EXPECT_EQ(removal_.refused[1].reason,
            "its metadata is no dist-info, and how it would go is not known");
}

}  // namespace
}  // namespace whyso::change
