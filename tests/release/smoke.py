#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""smoke.py WHYSO: the release binary is one static, stripped file that runs where there is nothing else, and answers. Skipped where
it was not built."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import suite

WHYSO = os.path.abspath(sys.argv.pop(1))


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(os.path.exists(WHYSO), "the release binary is not built: cmake --preset release && cmake --build --preset release")
class Release(unittest.TestCase):
    def test_it_needs_no_loader_and_no_library(self):
        self.assertNotIn("INTERP", output("readelf", "-lW", WHYSO))
        self.assertNotIn("NEEDED", output("readelf", "-dW", WHYSO))

    def test_it_is_stripped_and_small(self):
        self.assertNotIn(".symtab", output("readelf", "-SW", WHYSO))
        self.assertLess(os.path.getsize(WHYSO), 10 << 20)

    @unittest.skipUnless(os.geteuid() == 0, "chroot needs root")
    def test_it_runs_in_an_empty_root(self):
        with tempfile.TemporaryDirectory() as root:
            shutil.copy(WHYSO, os.path.join(root, "whyso"))
            self.assertIn("whyso", output("chroot", root, "/whyso", "version"))

    def test_it_says_what_is_linked_in_and_under_which_licence(self):
        said = output(WHYSO, "version", "--licenses")
        parts = ("Apache License 2.0", "glibc", "libstdc++", "fmt", "CLI11", "nlohmann", "libdeflate", "nettle", "toml++")
        self.assertEqual([part for part in parts if part not in said], [])

    def test_it_judges_an_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
            run = subprocess.run([WHYSO, "check", folder, "--format", "json"], capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            self.assertEqual(json.loads(run.stdout)["summary"]["error"], 0)

    def test_a_missing_target_is_wrong_usage(self):
        self.assertEqual(subprocess.run([WHYSO, "check", "/does/not/exist"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    suite.main()
