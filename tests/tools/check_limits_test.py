#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from tool_case import ToolCase, suite


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

    def test_what_pmccabe_misreads_does_not_join_functions(self):
        short = "void g() {\n  struct stat now = {};\n}\n"
        self.passes({"whyso/base/a.cc": "namespace a::b {\nnamespace {\n" + short + function(58) + "}\n}\nint main() {\n}\n"})

    def test_an_empty_tree_is_no_success(self):
        self.fails({"README.md": "\n"}, "0 files")


if __name__ == "__main__":
    suite.main()
