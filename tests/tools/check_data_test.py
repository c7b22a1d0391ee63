#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
from tool_case import ToolCase, suite

ROW = "libx.so.1 | x-cu12 |  | RECORD of the wheel x_cu12-1.0 | 2026-01-31\n"


class CheckData(ToolCase):
    tool = "check_data"

    def test_a_row_with_source_and_date_passes(self):
        self.passes({"data/sonames": "# soname, distribution, condition, source, date\n\n" + ROW, "data/licenses/MIT": "words\n"})

    def test_a_row_without_source_or_date_is_named(self):
        self.fails({"data/sonames": ROW + "liby.so.1|y|2026-01-31\n"}, "data/sonames:2: wants at least")
        self.fails({"data/sonames": "libx.so.1|x-cu12||2026-01-31\n"}, "data/sonames:1: wants at least")
        self.fails({"data/sonames": "libx.so.1|x-cu12|RECORD|last week\n"}, "is no date")
        self.fails({"data/sonames": "libx.so.1|x-cu12|RECORD|2999-01-01\n"}, "future")

    def test_rows_of_one_file_are_alike_and_stand_once(self):
        self.fails({"data/sonames": ROW + "z|b|c|2026-01-31\n"}, "data/sonames:2: has 4 fields")
        self.fails({"data/sonames": ROW + ROW}, "data/sonames:2: stands twice")
        self.fails({"data/sonames": ROW + ROW.replace("libx", "liba")}, "data/sonames:2: is not sorted")

    def test_nothing_to_check_is_no_success(self):
        self.fails({"README.md": "\n"}, "0 files")
        self.fails({"data/sonames": "# nothing\n"}, "has no row")


if __name__ == "__main__":
    suite.main()
