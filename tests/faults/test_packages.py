#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The installer of packages.py does to a tree what pip and uv do: the same steps are done by both, and all files, left-over folders
and RECORD lines are compared after each step. A tool that is not there is skipped."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import kit
import suite
from packages import Wheel, normalized


def nvidia(name, version, part):
    files = {f"lib/lib{part}.so.9": f"{name} {version}".encode(), f"lib/lib{part}_ops.so.9": name.encode(), f"include/{part}.h": b"h"}
    return Wheel(name, version, {f"nvidia/{part}/{p}": d for p, d in files.items()}, tag="py3-none-manylinux2014_x86_64")


def opencv(name, version, **more):
    files = {"cv2/__init__.py": name.encode(), "cv2/cv2.abi3.so": name.encode(), "cv2/data/a.xml": b"a", **more}
    return Wheel(name, version, files, tag=kit.LINUX, purelib=False)


WHEELS = [
    nvidia("nvidia-cudnn-cu12", "9.10.2.21", "cudnn"),
    nvidia("nvidia-cudnn-cu13", "9.13.0.50", "cudnn"),
    nvidia("nvidia-nccl-cu12", "2.27.5", "nccl"),
    nvidia("nvidia-nccl-cu13", "2.28.9", "nccl"),
    opencv("opencv-python", "4.9.0.80"),
    opencv("opencv-python-headless", "4.12.0.88", **{"cv2/typing/__init__.py": b"t"}),
    Wheel("tbb", "2020.2", {"data:lib/libtbb.so.2": b"t", "data:share/doc/tbb/read, me.txt": b"r"}, tag="py2.py3-none-manylinux1_x86_64"),
    Wheel("Mixed.Name_x", "1.0", {"mixed/a.py": b"1", "mixed/sub/deep/b.txt": b"2", "top.py": b"t"}),
    Wheel("cutlass-dsl", "4.3.5", {"c.pth": b"cutlass\n", "cutlass/a.py": b"1", "cutlass/lib/l.so": b"1"}),
    Wheel("cutlass-dsl", "4.4.2", {}),
    Wheel("cutlass-base", "4.4.2", {"c.pth": b"cutlass\n", "cutlass/a.py": b"2", "cutlass/lib/l.so": b"2"}),
]
STEPS = [
    "+nvidia-cudnn-cu12==9.10.2.21",
    "+nvidia-cudnn-cu13==9.13.0.50",
    "-nvidia-cudnn-cu13",
    "+nvidia-nccl-cu12==2.27.5",
    "+nvidia-nccl-cu13==2.28.9",
    "+opencv-python==4.9.0.80",
    "+opencv-python-headless==4.12.0.88",
    "-opencv-python-headless",
    "+tbb==2020.2",
    "+mixed-name-x==1.0",
    "+cutlass-dsl==4.3.5",
    "+cutlass-base==4.4.2",
    "+cutlass-dsl==4.4.2",
    "-nvidia-nccl-cu13",
    "-tbb",
    "-mixed-name-x",
    "-opencv-python",
    "-nvidia-cudnn-cu12",
    "-nvidia-nccl-cu12",
]
ONLY_THEIRS = ("REQUESTED", "uv_cache.json")


def tree(root):
    """-> {path: content}; RECORD as its set of lines, without the files that only a tool asked by name writes."""
    out = {}
    for folder, dirs, files in os.walk(root):
        for p in (Path(folder, n) for n in dirs + files):
            k = str(p.relative_to(root))
            if p.name == "RECORD":
                out[k] = {l for l in p.read_bytes().split(b"\n") if not any(n.encode() in l for n in ONLY_THEIRS)}
            elif "__pycache__" not in k and p.name not in (*ONLY_THEIRS, "pyvenv.cfg", ".lock"):
                out[k] = os.readlink(p) if p.is_symlink() else "folder" if p.is_dir() else p.read_bytes()
    return out


class LikeTheTools(unittest.TestCase):
    def compare(self, tool, install, uninstall):
        with tempfile.TemporaryDirectory() as t:
            t = Path(t)
            (t / "wheels").mkdir()
            wheels = {f"{normalized(w.name)}=={w.version}": w for w in WHEELS}
            for w in WHEELS:
                w.write(t / "wheels")
            k = kit.Kit(t / "out")
            ours, _ = k.venv(t / "ours"), k.venv(t / "theirs")
            env = {
                **os.environ,
                "PIP_DISABLE_PIP_VERSION_CHECK": "1",
                "PIP_ROOT_USER_ACTION": "ignore",
                "PYTHONDONTWRITEBYTECODE": "1",
                "UV_CACHE_DIR": str(t / "cache"),
                "UV_LINK_MODE": "copy",
            }
            for s in STEPS:
                name = s[1:].partition("==")[0]
                if s[0] == "+":
                    ours.install(wheels[s[1:]], by=tool)
                else:
                    ours.uninstall(name, by=tool)
                argv = (
                    [*install, "-q", "--no-index", "--find-links", t / "wheels", "--no-deps", s[1:]] if s[0] == "+" else [*uninstall, name]
                )
                r = subprocess.run(
                    [str(a).replace("{python}", str(t / "theirs/bin/python")) for a in argv],
                    env=env,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                )
                self.assertEqual(r.returncode, 0, r.stdout)
                a, b = tree(t / "ours"), tree(t / "theirs")
                self.assertEqual(sorted(set(a) ^ set(b)), [], f"after {s}: only in one of the trees")
                self.assertEqual([p for p in a if a[p] != b[p]], [], f"after {s}: differ")

    def test_pip(self):
        pip = [kit.PYTHON, "-m", "pip"]
        if subprocess.run([*pip, "--python", kit.PYTHON, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            self.skipTest("no pip that knows --python")
        self.compare(
            "pip", [*pip, "--python", "{python}", "install", "--no-compile"], [*pip, "--python", "{python}", "uninstall", "-q", "-y"]
        )

    @unittest.skipUnless(shutil.which("uv"), "no uv")
    def test_uv(self):
        self.compare("uv", ["uv", "pip", "install", "--offline", "-p", "{python}"], ["uv", "pip", "uninstall", "-q", "-p", "{python}"])


if __name__ == "__main__":
    suite.main()
