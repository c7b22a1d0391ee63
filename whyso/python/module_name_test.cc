// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/module_name.h"

#include <gtest/gtest.h>

#include "whyso/base/text.h"
#include "whyso/python/ask_python_test.h"

namespace whyso::python {
namespace {

using Kind = ExtensionTag::Kind;

TEST(ExtensionModule, is_named_for_its_python) {
  EXPECT_EQ(find_extension_module("_C.cpython-311-x86_64-linux-gnu.so"),
            (ExtensionModuleName{
                "_C", {Kind::tagged, Implementation::cpython, 3, 11, "", "x86_64-linux-gnu"}}));
  EXPECT_EQ(find_extension_module("a.cpython-313t-aarch64-linux-musl.so"),
            (ExtensionModuleName{
                "a", {Kind::tagged, Implementation::cpython, 3, 13, "t", "aarch64-linux-musl"}}));
  EXPECT_EQ(find_extension_module("a.cpython-36m.so"),
            (ExtensionModuleName{"a", {Kind::tagged, Implementation::cpython, 3, 6, "m", ""}}));
  EXPECT_EQ(find_extension_module("b.pypy311-pp73-x86_64-linux-gnu.so"),
            (ExtensionModuleName{
                "b", {Kind::tagged, Implementation::pypy, 3, 11, "", "x86_64-linux-gnu"}}));
  EXPECT_EQ(find_extension_module("c.graalpy242-311-native-x86_64-linux.so")->tag.implementation,
            Implementation::graalpy);
  EXPECT_EQ(
      find_extension_module("cv2.abi3.so"),
      (ExtensionModuleName{"cv2", {.kind = Kind::stable_abi, .abi_flags = {}, .platform = {}}}));
  EXPECT_EQ(find_extension_module("libc10.so")->module, "libc10");
}

TEST(ExtensionModule, is_none_where_no_import_statement_can_name_it) {
  for (const char* name :
       {"libc10.so.1", "a.b.so", "libstdc++.so", "lib-a.so", ".so", "a.py", "a.cpython-.so",
        "a.cpython-311-.so", "1a.so", "a.pypy311-x86_64-linux-gnu.so"}) {
    EXPECT_FALSE(find_extension_module(name)) << name;
  }
}

TEST(ExtensionModule, is_imported_by_the_python_it_is_for) {
  const PythonBuild python{.abi_flags = {}};
  const auto can = [](const char* name, const PythonBuild& build) {
    return is_importable_by(find_extension_module(name)->tag, build);
  };
  EXPECT_TRUE(can("a.cpython-311-x86_64-linux-gnu.so", python));
  EXPECT_FALSE(can("a.cpython-310-x86_64-linux-gnu.so", python));
  EXPECT_FALSE(can("a.cpython-311-aarch64-linux-gnu.so", python));
  EXPECT_FALSE(can("a.cpython-311-x86_64-linux-musl.so", python));
  EXPECT_FALSE(can("a.cpython-311d-x86_64-linux-gnu.so", python));
  EXPECT_FALSE(can("a.pypy311-pp73-x86_64-linux-gnu.so", python));
  EXPECT_TRUE(can("a.abi3.so", python));
  EXPECT_TRUE(can("a.so", python));
  const PythonBuild debug{.abi_flags = "d"};
  EXPECT_TRUE(can("a.cpython-311d-x86_64-linux-gnu.so", debug));
  EXPECT_TRUE(can("a.cpython-311-x86_64-linux-gnu.so", debug));
  const PythonBuild free_threaded{.minor = 13, .abi_flags = "t"};
  EXPECT_FALSE(can("a.abi3.so", free_threaded));
  EXPECT_FALSE(can("a.cpython-313-x86_64-linux-gnu.so", free_threaded));
}

TEST(ExtensionModule, suffixes_are_those_of_importlib) {
  const PythonAnswer answer = ask_python(
      "import importlib.machinery, sys, sysconfig\n"
      "soabi = sysconfig.get_config_var('SOABI').split('-', 2)\n"
      "print(sys.version_info[0], sys.version_info[1], sys.abiflags or '-', soabi[2],\n"
      "      *importlib.machinery.EXTENSION_SUFFIXES, end='')\n",
      "");
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  const std::vector<std::string_view> words = split(answer.output, ' ');
  ASSERT_GE(words.size(), 5);
  const PythonBuild build{.implementation = Implementation::cpython,
                          .major = static_cast<unsigned>(*parse_decimal(words[0])),
                          .minor = static_cast<unsigned>(*parse_decimal(words[1])),
                          .abi_flags = words[2] == "-" ? "" : words[2],
                          .platform = words[3]};
  const std::vector<std::string> suffixes = extension_suffixes(build);
  EXPECT_TRUE(std::equal(suffixes.begin(), suffixes.end(), words.begin() + 4, words.end()))
      << answer.output;
}

TEST(ExtensionModule, triplet_names_a_machine) {
  EXPECT_EQ(machine_of("x86_64-linux-gnu"), "x86_64");
  EXPECT_EQ(machine_of("powerpc64le-linux-gnu"), "ppc64le");
  EXPECT_EQ(machine_of("i386-linux-gnu"), "i686");
  EXPECT_EQ(machine_of(""), "");
}

TEST(SourceModule, is_an_identifier_with_py) {
  EXPECT_EQ(find_source_module("__init__.py"), "__init__");
  EXPECT_FALSE(find_source_module("a-b.py"));
  EXPECT_FALSE(find_source_module("a.pyc"));
  EXPECT_TRUE(is_identifier("na\xc3\xafve"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("1a"));
}

}  // namespace
}  // namespace whyso::python
