#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""judge_done.py WHYSO OUT: judges the kinds that done.txt lists, and the healthy worlds of all kinds: no kind that is not done yet
may raise a false alarm. Closes with `N passed, N failed, N skipped`; what was skipped is a fault that is not asked for yet, or
a world that could not be built here."""

import concurrent.futures
import os
import sys
from pathlib import Path

import judge

DONE = Path(__file__).parent / "done.txt"


def read_done():
    """-> the kinds that are done, {case that is left: why}"""
    kinds, left = set(), {}
    for line in DONE.read_text().splitlines():
        words = line.split(None, 2)
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "leave":
            left[words[1]] = words[2]
        else:
            kinds.add(words[0])
    return kinds, left


def why_not_asked(name, case, kinds, left):
    """The reason why a case is not judged, or None."""
    if name in left:
        return left[name]
    return None if case.get("healthy") or case["kind"] in kinds else f"kind {case['kind']} is not done"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    whyso, out = judge.find_program(sys.argv[1]), sys.argv[2]
    kinds, left = read_done()
    cases = {n: judge.load(out, n, "expect.json") for n in sorted(os.listdir(out)) if os.path.exists(os.path.join(out, n, "expect.json"))}
    if not whyso or not cases or not kinds <= {c["kind"] for c in cases.values()} or not left.keys() <= cases.keys():
        print("the program or the cases are missing, or done.txt names what does not exist", file=sys.stderr)
        return 2
    not_built = judge.load(out, "skipped.json")
    reasons = {n: why_not_asked(n, c, kinds, left) for n, c in cases.items()}
    asked = [n for n in cases if reasons[n] is None]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(asked, pool.map(lambda n: judge.run(whyso, os.path.join(out, n), cases[n]), asked)))
    for name, reason in {**not_built, **{n: r for n, r in reasons.items() if r}}.items():
        print(f"skipped {name}: {reason}")
    wrong = {n: r for n, r in results.items() if r[0] != "right"}
    for name, (status, why, _) in wrong.items():
        print(f"{status} {name}: {'; '.join(why)} (truth: {cases[name]['why']})")
    print(f"{len(asked) - len(wrong)} passed, {len(wrong)} failed, {len(cases) - len(asked) + len(not_built)} skipped")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
