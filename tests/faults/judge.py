#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges whyso on the fault cases: judge.py WHYSO OUT [--kind K05] [--case NAME] [-v] [--json FILE]

Runs `WHYSO <argv of expect.json>` in each OUT/NAME (a clean environment plus the case's variables, 10 s each) and compares the
findings in its JSON with expect.json. --kind and --case (a beginning of names) select. -v: all cases, and what whyso said.
Exit 0: at least 95 % of the cases right and no false alarm; 1: not so; 2: whyso or the cases are missing, or wrong usage.

  right        a finding of an accepted code names the culprit and the mend, the exit code fits, nothing wrong is said besides
  partly       the code is right, the culprit or the mend is missing (or the exit code, or a wrong finding stands beside it)
  wrong        no finding of an accepted code
  crash        signal, time-out, exit 2 or 70, or no JSON
  false alarm  on a healthy world: any error, or a warning of the codes in question, or an exit code other than 0
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys

TIMEOUT, GOAL = 10, 0.95
RANK = {"error": 3, "warning": 2, "note": 1, "info": 1}


def load(*path):
    with open(os.path.join(*path)) as f:
        return json.load(f)


def leaves(x):
    """All strings and numbers in a JSON value."""
    if isinstance(x, dict):
        for v in x.values():
            yield from leaves(v)
    elif isinstance(x, list):
        for v in x:
            yield from leaves(v)
    elif x is not None and not isinstance(x, bool):
        yield str(x)


def findings(x):
    """Every object with a code SOnnn and a level, wherever the document keeps it; the children of a finding belong to it."""
    if isinstance(x, dict):
        if isinstance(x.get("code"), str) and re.fullmatch(r"SO\d{3}", x["code"]) and "level" in x:
            yield x
            return
        for v in x.values():
            yield from findings(v)
    elif isinstance(x, list):
        for v in x:
            yield from findings(v)


def is_code(code, patterns):
    """SO1xx stands for the family."""
    return any(code == p or p.endswith("xx") and code.startswith(p[:3]) for p in patterns)


def rank(finding):
    return RANK.get(str(finding.get("level")).lower(), 1)


def says(text, wanted):
    """`re:` begins a pattern; else case is ignored, and _ is -."""
    if wanted.startswith("re:"):
        return re.search(wanted[3:], text) is not None
    return wanted.lower().replace("_", "-") in text.lower().replace("_", "-")


def names(text, distribution):
    """Is a distribution named, and not only a longer name that begins or ends so?"""
    spelled = "[-_.]".join(map(re.escape, distribution.split("-")))
    return re.search(rf"(?i)(?<![\w.-]){spelled}(?![\w-])", text) is not None


def fix_text(finding):
    """The mends of a finding: `fixes`, each command also as one line, and the lines of `rendered` from `fix` on."""
    out = list(leaves(finding.get("fixes", [])))
    for fix in finding.get("fixes") or []:
        for command in (fix.get("commands") or []) if isinstance(fix, dict) else []:
            out.append(" ".join(map(str, command)) if isinstance(command, list) else str(command))
    lines = str(finding.get("rendered", "")).splitlines()
    first = next((i for i, l in enumerate(lines) if re.match(r"\s*(fix|or|instead|safer)\b", l)), len(lines))
    return "\n".join(out + lines[first:])


def shortcomings(group, x):
    """What a group of findings, taken together, lacks of an expectation."""
    text = "\n".join(t for f in group for t in leaves(f))
    fixes = "\n".join(fix_text(f) for f in group)
    bad = [f"does not mention {w}" for w in x.get("mentions_all", []) if not says(text, w)]
    bad += [f"mentions none of {', '.join(ws)}" for ws in x.get("mentions_any", []) if not any(says(text, w) for w in ws)]
    wanted = x.get("fix_mentions")
    if wanted and not any(all(says(fixes, w) for w in ws) for ws in wanted):
        bad.append("no fix mentions " + " or ".join(" + ".join(ws) for ws in wanted))
    commands = "\n".join(t for f in group for t in leaves(f.get("fixes", [])))
    everything = x.get("distributions", [])
    if len(everything) > 3 and all(names(commands, d) for d in everything):
        bad.append(f"the fix names every one of the {len(everything)} distributions")
    return bad + [f"the fix mentions {w}" for w in x.get("fix_never", []) if says(commands, w)]


def compare(said, x):
    """-> what the findings lack of one expectation ([]: nothing); None: no finding of an accepted code and level"""
    fit = [
        f
        for f in said
        if is_code(f["code"], x["codes_any"])
        and not is_code(f["code"], x.get("not_codes", []))
        and rank(f) >= RANK[x.get("level", "warning")]
    ]
    if not fit:
        return None
    bad = min((shortcomings(g, x) for g in ([fit] if x.get("union") else [[f] for f in fit])), key=len)
    loud = sum(rank(f) >= 2 for f in fit)
    return bad + ([f"{loud} findings for one cause"] if x.get("once") and loud > 1 else [])


def short(f):
    return f"{f['level']} {f['code']}: {str(f.get('message', ''))[:120]}"


def judge(x, code, document):
    """-> status, reasons"""
    said = list(findings(document))
    if x.get("healthy"):
        bad = [short(f) for f in said if rank(f) == 3 or rank(f) == 2 and is_code(f["code"], x["not_codes"])]
        bad += [f"exit {code}"] if code not in x["exit"] else []
        return ("false alarm", bad) if bad else ("right", [])
    bad, beside = compare(said, x), [f"also says {short(f)}" for f in said if rank(f) >= 2 and is_code(f["code"], x.get("not_codes", []))]
    if bad is None:
        all_said = "; ".join(sorted({short(f) for f in said})) or "nothing"
        return (
            "wrong",
            [f"said {all_said} (exit {code}); wanted one of {', '.join(x['codes_any'])}, {x.get('level', 'warning')} at least"] + beside,
        )
    for second in x.get("also", []):
        r = compare(said, second)
        bad += [f"second fault: {m}" for m in (["no finding of " + "/".join(second["codes_any"])] if r is None else r)]
    bad += beside + ([f"exit {code}, not {' or '.join(map(str, x['exit']))}"] if code not in x["exit"] else [])
    return ("partly", bad) if bad else ("right", [])


def filled(s, case):
    root = os.path.join(case, "root")
    env = os.path.join(root, "opt/env") if os.path.isdir(root) else os.path.join(case, "env")
    python = (
        next((d for d in sorted(os.listdir(env + "/lib")) if re.fullmatch(r"python3\.\d+", d)), "") if os.path.isdir(env + "/lib") else ""
    )
    for k, v in (("{env}", env), ("{site}", os.path.join(env, "lib", python, "site-packages")), ("{case}", case), ("{root}", root)):
        s = s.replace(k, v)
    return s


def run(whyso, case, x):
    """-> status, reasons, output"""
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": os.path.join(case, "home"), "LANG": "C.UTF-8", "NO_COLOR": "1"}
    env.update({k: filled(v, case) for k, v in x.get("env", {}).items()})
    p = subprocess.Popen(
        [whyso] + [filled(a, case) for a in x["argv"]],
        cwd=case,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = (b.decode(errors="replace") for b in p.communicate(timeout=TIMEOUT))
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        return "crash", [f"no answer in {TIMEOUT} s"], ""
    if p.returncode < 0 or p.returncode in (2, 70) or p.returncode > 125:
        return "crash", [f"exit {p.returncode}: {err.strip()[-200:]}"], out
    try:
        document = json.loads(out)
    except ValueError as e:
        return "crash", [f"exit {p.returncode}, output is not JSON ({e}): {(out or err)[:120]!r}"], out
    return *judge(x, p.returncode, document), out


def find_program(whyso):
    found = shutil.which(whyso) or (whyso if os.path.isfile(whyso) and os.access(whyso, os.X_OK) else None)
    return found and os.path.abspath(found)


def main(argv):
    a = argparse.ArgumentParser(prog="judge.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("whyso")
    a.add_argument("out")
    a.add_argument("--kind", help="K01 to K21, or X for the incident family")
    a.add_argument("--case", help="beginning of the names of cases")
    a.add_argument("-v", action="store_true", dest="verbose")
    a.add_argument("--json", help="file for the results")
    try:
        o = a.parse_args(argv)
    except SystemExit as e:
        return 2 if e.code else 0
    whyso, out = find_program(o.whyso), os.path.abspath(o.out)
    if not whyso:
        print(f"whyso is missing: {o.whyso} is no program", file=sys.stderr)
        return 2
    names = sorted(n for n in (os.listdir(out) if os.path.isdir(out) else []) if os.path.exists(os.path.join(out, n, "expect.json")))
    cases = {n: load(out, n, "expect.json") for n in names}
    cases = {n: x for n, x in cases.items() if (not o.kind or x["kind"] == o.kind.upper()) and (not o.case or n.startswith(o.case))}
    if not cases:
        print(f"no such cases in {o.out}: run build_cases.py first", file=sys.stderr)
        return 2
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = dict(zip(cases, pool.map(lambda n: run(whyso, os.path.join(out, n), cases[n]), cases)))
    for n, (status, why, said) in results.items():
        if status != "right" or o.verbose:
            print(f"{status:<11}  {n}" + "".join(f"\n               {w}" for w in why))
            if status != "right":
                print(f"               truth: {cases[n]['why']}")
            if o.verbose:
                print("".join(f"               | {l}\n" for l in said.splitlines()[:60]), end="")
    if o.json:
        with open(o.json, "w") as f:
            json.dump(
                {
                    n: {"status": s, "reasons": why, "report": cases[n]["report"], "kind": cases[n]["kind"]}
                    for n, (s, why, _) in results.items()
                },
                f,
                indent=1,
            )
    return summary(cases, results, load(out, "skipped.json") if os.path.exists(os.path.join(out, "skipped.json")) else {})


def summary(cases, results, skipped):
    """Prints the table; -> exit code. A case that is itself a healthy world counts as a case, and its alarm as a false one."""
    counted = [n for n, x in cases.items() if not x.get("healthy") or x.get("counts")]
    healthy = [n for n, x in cases.items() if x.get("healthy")]
    print(f"\n{'kind':<5} {'cases':>5} {'right':>6} {'partly':>7} {'wrong':>6} {'crash':>6}   {'healthy':>7} {'false alarms':>13}")
    for k in sorted({x["kind"] for x in cases.values()}):
        c, h = ([results[n][0] for n in group if cases[n]["kind"] == k] for group in (counted, healthy))
        print(
            f"{k:<5} {len(c):>5} {c.count('right'):>6} {c.count('partly'):>7} {c.count('wrong') + c.count('false alarm'):>6} {c.count('crash'):>6}   {len(h):>7} {sum(s != 'right' for s in h):>13}"
        )
    right, alarms = sum(results[n][0] == "right" for n in counted), sum(results[n][0] != "right" for n in healthy)
    reports = {cases[n]["report"] for n in counted if cases[n]["report"]}
    good = {r for r in reports if all(results[n][0] == "right" for n in counted if cases[n]["report"] == r)}
    print(f"\nreports right in all their cases: {len(good)} of {len(reports)}")
    if skipped:
        print(f"{len(skipped)} worlds were skipped when the suite was built, not judged")
    print(f"{right} of {len(counted)} right, {alarms} false alarms")
    return 0 if right >= GOAL * len(counted) and not alarms else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
