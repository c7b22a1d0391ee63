// SPDX-License-Identifier: Apache-2.0
#include "whyso/python/pth_file.h"

#include <gtest/gtest.h>

#include "whyso/python/ask_python_test.h"

namespace whyso::python {
namespace {

using Lines = std::vector<PthLine>;

TEST(PthFile, lines_add_folders_or_are_executed) {
  const PthFile pth = read_pth(
      "# comment\n/opt/lib  \n\n  \t\nimport os; os.x()\nimport\tsys\n  spaced/start\nimportlib\n"
      " # a path\nlast\r\nmac\rend");
  EXPECT_EQ(pth.lines, (Lines{{PthLineKind::add_path, "/opt/lib", 2},
                              {PthLineKind::import_line, "import os; os.x()", 5},
                              {PthLineKind::import_line, "import\tsys", 6},
                              {PthLineKind::add_path, "  spaced/start", 7},
                              {PthLineKind::add_path, "importlib", 8},
                              {PthLineKind::add_path, " # a path", 9},
                              {PthLineKind::add_path, "last", 10},
                              {PthLineKind::add_path, "mac", 11},
                              {PthLineKind::add_path, "end", 12}}));
  EXPECT_TRUE(pth.is_utf8);
}

TEST(PthFile, byte_order_mark_and_wrong_encoding_are_said) {
  const PthFile marked = read_pth(
      "\xef\xbb\xbf"
      "import os\n");
  EXPECT_TRUE(marked.has_byte_order_mark);
  EXPECT_EQ(marked.lines, (Lines{{PthLineKind::import_line, "import os", 1}}));
  EXPECT_FALSE(read_pth("/caf\xe9\n").is_utf8);
  EXPECT_TRUE(read_pth("").lines.empty());
}

TEST(PthFile, adds_the_folders_that_site_adds) {
  const std::string_view text =
      "a\n b\nc  \n#d\n\n \nimport os\nimporta\n../x\n./y/../z\n\x1c\ne\tf \t\n";
  const PythonAnswer answer = ask_python(
      "import os, site, sys\n"
      "os.path.exists = lambda path: True\n"
      "site.open = None\n"
      "import tempfile\n"
      "folder = tempfile.mkdtemp()\n"
      "open(folder + '/a.pth', 'w', newline='').write(sys.stdin.read())\n"
      "added = []\n"
      "site.makepath = lambda *parts: (parts[-1], parts[-1])\n"
      "before = len(sys.path)\n"
      "site.addpackage(folder, 'a.pth', set())\n"
      "print('|'.join(sys.path[before:]), end='')\n"
      "os.unlink(folder + '/a.pth'); os.rmdir(folder)\n",
      text);
  if (!answer.is_available) GTEST_SKIP() << answer.output;
  std::string added;
  for (const PthLine& line : read_pth(text).lines) {
    if (line.kind != PthLineKind::add_path) continue;
    added += (added.empty() ? "" : "|") + std::string(line.text);
  }
  EXPECT_EQ(added, answer.output);
}

}  // namespace
}  // namespace whyso::python
