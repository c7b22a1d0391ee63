// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "whyso/python/conda_meta.h"
#include "whyso/python/direct_url.h"
#include "whyso/python/dpkg_list.h"
#include "whyso/python/installer.h"
#include "whyso/python/wheel.h"

namespace whyso::python {
namespace {

TEST(Installer, is_the_first_line) {
  EXPECT_EQ(read_installer("pip\n").kind, InstallerKind::pip);
  EXPECT_EQ(read_installer("uv").kind, InstallerKind::uv);
  EXPECT_EQ(read_installer("Poetry 1.8.2\n").kind, InstallerKind::poetry);
  EXPECT_EQ(read_installer("Poetry 1.8.2\n").text, "Poetry 1.8.2");
  EXPECT_EQ(read_installer("bazel\nsecond\n").kind, InstallerKind::other);
  EXPECT_EQ(read_installer("bazel\nsecond\n").text, "bazel");
  EXPECT_EQ(read_installer(" \n").kind, InstallerKind::unknown);
}

// The example of the binary distribution format.
TEST(Wheel, says_how_it_was_built) {
  const Wheel wheel =
      Wheel::parse(Blob("Wheel-Version: 1.0\nGenerator: bdist_wheel 1.0\nRoot-Is-Purelib: true\n"
                        "Tag: py2-none-any\nTag: py3-none-any\nBuild: 1\n"));
  EXPECT_EQ(wheel.wheel_version(), "1.0");
  EXPECT_EQ(wheel.generator(), "bdist_wheel 1.0");
  EXPECT_EQ(wheel.is_root_purelib(), true);
  EXPECT_EQ(wheel.tags(), (std::vector<std::string_view>{"py2-none-any", "py3-none-any"}));
  EXPECT_EQ(wheel.build(), "1");
  EXPECT_EQ(Wheel::parse(Blob("Root-Is-Purelib: perhaps\n")).is_root_purelib(), std::nullopt);
}

// The examples of the direct URL specification.
TEST(DirectUrl, names_archive_repository_or_folder) {
  const auto archive = read_direct_url(
      R"({"url": "https://example.com/a.zip", "archive_info": {"hash": "sha256=2dc6",
          "hashes": {"sha256": "2dc6b5a4"}}, "subdirectory": "sub"})",
      "direct_url.json");
  ASSERT_TRUE(archive);
  EXPECT_EQ(std::get<DirectUrl::Archive>(archive->info).hashes.at("sha256"), "2dc6b5a4");
  EXPECT_EQ(archive->subdirectory, "sub");
  const auto vcs = read_direct_url(
      R"({"url": "https://example.com/pip.git", "vcs_info": {"vcs": "git",
          "requested_revision": "1.3.1", "commit_id": "7921be15"}})",
      "direct_url.json");
  ASSERT_TRUE(vcs);
  EXPECT_EQ(std::get<DirectUrl::Vcs>(vcs->info).commit_id, "7921be15");
  EXPECT_EQ(std::get<DirectUrl::Vcs>(vcs->info).requested_revision, "1.3.1");
  const auto folder = read_direct_url(
      R"({"url": "file:///home/user/project", "dir_info": {"editable": true}})", "direct_url.json");
  ASSERT_TRUE(folder);
  EXPECT_TRUE(folder->is_editable());
}

TEST(DirectUrl, that_breaks_its_rules_is_an_error_with_its_place) {
  EXPECT_EQ(read_direct_url("{}", "a/direct_url.json").error().text(),
            "a/direct_url.json: has no url");
  EXPECT_EQ(read_direct_url(R"({"url": "x"})", "d").error().text(),
            "d: has not exactly one of vcs_info, archive_info and dir_info");
  EXPECT_FALSE(read_direct_url("[1", "d"));
}

TEST(DirectUrl, of_a_file_has_a_path) {
  EXPECT_EQ(find_file_path("file:///home/a%20b/c%2Bd"), "/home/a b/c+d");
  EXPECT_EQ(find_file_path("file://localhost/tmp/x#egg=y"), "/tmp/x");
  EXPECT_EQ(find_file_path("file:///100%"), "/100%");
  EXPECT_EQ(find_file_path("file://host/x"), std::nullopt);
  EXPECT_EQ(find_file_path("https://example.com/x"), std::nullopt);
  EXPECT_EQ(find_file_path("file:///a%00b"), std::nullopt);
}

TEST(CondaMeta, lists_files_with_the_digest_they_should_have) {
  const auto package = read_conda_meta(
      R"({"name": "zlib", "version": "1.3.1", "build": "hb9d3cd8_2", "channel": "conda-forge",
          "depends": ["libgcc >=13"], "files": ["lib/libz.so"],
          "paths_data": {"paths_version": 1, "paths": [
            {"_path": "lib/libz.so.1.3.1", "path_type": "hardlink", "sha256": "aa",
             "sha256_in_prefix": "bb", "size_in_bytes": 92286},
            {"_path": "lib/libz.so", "path_type": "softlink", "sha256": "aa"},
            {"no": "path"}]}})",
      "conda-meta/zlib.json");
  ASSERT_TRUE(package);
  EXPECT_EQ(package->name, "zlib");
  EXPECT_EQ(package->version, "1.3.1");
  EXPECT_EQ(package->build, "hb9d3cd8_2");
  EXPECT_EQ(package->channel, "conda-forge");
  EXPECT_EQ(package->depends, std::vector<std::string>{"libgcc >=13"});
  ASSERT_EQ(package->files.size(), 2);
  EXPECT_EQ(package->files[0], (CondaFile{"lib/libz.so.1.3.1", "hardlink", "aa", "bb", 92286}));
  EXPECT_EQ(package->files[0].installed_sha256(), "bb");
  EXPECT_EQ(package->files[1].installed_sha256(), "aa");
}

TEST(CondaMeta, without_paths_data_lists_paths_alone) {
  const auto package =
      read_conda_meta(R"({"name": "a", "files": ["bin/a", 3, "lib/a"]})", "a.json");
  ASSERT_TRUE(package);
  ASSERT_EQ(package->files.size(), 2);
  EXPECT_EQ(package->files[1].path, "lib/a");
  EXPECT_EQ(read_conda_meta("{}", "a.json").error().text(), "a.json: names no package");
}

TEST(DpkgList, has_absolute_paths) {
  EXPECT_EQ(read_dpkg_list("/.\n/usr\n/usr/lib/python3/dist-packages/a b.py\n\n"),
            (std::vector<std::string_view>{"/usr", "/usr/lib/python3/dist-packages/a b.py"}));
  EXPECT_EQ(find_dpkg_list_name("libc6:amd64.list"), (DpkgListName{"libc6", "amd64"}));
  EXPECT_EQ(find_dpkg_list_name("python3-numpy.list"), (DpkgListName{"python3-numpy", ""}));
  EXPECT_FALSE(find_dpkg_list_name("libc6:amd64.md5sums"));
  EXPECT_FALSE(find_dpkg_list_name(".list"));
}

TEST(DpkgStatus, has_one_paragraph_a_package) {
  const auto packages = read_dpkg_status(
      "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9\n"
      "Description: GNU C Library\n Version: not this\n\nPackage: gone\n"
      "Status: deinstall ok config-files\nversion: 1:2\n");
  EXPECT_EQ(packages, (std::vector<DpkgPackage>{{"libc6", "2.36-9", "amd64", true},
                                                {"gone", "1:2", "", false}}));
}

}  // namespace
}  // namespace whyso::python
