# SPDX-License-Identifier: Apache-2.0
"""Shared objects of a few lines of C, described by value and compiled once a description; and damage done to finished files."""

import hashlib
import json
import os
import struct
import subprocess
import threading
from dataclasses import dataclass, replace
from pathlib import Path


def sh(*argv, **kw):
    """Runs a command, returns its output, raises with that output when it fails."""
    r = subprocess.run([str(a) for a in argv], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **kw)
    if r.returncode:
        raise RuntimeError(f"{' '.join(map(str, argv))}\n{r.stdout}")
    return r.stdout


@dataclass(frozen=True)
class So:
    """One shared object. A symbol is written NAME, NAME=VALUE (the function returns it), NAME@NODE (version node)."""

    soname: str = ""
    defs: tuple = ()  # exported functions
    needs: tuple = ()  # DT_NEEDED: "libx.so.1", or ("libx.so.1", "symbol used from it", ...)
    undefs: tuple = ()  # symbols used without a DT_NEEDED that would name their definer
    rpath: str = ""
    runpath: str = ""
    text: tuple = ()  # strings in .rodata
    dlopens: tuple = ()  # names that `entry` opens in turn, the first that works ends it
    entry: str = ""  # exported function that does so; returns 0, or 1 and a line on stderr, or 2 (see member)
    member: str = ""  # "version=7": version() of what was opened must be 7, else the entry returns 2
    style: str = ""  # whose words the entry uses: a key of STYLES
    module: str = ""  # a Python extension of that name; its call() runs all symbols it uses and its entry
    body: str = ""  # further C, or C++ with cxx
    flags: tuple = ()  # for the compiler
    fatbin: bytes = b""  # section .nv_fatbin, see fatbin()
    libc: bool = True  # False: -nostdlib
    cxx: bool = False
    edits: tuple = ()  # names in EDITS, done to the finished file

    def but(self, **kw):
        return replace(self, **kw)


PYTHON_H = r"""
typedef struct { long n; void *t; } PyObject;
typedef struct { const char *n; PyObject *(*f)(PyObject *, PyObject *); int flags; const char *doc; } PyMethodDef;
typedef struct { PyObject b; void *i; long x; void *c; const char *name, *doc; long size; PyMethodDef *m; void *s, *t, *cl, *fr; } PyModuleDef;
extern PyObject *PyModule_Create2(PyModuleDef *, int);
extern PyObject *PyLong_FromLong(long);
"""
PYTHON_INIT = r"""
static PyObject *py_call(PyObject *s, PyObject *a) { (void)s; (void)a; return PyLong_FromLong(case_call()); }
static PyMethodDef methods[] = {{"call", py_call, 4, 0}, {0, 0, 0, 0}};
static PyModuleDef def = {{1, 0}, 0, 0, 0, "NAME", 0, -1, methods, 0, 0, 0, 0};
__attribute__((visibility("default"))) PyObject *PyInit_NAME(void) { return PyModule_Create2(&def, 1013); }
"""
STYLES = {  # what a library says when none of its names can be opened, and when the opened one is of another version
    "": ('fprintf(stderr, "%s\\n", err)', "version mismatch"),
    "cudnn8": ('fprintf(stderr, "Could not load library %s. Error: %s\\n", names[0], err)', "CUDNN_STATUS_VERSION_MISMATCH"),
    "cudnn9": (
        'fprintf(stderr, "Unable to load any of {"); for (int j = 0; names[j]; j++) fprintf(stderr, "%s%s", j ? ", " : "", names[j]); '
        'fprintf(stderr, "}\\n")',
        "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH",
    ),
    "tf": (
        'fprintf(stderr, "Could not load dynamic library \'%s\'; dlerror: %s\\n", names[0], err)',
        "Loaded runtime CuDNN library is older than the one compiled against",
    ),
    "nvrtc": (
        'fprintf(stderr, "nvrtc: error: failed to open %s.\\n  Make sure that %s is installed correctly.\\n", names[0], names[0])',
        "nvrtc: error: invalid builtins of another version",
    ),
    "mkl": ('fprintf(stderr, "Intel MKL FATAL ERROR: Cannot load libmkl_avx2.so or libmkl_def.so.\\n")', "Intel MKL FATAL ERROR"),
}


