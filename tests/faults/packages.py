# SPDX-License-Identifier: Apache-2.0
"""Wheels, and an installer that does to files what pip (or uv) does: lays down, overwrites, uninstalls. No byte code is written."""

import base64
import csv
import hashlib
import os
import re
import shutil
import sys
import zipfile
from dataclasses import dataclass
from io import StringIO
from pathlib import Path


def normalized(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def record_hash(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@dataclass
class Wheel:
    name: str
    version: str
    files: dict  # path in the wheel -> bytes; "data:lib/x" goes to the prefix of the environment
    requires: tuple = ()
    tag: str = "py3-none-any"
    purelib: bool = True
    extras: tuple = ()  # Provides-Extra
    also_recorded: dict = None  # path -> bytes: listed in RECORD though it belongs to somebody else

    @property
    def stem(self):
        return f"{re.sub(r'[-_.]+', '_', self.name)}-{self.version}"

    @property
    def info(self):
        return f"{self.stem}.dist-info"

    @property
    def filename(self):
        return f"{self.stem}-{self.tag}.whl"

    @property
    def metadata(self):
        lines = ["Metadata-Version: 2.1", f"Name: {self.name}", f"Version: {self.version}", f"Summary: {self.name}"]
        lines += [f"Provides-Extra: {e}" for e in self.extras] + [f"Requires-Dist: {r}" for r in self.requires]
        return "\n".join(lines) + "\n\n"

    def members(self):
        """-> {path in the archive: bytes}, without RECORD"""
        m = {f"{self.stem}.data/data/{p[5:]}" if p.startswith("data:") else p: d for p, d in self.files.items()}
        tops = sorted({p.split("/")[0].split(".")[0] for p in self.files if not p.startswith("data:")})
        m[f"{self.info}/METADATA"] = self.metadata.encode()
        m[f"{self.info}/WHEEL"] = (
            f"Wheel-Version: 1.0\nGenerator: bdist_wheel (0.43.0)\n" f"Root-Is-Purelib: {str(self.purelib).lower()}\nTag: {self.tag}\n\n"
        ).encode()
        m[f"{self.info}/top_level.txt"] = "".join(t + "\n" for t in tops).encode()
        return m

    def record(self):
        listed = {**self.members(), **(self.also_recorded or {})}
        return [(p, record_hash(d), str(len(d))) for p, d in listed.items()] + [(f"{self.info}/RECORD", "", "")]

    def write(self, folder):
        """The archive itself, as it lies in pip's cache."""
        table = StringIO()
        csv.writer(table, lineterminator="\n").writerows(self.record())
        with zipfile.ZipFile(Path(folder) / self.filename, "w", zipfile.ZIP_DEFLATED) as z:
            for p, d in [*self.members().items(), (f"{self.info}/RECORD", table.getvalue().encode())]:
                z.writestr(zipfile.ZipInfo(p, (2024, 1, 1, 0, 0, 0)), d)


class Site:
    """site-packages of one environment."""

    def __init__(self, site, prefix):
        self.site, self.prefix = Path(site), Path(prefix)

    def dists(self):
        return {normalized(p.name[:-10].rpartition("-")[0]): p for p in sorted(self.site.glob("*.dist-info"))}

    def install(self, wheel, by="pip", keep_old=False):
        """keep_old: an earlier version of the same name is not removed first (two dist-info folders remain)."""
        if not keep_old and normalized(wheel.name) in self.dists():
            self.uninstall(wheel.name, by)
        data_root, rows = f"{wheel.stem}.data/data/", []
        recorded = {p: (h, n) for p, h, n in wheel.record()}
        for p, d in wheel.members().items():
            outside = p.startswith(data_root)
            dest = self.prefix / p[len(data_root) :] if outside else self.site / p
            dest.parent.mkdir(parents=True, exist_ok=True)
            if dest.exists() or dest.is_symlink():
                dest.unlink()
            dest.write_bytes(d)
            os.chmod(dest, 0o755 if ".so" in p else 0o644)
            rows.append((os.path.relpath(dest, self.site) if outside else p, *recorded.pop(p)))
        rows += [(p, *r) for p, r in recorded.items() if r[0]]
        installer = b"pip\n" if by == "pip" else by.encode()
        (self.site / wheel.info / "INSTALLER").write_bytes(installer)
        rows += [(f"{wheel.info}/INSTALLER", record_hash(installer), str(len(installer))), (f"{wheel.info}/RECORD", "", "")]
        with open(self.site / wheel.info / "RECORD", "w", newline="") as f:
            csv.writer(f, lineterminator="\r\n" if by == "pip" else "\n").writerows(sorted(rows))

    def recorded(self, name):
        """Absolute paths that the RECORD of a distribution lists."""
        with open(self.dists()[normalized(name)] / "RECORD", newline="") as f:
            return [os.path.normpath(self.site / row[0]) for row in csv.reader(f)]

    def uninstall(self, name, by="pip"):
        paths = {os.path.join(os.path.realpath(os.path.dirname(p)), os.path.basename(p)) for p in self.recorded(name)}
        for p in [p for p in paths if p.endswith(".py")]:
            paths.add(f"{os.path.dirname(p)}/__pycache__/{os.path.basename(p)[:-3]}.{sys.implementation.cache_tag}.pyc")
        paths = {p for p in paths if os.path.lexists(p) and p.startswith(str(self.prefix.resolve()) + os.sep)}
        (remove_as_pip if by == "pip" else self.remove_as_uv)(paths)

    def remove_as_uv(self, paths):
        """Removes files, then every folder in site-packages that became empty, upwards."""
        top = str(self.site.resolve())
        for p in paths:
            os.unlink(p)
        for folder in sorted({os.path.dirname(p) for p in paths}, key=len, reverse=True):
            while folder.startswith(top + os.sep) and os.path.isdir(folder) and not os.listdir(folder):
                os.rmdir(folder)
                folder = os.path.dirname(folder)


def remove_as_pip(paths):
    """Removes whole folders where nothing else lies in them, single files elsewhere; a parent that becomes empty stays."""
    remaining, folders = set(paths), []
    for root in sorted({os.path.dirname(p) for p in paths}, key=len):
        if any(root.startswith(f) for f in folders):
            continue
        inside = {os.path.join(d, f) for d, _, files in os.walk(root) for f in files}
        if not inside - remaining:
            remaining -= inside
            folders.append(root + os.sep)
    for f in folders:
        shutil.rmtree(f)
    for p in remaining:
        os.unlink(p)
