// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/version.h"

#include <gtest/gtest.h>

#include <array>

namespace whyso::python {
namespace {

std::string normal(std::string_view text) { return Version::parse(text).normalized(); }

// The examples of the version specifier specification, "Normalization" and "summary of permitted
// suffixes and relative ordering".
TEST(Version, is_normalised_as_the_specification_shows) {
  EXPECT_EQ(normal("1.1RC1"), "1.1rc1");
  EXPECT_EQ(normal("00"), "0");
  EXPECT_EQ(normal("09000"), "9000");
  EXPECT_EQ(normal("1.0+foo0100"), "1.0+foo0100");
  EXPECT_EQ(normal("1.1.a1"), "1.1a1");
  EXPECT_EQ(normal("1.1-a1"), "1.1a1");
  EXPECT_EQ(normal("1.1a.1"), "1.1a1");
  EXPECT_EQ(normal("1.1alpha1"), "1.1a1");
  EXPECT_EQ(normal("1.1beta2"), "1.1b2");
  EXPECT_EQ(normal("1.1c3"), "1.1rc3");
  EXPECT_EQ(normal("1.2a"), "1.2a0");
  EXPECT_EQ(normal("1.2-post2"), "1.2.post2");
  EXPECT_EQ(normal("1.2.post-2"), "1.2.post2");
  EXPECT_EQ(normal("1.0-r4"), "1.0.post4");
  EXPECT_EQ(normal("1.2.post"), "1.2.post0");
  EXPECT_EQ(normal("1.0-1"), "1.0.post1");
  EXPECT_EQ(normal("1.2-dev2"), "1.2.dev2");
  EXPECT_EQ(normal("1.2.dev"), "1.2.dev0");
  EXPECT_EQ(normal("1.0+ubuntu-1"), "1.0+ubuntu.1");
  EXPECT_EQ(normal("v1.0"), "1.0");
  EXPECT_EQ(normal(" 1.0\n"), "1.0");
  EXPECT_EQ(normal("1!02.0"), "1!2.0");
}

TEST(Version, is_ordered_as_the_specification_shows) {
  constexpr std::array ordered = {"1.dev0",
                                  "1.0.dev456",
                                  "1.0a1",
                                  "1.0a2.dev456",
                                  "1.0a12.dev456",
                                  "1.0a12",
                                  "1.0b1.dev456",
                                  "1.0b2",
                                  "1.0b2.post345.dev456",
                                  "1.0b2.post345",
                                  "1.0rc1.dev456",
                                  "1.0rc1",
                                  "1.0",
                                  "1.0+abc.5",
                                  "1.0+abc.7",
                                  "1.0+5",
                                  "1.0.post456.dev34",
                                  "1.0.post456",
                                  "1.0.15",
                                  "1.1.dev1",
                                  "1!0.1"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      const auto order = Version::parse(ordered[i]) <=> Version::parse(ordered[j]);
      EXPECT_EQ(order < 0, i < j) << ordered[i] << " " << ordered[j];
      EXPECT_EQ(order == 0, i == j) << ordered[i] << " " << ordered[j];
    }
  }
}

TEST(Version, ignores_trailing_zeros_when_compared) {
  EXPECT_EQ(Version::parse("1.0.0"), Version::parse("1"));
  EXPECT_EQ(Version::parse("1.0.0").normalized(), "1.0.0");
  EXPECT_LT(Version::parse("2.11.0"), Version::parse("2.11.0+cu128"));
}

TEST(Version, takes_numbers_of_any_length) {
  EXPECT_LT(Version::parse("1.99999999999999999999999999998"),
            Version::parse("1.99999999999999999999999999999"));
  EXPECT_LT(Version::parse("1.9"), Version::parse("1.99999999999999999999999999999"));
  EXPECT_EQ(Version::parse("1.99999999999999999999").parts().release[1].value(), UINT64_MAX);
}

TEST(Version, that_breaks_the_rules_is_kept_as_text_and_lies_below_all_others) {
  for (const char* text : {"", "french toast", "1.0+", "1.0+a+b", "1.0+_foo", "1..0", "1.", ".1",
                           "1.0a1b2", "1.0.x", "2004d", "1.0+\xc3\xa9", "!1.0", "1!", "v"}) {
    const Version version = Version::parse(text);
    EXPECT_FALSE(version.is_valid()) << text;
    EXPECT_EQ(version.text(), text);
    EXPECT_EQ(version.normalized(), text);
    EXPECT_LT(version, Version::parse("0.dev0"));
  }
}

TEST(Version, has_parts) {
  const Version version = Version::parse("1!2.3rc4.post5.dev6+cu128.1");
  EXPECT_EQ(version.base_text(), "1!2.3");
  EXPECT_EQ(version.public_text(), "1!2.3rc4.post5.dev6");
  EXPECT_EQ(version.without_local().text(), "1!2.3rc4.post5.dev6");
  EXPECT_EQ(version.parts().local, (std::vector<std::string>{"cu128", "1"}));
  EXPECT_TRUE(version.is_prerelease());
  EXPECT_TRUE(version.is_postrelease());
  EXPECT_TRUE(Version::parse("1.dev0").is_prerelease());
  EXPECT_FALSE(Version::parse("1.post1").is_prerelease());
}

}  // namespace
}  // namespace whyso::python