def split_symbol(d):
    """'f@NODE=7' -> 'f', 'NODE', '7'"""
    d, _, value = d.partition("=")
    name, _, node = d.partition("@")
    return name, node, value or "0"


def opener(s):
    """C of the function that opens a library by name."""
    names = ", ".join(json.dumps(n) for n in s.dlopens)
    failed, differs = STYLES[s.style]
    symbol, _, value = s.member.partition("=")
    check = (
        f'int (*v)(void) = (int (*)(void))dlsym(h, "{symbol}"); '
        f'if (v && v() != {value}) {{ fprintf(stderr, "{differs}\\n"); return 2; }}'
        if s.member
        else ""
    )
    return f"""__attribute__((visibility("default"))) int {s.entry}(void) {{
  static const char *const names[] = {{{names}, 0}}; const char *err = 0;
  for (int i = 0; names[i]; i++) {{ void *h = dlopen(names[i], RTLD_NOW); if (h) {{ {check} return 0; }} err = dlerror(); }}
  {failed}; return 1; }}"""


def c_source(s):
    out, calls = [PYTHON_H if s.module else "", s.body], []
    for n in s.needs:
        for d in (n[1:] if isinstance(n, tuple) else ()):
            name = split_symbol(d)[0]
            out.append(f"extern int {name}(void);")
            calls.append(name)
    for name in s.undefs:
        out.append(f"extern int {name}(void);")
        calls.append(name)
    for d in s.defs:
        name, _, value = split_symbol(d)
        out.append(f'__attribute__((visibility("default"))) int {name}(void) {{ return {value}; }}')
    if s.fatbin:
        out.append(
            '__attribute__((used, aligned(8), section(".nv_fatbin"))) static const unsigned char fatbin_bytes[] = {'
            + ",".join(map(str, s.fatbin))
            + "};"
        )
        out.append(
            '__attribute__((used, section(".nvFatBinSegment"))) static struct { unsigned magic, version; const void *data, *file; } '
            "fatbin_control = {0x466243B1, 1, fatbin_bytes, 0};"
        )
    for i, t in enumerate(s.text):
        out.append(f"__attribute__((used)) static const char case_text_{i}[] = {json.dumps(t)};")
    if s.dlopens:
        out.insert(0, "#include <dlfcn.h>\n#include <stdio.h>")
        out.append(opener(s))
        if s.module:
            calls.append(s.entry)
    out.append('__attribute__((visibility("hidden"))) int case_call(void) { return 0' + "".join(f" + {c}()" for c in calls) + "; }")
    if s.module:
        out.append(PYTHON_INIT.replace("NAME", s.module))
    return "\n".join(out) + "\n"


class Objects:
    """The compiled objects of a suite, one file a description."""

    def __init__(self, store):
        self.dir = Path(store)
        self.dir.mkdir(parents=True, exist_ok=True)
        self.lock, self.locks, self.compiled = threading.Lock(), {}, 0

    def get(self, s):
        """-> path of the finished file"""
        key = hashlib.sha256((repr(s) + c_source(s)).encode()).hexdigest()[:24]
        path = self.dir / f"{key}.so"
        with self.lock:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if not path.exists():
                self.build(s, path)
                self.compiled += 1
        return path

    def stub(self, n):
        """What a DT_NEEDED entry is linked against: the same soname and symbols, nothing else."""
        if isinstance(n, str):
            return self.get(So(n, libc=False))
        return self.get(So(n[0], defs=tuple(d.partition("=")[0] for d in n[1:]), libc=False))

    def build(self, s, path):
        base = path.with_suffix("")
        source, script, tmp = (Path(f"{base}{x}") for x in (".cc" if s.cxx else ".c", ".map", ".tmp"))
        source.write_text(s.body + '\nextern "C" {\n' + c_source(s.but(body="")) + "}\n" if s.cxx else c_source(s))
        argv = ["g++" if s.cxx else "gcc", "-pipe", "-shared", "-fPIC", "-O1", "-w", "-o", tmp, source]
        if not s.libc:
            argv.append("-nostdlib")
        if s.soname:
            argv.append(f"-Wl,-soname,{s.soname}")
        nodes = {}
        for name, node, _ in map(split_symbol, s.defs):
            if node:
                nodes.setdefault(node, []).append(name)
        if nodes:
            script.write_text("".join(f"{n} {{ global: {'; '.join(names)}; }};\n" for n, names in nodes.items()))
            argv.append(f"-Wl,--version-script={script}")
        argv += ["-Wl,--no-as-needed"] + [self.stub(n) for n in s.needs]
        if s.rpath:
            argv += ["-Wl,--disable-new-dtags", f"-Wl,-rpath,{s.rpath}"]
        if s.runpath:
            argv += ["-Wl,--enable-new-dtags", f"-Wl,-rpath,{s.runpath}"]
        sh(*argv, *s.flags)
        for e in s.edits:
            tmp.write_bytes(EDITS[e](tmp.read_bytes()))
        source.unlink()
        script.unlink(missing_ok=True)
        os.chmod(tmp, 0o755)
        os.rename(tmp, path)


