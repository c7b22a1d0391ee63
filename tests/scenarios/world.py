# SPDX-License-Identifier: Apache-2.0
"""Small worlds for scenarios: a framework whose extension needs two libraries, which come in two builds that share their paths
like the CUDA 12 and 13 builds of real libraries do. Objects and the installer are those of the fault cases."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "faults"))

from kit import Kit
from objects import So
from packages import Wheel


class World:
    """The folder of one scenario; its environment is FOLDER/env."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.kit = Kit(self.folder / ".kit")
        self.site = self.kit.venv(self.folder / "env")
        # The only installer at hand, whatever this machine has.
        pip = self.folder / "bin" / "pip"
        pip.parent.mkdir()
        pip.write_text("#!/bin/sh\nexit 1\n")
        pip.chmod(0o755)

    def compiled(self, so):
        return self.kit.objects.get(so).read_bytes()

    def install(self, *wheels):
        for wheel in wheels:
            self.site.install(wheel)

    def library(self, name, build, version):
        """nvidia-NAME-BUILD: one library at a path that both builds share."""
        so = So(soname=f"lib{name}.so.2", defs=(name,), text=(f"{name} for {build}",))
        files = {f"nvidia/{name}/lib/lib{name}.so.2": self.compiled(so)}
        return Wheel(f"nvidia-{name}-{build}", version, files)

    def framework(self):
        """frame: its extension needs both libraries and finds them by its RPATH."""
        folders = ":".join(f"$ORIGIN/../nvidia/{n}/lib" for n in ("alpha", "beta"))
        needs = (("libalpha.so.2", "alpha"), ("libbeta.so.2", "beta"))
        extension = self.compiled(So(module="_C", needs=needs, rpath=folders))
        files = {"frame/__init__.py": b"from frame import _C\n", "frame/_C.abi3.so": extension}
        requires = ("nvidia-alpha-cu12==1.2", "nvidia-beta-cu12==3.4")
        return Wheel("frame", "2.0", files, requires)

    def libraries(self, build):
        versions = {"cu12": ("1.2", "3.4"), "cu13": ("1.3", "3.5")}[build]
        return [self.library(name, build, version) for name, version in zip(("alpha", "beta"), versions)]


def folder():
    """The folder that the runner names."""
    os.chdir(sys.argv[1])
    return sys.argv[1]
