#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge_incident.py WHYSO DIR [--mend]: what whyso must say, and must not, of the eight environments that make_incident.sh builds in
DIR. --mend also copies DIR/gutted, runs the mend that is printed for it as printed (1 GB of download), and asks again.
Not part of the ordinary tests: the environments take 11 GB."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from findings import ask, mends, of_level

import suite

WHYSO = os.path.abspath(sys.argv[1])
DIR = Path(os.path.abspath(sys.argv[2]))
MEND = "--mend" in sys.argv
del sys.argv[1:]

# What the four pairs write to the same path: soname, the distribution that torch 2.10.0 pins, the one that came over it.
CONTESTED = (
    ("libcudnn.so.9", "nvidia-cudnn-cu12", "9.10.2.21", "nvidia-cudnn-cu13", "9.19.0.56"),
    ("libcusparseLt.so.0", "nvidia-cusparselt-cu12", "0.7.1", "nvidia-cusparselt-cu13", "0.8.0"),
    ("libnccl.so.2", "nvidia-nccl-cu12", "2.27.5", "nvidia-nccl-cu13", "2.28.9"),
    ("libnvshmem_host.so.3", "nvidia-nvshmem-cu12", "3.4.5", "nvidia-nvshmem-cu13", "3.4.5"),
)
INERT = ("nvidia-cublas", "nvidia-cuda-nvrtc", "nvidia-nvjitlink", "nvidia-cuda-runtime", "flashinfer-python", "sglang")


