#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The judge can pass and can fail: a fake whyso answers some cases rightly and some wrongly.

test_judge.py [OUT]: with OUT (built by build_cases.py) seven fakes also sit the whole suite: a model pupil, "always sound",
"always alarm", an echo of the loader's error line, codes without culprit, culprit without mend, a mend that reinstalls everything."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "support")]
import judge
import suite

OUT = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 and os.path.isdir(sys.argv[1]) else None
FAKE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void) {            /* ANSWERS/<case>: first line the exit code, the rest is printed; "hang", "abort" do so */
  char cwd[4096], path[8192], line[64]; if (!getcwd(cwd, sizeof cwd)) return 9;
  snprintf(path, sizeof path, "%s/%s", ANSWERS, strrchr(cwd, '/') + 1);
  FILE *f = fopen(path, "r"); if (!f || !fgets(line, sizeof line, f)) return 99;
  if (!strncmp(line, "hang", 4)) sleep(60);
  if (!strncmp(line, "abort", 5)) abort();
  for (int c; (c = fgetc(f)) != EOF;) putchar(c);
  return atoi(line); }
"""


class Fake:
    """A static program, so that the LD_PRELOAD and LD_LIBRARY_PATH of the cases do not reach it."""

    def __init__(self, folder):
        self.answers = Path(folder) / "answers"
        self.answers.mkdir()
        self.exe = str(Path(folder) / "fake-whyso")
        source = Path(folder) / "fake.c"
        source.write_text(FAKE)
        subprocess.run(["gcc", "-static", "-O1", "-w", f'-DANSWERS="{self.answers}"', "-o", self.exe, str(source)], check=True)

    def say(self, case, code, document):
        (self.answers / case).write_text(f"{code}\n" + (document if isinstance(document, str) else json.dumps(document)))


def finding(code, text, level="error", fix=None, **kw):
    return {"code": code, "level": level, "message": text, "fixes": [{"commands": [fix.split()]}] if fix else [], "rendered": "", **kw}


def doc(*f):
    return {"schema_version": "1", "findings": list(f), "summary": {}}


FAULT = {
    "report": 1,
    "kind": "K01",
    "argv": ["check", "{env}", "--format", "json"],
    "env": {"LD_LIBRARY_PATH": "{site}/x"},
    "exit": [1],
    "codes_any": ["SO101", "SO4xx"],
    "mentions_all": ["libx.so.1", "nvidia-x-cu12"],
    "mentions_any": [["libx.so.2", "other"]],
    "not_codes": ["SO102"],
    "fix_mentions": [["nvidia-x-cu12"], ["reinstall", "x"]],
    "level": "warning",
    "why": "w",
}
HEALTHY = {
    "report": 1,
    "kind": "K01",
    "argv": ["check", "{env}"],
    "env": {},
    "healthy": True,
    "exit": [0],
    "not_codes": ["SO101"],
    "why": "w",
}
RIGHT = finding("SO101", "libx.so.1 of nvidia_x_cu12 is missing, libx.so.2 is there", fix="pip install nvidia-x-cu12")


def run_judge(*argv):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = judge.main(list(argv))
    return code, out.getvalue(), err.getvalue()


class Judge(unittest.TestCase):
    def status(self, x, code, *f):
        return judge.judge(x, code, doc(*f))

    def test_missing_program_cases_and_wrong_usage(self):
        with tempfile.TemporaryDirectory() as t:
            code, _, err = run_judge(f"{t}/no-such-whyso", t)
            self.assertEqual(code, 2)
            self.assertIn("whyso is missing", err)
            code, _, err = run_judge("/bin/true", t)
            self.assertEqual(code, 2)
            self.assertIn("no such cases", err)
            self.assertEqual(run_judge("x")[0], 2)

    def test_right_needs_everything(self):
        self.assertEqual(self.status(FAULT, 1, RIGHT), ("right", []))
        self.assertEqual(self.status(FAULT, 1, {**RIGHT, "code": "SO401"})[0], "right")
        text = RIGHT["message"]
        for bad in (
            {"message": text.replace("libx.so.1", "liby")},
            {"message": text.replace("libx.so.2", "")},
            {"fixes": [{"commands": [["pip", "install", "y"]]}]},
            {"fixes": []},
        ):
            self.assertEqual(self.status(FAULT, 1, {**RIGHT, **bad})[0], "partly", bad)
        self.assertEqual(self.status(FAULT, 0, RIGHT)[0], "partly")
        self.assertEqual(self.status(FAULT, 1, RIGHT, finding("SO102", "gutted"))[0], "partly")
        self.assertEqual(self.status(FAULT, 1, RIGHT, finding("SO102", "gutted", "note"))[0], "right")
        self.assertEqual(self.status(FAULT, 1, {**RIGHT, "level": "note"})[0], "wrong")
        self.assertEqual(self.status(FAULT, 1, finding("SO301", text))[0], "wrong")
        self.assertEqual(self.status(FAULT, 0)[0], "wrong")

    def test_mentions_stand_in_one_finding_unless_union(self):
        a, b = finding("SO101", "libx.so.1 other", fix="reinstall x"), finding("SO101", "nvidia-x-cu12 libx.so.2")
        self.assertEqual(self.status(FAULT, 1, a, b)[0], "partly")
        self.assertEqual(self.status({**FAULT, "union": True}, 1, a, b)[0], "right")

    def test_once_also_never_pattern(self):
        self.assertEqual(self.status({**FAULT, "once": True}, 1, RIGHT, RIGHT)[0], "partly")
        self.assertEqual(self.status({**FAULT, "once": True}, 1, RIGHT, {**RIGHT, "level": "note"})[0], "right")
        x = {**FAULT, "also": [{"codes_any": ["SO301"], "mentions_all": ["sym"], "level": "note"}]}
        self.assertEqual(self.status(x, 1, RIGHT)[0], "partly")
        self.assertEqual(self.status(x, 1, RIGHT, finding("SO301", "sym", "note"))[0], "right")
        self.assertEqual(self.status({**FAULT, "fix_never": ["nvidia-x"]}, 1, RIGHT)[0], "partly")
        x = {**FAULT, "mentions_any": [[r"re:libcuda\.so(?![.\w])"]]}
        self.assertEqual(self.status(x, 1, {**RIGHT, "because": "libcuda.so.1"})[0], "partly")
        self.assertEqual(self.status(x, 1, {**RIGHT, "because": "asks for libcuda.so"})[0], "right")

    def test_a_fix_must_not_name_everything(self):
        x = {**FAULT, "distributions": ["nvidia-x-cu12", "torch", "numpy", "x"]}
        all_of_them = {"fixes": [{"commands": [["pip", "install", "--force-reinstall", "nvidia_x-cu12==1.0", "torch==2", "NumPy", "x"]]}]}
        self.assertEqual(self.status(x, 1, {**RIGHT, **all_of_them}), ("partly", ["the fix names every one of the 4 distributions"]))
        self.assertEqual(self.status({**x, "distributions": [*x["distributions"], "scipy"]}, 1, {**RIGHT, **all_of_them})[0], "right")

    def test_fix_may_stand_in_rendered(self):
        self.assertEqual(
            self.status(FAULT, 1, {**RIGHT, "fixes": [], "rendered": "error\n  who nvidia\n  fix      pip install nvidia-x-cu12\n"})[0],
            "right",
        )
        self.assertEqual(self.status(FAULT, 1, {**RIGHT, "fixes": [], "rendered": "error\n  who      nvidia-x-cu12\n"})[0], "partly")

    def test_healthy(self):
        self.assertEqual(self.status(HEALTHY, 0), ("right", []))
        self.assertEqual(self.status(HEALTHY, 0, finding("SO101", "", "note"), finding("SO202", "", "warning"))[0], "right")
        self.assertEqual(self.status(HEALTHY, 0, finding("SO101", "", "warning"))[0], "false alarm")
        self.assertEqual(self.status(HEALTHY, 1, finding("SO999", ""))[0], "false alarm")
        self.assertEqual(self.status(HEALTHY, 3)[0], "false alarm")

    def test_findings_anywhere_in_the_document(self):
        nested = {"plan": {"findings": [finding("SO603", "", children=[finding("SO203", "")])]}, "rule": {"code": "SO1"}}
        self.assertEqual([f["code"] for f in judge.findings(nested)], ["SO603"])

    def test_whole_runs(self):
        old, judge.TIMEOUT = judge.TIMEOUT, 1
        self.addCleanup(setattr, judge, "TIMEOUT", old)
        with tempfile.TemporaryDirectory() as t:
            fake, out = Fake(t), Path(t) / "out"
            for i in range(40):
                for name, x, code, answer in (
                    (f"c{i:02d}", {**FAULT, "report": i + 1, "kind": f"K{i % 4 + 1:02d}"}, 1, doc(RIGHT)),
                    (f"c{i:02d}-ok", HEALTHY, 0, doc()),
                ):
                    (out / name / "env/lib/python3.11").mkdir(parents=True)
                    (out / name / "home").mkdir()
                    (out / name / "expect.json").write_text(json.dumps(x))
                    fake.say(name, code, answer)

            def result(*argv):
                code, text, _ = run_judge(fake.exe, str(out), *argv)
                return code, text.splitlines()[-1]

            self.assertEqual(result(), (0, "40 of 40 right, 0 false alarms"))
            fake.say("c00", 0, doc())
            fake.say("c04", 1, doc({**RIGHT, "fixes": []}))
            self.assertEqual(result(), (0, "38 of 40 right, 0 false alarms"))  # 95 %
            self.assertEqual(result("--kind", "k01"), (1, "8 of 10 right, 0 false alarms"))
            fake.say("c01", 1, doc())
            self.assertEqual(result(), (1, "37 of 40 right, 0 false alarms"))
            fake.say("c01", 1, doc(RIGHT))
            fake.say("c09-ok", 1, doc(RIGHT))
            self.assertEqual(result(), (1, "38 of 40 right, 1 false alarms"))
            fake.say("c09-ok", 0, doc())
            for name, (code, answer) in {
                "c05": ("hang", ""),
                "c06": ("abort", ""),
                "c07": (1, "sound\n"),
                "c08": (70, doc(RIGHT)),
                "c10": (2, doc(RIGHT)),
            }.items():
                fake.say(name, code, answer)
            self.assertEqual(result("--json", f"{t}/r.json"), (1, "33 of 40 right, 0 false alarms"))
            r = judge.load(f"{t}/r.json")
            self.assertEqual({r[n]["status"] for n in ("c05", "c06", "c07", "c08", "c10")}, {"crash"})
            self.assertEqual((r["c00"]["status"], r["c04"]["status"]), ("wrong", "partly"))
            (out / "skipped.json").write_text('{"c99": "needs root"}')
            self.assertIn("1 worlds were skipped", run_judge(fake.exe, str(out), "--case", "c2")[1])


def model(x, culprit=True, mend=True, whole_environment=False):
    """What a pupil says who has read expect.json."""
    if x.get("healthy"):
        return 0, doc()

    def answer(b):
        code = next(c.replace("xx", "99") for c in b["codes_any"] if not judge.is_code(c, b.get("not_codes", [])))
        words = [
            w.replace("re:", "").replace("\\", "").split("(?!")[0]
            for w in [*b.get("mentions_all", []), *(g[0] for g in b.get("mentions_any", []))]
        ]
        fix = " ".join(b["fix_mentions"][0]) if b.get("fix_mentions") and mend else None
        if whole_environment:
            fix = "pip install --force-reinstall " + " ".join([*x["distributions"], fix or ""])
        return finding(code, " ; ".join(words) if culprit else "something is broken", b.get("level", "warning"), fix)

    return max(x["exit"]), doc(answer(x), *map(answer, x.get("also", [])))


def echo(n, x):
    """Repeats the loader's own error line: no owner, no cause, no mend."""
    bad = [r for r in judge.load(OUT, n, "truth.json")["runs"] if r["exit"]]
    if not bad or x.get("healthy"):
        return 0, doc()
    line = bad[0].get("matched") or bad[0]["last"]
    return 1, doc(finding("SO301" if "undefined symbol" in line else "SO302" if "version `" in line else "SO101", line))


