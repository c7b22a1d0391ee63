# SPDX-License-Identifier: Apache-2.0
"""A throwaway environment of genuine wheels, owned by pip or by uv, and what whyso says of it. The wheels come through the
installer as it is set up on this machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from findings import ask, mends

PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


def run(*command, env=None):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
    return done.returncode, done.stdout.strip()


def why_no_wheels(folder):
    """The reason why no wheel can be fetched here, or None."""
    code, said = run(PYTHON, "-m", "venv", folder / "probe")
    if code == 0:
        pip = (folder / "probe/bin/python", "-m", "pip", "--disable-pip-version-check")
        code, said = run(*pip, "download", "-q", "--no-deps", "--no-cache-dir", "--retries", "1", "-d", folder / "probe", "bs4==0.0.2")
    return f"no wheels from here: {said.splitlines()[-1] if said else code}" if code else None


class WheelEnvironment:
    def __init__(self, whyso, folder, name, by="pip"):
        self.whyso, self.folder, self.by = whyso, folder / name, by
        shutil.rmtree(self.folder, ignore_errors=True)
        self.must(PYTHON, "-m", "venv", self.folder)
        self.python = self.folder / "bin/python"
        self.site = next(self.folder.glob("lib/python3.*/site-packages"))

    def must(self, *command):
        code, said = run(*command)
        if code:
            raise AssertionError(f"{command}: exit {code}\n{said}")
        return said

    def pip(self, verb, *arguments):
        self.must(self.python, "-m", "pip", "--disable-pip-version-check", verb, "-q", *arguments)

    def install(self, *packages):
        if self.by == "uv":
            return self.must("uv", "pip", "install", "-q", "-p", self.python, *packages)
        return self.pip("install", *packages)

    def uninstall(self, *packages):
        if self.by == "uv":
            return self.must("uv", "pip", "uninstall", "-q", "-p", self.python, *packages)
        return self.pip("uninstall", "-y", *packages)

    def import_error(self, module):
        """The last line of what Python says to the import, "" where it works. Python stands on no cache of byte code."""
        code, said = run(self.python, "-B", "-c", f"import {module}")
        return (said.splitlines() or [f"exit {code}"])[-1] if code else ""

    def check(self, *options):
        """-> exit code and findings of `whyso check`"""
        code, document = ask(self.whyso, "check", str(self.folder), *options)
        if document is None:
            raise AssertionError(f"whyso check {self.folder}: exit {code} and no JSON")
        return code, document["findings"]

    def mend(self, finding):
        """Runs the commands that stand in the finding, as they stand; -> them."""
        commands = mends(finding)
        for command in commands:
            self.must(*command)
        return commands
