// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/egg_info.h"

#include <gtest/gtest.h>

#include "whyso/base/text.h"
#include "whyso/python/ask_python_test.h"
#include "whyso/python/entry_points.h"

namespace whyso::python {
namespace {

using Texts = std::vector<std::string_view>;

TEST(EggInfo, says_what_was_installed) {
  EXPECT_EQ(read_installed_files("../six.py\r\n../__pycache__/six.cpython-311.pyc\nPKG-INFO\n"),
            (Texts{"../six.py", "../__pycache__/six.cpython-311.pyc", "PKG-INFO"}));
  EXPECT_EQ(read_top_level("six\n\n_six \n"), (Texts{"six", "_six"}));
}

TEST(EggLink, names_the_folder_of_the_sources) {
  const auto link = read_egg_link("/home/user/project\n.");
  ASSERT_TRUE(link);
  EXPECT_EQ(link->folder, "/home/user/project");
  EXPECT_EQ(link->setup, ".");
  EXPECT_EQ(read_egg_link("/a\n")->setup, "");
  EXPECT_FALSE(read_egg_link(" \n"));
}

TEST(RequiresTxt, becomes_the_requirements_that_importlib_makes) {
  const std::string_view text =
      "a>=1\nb @ https://example.com/b.zip\n\n[test]\npytest\n"
      "c @ https://example.com/c.zip\n\n[:python_version<'3']\nfutures\n\n"
      "[x:sys_platform=='linux' or os_name=='nt']\nd[e]==1\n[]\nplain\n";
  const PythonAnswer answer = ask_python(
      "import sys\nfrom importlib.metadata import Distribution\n"
      "print('\\n'.join(Distribution._deps_from_requires_text(sys.stdin.read())), end='')\n",
      text);
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  EXPECT_EQ(join(read_requires_txt(text), "\n"), answer.output);
}

// As pkg_resources' yield_lines; importlib.metadata would take them for requirements.
TEST(RequiresTxt, may_hold_comments) {
  EXPECT_EQ(read_requires_txt("# comment\na\n"), std::vector<std::string>{"a"});
}

TEST(EntryPoints, are_those_of_importlib) {
  const std::string_view text =
      "[console_scripts]\npip = pip._internal.cli.main:main\n# a = b\nPip3=pip:main.sub\n"
      "x = y:z [one, two]\n\n[pygments.lexers]\nodd name = a.b\n  spaced  =  m : o \n";
  const PythonAnswer answer = ask_python(
      "import sys\nfrom importlib.metadata import EntryPoints\n"
      "for e in EntryPoints._from_text_for(sys.stdin.read(), None):\n"
      "    print(e.group, e.name, e.module, e.attr or '', ','.join(e.extras), sep='|')\n",
      text);
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::string ours;
  for (const EntryPoint& entry : read_entry_points(text)) {
    for (const std::string_view part : {entry.group, entry.name, entry.module, entry.object}) {
      ours += std::string(part) + "|";
    }
    ours += replace_all(entry.extras, " ", "") + "\n";
  }
  EXPECT_EQ(ours, answer.output);
}

TEST(EntryPoints, skip_lines_that_are_none) {
  EXPECT_TRUE(read_entry_points("a = b\n[g]\nno equals\n= m\nn =\nn = m]\n; c = d\n").empty());
}

}  // namespace
}  // namespace whyso::python
