# SPDX-License-Identifier: Apache-2.0
"""Kit of the fault cases: environments (venv, conda-like prefix, root tree), the record of what the real interpreter and
loader say about them, and the expectation that a diagnosis is judged by. Objects: objects.py, wheels and installer: packages.py."""

import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

from objects import Objects, So, sh
from packages import Site, Wheel, record_hash

PYTHON = os.environ.get("CASE_PYTHON") or ("/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable)
SYSTEM_LIB = "usr/lib/x86_64-linux-gnu"
BASE_ENV = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
SKIPPED_STDLIB = (
    "site-packages",
    "dist-packages",
    "sitecustomize.py",
    "EXTERNALLY-MANAGED",
    "test",
    "idlelib",
    "lib2to3",
    "__pycache__",
    "ensurepip",
    "tkinter",
    "turtledemo",
    "pydoc_data",
)


def ask_python(code):
    return subprocess.run([PYTHON, "-I", "-c", code], stdout=subprocess.PIPE, text=True, check=True).stdout


PY = json.loads(ask_python("""
import json, os, sys, sysconfig
exe = os.path.realpath(sys.executable)
print(json.dumps({"ext": sysconfig.get_config_var("EXT_SUFFIX"), "v": "%d.%d" % sys.version_info[:2], "full": "%d.%d.%d" % sys.version_info[:3],
                  "exe": exe, "home": os.path.dirname(exe), "std": os.path.dirname(os.__file__)}))"""))
EXT, V = PY["ext"], PY["v"]
LINUX = "{0}-{0}-manylinux_2_17_x86_64".format("cp" + V.replace(".", ""))


class Skip(Exception):
    """This machine, or this user, cannot show the case."""


class Link(str):
    """In conda_pkg: a symbolic link with that target."""


class Kit:
    """One output folder: compiled objects and templates of environments, shared by all worlds in it."""

    def __init__(self, out):
        self.out = Path(out).resolve()
        self.store = self.out / ".store"
        self.store.mkdir(parents=True, exist_ok=True)
        self.objects, self.lock = Objects(self.store / "objects"), threading.Lock()
        self.foreign = foreign_in_cache()

    def venv(self, env, home=PY["home"], exe=PY["exe"], lib64_real=False):
        """As `python -m venv --without-pip`. lib64_real: lib64 is a folder of its own, as in a distribution's system tree."""
        env = Path(env)
        site = env / "lib" / f"python{V}" / "site-packages"
        for d in (env / "bin", env / "include" / f"python{V}", site):
            d.mkdir(parents=True)
        if lib64_real:
            (env / "lib64" / f"python{V}" / "site-packages").mkdir(parents=True)
        else:
            (env / "lib64").symlink_to("lib")
        (env / "bin" / "python3").symlink_to(exe)
        for n in ("python", f"python{V}"):
            (env / "bin" / n).symlink_to("python3")
        (env / "pyvenv.cfg").write_text(
            f"home = {home}\ninclude-system-site-packages = false\nversion = {PY['full']}\nexecutable = {exe}\n"
        )
        return Site(site, env)

    def copy_of(self, template, make, where):
        """A hard-linked copy of a tree that is made once."""
        path = self.store / template
        with self.lock:
            if not path.exists():
                tmp = Path(f"{path}.tmp")
                shutil.rmtree(tmp, ignore_errors=True)
                tmp.mkdir(parents=True)
                make(tmp)
                tmp.rename(path)
        sh("cp", "-al", path, where)

    def conda(self, env):
        """A prefix with its own interpreter, whose RPATH is $ORIGIN/../lib, and conda-meta."""
        self.copy_of("conda", self.make_conda, env)
        return Site(Path(env) / "lib" / f"python{V}" / "site-packages", env)

    def make_conda(self, prefix):
        lib = prefix / "lib" / f"python{V}"
        (prefix / "bin").mkdir()
        (lib / "site-packages").mkdir(parents=True)
        shutil.copy2(PY["exe"], prefix / "bin" / f"python{V}")
        for n in ("python", "python3"):
            (prefix / "bin" / n).symlink_to(f"python{V}")
        for p in sorted(Path(PY["std"]).iterdir()):
            if p.name not in SKIPPED_STDLIB:
                (lib / p.name).symlink_to(p)
        # Debian's interpreter does not know lib/pythonX.Y/site-packages outside a venv; conda's does
        (lib / "sitecustomize.py").write_text(
            "import os, site\nsite.addsitedir(os.path.join(os.path.dirname(__file__), 'site-packages'))\n"
        )
        own = re.search(r"(libpython\S+) => (\S+)", sh("ldd", PY["exe"]))
        if own:
            shutil.copy2(own.group(2), prefix / "lib" / own.group(1))
        sh("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib", prefix / "bin" / f"python{V}")
        files = sorted(
            str(Path(d, n).relative_to(prefix)) for d, ds, fs in os.walk(prefix) for n in fs + [x for x in ds if Path(d, x).is_symlink()]
        )
        paths = [{"_path": f, "path_type": "softlink" if (prefix / f).is_symlink() else "hardlink"} for f in files]
        (prefix / "conda-meta").mkdir()
        (prefix / "conda-meta" / "history").write_text("")
        write_conda_meta(prefix, "python", PY["full"], "h955ad1f_0", paths)

    def root(self, root, lib64_real=False):
        """A small Debian-like tree with this machine's interpreter, loader and C library, and a venv in /opt/env."""
        self.copy_of("root", self.make_root, root)
        return self.venv(Path(root) / "opt/env", home="/usr/bin", exe=f"/usr/bin/python{V}", lib64_real=lib64_real)

    def make_root(self, root):
        for d in (
            "usr/bin",
            "usr/sbin",
            SYSTEM_LIB,
            "usr/lib64",
            f"usr/lib/python{V}/lib-dynload",
            "etc/ld.so.conf.d",
            "opt",
            "proc",
            "tmp",
            "root",
            "home",
        ):
            (root / d).mkdir(parents=True)
        for n in ("bin", "sbin", "lib", "lib64"):
            (root / n).symlink_to(f"usr/{n}")
        shutil.copy2(PY["exe"], root / f"usr/bin/python{V}")
        (root / "usr/bin/python3").symlink_to(f"python{V}")
        modules = ask_python(
            "import ctypes, importlib.util, glob, os, sys, subprocess, warnings, re, json, functools, site, sysconfig\n"
            "print('\\n'.join({getattr(m, '__file__', None) or '' for m in list(sys.modules.values())}))"
        ).split()
        modules += [str(Path(PY["std"]) / "encodings" / f"{n}.py") for n in ("latin_1", "ascii", "utf_8", "aliases", "__init__", "cp437")]
        programs = [PY["exe"]]
        for m in sorted(set(modules)):
            if m.startswith(PY["std"] + "/") and not re.search("/dist-packages/|/site-packages/|sitecustomize", m) and os.path.exists(m):
                dest = root / f"usr/lib/python{V}" / os.path.relpath(m, PY["std"])
                dest.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(os.path.realpath(m), dest)
                programs += [m] if ".so" in m else []
        libraries = {x for p in programs for x in re.findall(r"(/\S+\.so\S*) \(0x", sh("ldd", p))}
        for l in sorted(libraries | {"/lib64/ld-linux-x86-64.so.2"}):
            shutil.copy2(os.path.realpath(l), root / ("usr/lib64" if "ld-linux" in l else SYSTEM_LIB) / os.path.basename(l))
        shutil.copy2("/sbin/ldconfig", root / "usr/sbin/ldconfig")
        (root / "etc/os-release").write_text('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n')
        (root / "etc/ld.so.conf").write_text("include /etc/ld.so.conf.d/*.conf\n")
        (root / "etc/ld.so.conf.d/x86_64-linux-gnu.conf").write_text(
            "/usr/local/lib/x86_64-linux-gnu\n/lib/x86_64-linux-gnu\n/usr/lib/x86_64-linux-gnu\n"
        )


FOREIGN = r"lib(?:cuda|cudart|cudnn|cublas|cublasLt|cufft|curand|cusolver|cusparse|cusparseLt|nvrtc|nvJitLink|nvToolsExt|cupti|nccl|nvshmem_host|c10|torch|tbb)"


def foreign_in_cache():
    """A library of the cases' names that this machine's own loader cache offers, if any: it would answer in their place."""
    found = re.search(rf"^\s({FOREIGN}\.so\S*)", sh("/sbin/ldconfig", "-p"), re.M)
    return found and found.group(1)


def write_conda_meta(prefix, name, version, build, paths):
    (Path(prefix) / "conda-meta" / f"{name}-{version}-{build}.json").write_text(
        json.dumps(
            {
                "name": name,
                "version": version,
                "build": build,
                "build_number": 0,
                "channel": "conda-forge",
                "depends": [],
                "subdir": "linux-64",
                "files": [p["_path"] for p in paths],
                "paths_data": {"paths_version": 1, "paths": paths},
            },
            indent=1,
        )
    )


def recorded_files(site):
    """What RECORD files and conda-meta list: (owner, path, absolute path, does its content match)."""
    for record in sorted(site.site.glob("*.dist-info/RECORD")):
        owner = " ".join(record.parent.name[:-10].rpartition("-")[::2])
        for path, digest, _ in csv.reader(record.read_text().splitlines()):
            yield owner, path, site.site / path, lambda data: not digest or record_hash(data) == digest
    for meta in sorted(site.prefix.glob("conda-meta/*.json")):
        owner = meta.name[:-5]
        for row in json.loads(meta.read_text())["paths_data"]["paths"]:
            digest = row.get("sha256_in_prefix")
            yield owner, row["_path"], site.prefix / row["_path"], lambda data: not digest or hashlib.sha256(data).hexdigest() == digest


def records(site):
    """What the lists of files say against the disk: {"missing" or "altered": {owner: [paths]}}; only what is wrong."""
    wrong = {"missing": {}, "altered": {}}
    for owner, path, where, matches in recorded_files(site):
        if not where.exists():
            wrong["missing"].setdefault(owner, []).append(path)
        elif where.is_file() and not matches(where.read_bytes()):
            wrong["altered"].setdefault(owner, []).append(path)
    return {k: v for k, v in wrong.items() if v}


# Opens every object of an environment after `import torch`, where there is one; prints {path: error}.
SWEEP = """
import ctypes, json, os, sys
try:
    import torch
except ModuleNotFoundError:
    pass
bad = {}
for top in sys.argv[1:]:
    for folder, _, files in os.walk(top):
        for p in sorted(os.path.join(folder, f) for f in files if '.so' in f):
            if os.path.islink(p) or open(p, 'rb').read(4) != b'\\x7fELF':
                continue
            try:
                ctypes.CDLL(p)
            except OSError as e:
                bad[p] = str(e)
print(json.dumps(bad))
"""


class World:
    """One case: its folder with an environment in it, what the real programs say about it, and the expectation."""

    def __init__(self, kit, name, report, kind, ok):
        self.kit, self.name, self.report, self.kind, self.ok = kit, name, report, kind, ok
        self.dir = kit.out / name
        shutil.rmtree(self.dir, ignore_errors=True)
        (self.dir / "home").mkdir(parents=True)
        self.vars = {}  # environment variables of all runs, and of whyso's; {env} {site} {case} {root} are replaced
        self.may_fail = None  # pattern: objects of the healthy world that are meant not to load
        self.may_differ = None  # pattern: files of the healthy world whose RECORD lines are meant to be untrue
        self.truths, self.problems, self.expectation = [], [], None
        self.extra_truth = {}
        self.env, self.site, self.rootdir = self.dir / "env", None, None

    # -- building
    def venv(self, **kw):
        self.only_without_foreign_libraries()
        self.site = self.kit.venv(self.env, **kw)

    def conda(self):
        self.only_without_foreign_libraries()
        self.site = self.kit.conda(self.env)

    def only_without_foreign_libraries(self):
        if self.kit.foreign:
            raise Skip(f"the loader cache of this machine offers {self.kit.foreign}")

    def root(self, **kw):
        if os.geteuid():
            raise Skip("a root tree needs chroot, so root")
        self.rootdir = self.dir / "root"
        self.site = self.kit.root(self.rootdir, **kw)
        self.env = self.rootdir / "opt/env"

    def ldconfig(self):
        sh("/sbin/ldconfig", "-r", self.rootdir)

    def bytes_of(self, v):
        """A file's content from a So, a text or bytes."""
        return self.kit.objects.get(v).read_bytes() if isinstance(v, So) else v.encode() if isinstance(v, str) else v

    def wheel(self, name, version, files, requires=(), tag=None, **kw):
        files = {p: self.bytes_of(v) for p, v in files.items()}
        native = any(d[:4] == b"\x7fELF" for d in files.values())
        kw.setdefault("purelib", not native)
        return Wheel(name, version, files, tuple(requires), tag or (LINUX if native else "py3-none-any"), **kw)

    def install(self, *wheels, **kw):
        for w in wheels:
            self.site.install(w, **kw)

    def uninstall(self, *names, **kw):
        for n in names:
            self.site.uninstall(n, **kw)

    def put(self, path, v):
        """A file of the case's folder, owned by no distribution."""
        p = self.dir / path
        p.parent.mkdir(parents=True, exist_ok=True)
        p.unlink(missing_ok=True)
        p.write_bytes(self.bytes_of(v))
        os.chmod(p, 0o755 if ".so" in p.name else 0o644)
        return p

    def link(self, path, target):
        p = self.dir / path
        p.parent.mkdir(parents=True, exist_ok=True)
        p.unlink(missing_ok=True)
        p.symlink_to(target)

    def conda_pkg(self, name, version, build, paths):
        """Files of the prefix and their entry in conda-meta."""
        rows = []
        for p, v in paths.items():
            if isinstance(v, Link):
                self.link(f"env/{p}", v)
                rows.append({"_path": p, "path_type": "softlink"})
                continue
            data = self.bytes_of(v)
            self.put(f"env/{p}", data)
            digest = hashlib.sha256(data).hexdigest()
            rows.append({"_path": p, "path_type": "hardlink", "sha256": digest, "sha256_in_prefix": digest, "size_in_bytes": len(data)})
        write_conda_meta(self.env, name, version, build, rows)

    def conda_wheel(self, wheel, build):
        """A Python package as conda lays it down."""
        sp = f"lib/python{V}/site-packages"
        info = {f"{sp}/{wheel.info}/METADATA": wheel.metadata, f"{sp}/{wheel.info}/INSTALLER": "conda"}
        self.conda_pkg(normalized_conda(wheel.name), wheel.version, build, {**{f"{sp}/{p}": d for p, d in wheel.files.items()}, **info})

    # -- truth
    def filled(self, s):
        for k, v in self.places():
            s = s.replace(k, str(v))
        return s

    def hidden(self, s):
        """The reverse: output without this machine's paths."""
        for k, v in self.places():
            s = s.replace(str(v), k) if v else s
        return s

    def places(self):
        return (("{site}", self.site.site), ("{env}", self.env), ("{root}", self.rootdir), ("{case}", self.dir))

    def run(self, argv, want=None, env=None, address_space=None):
        """Runs a command in the world. want: None, it must succeed; a pattern, it must fail and say that. -> what it said"""
        variables = {**self.vars, **(env or {})}
        e = {**BASE_ENV, "HOME": "/home" if self.rootdir else str(self.dir / "home"), **{k: self.filled(v) for k, v in variables.items()}}
        real = (["chroot", str(self.rootdir)] if self.rootdir else []) + [self.filled(a) for a in argv]
        if address_space:
            real = ["prlimit", f"--as={address_space}"] + real
        r = subprocess.run(
            real, env=e, cwd=self.dir, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", timeout=60
        )
        lines = [l for l in r.stderr.strip().splitlines() if l.strip()]
        good = r.returncode == 0 if want is None else r.returncode != 0 and re.search(want, r.stderr)
        t = {
            "argv": argv,
            "env": variables,
            "exit": r.returncode,
            "last": self.hidden(lines[-1]) if lines else "",
            "as_expected": bool(good),
        }
        if self.rootdir:
            t["chroot"] = "{root}"
        if address_space:
            t["address_space"] = address_space
        if want and r.returncode:
            t["matched"] = next((self.hidden(l.strip()) for l in lines if re.search(want, l)), "")
        if not good:
            self.problems.append(f"{self.name}: exit {r.returncode}, wanted {want!r}; said: {self.hidden(r.stderr[-700:])}")
        self.truths.append(t)
        return r.stderr

    def py(self, code, want=None, **kw):
        return self.run(["/opt/env/bin/python" if self.rootdir else "{env}/bin/python", "-c", code], want, **kw)

    def fails(self, code, want):
        """The same code fails in the faulty world, saying `want`, and works in the healthy one."""
        return self.py(code, None if self.ok else want)

    def pip_check(self):
        """Noted for the record: what `pip check` says."""
        r = subprocess.run(
            [PYTHON, "-m", "pip", "--python", str(self.env / "bin/python"), "check"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**BASE_ENV, "HOME": str(self.dir / "home"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        )
        if "No module named pip" not in r.stdout:
            self.extra_truth["pip_check"] = {"exit": r.returncode, "says": self.hidden(r.stdout.strip())}

    # -- expectation
    def expect(
        self,
        codes,
        says=(),
        one_of=(),
        why="",
        *,
        level="warning",
        exit=(1,),
        not_codes=(),
        fix=(),
        fix_never=(),
        argv=None,
        union=False,
        once=False,
        also=(),
        healthy=False,
    ):
        """What a right diagnosis of the faulty world contains; README.md explains the fields. The healthy twin must not have `codes`
        (nor `not_codes`) as error or warning. healthy=True: the case itself is one that must not be alarmed at."""
        target = ["rootfs:{root}", "--env", "/opt/env"] if self.rootdir else ["{env}"]
        x = {
            "report": self.report,
            "kind": self.kind,
            "argv": argv or ["check", *target, "--format", "json"],
            "env": self.vars,
            "codes_any": list(codes),
            "why": why,
        }
        if self.ok or healthy:
            x.update(healthy=True, exit=[0], not_codes=sorted(set(codes) | set(not_codes)))
            if not self.ok:
                x["counts"] = True
        else:
            x.update(
                exit=list(exit),
                level=level,
                mentions_all=list(says),
                mentions_any=[list(g) for g in one_of],
                not_codes=list(not_codes),
                fix_mentions=[list(g) for g in fix],
            )
            optional = {"fix_never": list(fix_never), "union": union, "once": once, "also": list(also)}
            x.update({k: v for k, v in optional.items() if v})
        self.expectation = x

    def explain(self, text):
        """argv of whyso for a pasted text; the text is kept in the case."""
        self.put("traceback.txt", text)
        return ["explain", "{case}/traceback.txt", "--target", "{env}", "--format", "json"]

    def plan_uninstall(self, *names):
        """argv of whyso for a preview, and the truth: the same uninstall done to a copy, where -> Site of that copy."""
        copy = self.dir / "after"
        shutil.copytree(self.env, copy, symlinks=True)
        after = Site(copy / self.site.site.relative_to(self.env), copy)
        for n in names:
            after.uninstall(n)
        return ["plan", "uninstall", *names, "--target", "{env}", "--format", "json"]

    def after(self, code, want=None):
        """Runs Python in the copy that plan_uninstall made, then drops it."""
        self.run(["{case}/after/bin/python", "-c", code], None if self.ok else want)
        shutil.rmtree(self.dir / "after")

    def sweep(self):
        """Every object of a healthy world loads; else it is no near miss."""
        top = ["/opt/env/lib"] if self.rootdir else [str(self.site.site)]
        e = {**BASE_ENV, "HOME": str(self.dir / "home"), **{k: self.filled(v) for k, v in self.vars.items()}}
        argv = ["chroot", str(self.rootdir), "/opt/env/bin/python"] if self.rootdir else [str(self.env / "bin/python")]
        r = subprocess.run([*argv, "-c", SWEEP, *top], env=e, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        bad = json.loads(r.stdout) if r.stdout else {"?": r.stderr[-400:]}
        self.extra_truth["objects_that_do_not_load"] = {self.hidden(k): self.hidden(v) for k, v in bad.items()}
        for k, v in bad.items():
            if not (self.may_fail and re.search(self.may_fail, k)):
                self.problems.append(f"{self.name}: {self.hidden(k)} does not load: {self.hidden(v)}")

    def check_records(self):
        """The RECORDs of a healthy world are true; a contested or gutted one has what its name says."""
        wrong, x = records(self.site), self.expectation
        self.extra_truth.update({"records": wrong} if wrong else {})
        if x.get("healthy"):
            for kind, dists in wrong.items():
                bad = [p for paths in dists.values() for p in paths if not (self.may_differ and re.search(self.may_differ, p))]
                if bad:
                    self.problems.append(f"{self.name}: {kind}: {bad}")
        elif x["argv"][0] == "check":
            wanted = {"SO202": "altered", "SO102": "missing", "SO204": "altered", "SO206": "altered"}.get(x["codes_any"][0])
            if wanted and not any(".so" in p or ".py" in p for paths in wrong.get(wanted, {}).values() for p in paths):
                self.problems.append(f"{self.name}: no recorded code is {wanted}")

    def finish(self):
        if self.expectation is None:
            raise RuntimeError(f"{self.name}: no expectation")
        if self.expectation.get("healthy"):
            self.sweep()
        self.check_records()
        self.expectation["distributions"] = sorted(self.site.dists())
        (self.dir / "expect.json").write_text(json.dumps(self.expectation, indent=1) + "\n")
        (self.dir / "truth.json").write_text(json.dumps({"runs": self.truths, **self.extra_truth}, indent=1) + "\n")


def normalized_conda(name):
    return "pytorch" if name == "torch" else name.lower().replace("_", "-")


CASES = []  # (name, report, kind, slug's function, has a healthy twin)


def case(report, kind, slug, near=True):
    """Registers a case. report: number of the report in README.md, 0 for the incident family (kind X, named by its own number)."""

    def register(f):
        CASES.append((f"{kind.lower()}-{report:02d}-{slug}" if report else f"x-{slug}", report, kind, f, near))
        return f

    return register
