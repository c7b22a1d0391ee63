// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/condition.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "whyso/base/text.h"

namespace whyso::process {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  char part[4096];
  while (pipe != nullptr && std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  if (pipe != nullptr) ::pclose(pipe);
  return text;
}

const std::vector<std::string> decidable = {
    "TYPE_CHECKING",
    "typing.TYPE_CHECKING",
    "not TYPE_CHECKING",
    "sys.platform == 'linux'",
    "sys.platform == \"win32\"",
    "sys.platform != 'win32'",
    "sys.platform.startswith('win')",
    "sys.platform.startswith(('lin', 'free'))",
    "sys.platform.startswith( 'linux' )",
    "sys.platform in ('win32', 'cygwin')",
    "sys.platform not in {'win32', 'cygwin'}",
    "sys.platform in ['linux']",
    "os.name == 'nt'",
    "os.name == 'posix'",
    "'posix' == os.name",
    "platform.system() == 'Windows'",
    "platform.system() == 'Linux'",
    "platform.system() in ('Linux', 'Darwin')",
    "sys.version_info >= (3, 8)",
    "sys.version_info >= (3,)",
    "sys.version_info < (3, 8)",
    "sys.version_info >= (3, 99)",
    "sys.version_info > (3, 99)",
    "sys.version_info <= (2, 7)",
    "sys.version_info[:2] >= (3, 8)",
    "sys.version_info[:2] == (3, 6)",
    "sys.version_info[0] == 2",
    "sys.version_info[0] >= 3",
    "sys.version_info.major == 3",
    "sys.version_info[1] < 200",
    "(3, 8) <= sys.version_info",
    "sys.version_info == (3, 11)",
    "__name__ == '__main__'",
    "__name__ != '__main__'",
    "False",
    "True",
    "None",
    "0",
    "1",
    "''",
    "'x'",
    "not not True",
    "not (sys.platform == 'win32' or os.name == 'nt')",
    "(sys.version_info >= (3, 6) and os.name == 'posix')",
    "sys.version_info >= (3, 6) and (os.name == 'posix' or unheard_of)",
    "os.name == 'nt' and unheard_of()",
    "unheard_of() and os.name == 'nt'",
    "unheard_of.x[3] or sys.platform == 'linux'",
    "not TYPE_CHECKING and sys.platform != 'emscripten'",
    "sys.version_info \\\n >= (3, 6)",
    "sys.implementation.name == 'cpython'",
    "platform.python_implementation() == 'PyPy'",
    "os.name == 'nt' or sys.platform == 'cygwin' or sys.version_info < (3,)",
    "__debug__",
};

TEST(Condition, python_comes_to_the_same) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("whyso_condition_" + std::to_string(::getpid()) + ".py");
  {
    std::ofstream script(file);
    script << "import sys, os, platform, typing\n"
              "from typing import TYPE_CHECKING\n"
              "def judge(text):\n"
              "    seen = set()\n"
              "    for value in (True, False):\n"
              "        class Any:\n"
              "            x = {3: value}\n"
              "            def __call__(self): return value\n"
              "            def __bool__(self): return value\n"
              "        names = dict(globals(), unheard_of=Any(), __name__='pkg.module')\n"
              "        seen.add(bool(eval('(' + text + ')', names)))\n"
              "    return seen.pop() if len(seen) == 1 else None\n"
              "print(*sys.version_info[:2])\n";
    for (const auto& condition : decidable) {
      script << "print(judge('''" << replace_all(condition, "\\", "\\\\") << " '''))\n";
    }
  }
  const std::string output = output_of("python3 -I " + file.string());
  std::filesystem::remove(file);
  const auto lines = lines_of(output);
  ASSERT_EQ(lines.size(), decidable.size() + 1);
  const auto numbers = split(lines[0], ' ');
  const PythonVersion version{static_cast<int>(*parse_decimal(numbers[0])),
                              static_cast<int>(*parse_decimal(numbers[1]))};
  for (std::size_t i = 0; i < decidable.size(); ++i) {
    const Truth expected = lines[i + 1] == "True" ? Truth::yes : Truth::no;
    EXPECT_NE(lines[i + 1], "None") << decidable[i];
    EXPECT_EQ(judge_condition(decidable[i], version), expected) << decidable[i];
  }
}

TEST(Condition, what_marks_the_build_of_a_package_is_not_set) {
  EXPECT_EQ(judge_condition("__NUMPY_SETUP__", {3, 11}), Truth::no);
  EXPECT_EQ(judge_condition("__SETUP", {3, 11}), Truth::unknown);
}

TEST(Condition, the_version_decides) {
  const std::string condition = "sys.version_info >= (3, 12)";
  EXPECT_EQ(judge_condition(condition, {3, 11}), Truth::no);
  EXPECT_EQ(judge_condition(condition, {3, 12}), Truth::yes);
  EXPECT_EQ(judge_condition(condition, {3, 13}), Truth::yes);
}

TEST(Condition, what_is_not_known_is_said_to_be_unknown) {
  for (const std::string condition :
       {"has_cuda", "torch.cuda.is_available()", "sys.version_info >= (3, 11, 4)",
        "sys.platform == name", "x and os.name == 'posix'", "x or TYPE_CHECKING",
        "os.environ.get('A') == '1'", "sys.maxsize > 2**32", "sys.platform == 'linux' if x else y",
        "1 < sys.version_info[0] < 4", "(yield)", "sys.platform is 'linux'", "a := True",
        "sys.platform == f'linux'", "sys.platform == 'li' 'nux'", "__name__ == 'pkg'",
        "platform == 'linux'", ""}) {
    const Truth truth = judge_condition(condition, {3, 11});
    EXPECT_EQ(truth, Truth::unknown) << condition;
  }
}

TEST(Condition, hostile_text_is_unknown_and_fast) {
  for (const std::string part :
       {"(", "[", "not ", "((", "'", "a(", "True or ", "(True) or ", ")"}) {
    std::string text;
    while (text.size() < 3900) text += part;
    EXPECT_EQ(judge_condition(text, {3, 11}), Truth::unknown) << part;
  }
  std::string nested = std::string(1900, '(') + "True" + std::string(1900, ')');
  EXPECT_EQ(judge_condition(nested, {3, 11}), Truth::unknown);
  EXPECT_EQ(judge_condition("((((True))))", {3, 11}), Truth::yes);
  EXPECT_EQ(judge_condition(std::string(100'000, ' ') + "True", {3, 11}), Truth::unknown);
}

}  // namespace
}  // namespace whyso::process
