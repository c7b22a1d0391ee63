#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from tool_case import ToolCase, suite


class CheckLayers(ToolCase):
    tool = "check_layers"

    def test_inner_layers_may_be_included(self):
        self.passes({"whyso/base/a.h": "#include <vector>\n", "whyso/tree/b.cc": '#include "whyso/base/a.h"\n#include <fcntl.h>\n'})

    def test_an_outer_layer_may_not_be_included(self):
        self.fails({"whyso/base/a.h": '#include "whyso/tree/b.h"\n'}, "whyso/base/a.h:1", "base may not use tree")

    def test_pure_layers_do_not_include_each_other(self):
        self.fails({"whyso/elf/a.cc": '\n#include "whyso/python/record.h"\n'}, "whyso/elf/a.cc:2", "elf may not use python")

    def test_environment_uses_loader_and_not_the_other_way(self):
        self.passes({"whyso/environment/a.h": '#include "whyso/loader/b.h"\n'})
        self.fails({"whyso/loader/a.h": '#include "whyso/environment/b.h"\n'}, "loader may not use environment")

    def test_a_cycle_within_one_layer_is_found(self):
        tree = {
            "whyso/base/a.h": '#include "whyso/base/b.h"\n',
            "whyso/base/b.cc": '#include "whyso/base/c.h"\n',
            "whyso/base/c.h": '#include "whyso/base/a.h"\n',
        }
        self.fails(tree, "include cycle: whyso/base/a -> whyso/base/b -> whyso/base/c -> whyso/base/a")
        del tree["whyso/base/c.h"]
        self.passes(tree)

    def test_a_file_outside_every_layer_is_refused(self):
        self.fails({"whyso/helpers/a.h": "\n"}, "not in a known layer")
        self.fails({"whyso/base/a.h": '#include "a.h"\n'}, "from the root")

    def test_third_party_headers_have_one_home(self):
        for header, home in {
            "CLI/CLI.hpp": "whyso/cli/options.cc",
            "nlohmann/json.hpp": "whyso/base/json.cc",
            "toml++/toml.h": "whyso/base/toml.cc",
            "nettle/sha2.h": "whyso/base/hash.cc",
            "libdeflate.h": "whyso/archive/inflate.cc",
            "gtest/gtest.h": "whyso/elf/image_test.cc",
            "filesystem": "whyso/tree/directory_tree.cc",
            "fmt/format-inl.h": "whyso/base/format.cc",
        }.items():
            with self.subTest(header):
                self.passes({home: f"#include <{header}>\n"})
                self.fails({"whyso/check/world.cc": f"#include <{header}>\n"}, "whyso/check/world.cc:1")
        self.fails({"whyso/base/a.cc": "#include <boost/any.hpp>\n"}, "has no home")

    def test_files_are_opened_by_tree_alone(self):
        self.fails({"whyso/environment/a.cc": "#include <fstream>\n"}, "not allowed here")

    def test_only_cli_prints_ends_and_asks(self):
        for line in ('getenv("HOME")', "std::cout << 1", 'printf("x")', "exit(1)", "std::chrono::steady_clock::now()"):
            with self.subTest(line):
                code = f"void f() {{\n  {line};\n}}\n"
                self.fails({"whyso/report/a.cc": code}, "whyso/report/a.cc:2", "belongs to cli alone")
                self.passes({"whyso/cli/a.cc": code})

    def test_comments_literals_and_longer_words_do_not_count(self):
        self.passes({"whyso/base/a.cc": '// exit(1)\n/* getenv("A") */ const char* s = "printf(x)"; int n = snprintf(b, 1, s);\n'})

    def test_std_filesystem_has_one_home(self):
        self.fails({"whyso/loader/a.cc": "std::filesystem::path p;\n"}, "belongs to tree/directory_tree.cc")

    def test_an_empty_tree_is_no_success(self):
        self.fails({"README.md": "\n"}, "0 files")


if __name__ == "__main__":
    suite.main()
