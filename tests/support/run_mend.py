#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_mend.py WHYSO TARGET: takes from `whyso check TARGET --format json` the commands of the first fix of each error, shows them
and runs them as they stand. Exit 1 where there is none, or where one fails."""

import shlex
import subprocess
import sys

from findings import ask, mends, of_level


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    code, document = ask(sys.argv[1], "check", sys.argv[2])
    if document is None:
        print(f"no JSON from whyso (exit {code})", file=sys.stderr)
        return 1
    commands = [c for f in of_level(document, "error") for c in mends(f)]
    for command in commands:
        print("$", shlex.join(command), flush=True)
        if subprocess.run(command).returncode:
            return 1
    return 0 if commands else 1


if __name__ == "__main__":
    sys.exit(main())
