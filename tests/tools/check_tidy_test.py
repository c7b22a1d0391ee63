#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from tool_case import TOOLS, suite

CLANG_TIDY = os.path.join(TOOLS, "..", "build", "clang-tidy", "bin", "clang-tidy")

GOOD = "int f(const char* s) { return s == nullptr ? 1 : 2; }\n"
BAD = "int f(const char* s) { return s == 0 ? 1 : 2; }\n"
DEEP = "int f(int x) {\n  if (x) { if (x > 1) { if (x > 2) { if (x > 3) { return 1; } } } }\n  return 0;\n}\n"
EXPECTED = "#include <expected>\nint f(std::expected<int, int> e) { return e ? *e : e.error(); }\n"


@unittest.skipUnless(os.path.exists(CLANG_TIDY), "clang-tidy is not installed")
class CheckTidy(unittest.TestCase):
    def run_on(self, *texts):
        """Runs the check in one tree on each text in turn; -> its exit codes and all its output."""
        codes, said = [], ""
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "whyso", "base"))
            shutil.copy(os.path.join(TOOLS, "..", ".clang-tidy"), root)
            source = os.path.join(root, "whyso", "base", "a.cc")
            with open(os.path.join(root, "CMakeCache.txt"), "w") as file:
                file.write(f"CMAKE_HOME_DIRECTORY:INTERNAL={root}\n")
            with open(os.path.join(root, "compile_commands.json"), "w") as file:
                json.dump([{"directory": root, "command": f"g++ -std=c++23 -o a.o -c {source}", "file": source}], file)
            for text in texts:
                with open(source, "w") as file:
                    file.write(text)
                run = subprocess.run([sys.executable, os.path.join(TOOLS, "check_tidy"), root], capture_output=True, text=True)
                codes.append(run.returncode)
                said += run.stdout + run.stderr
        return codes, said

    def test_a_fault_is_an_error_and_stays_one_until_it_is_mended(self):
        codes, said = self.run_on(BAD, BAD, GOOD, GOOD, BAD)
        self.assertEqual(codes, [1, 1, 0, 0, 1], said)
        self.assertIn("modernize-use-nullptr", said)

    def test_three_levels_are_the_most(self):
        codes, said = self.run_on(DEEP)
        self.assertEqual(codes, [1], said)
        self.assertIn("nesting level 5", said)

    def test_std_expected_is_understood(self):
        codes, said = self.run_on(EXPECTED)
        self.assertEqual(codes, [0], said)


if __name__ == "__main__":
    suite.main()
