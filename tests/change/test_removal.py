#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_removal.py WHYSO FOLDER: before each uninstall of a series, by real pip and by real uv, `whyso plan uninstall` is asked what would
go; afterwards the trees are compared, file by file and folder by folder. The wheels are made here, no network is needed; a tool that
is not there is skipped by name."""

import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "faults")]
import suite
from packages import Wheel
from test_packages import WHEELS as PLAIN_WHEELS

WHYSO, FOLDER = os.path.abspath(sys.argv[1]), Path(os.path.abspath(sys.argv[2]))
del sys.argv[1:3]
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


class Tool(Wheel):
    """A wheel with a console script."""

    def members(self):
        return {**super().members(), f"{self.info}/entry_points.txt": b"[console_scripts]\nsmall-tool = small.tool:main\n"}


WHEELS = PLAIN_WHEELS + [
    Tool("small-tool", "1.0", {"small/__init__.py": b"", "small/tool.py": b"def main(): pass\n", "single.py": b"x = 1\n"}),
    Wheel("space-a", "1.0", {"space/a/__init__.py": b"a", "space/a/data/x.bin": b"1" * 5000}),
    Wheel("space-b", "1.0", {"space/b/__init__.py": b"b", "space/__init__.py": b""}),
    Wheel("greedy", "1.0", {"greedy/__init__.py": b"g"}, also_recorded={"space/a/__init__.py": b"a", "../../../outside.txt": b"o"}),
    Wheel("odd", "1.0", {"odd/with, comma.py": b"x = 1\n", 'odd/with "quote".txt': b"q", "odd/ünïcode.py": "x = 'ü'\n".encode()}),
]
# + installs, - uninstalls these together, ! compiles all sources, = writes a file of nobody's, @ makes a link of nobody's.
STEPS = [
    "+nvidia-cudnn-cu12==9.10.2.21",
    "+nvidia-cudnn-cu13==9.13.0.50",
    "-nvidia-cudnn-cu13",
    "+nvidia-nccl-cu12==2.27.5",
    "+nvidia-nccl-cu13==2.28.9",
    "+opencv-python==4.9.0.80",
    "+opencv-python-headless==4.12.0.88",
    "!",
    "-opencv-python-headless",
    "+tbb==2020.2",
    "+mixed-name-x==1.0",
    "+small-tool==1.0",
    "+space-a==1.0",
    "+space-b==1.0",
    "+greedy==1.0",
    "+odd==1.0",
    "!",
    "=space/a/data/notes.txt",
    "=small/mine.txt",
    "@mixed/sub/deep/link",
    "-greedy",
    "-nvidia-nccl-cu13 tbb",
    "-small-tool",
    "-mixed-name-x odd",
    "-space-a",
    "-space-b opencv-python",
    "-nvidia-cudnn-cu12 nvidia-nccl-cu12",
]


def tree(env):
    """-> all paths below the environment, folders with a slash"""
    paths = set()
    for folder, folders, files in os.walk(env):
        links = {n for n in folders if os.path.islink(os.path.join(folder, n))}
        paths |= {os.path.join(folder, n) for n in [*files, *links]}
        paths |= {os.path.join(folder, n) + "/" for n in folders if n not in links}
    return {p for p in paths if os.path.basename(p) != ".lock"}


def lines(text):
    return "\n".join(sorted(text))


class Removal(unittest.TestCase):
    maxDiff = None

    def world(self, name):
        self.folder = FOLDER / name
        shutil.rmtree(self.folder, ignore_errors=True)
        wheels = self.folder / "wheels"
        wheels.mkdir(parents=True)
        for wheel in WHEELS:
            wheel.write(wheels)
        self.env = self.folder / "env"
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", self.env], check=True)
        (self.env / "outside.txt").write_text("of the environment, not of its packages")
        self.python = self.env / "bin/python"
        self.site = next(self.env.glob("lib/python3.*/site-packages"))
        self.variables = {
            **os.environ,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "UV_CACHE_DIR": str(self.folder / "cache"),
            "UV_LINK_MODE": "copy",
        }

    def must(self, *command):
        run = subprocess.run(list(map(str, command)), env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)

    def plan(self, names, tool):
        command = [WHYSO, "plan", "uninstall", *names, "-t", self.env, "--installer", tool, "--format", "json"]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertIn(run.returncode, (0, 1), run.stderr)
        return json.loads(run.stdout)["plan"]

    def uninstalls_as_planned(self, names, tool, uninstall):
        plan = self.plan(names, tool)
        before = tree(self.env)
        self.must(*uninstall, *names)
        gone = before - tree(self.env)
        planned = {p for each in plan["packages"] for p in each["files"]} | {f"{p}/" for each in plan["packages"] for p in each["folders"]}
        self.assertEqual(lines(planned), lines(gone), f"uninstall of {names} by {tool}")
        self.assertEqual(plan["files"], sum(not p.endswith("/") for p in gone))
        self.assertFalse(plan["left_alone"])

    def compare(self, tool, install, uninstall):
        self.world(tool)
        find = ["-q", "--no-index", "--find-links", self.folder / "wheels", "--no-deps"]
        for step in STEPS:
            with self.subTest(step=step):
                kind, rest = step[0], step[1:]
                if kind == "+":
                    self.must(*install(self.python), *find, rest)
                elif kind == "-":
                    self.uninstalls_as_planned(rest.split(), tool, uninstall(self.python))
                elif kind == "!":
                    self.must(self.python, "-m", "compileall", "-q", self.site)
                elif kind == "=":
                    (self.site / rest).write_text("mine")
                else:
                    (self.site / rest).symlink_to("../..")

    def test_pip(self):
        pip = [PYTHON, "-m", "pip", "--python"]
        if subprocess.run([*pip, PYTHON, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no pip that knows --python")
        self.compare("pip", lambda p: [*pip, p, "install", "--no-compile"], lambda p: [*pip, p, "uninstall", "-q", "-y"])

    @unittest.skipUnless(shutil.which("uv"), "no uv")
    def test_uv(self):
        self.compare(
            "uv", lambda p: ["uv", "pip", "install", "--offline", "-p", p], lambda p: ["uv", "pip", "uninstall", "-q", "-p", p]
        )


if __name__ == "__main__":
    suite.main()
