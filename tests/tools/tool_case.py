# SPDX-License-Identifier: Apache-2.0
"""What the self tests of the checks share: a small tree of files, and one check run on it."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = os.path.join(HERE, "..", "..", "tools")
sys.path[:0] = [os.path.join(HERE, "..", "support"), TOOLS]
import suite  # noqa: E402,F401  the tests close with it

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


class ToolCase(unittest.TestCase):
    tool = ""

    def run_on(self, files, *more):
        """-> exit code and output of the check on a tree of these files."""
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                    file.write(text)
            command = [sys.executable, os.path.join(TOOLS, self.tool), root, *more]
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertNotIn("Traceback", run.stderr)
            return run.returncode, run.stdout + run.stderr

    def passes(self, files):
        code, said = self.run_on(files)
        self.assertEqual(code, 0, said)

    def fails(self, files, *words):
        code, said = self.run_on(files)
        self.assertEqual(code, 1, said)
        for word in words:
            self.assertIn(word, said)
