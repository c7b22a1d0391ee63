// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/name.h"

#include <gtest/gtest.h>

namespace whyso::python {
namespace {

MetadataFolderName folder(MetadataForm form, std::string_view name,
                          std::optional<std::string_view> version,
                          std::optional<std::string_view> python = std::nullopt) {
  return {.form = form, .name = name, .version = version, .python = python};
}

// The examples of the packaging specification "names and normalization".
TEST(Name, has_one_normal_form) {
  for (const char* name : {"friendly-bard", "Friendly-Bard", "FRIENDLY-BARD", "friendly.bard",
                           "friendly_bard", "friendly--bard", "FrIeNdLy-._.-bArD"}) {
    EXPECT_EQ(normalized_name(name), "friendly-bard");
    EXPECT_TRUE(is_same_name(name, "friendly-bard"));
  }
  EXPECT_FALSE(is_same_name("friendlybard", "friendly-bard"));
  EXPECT_FALSE(is_same_name("friendly-bard", "friendly-bard2"));
  EXPECT_FALSE(is_same_name("friendly", "friendly-"));
}

TEST(Name, begins_and_ends_with_a_letter_or_digit) {
  EXPECT_TRUE(is_valid_name("a"));
  EXPECT_TRUE(is_valid_name("zope.interface"));
  EXPECT_TRUE(is_valid_name("0x10c-asm"));
  for (const char* name : {"", "-a", "a-", "_a", "a b", "na\xc3\xafve", "a/b", "~orch"}) {
    EXPECT_FALSE(is_valid_name(name)) << name;
  }
}

TEST(MetadataFolderName, is_split_into_name_and_version) {
  EXPECT_EQ(find_metadata_folder_name("nvidia_cudnn_cu12-9.10.2.21.dist-info"),
            folder(MetadataForm::dist_info, "nvidia_cudnn_cu12", "9.10.2.21"));
  EXPECT_EQ(find_metadata_folder_name("torch-2.10.0+cu128.dist-info"),
            folder(MetadataForm::dist_info, "torch", "2.10.0+cu128"));
  EXPECT_EQ(find_metadata_folder_name("PyYAML-6.0.dist-info"),
            folder(MetadataForm::dist_info, "PyYAML", "6.0"));
}

TEST(MetadataFolderName, of_an_egg_says_the_python_version) {
  EXPECT_EQ(find_metadata_folder_name("PyGObject-3.42.2.egg-info"),
            folder(MetadataForm::egg_info, "PyGObject", "3.42.2"));
  EXPECT_EQ(find_metadata_folder_name("six-1.16.0-py3.11.egg-info"),
            folder(MetadataForm::egg_info, "six", "1.16.0", "3.11"));
  EXPECT_EQ(find_metadata_folder_name("py-pypy-1.0-py3.9.egg-info"),
            folder(MetadataForm::egg_info, "py-pypy", "1.0", "3.9"));
  EXPECT_EQ(find_metadata_folder_name("lxml-4.9-py3.11-linux-x86_64.egg"),
            folder(MetadataForm::egg, "lxml", "4.9", "3.11"));
  EXPECT_EQ(find_metadata_folder_name("whyso.egg-info"),
            folder(MetadataForm::egg_info, "whyso", std::nullopt));
}

TEST(MetadataFolderName, of_an_unescaped_name_is_split_before_the_version) {
  EXPECT_EQ(find_metadata_folder_name("ruamel-yaml-0.17.dist-info"),
            folder(MetadataForm::dist_info, "ruamel-yaml", "0.17"));
  EXPECT_EQ(find_metadata_folder_name("pkg-1.0-1.dist-info"),
            folder(MetadataForm::dist_info, "pkg", "1.0-1"));
  EXPECT_EQ(find_metadata_folder_name("pkg-not.a.version.dist-info"),
            folder(MetadataForm::dist_info, "pkg", "not.a.version"));
}

TEST(MetadataFolderName, is_none_for_leftovers_and_other_names) {
  for (const char* name : {"~orch-2.0.dist-info", ".dist-info", "-1.0.dist-info", "torch",
                           "torch-2.0.dist-info.bak", "a b-1.0.dist-info"}) {
    EXPECT_FALSE(find_metadata_folder_name(name)) << name;
  }
}

}  // namespace
}  // namespace whyso::python
