#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_loads.py WHYSO ENV [IMPORT...] [--json] [--verbose]: what a real process loads, against what `whyso loads` predicts.

Each IMPORT ("a" or "a,b" for two in one process; nothing given: every top-level module that can be imported) is run by the
environment's Python, and the loader itself tells what it maps (tests/support/record_loads.py). Counted are files of the
environment that are still mapped at the end. Told are: observed; certain, conditional and possible among them; missed (observed, not predicted); wrong path (a file
of that name is predicted, but another one); certain and not observed; possible and not observed; and whether the import fails with
the text that was predicted. Exit 1 where the criteria of `judge` do not hold."""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

RECORDER = Path(__file__).resolve().parent.parent / "support" / "record_loads.py"
COUNTS = ("predicted", "observed", "certain", "conditional", "possible", "missed", "wrong_path", "certain_unseen", "possible_unseen")
LOADER_TEXT = ("ImportError: ", "OSError: ")


def python_of(env):
    return os.path.join(os.path.abspath(env), "bin", "python")


def record(env, names):
    """What `import a; import b` maps, in order, and the last line of its error."""
    code = "; ".join(f"import {name}" for name in names)
    run = subprocess.run(
        [sys.executable, str(RECORDER), "--", python_of(env), "-P", "-c", code], capture_output=True, text=True, cwd="/", timeout=600
    )
    if run.returncode or not run.stdout.strip():
        raise SystemExit(f"cannot record {names}: {run.stderr[-2000:]}")
    return json.loads(run.stdout)


def predict(whyso, env, names):
    options = [word for name in names for word in ("--import", name)]
    run = subprocess.run([whyso, "loads", *options, "--format", "json", os.path.abspath(env)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"whyso loads {names} exits with {run.returncode}: {run.stderr[-2000:]}")
    return json.loads(run.stdout)["imports"]


def is_of_environment(path, env):
    """Files of the environment, and not those of the Python that it was made from."""
    real = os.path.realpath(path)
    return real.startswith(os.path.realpath(env) + "/") and "/lib-dynload/" not in real


def compare(whyso, env, names):
    seen, told = record(env, names), predict(whyso, env, names)
    kept = None if seen["mapped"] is None or seen["exit"] else {os.path.realpath(m) for m in seen["mapped"]}
    paths = {os.path.realpath(x["path"]) for x in seen["loads"] if x["path"].startswith("/") and is_of_environment(x["path"], env)}
    observed = paths if kept is None else paths & kept  # what was unmapped again has failed
    classes = {}
    for load in (load for one in told for load in one["loads"]):
        real = os.path.realpath(load["path"])
        order = ("certain", "conditional", "possible")
        if is_of_environment(real, env):
            classes[real] = min(classes.get(real, "possible"), load["certainty"], key=order.index)
    names_predicted = {os.path.basename(p) for p in classes}
    missed = sorted(set(observed) - set(classes))
    wrong = [p for p in missed if os.path.basename(p) in names_predicted and not os.path.basename(p).startswith("__init__")]
    unseen = {c: sorted(p for p, k in classes.items() if k == c and p not in observed) for c in ("certain", "conditional", "possible")}
    failing = next((one for one in told if not one["ok"]), None)
    real_error = seen["error"] if seen["exit"] else ""
    return {
        "import": ",".join(names),
        "predicted": len(classes),
        "observed": len(observed),
        **{c: sum(classes.get(p) == c for p in observed) for c in ("certain", "conditional", "possible")},
        "missed": len(missed),
        "wrong_path": len(wrong),
        "certain_unseen": len(unseen["certain"]),
        "possible_unseen": len(unseen["possible"]),
        "missed_files": missed,
        "certain_unseen_files": unseen["certain"],
        "possible_unseen_files": unseen["possible"],
        "error": real_error,
        "predicted_error": failing["error"] if failing else "",
    }


def false_alarms(results):
    return [r for r in results if r["predicted_error"] and not r["error"]]


def other_errors(results):
    """Failures of the loader's part that are not foretold, or in other words."""
    return [r for r in results if r["error"].startswith(LOADER_TEXT) and ".so" in r["error"] and r["error"] != r["predicted_error"]]


def judge(results):
    """What does not hold, in words. An import that fails is judged by its error alone."""
    working = [r for r in results if not r["error"]]
    total = {key: sum(r[key] for r in working) for key in COUNTS}
    faults = [f"`import {r['import']}` works, but is said to fail: {r['predicted_error']}" for r in false_alarms(results)]
    faults += [f"`import {r['import']}`: {r['error']!r}, predicted {r['predicted_error']!r}" for r in other_errors(results)]
    if total["missed"]:
        faults.append(f"{total['missed']} of {total['observed']} observed loads are not predicted")
    if total["certain"] + total["conditional"] < 0.85 * total["observed"]:
        faults.append("less than 85 % of the observed loads are predicted as certain or conditional")
    if total["certain_unseen"] > 0.01 * total["predicted"]:
        faults.append(f"{total['certain_unseen']} of {total['predicted']} are said to be certain and are not observed")
    if total["possible_unseen"] + total["possible"] > 2 * total["observed"]:
        faults.append("there are more than twice as many possible loads as observed ones")
    return total, faults


def importable(env):
    """Top-level modules of the environment's distributions, by their RECORDs."""
    code = (
        "import importlib.metadata as m, sys\n"
        "names = {n for n, d in m.packages_distributions().items() if n.isidentifier() and not n.startswith('_')}\n"
        "print('\\n'.join(sorted(names - {'pip', 'setuptools', 'pkg_resources', 'wheel', 'distutils'})))"
    )
    run = subprocess.run([python_of(env), "-P", "-c", code], capture_output=True, text=True, cwd="/", check=True)
    return [[name] for name in run.stdout.split()]


def show(result, verbose):
    print(f"{result['import']}: " + ", ".join(f"{key} {result[key]}" for key in COUNTS))
    for key in ("error", "predicted_error"):
        if result[key]:
            print(f"  {key}: {result[key]}")
    for key in ("missed_files", "certain_unseen_files") + (("possible_unseen_files",) if verbose else ()):
        for path in result[key]:
            print(f"  {key.removesuffix('_files')}: {path}")


def compare_all(whyso, env, imports):
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda names: compare(whyso, env, names), imports))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("whyso")
    parser.add_argument("env")
    parser.add_argument("imports", nargs="*")
    parser.add_argument("--json", action="store_true", help="all as one JSON document")
    parser.add_argument("--verbose", action="store_true", help="name what is possible and was not observed, too")
    options = parser.parse_args()
    imports = [one.split(",") for one in options.imports] or importable(options.env)
    results = compare_all(options.whyso, options.env, imports)
    total, faults = judge(results)
    if options.json:
        print(json.dumps({"results": results, "total": total, "faults": faults}, indent=1))
        return bool(faults)
    for result in results:
        show(result, options.verbose)
    print("all: " + ", ".join(f"{key} {total[key]}" for key in COUNTS))
    for fault in faults:
        print("FAULT: " + fault)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
