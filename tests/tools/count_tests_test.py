#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
import tempfile
import unittest

from tool_case import TOOLS, suite


def case(name, status, said=""):
    return f'<testcase name="{name}" status="{status}"><system-out>{said}</system-out></testcase>'


class CountTests(unittest.TestCase):
    def count(self, *cases):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tests.xml")
            with open(path, "w") as file:
                file.write("<testsuite>" + "".join(cases) + "</testsuite>")
            run = subprocess.run([sys.executable, os.path.join(TOOLS, "count_tests"), path], capture_output=True, text=True)
        return run.returncode, run.stdout.splitlines()

    def test_a_plain_test_counts_as_one(self):
        self.assertEqual(self.count(case("a", "run"), case("b", "run")), (0, ["2 passed, 0 failed, 0 skipped"]))

    def test_a_suite_counts_as_what_it_says(self):
        code, lines = self.count(case("a", "run"), case("b", "run", "skipped x: no uv\n7 passed, 0 failed, 1 skipped\n"))
        self.assertEqual((code, lines), (0, ["skipped  b x: no uv", "8 passed, 0 failed, 1 skipped"]))

    def test_a_failure_is_named_and_fails(self):
        code, lines = self.count(case("a", "run"), case("b", "fail", "because"))
        self.assertEqual((code, lines), (1, ["failed  b: because", "1 passed, 1 failed, 0 skipped"]))

    def test_a_suite_that_failed_never_counts_as_sound(self):
        code, lines = self.count(case("b", "fail", "3 passed, 0 failed, 0 skipped"))
        self.assertEqual((code, lines[-1]), (1, "3 passed, 1 failed, 0 skipped"))

    def test_a_skipped_test_is_named(self):
        code, lines = self.count(case("a", "run"), case("b", "notrun", "no network"))
        self.assertEqual((code, lines), (0, ["skipped  b: no network", "1 passed, 0 failed, 1 skipped"]))

    def test_a_suite_that_was_skipped_counts_its_cases(self):
        code, lines = self.count(case("a", "run"), case("b", "notrun", "skipped x: no uv\nskipped y: no uv\n0 passed, 0 failed, 2 skipped\n"))
        self.assertEqual((code, lines), (0, ["skipped  b x: no uv", "skipped  b y: no uv", "1 passed, 0 failed, 2 skipped"]))

    def test_nothing_run_is_no_success(self):
        self.assertEqual(self.count(), (1, ["0 passed, 0 failed, 0 skipped"]))


if __name__ == "__main__":
    suite.main()
