#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""validate.py WHYSO FOLDER: a real validator (the jsonschema package) holds every kind of document that whyso writes against
what `whyso schema VERB` says of it, on a sound and on a broken small environment made in FOLDER; and the schema refuses documents that lack
something, so that passing means something. Where python's jsonschema is missing all is skipped by name."""

import copy
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "faults")]
import suite

try:
    import jsonschema
except ImportError:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])  # Debian's has Debian's packages
    jsonschema = None

WHYSO, FOLDER = (os.path.abspath(a) for a in sys.argv[1:3])
del sys.argv[1:3]


def say(*arguments):
    run = subprocess.run([WHYSO, *arguments, "--format", "json"], capture_output=True, text=True)
    return run.returncode, run.stdout


def make_environment(name, broken):
    """A virtual environment with one distribution; broken: the only file of it is gone."""
    env = Path(FOLDER, name)
    shutil.rmtree(env, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(env)], check=True)
    site = next(env.glob("lib/python3.*/site-packages"))
    info = site / "thing-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thing\nVersion: 1.0\n")
    (info / "INSTALLER").write_text("pip\n")
    native = next(Path("/usr/lib").glob("*-linux-gnu/libm.so.6")).resolve()
    (info / "RECORD").write_text(
        "thing/__init__.py,,\nthing/libthing.so.1,,\nthing-1.0.dist-info/METADATA,,\n"
        "thing-1.0.dist-info/INSTALLER,,\nthing-1.0.dist-info/RECORD,,\n"
    )
    if not broken:
        (site / "thing").mkdir()
        (site / "thing/__init__.py").write_text("")
        shutil.copy(native, site / "thing/libthing.so.1")
    return str(env)


@unittest.skipUnless(jsonschema, "no python with the package jsonschema")
class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sound, cls.broken = make_environment("sound", False), make_environment("broken", True)

    def validator(self, verb):
        run = subprocess.run([WHYSO, "schema", verb], capture_output=True, text=True, check=True)
        schema = json.loads(run.stdout)
        kind = jsonschema.validators.validator_for(schema, default=None)
        self.assertIsNotNone(kind, "the schema does not say which draft it follows")
        kind.check_schema(schema)
        return kind(schema)

    def document(self, verb, *arguments):
        """What the verb answers, which its schema takes."""
        code, text = say(verb, *arguments)
        self.assertIn(code, (0, 1), text)
        document = json.loads(text)
        self.validator(verb).validate(document)
        return document

    def test_check_of_a_sound_environment(self):
        document = self.document("check", self.sound)
        self.assertEqual([f for f in document["findings"] if f["level"] != "note"], [])

    def test_check_of_a_broken_environment(self):
        self.assertTrue(self.document("check", self.broken)["findings"])

    def test_why(self):
        for query in ("libthing.so.1", "thing", "libc.so.6"):
            with self.subTest(query):
                self.document("why", query, self.sound)

    def test_provides(self):
        for query in ("libthing.so.1", "libGL.so.1"):
            with self.subTest(query):
                self.document("provides", query, self.sound)

    def test_loads(self):
        (one,) = self.document("loads", self.sound)["imports"]
        self.assertEqual((one["name"], one["ok"], one["error"]), ("thing", True, None))
        (two,) = self.document("loads", "--import", "nothing", self.sound)["imports"]
        self.assertEqual((two["ok"], two["error"]), (False, "ModuleNotFoundError: No module named 'nothing'"))

    def test_list(self):
        for env in (self.sound, self.broken):
            for kind in ("packages", "libs", "clashes", "orphans"):
                with self.subTest(kind):
                    self.document("list", kind, env)
        (row,) = self.document("list", "packages", "--gutted", self.broken)["rows"]
        self.assertEqual((row["name"], row["state"]), ("thing", "gutted"))

    def test_plan(self):
        for env in (self.sound, self.broken):
            with self.subTest(env):
                plan = self.document("plan", "uninstall", "thing", "-t", env)["plan"]
                self.assertEqual([each["name"] for each in plan["packages"]], ["thing"])

    def test_rule(self):
        self.document("rule", "--list")
        self.document("rule", "SO102")

    def test_config(self):
        self.document("config")

    def test_the_schema_refuses_what_lacks_something(self):
        document, validator = self.document("check", self.broken), self.validator("check")
        for key in ("schema_version", "tool", "findings"):
            with self.subTest(key):
                lacking = copy.deepcopy(document)
                del lacking[key]
                self.assertFalse(validator.is_valid(lacking))
        for key in ("code", "level", "message"):
            with self.subTest("finding", key=key):
                lacking = copy.deepcopy(document)
                del lacking["findings"][0][key]
                self.assertFalse(validator.is_valid(lacking))
        wrong = copy.deepcopy(document)
        wrong["findings"][0]["level"] = "terrible"
        self.assertFalse(validator.is_valid(wrong))


if __name__ == "__main__":
    os.makedirs(FOLDER, exist_ok=True)
    suite.main()