@unittest.skipUnless(OUT, "no built suite given")
class Suite(unittest.TestCase):
    def sit(self, answer):
        """-> exit code of the judge, cases right, cases, false alarms"""
        with tempfile.TemporaryDirectory() as t:
            fake = Fake(t)
            for p in Path(OUT).glob("*/expect.json"):
                fake.say(p.parent.name, *answer(p.parent.name, json.loads(p.read_text())))
            code, text, _ = run_judge(fake.exe, OUT)
            words = text.splitlines()[-1].split()
            return code, int(words[0]), int(words[2]), int(words[4]), text

    def test_model_pupil_passes(self):
        code, right, cases, alarms, text = self.sit(lambda n, x: model(x))
        self.assertEqual((code, right, alarms), (0, cases, 0), text)

    def test_always_sound_fails(self):
        code, right, _, _, _ = self.sit(lambda n, x: (0, doc()))
        self.assertEqual(code, 1)
        negative = sum(bool(json.loads(p.read_text()).get("counts")) for p in Path(OUT).glob("*/expect.json"))
        self.assertEqual(right, negative)

    def test_always_alarm_fails(self):
        codes = [f"SO{h}{i:02d}" for h in range(1, 8) for i in range(1, 8)]
        code, right, _, alarms, _ = self.sit(lambda n, x: (1, doc(*[finding(c, "broken") for c in codes])))
        self.assertEqual((code, right), (1, 0))
        self.assertGreater(alarms, 80)

    def test_echo_of_the_error_line_fails(self):
        code, right, cases, _, text = self.sit(echo)
        self.assertEqual(code, 1)
        self.assertLess(right, 0.1 * cases, text)

    def test_codes_without_culprit_fail(self):
        code, right, _, _, text = self.sit(lambda n, x: model(x, culprit=False, mend=False))
        self.assertEqual(code, 1)
        self.assertLessEqual(right, 1, text)

    def test_culprit_without_mend_fails(self):
        code, right, cases, _, _ = self.sit(lambda n, x: model(x, mend=False))
        self.assertEqual(code, 1)
        self.assertLess(right, 0.25 * cases)

    def test_reinstalling_everything_fails(self):
        code, right, cases, _, text = self.sit(lambda n, x: model(x, whole_environment=True))
        self.assertEqual(code, 1)
        self.assertLess(right, 0.8 * cases, text)


if __name__ == "__main__":
    suite.main()
