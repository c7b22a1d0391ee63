#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fault cases: build_cases.py OUT [NAME...]     (NAME: beginning of a case's name, such as k05 or x-02)

OUT/NAME/ is a small world: env/ or root/, truth.json (what the real interpreter and loader said), expect.json (what a right
diagnosis must contain); OUT/NAME-ok is its healthy near miss. Cases that this machine or user cannot show are skipped and counted.
Exit 1, and `REALITY DIFFERS`, if the real programs do not say what the case claims.

build_cases.py --list        names of all cases
build_cases.py --table OUT   the table of README.md, from a built suite
CASE_PYTHON=FILE             the base interpreter (default: the distribution's)"""

import concurrent.futures
import json
import os
import shutil
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import kit
import cases_missing, cases_ownership, cases_incident, cases_search, cases_symbols, cases_process  # noqa: E401,F401  each registers its cases


def build(k, name, report, kind, make, ok):
    """-> name, problems, why it was skipped"""
    w = kit.World(k, name + ("-ok" if ok else ""), report, kind, ok)
    try:
        make(w, ok)
        w.finish()
    except kit.Skip as e:
        shutil.rmtree(w.dir)
        return w.name, [], str(e)
    except Exception:
        w.problems.append(f"{w.name}: {traceback.format_exc()}")
    return w.name, w.problems, None


def table(out):
    lines = ["| Report | Kind | Case | What is wrong | Accepted codes |", "|---|---|---|---|---|"]
    for name, report, kind, *_ in sorted(kit.CASES, key=lambda c: (c[2], c[1], c[0])):
        p = Path(out, name, "expect.json")
        if p.exists():
            x = json.loads(p.read_text())
            lines.append(
                f"| {report or ''} | {kind} | {name} | {x['why']} | {'at most a note' if x.get('healthy') else ' '.join(x['codes_any'])} |"
            )
    return "\n".join(lines)


def main(argv):
    if argv == ["--list"]:
        print("\n".join(f"{name}{'  (and -ok)' if near else ''}" for name, _, _, _, near in kit.CASES))
        return 0
    if len(argv) == 2 and argv[0] == "--table":
        print(table(argv[1]))
        return 0
    if not argv or argv[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    out, only = argv[0], argv[1:]
    todo = [
        (name, report, kind, make, ok)
        for name, report, kind, make, near in kit.CASES
        for ok in ((False, True) if near else (False,))
        if not only or any(name.startswith(o) or f"{name}-ok" == o for o in only)
    ]
    if not todo:
        print("no case of that name", file=sys.stderr)
        return 2
    started, k, problems, skipped, made = time.time(), kit.Kit(out), [], {}, []
    with concurrent.futures.ThreadPoolExecutor(max(2, os.cpu_count() or 2)) as pool:
        for name, bad, why in pool.map(lambda x: build(k, *x), todo):
            problems += bad
            if why:
                skipped[name] = why
            else:
                made.append(name)
    for p in problems:
        print("REALITY DIFFERS", p, file=sys.stderr)
    for name, why in skipped.items():
        print(f"skipped  {name}: {why}")
    if not only:
        Path(out, "skipped.json").write_text(json.dumps(skipped, indent=1) + "\n")
    near = [n for n in made if n.endswith("-ok")]
    reports = {r for n, r, *_ in kit.CASES if n in made and r}
    print(
        f"{len(made) - len(near)} cases of {len(reports)} reports, {len(near)} near misses, {len(skipped)} worlds skipped, "
        f"{k.objects.compiled} objects compiled, {time.time() - started:.0f} s, {len(problems)} problems"
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
