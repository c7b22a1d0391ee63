#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_scenario.py WHYSO SCENARIO: makes the world of tests/scenarios/SCENARIO in a folder of its own (its build.py, if it has one, is run
with that folder as argument), runs each line of `run` there, and compares with what is expected:

  expected.txt      the command lines with output, errors and exit status, at 80 columns
  expected.120.txt  the same at 120 columns, where that file exists
  expected.json     the output of the last line with --format json, where that file exists

Names and numbers that are this machine's are replaced first. WHYSO_ACCEPT=1 rewrites the files and counts as skipped (exit 77).
A line of `run` may begin with NAME=VALUE."""

import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77
REPLACED = (
    (r"CPython 3\.[0-9.]+", "CPython 3.N"),
    (r"python3\.\d+", "python3.N"),
    (r"cpython-3\d+", "cpython-3N"),
    (r"[0-9,]+ native objects?", "N native objects"),
    (r'"elf": \d+', '"elf": 0'),
    (r"sha256[=:][A-Za-z0-9_-]{43,64}", "sha256=HASH"),
    (r"\b[0-9a-f]{64}\b", "HASH"),
)


class World:
    def __init__(self, whyso, folder, scenario):
        self.whyso, self.source, self.folder = whyso, HERE / scenario, Path(folder)
        build = self.source / "build.py"
        if build.exists():
            path = {"PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1"}
            subprocess.run([sys.executable, build, self.folder], check=True, env={**os.environ, **path})

    def plain(self, text):
        for pattern, word in ((re.escape(str(self.folder)), "FOLDER"), *REPLACED):
            text = re.sub(pattern, word, text)
        return text

    def run(self, line, *more, width=80):
        words = shlex.split(line)
        variables = {"PATH": f"{self.folder}/bin", "HOME": str(self.folder), "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "WHYSO_WIDTH": str(width)}
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            variables[name] = value.replace("FOLDER", str(self.folder))
        command = [self.whyso, *words[1:], *more]
        run = subprocess.run(command, cwd=self.folder, env=variables, capture_output=True, timeout=60)
        return run.returncode, *(self.plain(s.decode("utf-8", "surrogateescape")) for s in (run.stdout, run.stderr))

    def transcript(self, width):
        text = ""
        for line in (self.source / "run").read_text().splitlines():
            status, out, err = self.run(line, width=width)
            text += f"$ {line}\n{out}"
            text += f"-- stderr\n{err}" if err else ""
            text += f"-- exit {status}\n\n"
        return text

    def json(self):
        return self.run((self.source / "run").read_text().splitlines()[-1], "--format", "json")[1]

    def results(self):
        """File name -> what it should hold."""
        known = {"expected.txt": lambda: self.transcript(80), "expected.120.txt": lambda: self.transcript(120), "expected.json": self.json}
        return {name: make() for name, make in known.items() if name == "expected.txt" or (self.source / name).exists()}


def difference(path, now):
    before = path.read_text(errors="surrogateescape") if path.exists() else ""
    lines = (text.splitlines(keepends=True) for text in (before, now))
    return "".join(difflib.unified_diff(*lines, "expected", "now"))


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    whyso, scenario = os.path.abspath(sys.argv[1]), sys.argv[2]
    if shutil.which("gcc") is None and (HERE / scenario / "build.py").exists():
        print("skipped: no gcc")
        return SKIPPED
    # Always of the same length, for where lines break.
    with tempfile.TemporaryDirectory(prefix="whyso-", dir="/tmp") as folder:
        world = World(whyso, folder, scenario)
        results = world.results()
    if os.environ.get("WHYSO_ACCEPT"):
        for name, text in results.items():
            (world.source / name).write_text(text, errors="surrogateescape")
        print(f"skipped: accepted {', '.join(results)}")
        return SKIPPED
    differences = "".join(difference(world.source / name, text) for name, text in results.items())
    print(differences or "as expected")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
