// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/requirement.h"

#include <gtest/gtest.h>

namespace whyso::python {
namespace {

using Texts = std::vector<std::string>;

MarkerEnvironment environment(Texts extras = {}) {
  MarkerEnvironment result = linux_environment("3.11.7", "x86_64");
  result.extras = std::move(extras);
  return result;
}

std::optional<bool> evaluate(std::string_view text, Texts extras = {}) {
  const auto marker = Marker::parse(text);
  EXPECT_TRUE(marker) << text;
  return marker ? marker->evaluate(environment(std::move(extras))) : std::nullopt;
}

// The examples of PEP 508, "Examples" and "Complete grammar".
TEST(Requirement, has_the_forms_of_the_specification) {
  const auto full =
      Requirement::parse("requests [security,tests] >= 2.8.1, == 2.8.* ; python_version < \"2.7\"");
  ASSERT_TRUE(full);
  EXPECT_EQ(full->name, "requests");
  EXPECT_EQ(full->extras, (Texts{"security", "tests"}));
  EXPECT_EQ(full->versions.clauses().size(), 2);
  EXPECT_FALSE(full->applies_to(environment()));
  const auto address = Requirement::parse(
      "pip @ https://github.com/pypa/pip/archive/1.3.1.zip#sha1=da9234ee ; os_name=='posix'");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->url, "https://github.com/pypa/pip/archive/1.3.1.zip#sha1=da9234ee");
  EXPECT_TRUE(address->applies_to(environment()));
  for (const char* text :
       {"A", "A.B-C_D", "aa", "name", "name<=1", "name>=3", "name>=3,<2", "name@http://foo.com",
        "name (>=3)", "name(>=3,<2) ", "name[]",
        "name [fred,bar] @ http://foo.com ; python_version=='2.7'",
        "name[quux, strange];python_version<'2.7' and platform_version=='2'",
        "name; os_name=='a' or os_name=='b'", "name>=3,", "name ; extra=='x'",
        "name; os_name=='a' and (os_name=='b' or os_name=='c') or os_name=='d'"}) {
    EXPECT_TRUE(Requirement::parse(text)) << text;
  }
}

TEST(Requirement, that_breaks_the_grammar_is_an_error_with_its_column) {
  for (const char* text : {"",
                           "-a",
                           "a b",
                           "a[",
                           "a[b",
                           "a[b c]",
                           "a[,]",
                           "a (>=1",
                           "a >=1)",
                           "a ==",
                           "a; b",
                           "a;",
                           "a @",
                           "a @ u ;",
                           "a >=1 <2",
                           "a >=1,,<2",
                           ",",
                           "a ,>=1",
                           "a @ u os_name=='x'",
                           "a; os_name=='x",
                           "a; 'x'=='y'"}) {
    EXPECT_FALSE(Requirement::parse(text)) << text;
  }
  EXPECT_EQ(Requirement::parse("a b").error().text(),
            "requirement `a b`, column 3: `b` is no version specifier");
  EXPECT_EQ(Requirement::parse("a[b").error().text(),
            "requirement `a[b`, column 4: a comma or a bracket is expected");
}

TEST(Marker, compares_versions_and_texts) {
  EXPECT_EQ(evaluate("python_version >= '3.9'"), true);
  EXPECT_EQ(evaluate("python_full_version < '3.11.7'"), false);
  EXPECT_EQ(evaluate("'3.9' <= python_version"), true);
  EXPECT_EQ(evaluate("python_version in '3.10 3.11'"), true);
  EXPECT_EQ(evaluate("python_version not in '3.10, 3.12'"), true);
  EXPECT_EQ(evaluate("sys.platform == 'linux' and platform_machine == \"x86_64\""), true);
  EXPECT_EQ(evaluate("platform_python_implementation != 'PyPy'"), true);
  EXPECT_EQ(evaluate("'nux' in sys_platform"), true);
  EXPECT_EQ(evaluate("platform_system == 'Windows' or os.name == 'posix'"), true);
}

TEST(Marker, and_binds_more_tightly_than_or) {
  EXPECT_EQ(evaluate("os_name=='posix' or os_name=='x' and os_name=='y'"), true);
  EXPECT_EQ(evaluate("(os_name=='posix' or os_name=='x') and os_name=='y'"), false);
}

TEST(Marker, asks_whether_an_extra_was_chosen) {
  EXPECT_EQ(evaluate("extra == 'all'"), false);
  EXPECT_EQ(evaluate("extra == 'Dev_Test'", {"docs", "dev-test"}), true);
  EXPECT_EQ(evaluate("'docs' == extra", {"docs", "dev-test"}), true);
  EXPECT_EQ(evaluate("extra != 'docs'", {"docs"}), false);
  EXPECT_EQ(evaluate("extra == ''"), true);
  EXPECT_TRUE(Marker::parse("os_name=='x' and (extra=='y')")->asks_for_extra());
  EXPECT_FALSE(Marker::parse("os_name=='x'")->asks_for_extra());
}

TEST(Marker, with_an_undefined_comparison_is_unknown_unless_the_rest_decides) {
  EXPECT_EQ(evaluate("os_name ~= 'posix'"), std::nullopt);
  EXPECT_EQ(evaluate("os_name ~= 'posix' or os_name == 'posix'"), true);
  EXPECT_EQ(evaluate("os_name ~= 'posix' and os_name == 'nt'"), false);
  EXPECT_EQ(evaluate("os_name ~= 'posix' and os_name == 'posix'"), std::nullopt);
}

TEST(Marker, nested_too_deep_is_refused) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "os_name=='x'" + std::string(depth, ')');
  };
  EXPECT_TRUE(Marker::parse(nested(100)));
  EXPECT_FALSE(Marker::parse(nested(101)));
  EXPECT_FALSE(Marker::parse(std::string(1'000'000, '(')));
}

}  // namespace
}  // namespace whyso::python
