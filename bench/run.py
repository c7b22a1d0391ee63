#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py WHYSO ENV [--runs N] [--hash-runs N]: what whyso costs on an environment, as ratios to what others need for the same work,
measured in one run by turns, so that the state of the machine falls out. Warm cache. Prints a table; README.md says what it means.
Works in build/bench. Needs g++, openssl, and libtree where the resolver is to be compared."""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE.parent / "build/bench"
VARIABLES = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": os.environ.get("HOME", "/")}


def once(command):
    """-> seconds from start to exit, peak memory in MB (of the largest process), exit code; what it prints is thrown away"""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, env=VARIABLES)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - start, usage.ru_maxrss / 1024, child.returncode


class Contest:
    """Commands that run by turns; each is compared with the first."""

    def __init__(self, title, runs):
        self.title, self.runs, self.commands, self.seen = title, runs, {}, {}

    def add(self, name, command):
        self.commands[name], self.seen[name] = [str(c) for c in command], []

    def run(self):
        for command in self.commands.values():
            once(command)
        for _ in range(self.runs):
            for name, command in self.commands.items():
                self.seen[name].append(once(command))
        self.show()

    def show(self):
        print(f"\n{self.title} ({self.runs} runs by turns)")
        print(f"  {'':<34} {'min ms':>9} {'median ms':>10} {'peak MB':>8} {'exit':>5}   of the first: min, median")
        first = next(iter(self.seen.values()))
        base = min(s for s, _, _ in first), statistics.median(s for s, _, _ in first)
        for name, seen in self.seen.items():
            low, middle = min(s for s, _, _ in seen), statistics.median(s for s, _, _ in seen)
            peak, codes = max(m for _, m, _ in seen), sorted({c for _, _, c in seen})
            print(
                f"  {name:<34} {low * 1e3:>9.1f} {middle * 1e3:>10.1f} {peak:>8.1f} {','.join(map(str, codes)):>5}"
                f"   {low / base[0]:>6.2f} {middle / base[1]:>6.2f}"
            )


def prepare(env):
    """Builds the floor and the lists it reads."""
    WORK.mkdir(parents=True, exist_ok=True)
    floor = WORK / "floor"
    subprocess.run(["g++", "-O2", "-std=c++17", "-w", "-o", floor, HERE / "floor.cc"], check=True)
    said = subprocess.run([sys.executable, HERE / "mklists.py", env, WORK], check=True, capture_output=True, text=True).stdout
    print(said.rstrip())
    return floor


def lines(name):
    return (WORK / name).read_text().splitlines()


def in_equal_shares(paths, shares):
    """Largest first, each to the share that is smallest so far; so all cores end together."""
    parts = [[0, []] for _ in range(shares)]
    for size, path in sorted(((os.path.getsize(p), p) for p in paths), reverse=True):
        smallest = min(parts, key=lambda part: part[0])
        smallest[0] += size
        smallest[1].append(path)
    return [part[1] for part in parts]


def all_cores_command():
    """The files that RECORDs give a sha256 for, through openssl on every core at once."""
    cores = os.cpu_count()
    paths = sorted({line.split("  ", 1)[1] for line in lines("rechash.txt") if os.path.isfile(line.split("  ", 1)[1])})
    for i, share in enumerate(in_equal_shares(paths, cores)):
        (WORK / f"share{i}").write_bytes(b"".join(os.fsencode(p) + b"\0" for p in share))
    one = "xargs -0 openssl dgst -sha256 <{}/share{}"
    return ["sh", "-c", " & ".join(one.format(WORK, i) for i in range(cores)) + " & wait"]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("whyso")
    options.add_argument("env")
    options.add_argument("--runs", type=int, default=21)
    options.add_argument("--hash-runs", type=int, default=3)
    options.add_argument("--soname", default="libcudnn.so.9")
    o = options.parse_args()
    whyso, env = os.path.abspath(o.whyso), os.path.abspath(o.env)
    floor = prepare(env)

    check = Contest("check, against one thread that reads the same and concludes nothing", o.runs)
    check.add("floor all", [floor, "all", WORK / "shared.txt", WORK / "recfiles.txt", WORK / "records.txt"])
    check.add("whyso check", [whyso, "check", env])
    check.add("whyso check --format json", [whyso, "check", env, "--format", "json"])
    check.run()

    resolver = Contest("one question to the resolver, against libtree given all files in one call", o.runs)
    if shutil.which("libtree"):
        resolver.add("libtree, all files", [shutil.which("libtree"), *lines("dyn.txt")])
    else:
        print("\nlibtree is not installed: nothing to compare the resolver with")
    resolver.add(f"whyso why {o.soname}", [whyso, "why", o.soname, env])
    resolver.add(f"whyso provides {o.soname}", [whyso, "provides", o.soname, env])
    resolver.run()

    if o.hash_runs:
        hashing = Contest("all hashes, against openssl on every core", o.hash_runs)
        hashing.add("openssl dgst -sha256", all_cores_command())
        hashing.add("whyso check --hash full", [whyso, "check", env, "--hash", "full"])
        hashing.run()


if __name__ == "__main__":
    main()
