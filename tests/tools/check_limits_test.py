#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import types
from importlib.machinery import SourceFileLoader

from tool_case import TOOLS, ToolCase, suite


def function(lines):
    return "int f(int x) {\n" + "  ++x;\n" * (lines - 3) + "  return x;\n}\n"


def branches(count):
    return "int f(int x) {\n" + "  if (x) ++x;\n" * count + "  return x;\n}\n"


class CheckLimits(ToolCase):
    tool = "check_limits"

    def test_files_have_a_limit(self):
        self.passes({"whyso/base/a.h": "\n" * 250, "whyso/base/a.cc": "\n" * 400})
        self.fails({"whyso/base/a.h": "\n" * 251}, "251 lines, at most 250")
        self.fails({"whyso/base/a.cc": "\n" * 401}, "401 lines, at most 400")
        self.fails({"whyso/base/a_test.cc": "\n" * 401}, "401 lines, at most 400")

    def test_functions_have_a_limit(self):
        self.passes({"whyso/base/a.cc": function(60)})
        self.fails({"whyso/base/a.cc": "\n" + function(61)}, "whyso/base/a.cc:2: f has 61 lines")

    def test_branches_have_a_limit(self):
        self.passes({"whyso/base/a.cc": branches(14)})
        self.fails({"whyso/base/a.cc": branches(15)}, "f has complexity 16, at most 15")

    def test_unit_tests_may_have_long_functions(self):
        self.passes({"whyso/base/a_test.cc": function(100)})

    def test_parameters_have_a_limit(self):
        self.passes({"whyso/base/a.h": "namespace whyso {\nint f(std::map<int, int> a, int b, int c, int d, int e);\n}\n"})
        wide = "int wide(int a, int b, int c,\n         int d, int e, int g)"
        self.fails({"whyso/base/a.h": f"namespace whyso {{\n{wide};\n}}\n"}, "whyso/base/a.h:2: wide has 6 parameters")
        self.fails({"whyso/base/a.cc": f"namespace whyso {{\n{wide} {{ return a; }}\n}}\n"}, "wide has 6 parameters")
        self.fails({"whyso/base/a.h": f"class A {{\n public:\n  {wide} const;\n}};\n"}, "wide has 6 parameters")

    def test_calls_are_not_counted_as_parameters(self):
        call = "g(1, 2, 3, 4, 5, 6)"
        self.passes({"whyso/base/a.cc": f"int g(...);\nconst int x = {call};\nint f() {{\n  return {call};\n}}\n"})

    def test_literals_do_not_confuse_the_count(self):
        self.passes({"whyso/base/a.cc": "const char* s = R\"x({{{)x\";\nchar c = '{';\nint n = 1'000;\nint f() { return n; }\n"})

    def test_initialisers_and_members_are_not_bodies(self):
        start = "A::A(int x) : a_{x}, b_(x) {\n" + "  ++a_;\n" * 59 + "}\n"
        self.fails({"whyso/base/a.cc": start}, "whyso/base/a.cc:1: A has 61 lines")
        table = "constexpr std::array t = {\n" + "  1,\n" * 100 + "};\n"
        self.passes({"whyso/base/a.cc": "namespace a::b {\n" + table + "void f() {\n  struct stat now = {};\n}\n}\nint main() {\n}\n"})

    def test_branches_are_counted_as_pmccabe_counts_them(self):
        if not shutil.which("pmccabe"):
            self.skipTest("pmccabe is not installed")
        code = (
            "int a(int x) {\n  return x;\n}\nint b(int x) {\n  if (x && x > 1 || !x) return x ? 1 : 2;\n  return 0;\n}\n"
            "int c(int x) {\n  for (;;) {\n    while (x) --x;\n    switch (x) {\n      case 1:\n      case 2:\n        return 1;\n"
            "      default:\n        return 2;\n    }\n  }\n}\n"
        )
        theirs = subprocess.run(["pmccabe"], input=code, capture_output=True, text=True).stdout.splitlines()
        theirs = [(f[5].split()[1], int(f[3]), int(f[4]), int(f[1])) for f in (line.split("\t") for line in theirs)]
        check = types.ModuleType("check_limits")
        SourceFileLoader("check_limits", os.path.join(TOOLS, "check_limits")).exec_module(check)
        self.assertEqual([(f.name, f.line, f.lines, f.complexity) for f in check.functions(code)], theirs)

    def test_an_empty_tree_is_no_success(self):
        self.fails({"README.md": "\n"}, "0 files")


if __name__ == "__main__":
    suite.main()
