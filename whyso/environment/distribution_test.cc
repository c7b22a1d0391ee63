// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/distribution.h"

#include <gtest/gtest.h>

#include "whyso/base/hash.h"
#include "whyso/environment/small_world.h"

namespace whyso::environment {
namespace {

using tree::MemoryTree;

const std::string site = "/py/lib/python3.11/site-packages";

class Distributions : public testing::Test {
 protected:
  void SetUp() override { add_python(tree_, "/py"); }

  /// The only one of that name.
  Distribution only(std::string_view name) {
    environment_ = read_at(tree_, "/py");
    const auto found = environment_.find_distributions(name);
    EXPECT_EQ(found.size(), 1U) << name;
    return found.empty() ? Distribution() : environment_.distributions[found.front()];
  }

  MemoryTree tree_;
  Environment environment_;
};

TEST_F(Distributions, of_a_wheel_have_all_their_facts) {
  add_distribution(tree_, site,
                   {.name = "Foo_Bar", .version = "1.2+cu128", .record = "foo.py,sha256=abc,3\n"});
  const std::string info = site + "/Foo_Bar-1.2+cu128.dist-info";
  tree_.add_file(info + "/METADATA",
                 "Name: Foo_Bar\nVersion: 1.2+cu128\nRequires-Dist: numpy>=1\n"
                 "Requires-Dist: x; extra == 'y'\nProvides-Extra: y\n\nbody\n");
  tree_.add_file(info + "/WHEEL", "Root-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n");
  tree_.add_file(info + "/REQUESTED", "");
  tree_.add_file(info + "/direct_url.json",
                 R"({"url": "file:///src/foo", "dir_info": {"editable": true}})");
  const Distribution foo = only("foo-bar");
  EXPECT_EQ(foo.title(), "Foo_Bar 1.2+cu128");
  EXPECT_EQ(foo.normalized, "foo-bar");
  EXPECT_EQ(foo.kind, DistributionKind::dist_info);
  EXPECT_EQ(foo.metadata.text(), info);
  EXPECT_EQ(foo.site.text(), site);
  EXPECT_EQ(foo.installer, "pip");
  EXPECT_TRUE(foo.is_requested);
  EXPECT_TRUE(foo.is_editable);
  EXPECT_EQ(foo.required, (std::vector<std::string>{"numpy>=1", "x; extra == 'y'"}));
  EXPECT_EQ(foo.extras, std::vector<std::string>{"y"});
  EXPECT_EQ(foo.wheel.value().is_root_purelib(), false);
  EXPECT_EQ(foo.files.value().rows().back().path, "foo.py");
  EXPECT_EQ(foo.files.value().rows().back().size, 3U);
  EXPECT_TRUE(foo.problems.empty());
}

TEST_F(Distributions, of_one_name_are_both_kept) {
  add_distribution(tree_, site, {.name = "foo", .version = "1.0"});
  add_distribution(tree_, site, {.name = "Foo", .version = "2.0"});
  const Environment environment = read_at(tree_, "/py");
  EXPECT_EQ(environment.find_distributions("foo").size(), 2U);
}

TEST_F(Distributions, without_metadata_are_called_as_their_folder) {
  tree_.add_folder(site + "/foo-1.5.dist-info");
  const Distribution foo = only("foo");
  EXPECT_EQ(foo.title(), "foo 1.5");
  EXPECT_TRUE(foo.core.is_absent());
  EXPECT_TRUE(foo.files.is_absent());
}

TEST_F(Distributions, keep_what_cannot_be_read_as_problems) {
  tree_.add_unreadable(site + "/foo-1.0.dist-info/RECORD");
  tree_.add_file(site + "/foo-1.0.dist-info/METADATA", "Name: foo\nVersion: 1.0\xff\n");
  add_distribution(tree_, site, {.name = "bar", .record = "\x01\xfe\xff\n"});
  const Distribution foo = only("foo");
  EXPECT_TRUE(foo.files.is_unreadable());
  ASSERT_EQ(foo.problems.size(), 1U);
  EXPECT_EQ(foo.problems[0].where, site + "/foo-1.0.dist-info/RECORD");
  const Distribution bar = only("bar");
  ASSERT_EQ(bar.problems.size(), 1U);
  EXPECT_EQ(bar.problems[0].where, site + "/bar-1.0.dist-info/RECORD:4");
  EXPECT_EQ(environment_.problems.size(), 2U);
}

TEST_F(Distributions, of_old_setuptools_are_folders_and_files) {
  tree_.add_file(site + "/foo-1.0-py3.11.egg-info/PKG-INFO", "Name: foo\nVersion: 1.0\n");
  tree_.add_file(site + "/foo-1.0-py3.11.egg-info/installed-files.txt", "../foo.py\nPKG-INFO\n");
  tree_.add_file(site + "/foo-1.0-py3.11.egg-info/requires.txt", "six\n");
  tree_.add_file(site + "/bar-2.0.egg-info", "Name: bar\nVersion: 2.0\n");
  const Distribution foo = only("foo");
  EXPECT_EQ(foo.kind, DistributionKind::egg_info_folder);
  EXPECT_EQ(foo.required, std::vector<std::string>{"six"});
  ASSERT_EQ(foo.files.value().rows().size(), 2U);
  EXPECT_NE(environment_.ownership.find(path_of(site + "/foo.py")), nullptr);
  EXPECT_EQ(only("bar").kind, DistributionKind::egg_info_file);
}

TEST_F(Distributions, of_development_installs_are_found_where_the_sources_are) {
  tree_.add_file(site + "/easy-install.pth", "/src/a\n" + site + "/c-1.0-py3.11.egg\n");
  tree_.add_file("/src/a/a.egg-info/PKG-INFO", "Name: a\nVersion: 1\n");
  tree_.add_file(site + "/a.egg-link", "/src/a\n.");
  tree_.add_file(site + "/b.egg-link", "/src/b\n.");
  tree_.add_file("/src/b/b.egg-info/PKG-INFO", "Name: b\nVersion: 2\n");
  tree_.add_file(site + "/c-1.0-py3.11.egg/EGG-INFO/PKG-INFO", "Name: c\nVersion: 3\n");
  EXPECT_EQ(only("a").kind, DistributionKind::egg_info_folder);
  EXPECT_EQ(only("b").kind, DistributionKind::egg_link);
  EXPECT_TRUE(only("b").is_editable);
  EXPECT_EQ(only("c").kind, DistributionKind::egg);
  EXPECT_EQ(only("c").version, "3");
}

TEST_F(Distributions, of_conda_own_files_of_the_whole_prefix) {
  const Sha256 digest = sha256(bytes_of("content"));
  const std::string raw(text_of(digest));
  tree_.add_file("/py/conda-meta/foo-1.0-h1.json",
                 R"({"name": "foo", "version": "1.0", "build": "h1", "files": [], "paths_data":
                    {"paths": [{"_path": "lib/libfoo.so", "sha256": ")" +
                     hexadecimal(raw) + R"(", "size_in_bytes": 7, "path_type": "hardlink"},
                     {"_path": "lib/python3.11/site-packages/foo.py"}]}})");
  tree_.add_file("/py/lib/libfoo.so", "content");
  const Distribution foo = only("foo");
  EXPECT_EQ(foo.kind, DistributionKind::conda);
  EXPECT_EQ(foo.installer, "conda");
  ASSERT_EQ(foo.files.value().rows().size(), 2U);
  EXPECT_EQ(foo.files.value().rows()[0].hash->digest, base64url(raw));
  const OwnedFile* library = environment_.ownership.find(path_of("/py/lib/libfoo.so"));
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(library->state, FileState::present);
  EXPECT_NE(environment_.ownership.find(path_of(site + "/foo.py")), nullptr);
}

TEST_F(Distributions, that_pip_left_behind_are_none) {
  tree_.add_folder(site + "/~oo-1.0.dist-info");
  tree_.add_file(site + "/foo-1.0.dist-info", "a file, not a folder");
  EXPECT_TRUE(read_at(tree_, "/py").distributions.empty());
}

}  // namespace
}  // namespace whyso::environment
