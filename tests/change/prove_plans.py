#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""prove_plans.py WHYSO ENV [A,B,C ...]: for each set of packages (without any: each package of ENV by itself) asks `whyso plan uninstall`,
then really uninstalls them with uv from a copy of ENV made of hard links, and really imports what the packages that stay offer.
Compared are the files and folders that went, and which imports fail that worked before, with the last line of Python. For
environments of genuine wheels, by hand: each set takes some seconds. Exit 1 where the plan was wrong; another text is told only."""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
from findings import ask

PLAIN = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1", "CUDA_VISIBLE_DEVICES": ""}
NAMES = """
import importlib.metadata as m, json, re
names = {}
for d in m.distributions():
    tops = {str(f).split("/")[0].split(".")[0] for f in d.files or [] if str(f).endswith((".py", ".so")) and not str(f).startswith("..")}
    names[re.sub("[-_.]+", "-", d.metadata["Name"]).lower()] = sorted(t for t in tops if t.isidentifier())
print(json.dumps(names))
"""


def last_line(python, module):
    run = subprocess.run([python, "-W", "ignore", "-c", f"import {module}"], env=PLAIN, capture_output=True, text=True, timeout=300)
    return (run.stderr.strip().splitlines() or [f"exit {run.returncode}"])[-1] if run.returncode else ""


def imports(env, modules):
    """-> {module: last line of the error, or ""}"""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return dict(zip(modules, pool.map(lambda m: last_line(str(env / "bin/python"), m), modules)))


def tree(env):
    paths = set()
    for folder, folders, files in os.walk(env):
        paths |= {os.path.join(folder, n) for n in files} | {os.path.join(folder, n) + ("" if os.path.islink(os.path.join(folder, n)) else "/") for n in folders}
    return {p.removeprefix(str(env)) for p in paths} - {"/.lock"}


def copy_of(env, folder):
    copy = Path(folder, "env")
    subprocess.run(["cp", "-al", env, copy], check=True)
    return copy


def prove(whyso, env, names, before, packages):
    """-> what the plan said wrongly"""
    with tempfile.TemporaryDirectory(dir=env.parent) as folder:
        copy = copy_of(env, folder)
        code, document = ask(whyso, "plan", "uninstall", *packages, "-t", str(copy), "--installer", "uv")
        there = tree(copy)
        subprocess.run(["uv", "pip", "uninstall", "-q", "-p", copy / "bin/python", *packages], check=True)
        gone = there - tree(copy)
        plan = document["plan"]
        planned = {p for each in plan["packages"] for p in each["files"]} | {p + "/" for each in plan["packages"] for p in each["folders"]}
        planned = {p.removeprefix(str(copy)) for p in planned}
        wrong = [f"{p}: went, not planned" for p in sorted(gone - planned)] + [f"{p}: planned, is there" for p in sorted(planned - gone)]
        said = {b["name"]: b.get("text", "") for f in document["findings"] if f["level"] != "note" for b in f["breaks"]}
        modules = sorted({m for p, tops in names.items() if p not in packages for m in tops if not before[m]} | set(said))
        after = {m: e.replace(str(copy), str(env)) for m, e in imports(copy, modules).items()}
    for module in modules:
        failed, text = after[module], said.get(module)
        if failed and text is None:
            wrong.append(f"import {module}: fails, not said: {failed}")
        if text is not None and not failed:
            wrong.append(f"import {module}: said to fail, works")
        if text and failed and text != failed:
            print(f"       other text: import {module}: said {text!r}, is {failed!r}", flush=True)
    failing = [m for m in modules if after[m]]
    print(f"{'right' if not wrong else 'WRONG'}  {','.join(packages)}: {len(gone)} paths went, {', '.join(failing) or 'no import'} fails, exit {code}", flush=True)
    for line in wrong[:20]:
        print("       " + line, flush=True)
    return wrong


def main():
    if len(sys.argv) < 3 or not shutil.which("uv"):
        print(__doc__, file=sys.stderr)
        return 2
    whyso, env = os.path.abspath(sys.argv[1]), Path(os.path.abspath(sys.argv[2]))
    names = json.loads(subprocess.run([env / "bin/python", "-c", NAMES], env=PLAIN, capture_output=True, text=True, check=True).stdout)
    sets = [[re.sub(r"[-_.]+", "-", n).lower() for n in a.split(",")] for a in sys.argv[3:]] or [[n] for n in sorted(names)]
    before = imports(env, sorted({m for tops in names.values() for m in tops}))
    wrong = sum(bool(prove(whyso, env, names, before, packages)) for packages in sets)
    print(f"{len(sets) - wrong} passed, {wrong} failed, 0 skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
