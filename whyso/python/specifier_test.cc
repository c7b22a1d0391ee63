// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/specifier.h"

#include <gtest/gtest.h>

namespace whyso::python {
namespace {

bool matches(std::string_view versions, std::string_view candidate,
             PreReleases prereleases = PreReleases::allow) {
  const auto set = SpecifierSet::parse(versions);
  EXPECT_TRUE(set) << versions;
  return set && set->contains(Version::parse(candidate), prereleases);
}

// The examples of PEP 440, "Version specifiers".
TEST(Specifier, compatible_release_fixes_all_but_the_last_number) {
  EXPECT_TRUE(matches("~=2.2", "2.9"));
  EXPECT_FALSE(matches("~=2.2", "3.0"));
  EXPECT_FALSE(matches("~=2.2", "2.1"));
  EXPECT_TRUE(matches("~=1.4.5", "1.4.9"));
  EXPECT_FALSE(matches("~=1.4.5", "1.5.0"));
  EXPECT_TRUE(matches("~=2.2.0", "2.2.post3"));
  EXPECT_FALSE(matches("~=2.2.0", "2.3"));
  EXPECT_TRUE(matches("~=2.2.post3", "2.3"));
}

TEST(Specifier, prefix_matches_begin) {
  EXPECT_TRUE(matches("==1.1.*", "1.1.post1"));
  EXPECT_TRUE(matches("==1.1.*", "1.1a1"));
  EXPECT_FALSE(matches("==1.1.*", "1.10"));
  EXPECT_FALSE(matches("!=1.1.*", "1.1.post1"));
  EXPECT_FALSE(matches("==1.1", "1.1.post1"));
  EXPECT_TRUE(matches("==1.1", "1.1.0"));
}

TEST(Specifier, local_label_counts_only_where_the_clause_has_one) {
  EXPECT_TRUE(matches("==2.11.0", "2.11.0+cu128"));
  EXPECT_TRUE(matches("==2.11.0+cu128", "2.11.0+cu128"));
  EXPECT_FALSE(matches("==2.11.0+cu128", "2.11.0"));
  EXPECT_FALSE(matches("==2.11.0+cu128", "2.11.0+cu130"));
  EXPECT_TRUE(matches("<=2.11.0", "2.11.0+cu128"));
  EXPECT_TRUE(matches(">=2.11.0", "2.11.0+cu128"));
  EXPECT_FALSE(matches(">2.11.0", "2.11.0+cu128"));
  EXPECT_FALSE(matches("!=2.11.0", "2.11.0+cu128"));
}

TEST(Specifier, exclusive_order_leaves_out_the_family_of_the_version) {
  EXPECT_TRUE(matches(">1.7", "1.7.1"));
  EXPECT_FALSE(matches(">1.7", "1.7.0.post1"));
  EXPECT_TRUE(matches(">1.7.post2", "1.7.1"));
  EXPECT_TRUE(matches(">1.7.post2", "1.7.0.post3"));
  EXPECT_FALSE(matches(">1.7.post2", "1.7.0"));
  EXPECT_FALSE(matches("<1.7", "1.7rc1"));
  EXPECT_TRUE(matches("<1.7rc2", "1.7rc1"));
}

TEST(Specifier, same_spelling_compares_text) {
  EXPECT_TRUE(matches("===foobar", "FooBar"));
  EXPECT_FALSE(matches("===1.0", "1.0.0"));
  EXPECT_FALSE(matches(">=1.0", "no version"));
}

TEST(Specifier, prereleases_are_taken_if_installed_or_named) {
  EXPECT_TRUE(matches(">=1.0", "2.0rc1"));
  EXPECT_FALSE(matches(">=1.0", "2.0rc1", PreReleases::only_if_named));
  EXPECT_TRUE(matches(">=1.0.dev0,<3", "2.0rc1", PreReleases::only_if_named));
  EXPECT_FALSE(matches("!=1.0rc1", "2.0rc1", PreReleases::only_if_named));
  EXPECT_TRUE(matches("", "1.0"));
}

TEST(Specifier, that_breaks_the_rules_is_an_error) {
  for (const char* text : {"1.0", ">=", "~=1", "~=1.0+a", ">=1.0.*", "==1.0a1.*", "==1.0+a.*",
                           ">=1.0+a", "=>1", "==1 0", "=1.0", "==1.0.*.*", "===", "== french"}) {
    EXPECT_FALSE(Specifier::parse(text)) << text;
  }
  EXPECT_EQ(Specifier::parse(" >=x ").error().text(), "`>=x` is no version specifier");
}

}  // namespace
}  // namespace whyso::python
