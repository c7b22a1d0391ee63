#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_loads.py WHYSO FOLDER: three small environments of genuine wheels: what their imports really load is foretold, with the
right paths (compare_loads.py tells how that is judged); and an import that fails is foretold in Python's words. Where no wheels can
be fetched all is skipped by name."""

import os
import shutil
import sys
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "packages"), os.path.join(HERE, "..", "support")]
import compare_loads
import suite
from wheel_environment import WheelEnvironment, why_no_wheels

WHYSO, FOLDER = os.path.abspath(sys.argv[1]), Path(os.path.abspath(sys.argv[2]))
del sys.argv[1:3]
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
NO_WHEELS = why_no_wheels(FOLDER)


@unittest.skipIf(NO_WHEELS, NO_WHEELS)
class Loads(unittest.TestCase):
    def compare(self, name, packages, imports):
        env = WheelEnvironment(WHYSO, FOLDER, name)
        env.install(*packages)
        total, faults = compare_loads.judge(compare_loads.compare_all(WHYSO, str(env.folder), imports))
        self.assertEqual(faults, [], total)
        self.assertGreater(total["observed"], 0)
        return env

    def test_numbers(self):
        self.compare("numbers", ["numpy"], [["numpy"], ["numpy.random"], ["numpy.linalg", "numpy.fft"]])

    def test_libraries_beside_packages(self):
        self.compare("geo", ["shapely", "psycopg2-binary"], [["shapely"], ["psycopg2"], ["shapely", "psycopg2"]])

    def test_an_import_that_fails(self):
        env = self.compare("pictures", ["pillow", "lxml"], [["PIL.Image"], ["PIL._imaging"]])
        (library,) = env.site.glob("pillow.libs/libjpeg*")
        library.unlink()
        (one,) = compare_loads.predict(WHYSO, str(env.folder), ["PIL._imaging"])
        self.assertFalse(one["ok"])
        self.assertEqual(one["error"], env.import_error("PIL._imaging"))
        (two,) = compare_loads.predict(WHYSO, str(env.folder), ["nothing.at_all"])
        self.assertEqual(two["error"], env.import_error("nothing.at_all"))


if __name__ == "__main__":
    suite.main()
