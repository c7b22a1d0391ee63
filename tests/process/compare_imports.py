#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""compare_imports.py [--reach PROGRAM] [--python PYTHON NAME...]: what real imports load, against what print_reach predicts.

Every module that is predicted as certain must have been imported; anything else is a failure. How many of the observed modules
were foreseen at all is told. Without --python it makes environments of genuine wheels in a temporary folder, which needs the
network and uv; without them it is skipped (exit 77)."""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Requirement to the modules that are imported, each in a process of its own.
WHEELS = {
    "numpy": ["numpy"],
    "requests": ["requests"],
    "pillow": ["PIL.Image"],
    "lxml": ["lxml.etree", "lxml.html"],
    "cryptography": ["cryptography.fernet", "cryptography.x509"],
    "pydantic": ["pydantic"],
    "aiohttp": ["aiohttp"],
    "pandas": ["pandas"],
    "scipy": ["scipy.stats", "scipy.sparse.linalg"],
    "opencv-python-headless": ["cv2"],
    "onnxruntime": ["onnxruntime"],
    "matplotlib": ["matplotlib.pyplot"],
}

SKIPPED = 77

# Runs in the environment: where Python looks, without importing anything of the environment by name.
DESCRIBE = """
import glob, importlib.machinery, json, os, site, sys, sysconfig
folders = [f for f in sys.path if f]
standard = [f for f in folders if f in (sysconfig.get_path("stdlib"), os.path.join(sysconfig.get_path("stdlib"), "lib-dynload"))]
startup = []
for folder in folders:
    for pth in sorted(glob.glob(os.path.join(glob.escape(folder), "*.pth"))):
        startup += [line.rstrip() for line in open(pth, encoding="utf-8-sig") if line.startswith(("import ", "import\\t"))]
print(json.dumps({"version": "%d.%d" % sys.version_info[:2], "suffixes": importlib.machinery.EXTENSION_SUFFIXES,
                  "folders": folders, "standard": standard, "startup": startup}))
"""

# Runs in the environment: imports one module and tells what is there afterwards, with its file.
OBSERVE = """
import importlib, json, sys
executed = set()
def hook(event, arguments):
    if event == "exec": executed.add(getattr(arguments[0], "co_filename", ""))
    if event == "import" and arguments[1]: executed.add(arguments[1])
sys.addaudithook(hook)
importlib.import_module(sys.argv[1])
def origin(module):
    spec = getattr(module, "__spec__", None)
    return getattr(spec, "origin", None) or getattr(module, "__file__", None)
out = {}
for name, module in list(sys.modules.items()):
    try: out[name] = str(origin(module))
    except BaseException as e: out[name] = "None"
sys.__stdout__.write("\\n" + json.dumps({"modules": out, "executed": sorted(executed)}))
sys.__stdout__.flush()
import os
os._exit(0)
"""

TEMPORARY = ("source", "bytecode", "extension", "namespace")


def describe(python):
    run = subprocess.run([python, "-P", "-c", DESCRIBE], capture_output=True, text=True, check=True, cwd="/")
    return json.loads(run.stdout)


def observe(python, name):
    """Modules in sys.modules after the import, to their files; and all files that were executed or opened as modules: some
    modules put another one in their place."""
    run = subprocess.run([python, "-P", "-c", OBSERVE, name], capture_output=True, text=True, cwd="/")
    if run.returncode:
        raise SystemExit(f"{python}: import {name} fails:\n{run.stderr[-2000:]}")
    seen = json.loads(run.stdout.splitlines()[-1])
    return seen["modules"], set(seen["executed"])


def predict(program, python, name):
    facts = describe(python)
    command = [program, facts["version"]]
    for option in ("suffixes", "folders", "standard", "startup"):
        for value in facts[option]:
            command += ["--" + option, value]
    run = subprocess.run([*command, name], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"print_reach failed ({run.returncode}): {run.stderr}")
    modules = {}
    for line in run.stdout.splitlines():
        module, kind, certainty, file, importer, number = line.split("\t")
        modules[module] = {"kind": kind, "certainty": certainty, "file": file, "by": f"{importer}:{number}"}
    return modules, facts


def is_extension(file):
    return file.endswith(".so")


def share(found, all_of_them):
    return f"{len(found & all_of_them)}/{len(all_of_them)}"


def compare(program, python, name, verbose):
    """Names of modules that were called certain and are not true."""
    predicted, facts = predict(program, python, name)
    modules, executed = observe(python, name)
    standard = tuple(f + "/" for f in facts["standard"])
    site = [f for f in facts["folders"] if f not in facts["standard"]]
    ours = {
        m: f for m, f in modules.items()
        if f.startswith(tuple(s + "/" for s in site)) and not (f.startswith(standard) and "/site-packages/" not in f)
    }
    loaded = {m: p for m, p in predicted.items() if p["kind"] in TEMPORARY}
    certain = {m for m, p in loaded.items() if p["certainty"] == "certain"}
    wrong = sorted(m for m in certain if m not in modules or loaded[m]["file"] and loaded[m]["file"] not in executed | {modules[m]})
    lost = sorted(m for m, p in predicted.items() if p["kind"] in ("absent", "missing") and p["certainty"] == "certain")
    extensions = {m for m, f in ours.items() if is_extension(f)}
    sources = set(ours) - extensions
    print(
        f"{name}: certain {len(certain)}, wrong {len(wrong)}, falsely absent {len(lost)}; observed sources: certain {share(certain, sources)}, "
        f"any {share(set(loaded), sources)}; extensions: certain {share(certain, extensions)}, any {share(set(loaded), extensions)}; "
        f"predicted in all {len(loaded)}"
    )
    for m in wrong + lost:
        print(f"  wrong: {m} {predicted[m]} observed {ours.get(m)}")
    if verbose:
        for m in sorted(set(ours) - certain):
            print(f"  not certain: {m} {predicted.get(m, 'not foreseen')}")
    return wrong + lost


def make_environment(folder, requirement):
    python = folder / requirement / "bin" / "python"
    subprocess.run(["uv", "venv", "-q", folder / requirement], check=True)
    done = subprocess.run(["uv", "pip", "install", "-q", "--python", python, requirement])
    return str(python) if done.returncode == 0 else None


def compare_wheels(program, verbose):
    if not shutil.which("uv"):
        print("skipped: compare_imports needs uv")
        return SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for requirement, names in WHEELS.items():
            python = make_environment(Path(folder), requirement)
            if python is None:
                print(f"skipped: compare_imports cannot install {requirement} (is there a network?)")
                return SKIPPED
            for name in names:
                wrong += compare(program, python, name, verbose)
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reach", default="build/dev/whyso/process/print_reach", help="the program that predicts")
    parser.add_argument("--python", help="of an environment that is there already")
    parser.add_argument("--verbose", action="store_true", help="name what was observed and not called certain")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.python:
        return bool([w for name in options.names for w in compare(options.reach, options.python, name, options.verbose)])
    return compare_wheels(options.reach, options.verbose)


if __name__ == "__main__":
    sys.exit(main())
