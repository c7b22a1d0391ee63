#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what one process really loads, as the glibc loader itself tells it (LD_DEBUG=files,libs), in order.

    record_loads.py [-e NAME=VALUE]... [--prefix NAME=DIR]... -- COMMAND [ARG...]
    record_loads.py --prefix ENV=incident/gutted -- incident/gutted/bin/python -c 'import torch'

The environment of COMMAND is empty but for PATH, HOME, LANG and -e. Prints one JSON object:
  exit      status of the command
  error     its last line on stderr
  loads     [{"path", "name", "by", "how"}] in the order in which the loader mapped the objects of the first process;
            name: as asked for; by: the object that asked ("" = the program itself); how: "needed" or "dlopen" or "start"
  missing   [{"name", "by", "how", "tried": [paths]}] names that were asked for and not found
  reused    [{"name", "by", "how"}] paths that were asked for and turned out to be a file that is mapped already
  children  number of other processes that were started
  maps      executable file mappings at the end, where the command is Python with -c (the recorder appends a look at
            /proc/self/maps); null otherwise. Every one of them must be in loads: "unexplained" lists those that are not.
  mapped    all files that are mapped at the end, executable or not; null as above
Paths inside a --prefix directory are written $NAME/...; nothing else is changed.
"""
import argparse, glob, json, os, re, subprocess, sys, tempfile

LINE = re.compile(r"^\s*\d+:\t(.*)$")
FILE = re.compile(r"^file=(.*) \[(\d+)\];\s+(needed by|dynamically loaded by|generating link map)\s*(.*?)(?: \[\d+\])?( \(relocation dependency\))?$")
FIND = re.compile(r"^find library=(.*) \[\d+\]; searching$")
TRY = re.compile(r"^\s*trying file=(.*)$")


def parse(text):
    loads, missing, reused, ask, tried = [], [], [], None, []
    def give_up():
        nonlocal ask, tried
        last = tried[-1] if tried else ask["name"] if ask else ""
        mapped = {os.path.realpath(x["mapped"]) for x in loads}
        if ask and "/" in last and os.path.realpath(last) in mapped:
            reused.append(ask)
        elif ask:
            missing.append({**ask, "tried": tried})
        ask, tried = None, []
    for raw in text.splitlines():
        m = LINE.match(raw)
        if not m:
            continue
        line = m.group(1).rstrip("\n")
        stripped = line.strip()
        f = FILE.match(stripped)
        if f and f.group(3) != "generating link map":
            if f.group(5):
                continue
            give_up()
            how = "needed" if f.group(3) == "needed by" else "dlopen"
            ask = {"name": f.group(1), "by": f.group(4), "how": how}
            continue
        if f:
            entry = ask or {"name": f.group(1), "by": "", "how": "start"}
            entry["mapped"] = tried[-1] if tried else entry["name"]
            loads.append(entry)
            ask, tried = None, []
            continue
        t = TRY.match(stripped)
        if t:
            tried.append(t.group(1))
    give_up()
    return loads, missing, reused


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("-e", action="append", default=[], metavar="NAME=VALUE")
    p.add_argument("--prefix", action="append", default=[], metavar="NAME=DIR")
    p.add_argument("command", nargs=argparse.REMAINDER)
    a = p.parse_args()
    cmd = a.command[1:] if a.command[:1] == ["--"] else a.command
    env = {"PATH": "/usr/bin:/bin", "HOME": os.environ.get("HOME", "/"), "LANG": "C.UTF-8"}
    env.update(x.split("=", 1) for x in a.e)
    tail = ""
    python = os.path.basename(cmd[0]).startswith("python") and "-c" in cmd
    work = tempfile.mkdtemp(prefix="record-loads-")
    maps_file = os.path.join(work, "maps")
    if python:
        i = cmd.index("-c") + 1
        tail = f"\nwith open({maps_file!r}, 'w') as f: f.write(open('/proc/self/maps').read())"
        code = cmd[i]
        cmd[i] = f"try:\n exec({code!r})\nfinally:\n with open('/proc/self/maps') as m, open({maps_file!r}, 'w') as f: f.write(m.read())"
    run = subprocess.Popen(cmd, env={**env, "LD_DEBUG": "files,libs", "LD_DEBUG_OUTPUT": os.path.join(work, "log")},
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    err = run.communicate()[1]
    logs = glob.glob(os.path.join(work, "log.*"))
    text = open(os.path.join(work, f"log.{run.pid}"), errors="replace").read()
    loads, missing, reused = parse(text)
    prefixes = sorted(((os.path.abspath(d), n) for n, d in (x.split("=", 1) for x in a.prefix)), key=lambda x: -len(x[0]))
    def short(path):
        for d, n in prefixes:
            if path == d or path.startswith(d + "/"):
                return "$" + n + path[len(d):]
        return path
    maps = None
    if os.path.exists(maps_file):
        seen, mapped = [], set()
        for line in open(maps_file):
            part = line.split(None, 5)
            if len(part) == 6 and part[5].startswith("/"):
                mapped.add(part[5].strip())
            if len(part) == 6 and "x" in part[1] and part[5].startswith("/"):
                path = part[5].strip()
                if path not in seen:
                    seen.append(path)
        maps = seen
    real = {os.path.realpath(x["mapped"]) for x in loads}
    program = {os.path.realpath(cmd[0])}
    out = {
        "command": a.command[1:] if a.command[:1] == ["--"] else a.command, "exit": run.returncode, "error": (err.strip().splitlines() or [""])[-1],
        "loads": [{"path": short(x["mapped"]), "name": short(x["name"]), "by": short(x["by"]), "how": x["how"]} for x in loads],
        "missing": [{"name": short(x["name"]), "by": short(x["by"]), "how": x["how"], "tried": [short(t) for t in x["tried"]]} for x in missing],
        "reused": [{"name": short(x["name"]), "by": short(x["by"]), "how": x["how"]} for x in reused],
        "children": len(logs) - 1,
        "mapped": None if maps is None else sorted(short(m) for m in mapped),
        "maps": None if maps is None else [short(m) for m in maps],
        "unexplained": [] if maps is None else [short(m) for m in maps if os.path.realpath(m) not in real | program and "ld-linux" not in m],
    }
    json.dump(out, sys.stdout, indent=1, ensure_ascii=False)
    print()


if __name__ == "__main__":
    main()
