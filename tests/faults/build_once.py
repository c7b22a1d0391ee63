#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""build_once.py OUT: builds all fault cases in OUT unless they stand there already, built by the same scripts as now."""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import build_cases

SOURCES = ("build_cases", "kit", "objects", "packages", "stack", "cases_*")


def sum_of_sources():
    here = Path(__file__).parent
    files = sorted(f for name in SOURCES for f in here.glob(name + ".py"))
    return hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = Path(os.path.abspath(sys.argv[1]))
    mark, now = out / "built_by", sum_of_sources()
    if mark.exists() and mark.read_text() == now:
        print("built already")
        return 0
    shutil.rmtree(out, ignore_errors=True)
    code = build_cases.main([str(out)])
    if code == 0:
        mark.write_text(now)
    return code


if __name__ == "__main__":
    sys.exit(main())
