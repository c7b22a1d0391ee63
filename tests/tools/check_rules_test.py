#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess
import sys
import tempfile
import unittest

from tool_case import TOOLS, suite

HEADINGS = ["What it finds", "Why it matters", "How it looks", "How whyso knows", "How to repair", "When it is wrong"]
PAGE = "# SO101 missing-library\n" + "".join(f"## {h}\nSome words that say it all.\n" for h in HEADINGS)


class CheckRules(unittest.TestCase):
    def run_on(self, pages, listed=(("SO101", "missing-library"),)):
        with tempfile.TemporaryDirectory() as folder:
            docs = os.path.join(folder, "docs")
            os.mkdir(docs)
            for name, text in pages.items():
                with open(os.path.join(docs, name), "w") as file:
                    file.write(text)
            fake = os.path.join(folder, "whyso")
            rules = json.dumps({"rules": [{"code": c, "name": n} for c, n in listed]})
            with open(fake, "w") as file:
                file.write(f"#!/bin/sh\ncase $2 in\n--list) echo '{rules}' ;;\n*) cat {docs}/$2-*.md ;;\nesac\n")
            os.chmod(fake, 0o755)
            run = subprocess.run([sys.executable, os.path.join(TOOLS, "check_rules"), fake, docs], capture_output=True, text=True)
            return run.returncode, run.stdout + run.stderr

    def fails(self, words, *arguments):
        code, said = self.run_on(*arguments)
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)

    def test_a_whole_page_passes(self):
        code, said = self.run_on({"SO101-missing-library.md": PAGE})
        self.assertEqual(code, 0, said)

    def test_a_missing_page_is_named(self):
        self.fails("SO101-missing-library.md: missing", {})

    def test_a_missing_heading_is_named(self):
        self.fails("has the headings", {"SO101-missing-library.md": PAGE.replace("How to repair", "Repair")})

    def test_an_empty_part_is_named(self):
        self.fails("says nothing under 'How it looks'", {"SO101-missing-library.md": PAGE.replace("looks\nSome words that say it all.", "looks\n")})

    def test_a_page_of_no_rule_is_named(self):
        self.fails("no rule has this page", {"SO101-missing-library.md": PAGE, "SO999-nothing.md": PAGE})

    def test_an_empty_list_is_no_success(self):
        self.fails("0 rules", {}, ())


if __name__ == "__main__":
    suite.main()
