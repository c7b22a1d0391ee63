// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "whyso/check/embedded_version.h"
#include "whyso/check/listed.h"
#include "whyso/check/native.h"
#include "whyso/check/opened_name.h"

namespace whyso::check {
namespace {

TEST(Names, a_library_ends_in_so_or_a_version) {
  for (const char* name : {"libx.so", "libx.so.1", "libx.so.1.2.3", "_C.abi3.so",
                           "_C.cpython-311-x86_64-linux-gnu.so", "libx-1a2b.so.12.0_git"}) {
    EXPECT_TRUE(is_library_name(name)) << name;
  }
  for (const char* name : {".so", "libx.sock", "x.so.md", "x.solution", "libx.a", "so", "x.so."}) {
    EXPECT_FALSE(is_library_name(name)) << name;
  }
}

TEST(Names, the_stem_stands_before_the_version) {
  EXPECT_EQ(library_stem("libcudart.so.12"), "libcudart");
  EXPECT_EQ(library_stem("notes.txt"), "");
}

TEST(Names, metadata_and_caches_are_no_payload) {
  EXPECT_TRUE(is_payload("torch/__init__.py"));
  EXPECT_TRUE(is_payload("../../bin/torchrun"));
  EXPECT_FALSE(is_payload("torch-2.10.0.dist-info/METADATA"));
  EXPECT_FALSE(is_payload("torch/__pycache__/a.cpython-311.pyc"));
}

TEST(Names, a_file_may_open_what_stands_in_it_with_a_version_and_an_end) {
  using namespace std::string_literals;
  const std::string bytes =
      "xx\0libcublasLt.so.13\0libz.so\0libnvrtc.so.%d\0libcublasLt.so.13\0lib.so.1x"s;
  EXPECT_EQ(library_names_in(bytes), std::vector<std::string>{"libcublasLt.so.13"});
  EXPECT_TRUE(library_names_in("").empty());
  EXPECT_TRUE(library_names_in(std::string(1000, '.')).empty());
}

TEST(Names, a_version_in_a_name_has_three_parts_and_is_no_soname) {
  EXPECT_EQ(version_in_name("libx.so.9.21.1"), "9.21.1");
  EXPECT_EQ(version_in_name("libx.so.9"), "");
  EXPECT_EQ(version_in_name("libx.so.11.0"), "");
  EXPECT_EQ(version_in_name("libx.so"), "");
  EXPECT_EQ(version_in_name("libx.so.1.2.rc1"), "");
}

TEST(Names, cudnn_spells_its_release_as_a_number) {
  // CUDNN_VERSION: major * 10000 + minor * 100 + patch since 9, major * 1000 before.
  EXPECT_EQ(dotted_version(92101), "9.21.1");
  EXPECT_EQ(dotted_version(8302), "8.3.2");
  EXPECT_EQ(dotted_version(17), "");
}

}  // namespace
}  // namespace whyso::check
