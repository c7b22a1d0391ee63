# SPDX-License-Identifier: Apache-2.0
"""What the checks of sources share: the list of files, and a text without comments and literals. Knows no rule."""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

NOT_CODE = re.compile(
    r'(?P<keep>^[ \t]*#[ \t]*include[^\n]*)'
    r'|//[^\n]*|/\*.*?\*/'
    r'|R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'"
    r"|(?P<separator>(?<=[0-9A-Fa-f])'(?=[0-9A-Fa-f]))",
    re.S | re.M,
)


def code_of(text):
    """The text with comments gone and literals emptied; every line keeps its number."""

    def replace(match):
        if match["keep"]:
            return match["keep"]
        body = match[0]
        if body.startswith(("//", "/*")) or match["separator"]:
            return "\n" * body.count("\n")
        quote = "'" if body.startswith("'") else '"'
        return quote + "0" * (quote == "'") + quote + "\n" * body.count("\n")

    return NOT_CODE.sub(replace, text)


def sources(root, *folders):
    """Paths of the C++ files under the folders, relative to root, sorted."""
    found = []
    for folder in folders:
        for where, _, names in os.walk(os.path.join(root, folder)):
            found += [os.path.relpath(os.path.join(where, n), root) for n in names if n.endswith((".h", ".cc"))]
    return sorted(found)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def report(what, checked, problems):
    """Prints the problems and a closing line; -> exit code. Having had nothing to look at is a failure."""
    for problem in problems:
        print(problem)
    print(f"{what}: {checked} files, {len(problems)} problems")
    return 1 if problems or not checked else 0


def root_argument():
    """The tree to check: the first argument, or the one this file stands in."""
    return os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else ROOT
