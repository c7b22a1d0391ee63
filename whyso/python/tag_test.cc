// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/tag.h"

#include <gtest/gtest.h>

#include "whyso/python/wheel_name.h"

namespace whyso::python {
namespace {

using Kind = PlatformTag::Kind;
using Texts = std::vector<std::string_view>;

TagTarget target() {
  return {.python = {.abi_flags = {}},
          .machine = "x86_64",
          .libc = LibcKind::glibc,
          .libc_major = 2,
          .libc_minor = 36};
}

bool fits(std::string_view tag) { return is_compatible(*find_tag_set(tag), target()); }

TEST(PlatformTag, names_c_library_and_machine) {
  EXPECT_EQ(read_platform_tag("manylinux_2_28_x86_64"),
            (PlatformTag{Kind::manylinux, 2, 28, "x86_64"}));
  EXPECT_EQ(read_platform_tag("manylinux2014_aarch64"),
            (PlatformTag{Kind::manylinux, 2, 17, "aarch64"}));
  EXPECT_EQ(read_platform_tag("manylinux2010_i686"), (PlatformTag{Kind::manylinux, 2, 12, "i686"}));
  EXPECT_EQ(read_platform_tag("manylinux1_x86_64"), (PlatformTag{Kind::manylinux, 2, 5, "x86_64"}));
  EXPECT_EQ(read_platform_tag("musllinux_1_2_x86_64"),
            (PlatformTag{Kind::musllinux, 1, 2, "x86_64"}));
  EXPECT_EQ(read_platform_tag("linux_x86_64"), (PlatformTag{Kind::linux, 0, 0, "x86_64"}));
  EXPECT_EQ(read_platform_tag("any").kind, Kind::any);
  EXPECT_EQ(read_platform_tag("macosx_11_0_arm64").kind, Kind::other);
  EXPECT_EQ(read_platform_tag("manylinux_2_x86_64").kind, Kind::other);
}

TEST(TagSet, is_compressed_with_dots) {
  EXPECT_EQ(find_tag_set("py2.py3-none-any"), (TagSet{{"py2", "py3"}, {"none"}, {"any"}}));
  EXPECT_FALSE(find_tag_set("py3-none"));
  EXPECT_FALSE(find_tag_set("py3.-none-any"));
  EXPECT_FALSE(find_tag_set("py3-none-any-x"));
}

TEST(TagSet, fits_the_interpreter_it_names) {
  EXPECT_TRUE(fits("cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64"));
  EXPECT_TRUE(fits("cp39-abi3-manylinux_2_28_x86_64"));
  EXPECT_TRUE(fits("py3-none-any"));
  EXPECT_TRUE(fits("py3-none-manylinux_2_27_x86_64"));
  EXPECT_TRUE(fits("cp311-none-linux_x86_64"));
  EXPECT_FALSE(fits("cp310-cp310-manylinux_2_17_x86_64"));
  EXPECT_FALSE(fits("cp312-abi3-manylinux_2_17_x86_64"));
  EXPECT_FALSE(fits("cp311-cp311-manylinux_2_39_x86_64"));
  EXPECT_FALSE(fits("cp311-cp311-manylinux_2_17_aarch64"));
  EXPECT_FALSE(fits("cp311-cp311-musllinux_1_2_x86_64"));
  EXPECT_FALSE(fits("cp311-cp311-win_amd64"));
  EXPECT_FALSE(fits("py2-none-any"));
  EXPECT_FALSE(fits("pp311-pypy311_pp73-manylinux_2_17_x86_64"));
}

TEST(TagSet, of_musl_wants_the_same_major_version) {
  TagTarget musl = target();
  musl.libc = LibcKind::musl;
  musl.libc_major = 1;
  musl.libc_minor = 2;
  EXPECT_TRUE(is_platform_compatible(read_platform_tag("musllinux_1_1_x86_64"), musl));
  EXPECT_FALSE(is_platform_compatible(read_platform_tag("musllinux_1_3_x86_64"), musl));
  EXPECT_FALSE(is_platform_compatible(read_platform_tag("musllinux_0_9_x86_64"), musl));
  EXPECT_FALSE(is_platform_compatible(read_platform_tag("manylinux_2_17_x86_64"), musl));
}

TEST(WheelName, has_five_or_six_parts) {
  const auto wheel =
      read_wheel_name("nvidia_cudnn_cu12-9.10.2.21-py3-none-manylinux_2_27_x86_64.whl");
  ASSERT_TRUE(wheel);
  EXPECT_EQ(wheel->name, "nvidia_cudnn_cu12");
  EXPECT_EQ(wheel->version, "9.10.2.21");
  EXPECT_FALSE(wheel->build);
  EXPECT_EQ(wheel->tags.platforms, Texts{"manylinux_2_27_x86_64"});
  const auto built = read_wheel_name("distribution-1.0-1abc-py27-none-any.whl");
  ASSERT_TRUE(built);
  EXPECT_EQ(built->build, (BuildTag{1, "abc"}));
  EXPECT_EQ(built->tags.interpreters, Texts{"py27"});
  EXPECT_LT((BuildTag{2, ""}), (BuildTag{10, ""}));
}

TEST(WheelName, that_breaks_the_rules_is_an_error) {
  for (const char* name :
       {"a-1.0-py3-none-any.zip", "a-1.0-py3-none.whl", "a-x-py3-none-any.whl",
        "a-1.0-b-py3-none-any.whl", "-1.0-py3-none-any.whl", "a__b-1-py3-none-any.whl",
        "a-1.0-1-2-py3-none-any.whl", "a-1.0-py3--any.whl", ".whl"}) {
    EXPECT_FALSE(read_wheel_name(name)) << name;
  }
  EXPECT_EQ(read_wheel_name("a.zip").error().text(), "a.zip: does not end in .whl");
}

}  // namespace
}  // namespace whyso::python
