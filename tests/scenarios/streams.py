#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""streams.py WHYSO: where output goes and what happens when it cannot go there; interrupts; files of results."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import suite

WHYSO = os.path.abspath(sys.argv.pop(1))


def run(*arguments, **more):
    return subprocess.run([WHYSO, *arguments], stderr=subprocess.PIPE, text=True, **more)


def on_descriptors(line):
    """A line of a shell in which $W is whyso."""
    return subprocess.run(["bash", "-c", line], env={**os.environ, "W": WHYSO}, capture_output=True, text=True)


class Streams(unittest.TestCase):
    def test_a_full_disk_is_noticed(self):
        with open("/dev/full", "w") as full:
            done = run("version", stdout=full)
        self.assertEqual(done.returncode, 3)
        self.assertIn("No space left on device", done.stderr)

    def test_a_closed_output_is_noticed(self):
        done = on_descriptors('"$W" version >&-')
        self.assertEqual(done.returncode, 3)
        self.assertIn("standard output", done.stderr)

    def test_a_reader_that_goes_away_is_no_news(self):
        done = on_descriptors('"$W" version --licenses | head -1')
        self.assertEqual(done.stderr, "")
        self.assertTrue(done.stdout)

    def test_talk_goes_to_stderr_alone(self):
        done = run("chekc", stdout=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean", done.stderr)

    def test_results_go_to_files(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", "env"], cwd=folder, check=True)
            done = run("check", "env", "-o", "a.txt", "-o", "json=b.json", cwd=folder, stdout=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            self.assertIn("sound", Path(folder, "a.txt").read_text())
            self.assertIn('"findings": []', Path(folder, "b.json").read_text())
            self.assertEqual(run("check", "env", "-o", "no/such/a.txt", cwd=folder).returncode, 2)
            self.assertEqual(run("check", "env", "-o", "/dev/full", cwd=folder).returncode, 3)

    def test_an_interrupt_ends_with_130_and_leaves_no_output(self):
        # A configuration that is slow to read holds whyso up long enough to be interrupted.
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "whyso.toml").write_text("x = [" + "'aaaaaaaaaaaaaaaa'," * 3_000_000 + "]\n")
            slow = subprocess.Popen([WHYSO, "config"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            try:
                slow.wait(0.2)
            except subprocess.TimeoutExpired:
                slow.send_signal(signal.SIGINT)
            out, err = slow.communicate(timeout=60)
        self.assertEqual((slow.returncode, out), (130, ""))
        self.assertIn("interrupted", err)

    def test_an_interrupt_that_was_switched_off_stays_off(self):
        done = on_descriptors('trap "" INT; "$W" version & kill -INT $!; wait $!')
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    suite.main()
