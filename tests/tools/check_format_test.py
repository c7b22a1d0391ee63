#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from tool_case import LICENCE, ToolCase, suite

STYLE = "BasedOnStyle: Google\n"


class CheckFormat(ToolCase):
    tool = "check_format"

    def test_a_formatted_file_passes(self):
        self.passes({".clang-format": STYLE, "whyso/base/a.cc": LICENCE + "int f() { return 1; }\n"})

    def test_another_layout_is_named(self):
        self.fails({".clang-format": STYLE, "whyso/base/a.cc": LICENCE + "int  f( ) {return 1;}\n"}, "whyso/base/a.cc: not formatted")

    def test_the_licence_line_comes_first(self):
        self.fails({".clang-format": STYLE, "whyso/base/a.cc": "int f() { return 1; }\n"}, "whyso/base/a.cc:1: the first line")

    def test_work_left_undone_is_named(self):
        mark = "TO" + "DO"
        self.fails({".clang-format": STYLE, "whyso/base/a.cc": LICENCE + f"// {mark}: later\n"}, f"whyso/base/a.cc:2: {mark}")

    def test_an_empty_tree_is_no_success(self):
        self.fails({"README.md": "\n"}, "0 files")


if __name__ == "__main__":
    suite.main()
