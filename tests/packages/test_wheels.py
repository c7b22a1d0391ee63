#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""test_wheels.py WHYSO FOLDER: small genuine wheels that contest a path, and wheels that look suspicious and are not. The truth is
asked of Python itself before whyso is. Where no wheels can be fetched all is skipped by name; LARGE_WHEELS=1 adds
environments of some hundred megabytes."""

import json
import os
import shutil
import sys
import unittest
from pathlib import Path

from wheel_environment import WheelEnvironment, why_no_wheels

import suite

WHYSO, FOLDER = os.path.abspath(sys.argv[1]), Path(os.path.abspath(sys.argv[2]))
del sys.argv[1:3]
shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
NO_WHEELS = why_no_wheels(FOLDER)
LOUD = ("error", "warning")


class WheelCase(unittest.TestCase):
    def environment(self, name, by="pip"):
        return WheelEnvironment(WHYSO, FOLDER, name, by)

    def loud(self, env, exit_code, *options):
        """The errors and warnings of an environment, whose exit code is checked."""
        code, findings = env.check(*options)
        loud = [f for f in findings if f["level"] in LOUD]
        self.assertEqual(code, exit_code, json.dumps(findings, indent=1))
        return loud

    def is_sound(self, env, *options):
        self.assertEqual(self.loud(env, 0, *options), [])

    def one(self, env, exit_code, code, level, *words):
        """The only loud finding of an environment, which has this code and level and says these words."""
        loud = self.loud(env, exit_code)
        self.assertEqual([(f["code"], f["level"]) for f in loud], [(code, level)], json.dumps(loud, indent=1))
        text = json.dumps(loud[0])
        for word in words:
            self.assertIn(word, text)
        return loud[0]

    def mends_only(self, env, finding, *pins):
        """Runs the mend, which names these pins and no other."""
        words = [w for command in env.mend(finding) for w in command]
        self.assertEqual(sorted(w for w in words if "==" in w), sorted(pins), words)


@unittest.skipIf(NO_WHEELS, NO_WHEELS)
class Twins(WheelCase):
    def rmm(self, by):
        env = self.environment(f"rmm-{by}", by)
        env.install("rmm-cu12==26.10.0")
        self.assertEqual(env.import_error("rmm"), "")
        self.is_sound(env)

        env.install("--no-deps", "librmm-cu13==26.10.0")
        self.assertEqual(env.import_error("rmm"), "")
        contested = self.one(env, 0, "SO203", "warning", "librmm.so", "librmm-cu12", "librmm-cu13", "26.10.0")
        self.assertNotIn("import", json.dumps(contested.get("breaks", [])))

        env.uninstall("librmm-cu13")
        self.assertIn("ImportError: librmm.so: cannot open shared object file", env.import_error("rmm"))
        gutted = self.one(env, 1, "SO102", "error", "librmm.so", "librmm-cu12")
        self.assertIn({"kind": "import", "name": "rmm"}, [{"kind": b["kind"], "name": b["name"]} for b in gutted["breaks"]])
        self.mends_only(env, gutted, "librmm-cu12==26.10.0")
        self.assertEqual(env.import_error("rmm"), "")
        self.is_sound(env)

    def test_rmm_by_pip(self):
        self.rmm("pip")

    @unittest.skipUnless(shutil.which("uv"), "no uv")
    def test_rmm_by_uv(self):
        self.rmm("uv")

    def test_nvtx(self):
        env = self.environment("nvtx")
        library = env.site / "nvidia/nvtx/lib/libnvToolsExt.so.1"
        env.install("nvidia-nvtx-cu12==12.8.90")
        self.is_sound(env)
        env.install("nvidia-nvtx-cu11==11.8.86")
        self.one(env, 0, "SO203", "warning", "libnvToolsExt.so.1", "nvidia-nvtx-cu12", "nvidia-nvtx-cu11")
        env.uninstall("nvidia-nvtx-cu11")
        self.assertFalse(library.exists())
        loud = [f for f in env.check()[1] if f["level"] in LOUD]
        self.assertEqual(len(loud), 1, json.dumps(loud, indent=1))
        self.assertIn(loud[0]["code"], ("SO102", "SO204"), "no import loads it: gutted, or a RECORD that is not true")
        self.mends_only(env, loud[0], "nvidia-nvtx-cu12==12.8.90")
        self.assertTrue(library.exists())
        self.is_sound(env)

    def test_tgcrypto(self):
        env = self.environment("tgcrypto")
        if "python3.11" not in env.site.parts:
            self.skipTest("the wheels of tgcrypto are for CPython 3.11")
        env.install("TgCrypto==1.2.5")
        self.is_sound(env)
        env.install("pytgcrypto==1.2.12")
        self.one(env, 0, "SO203", "warning", "tgcrypto.cpython-311", "pytgcrypto")
        env.uninstall("pytgcrypto")
        self.assertIn("No module named 'tgcrypto'", env.import_error("tgcrypto"))
        gutted = self.one(env, 1, "SO102", "error", "tgcrypto")
        env.mend(gutted)
        self.assertEqual(env.import_error("tgcrypto"), "")
        self.is_sound(env)


@unittest.skipIf(NO_WHEELS, NO_WHEELS)
class Suspicious(WheelCase):
    def test_metadata_only_packages_are_sound(self):
        env = self.environment("metadata-only")
        env.install("--no-deps", "cuda-toolkit==13.2.2", "bs4==0.0.2")
        self.is_sound(env)
        self.assertLessEqual({f["code"] for f in env.check()[1]}, {"SO201"})

    def test_a_library_found_in_another_distribution_is_sound_until_that_one_goes(self):
        env = self.environment("cmeel")
        env.install("--no-deps", "cmeel-urdfdom==6.0.0", "cmeel-console-bridge==1.0.2.3", "cmeel-tinyxml2==11.0.0")
        self.is_sound(env)
        env.uninstall("cmeel-console-bridge")
        said = json.dumps(env.check()[1])
        self.assertIn("libconsole_bridge.so.1.0", said)
        self.assertIn("SO101", said)


@unittest.skipIf(NO_WHEELS, NO_WHEELS)
class Damaged(WheelCase):
    def damaged(self, name):
        env = self.environment(name)
        env.install("nvidia-nvtx-cu12==12.8.90", "plyvel==1.5.1")
        self.is_sound(env)
        return env, next((env.site / "plyvel").glob("_plyvel*.so"))

    def is_named_and_mended(self, env):
        self.assertNotEqual(env.import_error("plyvel"), "")
        loud = self.loud(env, 1)
        self.assertIn("plyvel", json.dumps(loud[0]))
        env.mend(loud[0])
        self.assertEqual(env.import_error("plyvel"), "")
        self.is_sound(env)

    def test_a_deleted_file(self):
        env, library = self.damaged("deleted")
        library.unlink()
        self.is_named_and_mended(env)

    def test_a_file_cut_short(self):
        env, library = self.damaged("cut")
        os.truncate(library, 5000)
        self.is_named_and_mended(env)

    def test_changed_bytes_of_equal_size_are_found_by_a_full_look(self):
        env, library = self.damaged("changed")
        data = library.read_bytes()
        compiler = data.index(b"GCC: (")  # the comment section, which nothing reads
        library.write_bytes(data[:compiler] + b"g" + data[compiler + 1 :])
        self.assertEqual(env.import_error("plyvel"), "")
        loud = self.loud(env, 0, "--hash", "full")
        self.assertEqual([(f["code"], f["level"]) for f in loud], [("SO204", "warning")])


LARGE = os.environ.get("LARGE_WHEELS")


@unittest.skipIf(NO_WHEELS, NO_WHEELS)
@unittest.skipUnless(LARGE, "some hundred megabytes: set LARGE_WHEELS=1")
class Large(WheelCase):
    def sound(self, name, *packages):
        env = self.environment(name)
        env.install(*packages)
        self.is_sound(env)
        self.is_sound(env, "--hash", "full")
        return env

    def test_numpy_scipy_pandas(self):
        self.sound("scientific", "numpy", "scipy", "pandas")

    def test_onnxruntime(self):
        self.sound("onnxruntime", "onnxruntime")

    def test_opencv_headless_and_pillow(self):
        self.sound("pictures", "opencv-python-headless", "pillow")

    def test_opencv_twins(self):
        env = self.sound("opencv", "opencv-python-headless==4.12.0.88")
        env.install("--no-deps", "opencv-python==4.12.0.88")
        self.assertIn("SO203", [f["code"] for f in env.check()[1]])
        env.uninstall("opencv-python")
        self.assertNotEqual(env.import_error("cv2"), "")
        gutted = self.one(env, 1, "SO102", "error", "opencv-python-headless")
        env.mend(gutted)
        self.assertEqual(env.import_error("cv2"), "")
        self.is_sound(env)


if __name__ == "__main__":
    suite.main()