# ------------------------------------------------------------------ damage
PT_LOAD, PT_GNU_STACK = 1, 0x6474E551


def program_headers(b):
    """-> (offset of the header, type, flags, offset, vaddr, paddr, filesz, memsz, align)"""
    start, n = struct.unpack_from("<Q", b, 32)[0], struct.unpack_from("<H", b, 56)[0]
    for o in range(start, start + 56 * n, 56):
        yield (o, *struct.unpack_from("<IIQQQQQQ", b, o))


def execstack(b):
    """PT_GNU_STACK asks for an executable stack."""
    b = bytearray(b)
    for o, kind, *_ in program_headers(b):
        if kind == PT_GNU_STACK:
            struct.pack_into("<I", b, o + 4, 7)
    return bytes(b)


def machine_none(b):
    """e_machine = 0, as a bad strip left it."""
    return b[:18] + bytes(2) + b[20:]


def moved_1k(b):
    """The last PT_LOAD moved down the file by 1 KiB, so that its address and offset no longer agree modulo a page."""
    b, shift = bytearray(b), 0x400
    start = [x for x in program_headers(b) if x[1] == PT_LOAD][-1][3]
    for o, _, _, offset, *_ in list(program_headers(b)):
        if offset >= start:
            struct.pack_into("<Q", b, o + 8, offset + shift)
    (sections,) = struct.unpack_from("<Q", b, 40)
    for o in range(sections, sections + 64 * struct.unpack_from("<H", b, 60)[0], 64):
        (offset,) = struct.unpack_from("<Q", b, o + 24)
        if offset >= start:
            struct.pack_into("<Q", b, o + 24, offset + shift)
    struct.pack_into("<Q", b, 40, sections + shift)
    return bytes(b[:start] + bytes(shift) + b[start:])


def past_end(b):
    """The last PT_LOAD, with the dynamic section in it, lies behind the end of the file."""
    b = bytearray(b)
    o, _, _, offset, _, _, filesz, memsz, _ = [x for x in program_headers(b) if x[1] == PT_LOAD][-1]
    beyond = (len(b) + 0xFFFF & ~0xFFF) + offset % 0x1000
    struct.pack_into("<Q", b, o + 8, beyond)
    return bytes(b)


def macho(b):
    """The magic of a 64-bit file of macOS."""
    return b"\xcf\xfa\xed\xfe\x07\x00\x00\x01" + b[8:]


EDITS = {f.__name__: f for f in (execstack, machine_none, moved_1k, past_end, macho)}


def fatbin(*architectures):
    """Content of .nv_fatbin: "sm_90" or "compute_90" entries with honest headers and an empty payload."""
    out = b""
    for a in architectures:
        cubin = a.startswith("sm_")
        payload = b"\x7fELF\x02\x01\x01" + bytes(57) if cubin else b".version 8.4\n.target sm_90\n".ljust(64, b"\0")
        major, minor = (1, 7) if cubin else (8, 4)
        entry = struct.pack(
            "<HHIQIIHHIIIQQQ", 2 if cubin else 1, 0x101, 64, len(payload), 0, 0, minor, major, int(a.split("_")[1]), 0, 0, 0x11, 0, 0
        )
        out += struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(entry + payload)) + entry + payload
    return out
