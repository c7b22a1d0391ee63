# SPDX-License-Identifier: Apache-2.0
"""Runs the unittest cases of the calling script; names what was skipped and closes with `N passed, N failed, N skipped`.
Exit 0, 1 where one failed, 77 where all were skipped."""

import sys
import unittest


def main():
    result = unittest.main(exit=False, verbosity=0).result
    broken = len({getattr(case, "test_case", case).id() for case, _ in result.failures + result.errors})
    for case, reason in result.skipped:
        print(f"skipped {case.id().removeprefix('__main__.')}: {reason}")
    passed = max(0, result.testsRun - broken - len(result.skipped))
    print(f"{passed} passed, {broken} failed, {len(result.skipped)} skipped")
    sys.exit(1 if broken or not result.testsRun else 0 if passed else 77)