def text_of(env, *options):
    run = subprocess.run([WHYSO, "check", str(env), *options], capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    return run.returncode, run.stdout


def names_alone(text, distribution):
    """Is the distribution named, and not only a longer name that begins or ends so?"""
    return re.search(rf"(?<![\w.-]){re.escape(distribution)}(?![\w-])", text) is not None


class Incident(unittest.TestCase):
    maxDiff = None

    def judged(self, name, exit_code):
        code, document = ask(WHYSO, "check", str(DIR / name))
        self.assertIsNotNone(document, f"exit {code} and no JSON")
        loud = of_level(document, "error", "warning")
        self.assertEqual(code, exit_code, json.dumps(loud, indent=1))
        notes = of_level(document, "note")
        self.assertLessEqual(sum(f["code"] == "SO101" for f in notes), 1, "what no import reaches is one folded note")
        return loud

    def one(self, name, exit_code, code, level):
        loud = self.judged(name, exit_code)
        self.assertEqual([(f["code"], f["level"]) for f in loud], [(code, level)], json.dumps(loud, indent=1))
        return loud[0]

    def is_sound(self, name):
        self.assertEqual(self.judged(name, 0), [])
        code, text = text_of(DIR / name)
        self.assertEqual(code, 0)
        self.assertIn("sound", text)

    def is_contested(self, name):
        finding = self.one(name, 0, "SO203", "warning")
        said = json.dumps(finding, ensure_ascii=False)
        for soname, old, old_version, new, new_version in CONTESTED:
            for word in (soname, old, old_version, new, new_version):
                self.assertIn(word, said)
        self.assertIn("sha256", said.lower())
        self.assertRegex(said, r"(?i)uninstall")
        self.assertEqual(finding.get("breaks", []), [], "nothing fails to load")
        self.assertNotRegex(said, r"(?i)fails to load|cannot load|ImportError")
        self.assertTrue(mends(finding), "the mend is missing")
        for other in INERT:
            self.assertFalse(names_alone(said, other), f"{other} is nobody's trouble")

    def is_gutted(self, name, installer):
        finding = self.one(name, 1, "SO102", "error")
        said = json.dumps(finding, ensure_ascii=False)
        sonames = {s["soname"] for s in finding["subjects"] if s.get("soname")}
        self.assertLessEqual({c[0] for c in CONTESTED}, sonames)
        for soname, package, version, _, _ in CONTESTED:
            subject = next(s for s in finding["subjects"] if s.get("soname") == soname)
            self.assertEqual((subject["package"], subject["version"]), (package, version))
            self.assertTrue(subject.get("needed_by"), f"who needs {soname}")
        self.assertIn("RECORD", said)
        self.assertRegex(said, r"\d+ of (its )?\d+", "how many of its files are gone")
        self.assertRegex(said, r"(?i)call|count|installed")
        self.assertRegex(said, r"(?i)already satisfied|does nothing|do nothing|changes nothing")
        self.assertIn(("import", "torch"), [(b["kind"], b["name"]) for b in finding["breaks"]])
        self.assertNotIn("metadata-only", said)
        self.mend_is_right(finding, installer)
        code, text = text_of(DIR / name)
        self.assertEqual(code, 1)
        self.assertIn("import torch", text)
        self.assertNotIn("metadata-only", text)

    def mend_is_right(self, finding, installer):
        self.assertEqual(len(finding["fixes"]), 1)
        commands = mends(finding)
        self.assertEqual(len(commands), 1, "one command")
        words = commands[0]
        pins = sorted(w for w in words if "==" in w)
        self.assertEqual(pins, sorted(f"{package}=={version}" for _, package, version, _, _ in CONTESTED))
        self.assertIn("--no-deps", words)
        self.assertIn("--reinstall" if installer == "uv" else "--force-reinstall", words)

    def test_clean_is_sound(self):
        self.is_sound("clean")

    def test_mended_is_sound(self):
        self.is_sound("mended")

    def test_contested_is_one_warning(self):
        self.is_contested("contested")

    def test_rounds_is_the_same_warning(self):
        self.is_contested("rounds")

    def test_ten_is_the_same_warning(self):
        self.is_contested("ten")

    def test_gutted_is_one_error(self):
        self.is_gutted("gutted", "uv")

    def test_gutted_by_pip_is_one_error(self):
        self.is_gutted("gutted-pip", "uv")

    def test_ten_gone_is_the_same_error(self):
        self.is_gutted("ten-gone", "uv")

    def planned(self, name, *packages):
        code, document = ask(WHYSO, "plan", "uninstall", *packages, "-t", str(DIR / name))
        self.assertIsNotNone(document, f"exit {code} and no JSON")
        return code, document, of_level(document, "error", "warning")

    def test_uninstall_of_the_ten_is_told_before(self):
        over = [c[3] for c in CONTESTED]
        code, document, loud = self.planned("ten", *over, *INERT)
        self.assertEqual((code, [(f["code"], f["level"]) for f in loud]), (1, [("SO603", "error")]), json.dumps(loud, indent=1))
        burdens = {p["name"]: p["burden"] for p in document["plan"]["packages"]}
        self.assertEqual(burdens, {**{name: "load-bearing" for name in over}, **{name: "inert" for name in INERT}})
        self.assertEqual({s["soname"] for s in loud[0]["subjects"]}, {c[0] for c in CONTESTED})
        self.assertEqual({s["package"] for s in loud[0]["subjects"]}, {c[1] for c in CONTESTED})
        self.assertIn(("import", "torch"), [(b["kind"], b["name"]) for b in loud[0]["breaks"]])
        leave, put_back = loud[0]["fixes"]
        self.assertIn("breaks no import, but nvidia-cudnn-cu13 9.19.0.56 requires nvidia-cublas", leave["summary"])
        for name in INERT:
            self.assertIn(name, leave["commands"][0])
        for _, package, version, other, _ in CONTESTED:
            self.assertNotIn(other, leave["commands"][0])
            self.assertIn(f"{package}=={version}", put_back["commands"][-1])

    def test_uninstall_of_the_six_breaks_no_import(self):
        code, _, loud = self.planned("ten", *INERT)
        self.assertEqual((code, [f["level"] for f in loud]), (0, ["warning"]))
        self.assertIn("nvidia-cudnn-cu13", loud[0]["message"], "which is left, and requires nvidia-cublas")
        self.assertEqual(self.planned("ten", *(name for name in INERT if name != "nvidia-cublas"))[::2], (0, []))

    def test_uninstall_of_a_library_of_torch_breaks_it(self):
        code, _, loud = self.planned("clean", "nvidia-nccl-cu12")
        self.assertEqual((code, [f["code"] for f in loud]), (1, ["SO601"]), json.dumps(loud, indent=1))
        self.assertIn("libnccl.so.2", json.dumps(loud))
        self.assertIn(("import", "torch"), [(b["kind"], b["name"]) for b in loud[0]["breaks"]])

    def test_uninstall_of_what_torch_imports_in_places_is_told(self):
        for name in ("fsspec", "networkx"):
            with self.subTest(name):
                code, _, loud = self.planned("clean", name)
                self.assertEqual((code, [f["code"] for f in loud]), (1, ["SO601"]), json.dumps(loud, indent=1))
                self.assertIn(f"No module named '{name}'", json.dumps(loud))

    def test_two_runs_say_the_same_bytes(self):
        for options in ([], ["--format", "json"]):
            self.assertEqual(text_of(DIR / "gutted", *options), text_of(DIR / "gutted", *options))

    @unittest.skipUnless(MEND, "asked for by --mend")
    def test_the_mend_mends(self):
        copy = DIR / "copy-of-gutted"
        shutil.rmtree(copy, ignore_errors=True)
        try:
            subprocess.run(["cp", "-a", "--reflink=auto", str(DIR / "gutted"), str(copy)], check=True)
            _, document = ask(WHYSO, "check", str(copy))
            for command in mends(of_level(document, "error")[0]):
                print("$", shlex.join(command), flush=True)
                subprocess.run(command, check=True)
            subprocess.run([str(copy / "bin/python"), "-W", "ignore", "-c", "import torch"], check=True)
            code, document = ask(WHYSO, "check", str(copy))
            self.assertEqual((code, of_level(document, "error", "warning")), (0, []))
        finally:
            shutil.rmtree(copy, ignore_errors=True)


if __name__ == "__main__":
    suite.main()
