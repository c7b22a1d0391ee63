// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/opened_libraries.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace whyso::process {
namespace {

using Texts = std::vector<std::string>;

std::vector<OpenedLibrary> opened(std::string_view source) {
  const SourceOfModule module{
      .scan = python::scan_statements(source), .file = "/site/p/__init__.py", .taken = {}};
  return find_opened_libraries(module, {}, {});
}

/// The names of all that is opened; a pattern ends in "~", what is not known is "?".
Texts names(std::string_view source) {
  Texts texts;
  for (const auto& library : opened(source)) {
    if (!library.names.is_known()) texts.emplace_back("?");
    for (const auto& each : library.names.texts) {
      texts.push_back(normalized(each.text) + (each.is_pattern ? "~" : ""));
    }
  }
  return texts;
}

TEST(Opened, paths_beside_the_source_are_put_together) {
  EXPECT_EQ(names("import ctypes, os\n"
                  "here = os.path.abspath(__file__)\n"
                  "path = os.path.join(os.path.dirname(here), 'lib', 'libx' + '.so')\n"
                  "ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)\n"),
            (Texts{"/site/p/lib/libx.so"}));
  EXPECT_EQ(names("lib = PyDLL(str(Path(__file__).resolve().parent / 'liby.so.1'))\n"),
            (Texts{"/site/p/liby.so.1"}));
  EXPECT_EQ(names("ext = '.so'\nctypes.cdll.LoadLibrary(f'{__path__[0]}/libz{ext}')\n"),
            (Texts{"/site/p/libz.so"}));
  EXPECT_EQ(names("x = CDLL('libc.so.6')\n"), (Texts{"libc.so.6"}));
}

TEST(Opened, conditions_about_the_system_are_decided) {
  EXPECT_EQ(names("import sys, platform\n"
                  "ext = '.dylib' if platform.system() == 'Darwin' else '.so'\n"
                  "if sys.platform == 'win32':\n    CDLL('a.dll')\nelse:\n    CDLL('a' + ext)\n"),
            (Texts{"a.so"}));
}

TEST(Opened, functions_are_followed_where_the_module_calls_them) {
  EXPECT_EQ(names("def load(name, folder='lib'):\n"
                  "    path = os.path.join(os.path.dirname(__file__), folder, name)\n"
                  "    return ctypes.CDLL(path)\n"
                  "def never():\n    ctypes.CDLL('never.so')\n"
                  "load('a.so')\nload('b.so', folder='c')\n"),
            (Texts{"/site/p/lib/a.so", "/site/p/c/b.so"}));
  const auto all = opened("def f():\n    CDLL('x.so')\n\nf()\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].line, 4U);
  EXPECT_TRUE(all[0].is_sure);
  EXPECT_FALSE(opened("def f():\n    if x():\n        return\n    CDLL('x.so')\nf()\n")[0].is_sure);
}

TEST(Opened, a_function_of_another_module_is_followed_there) {
  const SourceOfModule other{
      .scan = python::scan_statements("from pathlib import Path\n"
                                      "_DIR = Path(__file__).parent / 'lib'\n"
                                      "def load(lib: str) -> bool:\n"
                                      "    paths = list(_DIR.glob(f'{lib}*.so'))\n"
                                      "    if not paths:\n        return False\n"
                                      "    torch.ops.load_library(paths[0])\n"),
      .file = "/site/p/utils.py",
      .taken = {}};
  const SourceOfModule module{.scan = python::scan_statements("_x = load_it('_a')\n"),
                              .file = "/site/p/__init__.py",
                              .taken = {{"load_it", {"p.utils", "load"}}}};
  const auto all = find_opened_libraries(
      module, {}, [&](std::string_view name) { return name == "p.utils" ? &other : nullptr; });
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].names.texts, (std::vector<PossibleText>{{"/site/p/lib/_a*.so", true, false}}));
  EXPECT_TRUE(all[0].is_sure);
  EXPECT_EQ(all[0].strictness, Strictness::torch_ops);
}

TEST(Opened, lists_loops_and_patterns_are_alternatives) {
  EXPECT_EQ(names("for p in ['/a', '/b']:\n    CDLL(os.path.join(p, 'x.so'))\n"),
            (Texts{"/a/x.so", "/b/x.so"}));
  EXPECT_EQ(names("for p in glob.glob(os.path.dirname(__file__) + '/*.so'):\n    CDLL(p)\n"),
            (Texts{"/site/p/*.so~"}));
  EXPECT_EQ(names("CDLL([os.path.join(p, 'x.so') for p in ('/a', '/b')][0])\n"),
            (Texts{"/a/x.so", "/b/x.so"}));
}

TEST(Opened, what_is_not_read_is_not_known) {
  EXPECT_EQ(names("CDLL(find())\n"), (Texts{"?"}));
  EXPECT_EQ(names("CDLL(None)\nCDLL()\n"), (Texts{}));
  EXPECT_EQ(names("CDLL('lib%s.so' % version())\n"), (Texts{"lib*.so~"}));
}

TEST(Opened, hostile_sources_end) {
  const std::string deep(100'000, '(');
  EXPECT_EQ(names("CDLL(" + deep + ")").size(), 0U);
  EXPECT_EQ(names("def f(x):\n    f(x)\n    CDLL(x)\nf('a.so')\n"), (Texts{"a.so"}));
  (void)names("CDLL(\nx = = = \n lambda: [\n'unclosed");
  (void)names("a = b = CDLL('x' if 'y' else 'z' if");
  (void)names("CDLL(f'{x!r}{{}}{', '%', '{')");
}

}  // namespace
}  // namespace whyso::process
