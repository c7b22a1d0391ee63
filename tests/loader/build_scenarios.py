#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build small dynamic-loader scenarios and record what the real loader does.

    build_scenarios.py OUTDIR [--only REGEX] [--jobs N] [--list]

Every scenario is a folder OUTDIR/NAME holding an executable (or the opener
program `dl` and a shared object), its libraries, `case.json` (the truth) and
`ld_debug.txt` (LD_DEBUG=files,libs of the same run, numbers masked).  Nothing
about outcomes is written in this script: a scenario only says how the files
are built and how the program is started; all of case.json's results come from
running glibc's ld.so here.  Needs Linux on x86-64 with glibc, gcc and GNU
binutils; patchelf, root rights, g++-free; parts that need more are skipped and
listed in OUTDIR/index.json.  Writes only under OUTDIR.

case.json
  name, group, what
  kind      "exec": `argv` was run.  "dlopen": the program `host` was run with
            `ops` as its arguments.
  root      path of the root object relative to the scenario (for a dlopen of a
            bare name: that name)
  argv/ops  '@' is the scenario's absolute folder.  ops: 'FLAGS:NAME' is a
            dlopen (n NOW, l LAZY, g GLOBAL, d NODELETE, o NOLOAD, b DEEPBIND);
            'via:NAME' a dlopen(NAME, NOW) called from inside the last opened
            library; 'sym:X' dlsym on the last handle, 'default:X' dlsym on
            RTLD_DEFAULT, 'call:X' calls int X(void) of the last handle,
            'close:' closes the last handle.
  env, cwd  the whole environment; the folder it was started in
  user      where modes matter: "root" or "ordinary" (run with user id 65534 if the
            script runs as root)
  chroot    the folder that was made '/'
  secure    the program is set-user-ID to an ordinary user and was run as root, so
            AT_SECURE is set
  loaded    [[name asked for, path], ...] in load order without the main
            program and the vDSO.  path: relative to the scenario if inside it,
            exactly as the loader spells it; else absolute.  exec that fails:
            what was mapped before it died (ld.so is not in
            that list).  In secure mode the names asked for are
            null, and so is the whole list if it fails.  dlopen: what the dlopens added to
            `base` and is still there at the end.
  l_names   the loader's own spelling (l_name) of each entry of `loaded`
  base      (dlopen) what the host had loaded before the first op
  error     null, or the text printed (exec: stderr; dlopen: the first
            dlerror() that was not null, else stderr)
  exit      exit status, -N for signal N; null if execve itself failed
  stderr, stdout   where they add something to the above
  opens     (dlopen) for each op its error, value and the objects it added and
            removed
  steps     every library looked for, in order (names that match a loaded object
            are not looked for): name, by (whose request), via (the search step
            that decided, in the words of LD_DEBUG=libs), got (the file), mapped
            (it was mapped, if only for a while).  Not mapped: same_file_as (it
            is open already under that path) or last_tried (the end of a search
            that found nothing, or the file that was refused)
  init      order of initialisation ('calling init' of LD_DEBUG)
  bindings  (some groups) [from, to, kind, symbol, version] of LD_DEBUG=bindings
  ldd       what the tracing mode (`ldd -r`) says of the same root: list of
            [name, path or null], messages, exit
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import platform
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import threading
import traceback

CASES = []          # (name, group, what, function)
LD_DEFAULT = '/lib64/ld-linux-x86-64.so.2'
MARKER = '.loader-scenarios'


class Skip(Exception):
    pass


class BuildError(Exception):
    pass


def add(name, group, what, fn):
    CASES.append((name, group, what, fn))


def case(group, what, name=None):
    def deco(fn):
        add(name or fn.__name__.replace('_', '-'), group, what, fn)
        return fn
    return deco


# ------------------------------------------------------------------ building

class Tools:
    """The shared build folder with a content-keyed cache of gcc's outputs."""

    def __init__(self, out):
        self.dir = os.path.join(out, '.build')
        os.makedirs(self.dir, exist_ok=True)
        self.locks = {}
        self.lock = threading.Lock()
        self.calls = 0

    def cached(self, key, suffix, make):
        h = hashlib.sha256(repr(key).encode()).hexdigest()[:24]
        path = os.path.join(self.dir, h + suffix)
        with self.lock:
            lk = self.locks.setdefault(path, threading.Lock())
        with lk:
            if not os.path.exists(path):
                tmp = path + '.tmp'
                make(tmp)
                os.rename(tmp, path)
        return path

    def gcc(self, args):
        self.calls += 1
        r = subprocess.run(['gcc'] + args, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           env={'PATH': os.environ.get('PATH', '/usr/bin:/bin'),
                                'LC_ALL': 'C', 'TMPDIR': self.dir}, cwd=self.dir)
        if r.returncode:
            raise BuildError('gcc %s\n%s' % (' '.join(args), r.stdout.decode('utf8', 'replace')))

    def text(self, content, suffix):
        def make(tmp):
            with open(tmp, 'w') as f:
                f.write(content)
        return self.cached(('text', content), suffix, make)

    def obj(self, src, cflags):
        c = self.text(src, '.c')
        args = ['-c', '-O0', '-w', '-fno-asynchronous-unwind-tables',
                '-fcf-protection=none'] + cflags + ['-x', 'c', c, '-o']
        return self.cached(('obj', src, cflags), '.o', lambda t: self.gcc(args + [t]))

    def stub(self, soname):
        """An empty library whose only use is to give a DT_NEEDED of this text."""
        o = self.obj('', ['-fPIC'])
        return self.cached(('stub', soname), '.so', lambda t: self.gcc(
            ['-shared', '-nostdlib', '-fuse-ld=bfd', '-Wl,--build-id=none',
             '-Xlinker', '-soname', '-Xlinker', soname, o, '-o', t]))


class Link(str):
    """A needed item that is linked as a file of the scenario (its DT_SONAME is used)."""


MAIN = 'int main(void){return 0;}\n'
OPENER = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
void *open_it(const char *n){ void *volatile h = dlopen(n, RTLD_NOW); return h; }
'''
DL = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int cb(struct dl_phdr_info *i, size_t n, void *d){ printf("M\t%s\n", i->dlpi_name); return 0; }
static void snap(void){ dl_iterate_phdr(cb, 0); fflush(stdout); }
static const char *where(void *p){ Dl_info i; return p && dladdr(p, &i) ? i.dli_fname : "(none)"; }
int main(int argc, char **argv)
{
  void *hs[64]; int nh = 0, bad = 0;
  puts("O\tstart"); snap();
  for (int k = 1; k < argc; k++) {
    char *a = argv[k], *c = strchr(a, ':'), *e;
    printf("O\t%s\n", a); fflush(stdout);
    if (!c) return 99;
    c++;
    void *h = nh ? hs[nh - 1] : RTLD_DEFAULT;
    dlerror();
    if (!strncmp(a, "sym:", 4) || !strncmp(a, "default:", 8)) {
      void *p = dlsym(a[0] == 'd' ? RTLD_DEFAULT : h, c);
      e = dlerror();
      if (e) { printf("E\t%s\n", e); bad = 1; } else printf("V\t%s\n", where(p));
    } else if (!strncmp(a, "call:", 5)) {
      int (*f)(void) = (int (*)(void))dlsym(h, c);
      e = dlerror();
      if (e) { printf("E\t%s\n", e); bad = 1; } else printf("V\t%d\n", f());
    } else if (!strncmp(a, "close:", 6)) {
      int r = nh ? dlclose(hs[--nh]) : -1;
      e = dlerror();
      if (e) printf("E\t%s\n", e);
      printf("V\t%d\n", r);
    } else {
      void *n;
      if (!strncmp(a, "via:", 4)) {
        void *(*f)(const char *) = (void *(*)(const char *))dlsym(h, "open_it");
        n = f(c);
      } else {
        int fl = 0;
        for (char *q = a; *q != ':'; q++)
          fl |= *q == 'n' ? RTLD_NOW : *q == 'l' ? RTLD_LAZY : *q == 'g' ? RTLD_GLOBAL :
                *q == 'd' ? RTLD_NODELETE : *q == 'o' ? RTLD_NOLOAD : *q == 'b' ? RTLD_DEEPBIND : 0;
        n = dlopen(c, fl);
      }
      e = dlerror();
      if (e) printf("E\t%s\n", e);
      if (n) { int same = 0; for (int j = 0; j < nh; j++) if (hs[j] == n) same = j + 1;
               printf("V\thandle%s\n", same ? " again" : ""); hs[nh++] = n; }
      else { printf("V\tNULL\n"); bad = 1; }
    }
    snap();
  }
  return bad;
}
'''
CHROOT = r'''
#include <stdlib.h>
#include <unistd.h>
/* enter ROOT NENV VAR=VALUE... PROGRAM...: the environment is given as arguments so that
   this program itself does not feel LD_... variables */
int main(int c, char **v)
{
  int n = atoi(v[2]); char **argv = v + 3 + n, *env[64];
  for (int i = 0; i < n; i++) env[i] = v[3 + i];
  env[n] = 0;
  if (chroot(v[1]) || chdir("/")) return 98;
  execve(argv[0], argv, env);
  return 97;
}
'''


def ident(out):
    return re.sub(r'\W', '_', os.path.basename(out))


class S:
    """One scenario: builders used by the case functions, then the run."""

    def __init__(self, tools, out, name, group, what):
        self.tools, self.name, self.group, self.what = tools, name, group, what
        self.dir = os.path.join(out, name)
        os.makedirs(self.dir)
        self.plan = None
        self.user = None

    def p(self, rel):
        return os.path.join(self.dir, rel)

    def at(self, text):
        return text.replace('@', self.dir)

    def mkdir(self, rel):
        os.makedirs(self.p(rel), exist_ok=True)

    def parent(self, rel):
        os.makedirs(os.path.dirname(self.p(rel)), exist_ok=True)

    def symlink(self, rel, target):
        self.parent(rel)
        os.symlink(self.at(target), self.p(rel))

    def hardlink(self, rel, old):
        self.parent(rel)
        os.link(self.p(old), self.p(rel))

    def copy(self, rel, old):
        self.parent(rel)
        shutil.copyfile(self.p(old), self.p(rel))
        shutil.copymode(self.p(old), self.p(rel))

    def write(self, rel, data):
        self.parent(rel)
        with open(self.p(rel), 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode())

    def remove(self, rel):
        os.unlink(self.p(rel))

    def _link(self, out, needed, src, objflags, pre, rpath, runpath, ldflags, vscript):
        o = self.tools.obj(src, objflags)
        args, key = list(pre), ['link', src, objflags, pre]
        args += ['-fuse-ld=bfd', '-Wl,--no-as-needed', '-Wl,--hash-style=gnu',
                 '-Wl,--build-id=none', '-Wl,--allow-shlib-undefined']
        if not any('-z,now' in f for f in ldflags):
            args.append('-Wl,-z,lazy')
        if rpath is not None:
            args += ['-Wl,--disable-new-dtags', '-Xlinker', '-rpath', '-Xlinker', self.at(rpath)]
        if runpath is not None:
            args += ['-Wl,--enable-new-dtags', '-Xlinker', '-rpath', '-Xlinker', self.at(runpath)]
        if vscript:
            args.append('-Wl,--version-script=' + self.tools.text(vscript, '.map'))
        args += [self.at(f) for f in ldflags]
        args.append(o)
        for n in needed:
            if isinstance(n, Link):
                f = self.p(n)
                with open(f, 'rb') as fh:
                    key.append(hashlib.sha256(fh.read()).hexdigest())
                args.append(f)
            else:
                args.append(self.tools.stub(self.at(n)))
        made = self.tools.cached(key + args, '.elf', lambda t: self.tools.gcc(args + ['-o', t]))
        self.parent(out)
        if os.path.lexists(self.p(out)):
            os.unlink(self.p(out))
        shutil.copyfile(made, self.p(out))
        os.chmod(self.p(out), 0o755)

    def lib(self, out, needed=(), src=None, soname='', rpath=None, runpath=None,
            cflags=(), ldflags=(), libc=True, vscript=None):
        if soname == '':
            soname = os.path.basename(out)
        if src is None:
            src = 'int id_%s(void){return 1;}\n' % ident(out)
        pre = ['-shared'] + ([] if libc else ['-nostdlib'])
        if soname is not None:
            pre += ['-Xlinker', '-soname', '-Xlinker', self.at(soname)]
        self._link(out, needed, src, ['-fPIC'] + list(cflags), pre, rpath, runpath, list(ldflags), vscript)

    def exe(self, out='prog', needed=(), src=MAIN, rpath=None, runpath=None, pie=True,
            cflags=(), ldflags=(), vscript=None):
        self._link(out, needed, src, (['-fPIE'] if pie else ['-fno-pie']) + list(cflags),
                   ['-pie'] if pie else ['-no-pie'], rpath, runpath, list(ldflags), vscript)

    def host(self, out='dl', needed=(), rpath=None, runpath=None, extra='', ldflags=()):
        self.exe(out, list(needed), DL + extra, rpath, runpath, ldflags=ldflags)

    def elf(self, rel):
        return Elf(self.p(rel))

    # -- how it is started
    def run(self, prog='prog', argv=None, env=None, cwd='.', uid=None, chroot=None, ldd=True,
            bindings=None, watch=(), secure=False):
        argv = argv or ['@/' + prog]
        self.plan = dict(kind='exec', root=prog, argv=argv, env=env or {}, cwd=cwd, uid=uid,
                         chroot=chroot, ldd=ldd, bindings=bindings, watch=watch, secure=secure)

    def dlopen(self, *ops, root=None, env=None, cwd='.', host='dl', uid=None, bindings=None,
               watch=(), ldd=True):
        if not os.path.exists(self.p(host)):
            self.host(host)
        if root is None:
            opens = [o for o in ops if o.split(':', 1)[0] not in ('sym', 'default', 'call', 'close')]
            root = opens[-1].split(':', 1)[1]
            if root.startswith('@/'):
                root = root[2:]
        self.plan = dict(kind='dlopen', root=root, ops=list(ops), env=env or {}, cwd=cwd, host=host,
                         uid=uid, chroot=None, ldd=ldd, bindings=bindings, watch=watch, secure=False)


class Elf:
    """Just enough ELF64 editing for headers, dynamic entries and versions."""
    TAGS = dict(NEEDED=1, RPATH=15, SONAME=14, SYMBOLIC=16, RUNPATH=29, FLAGS=30, STRTAB=5,
                AUXILIARY=0x7ffffffd, FILTER=0x7fffffff, FLAGS_1=0x6ffffffb,
                VERNEED=0x6ffffffe, VERNEEDNUM=0x6fffffff, HARMLESS=0x6ffffdf5)

    def __init__(self, path):
        self.path = path
        with open(path, 'rb') as f:
            self.b = bytearray(f.read())
        phoff, = struct.unpack_from('<Q', self.b, 32)
        n, = struct.unpack_from('<H', self.b, 56)
        self.ph = [phoff + 56 * i for i in range(n)]

    def save(self):
        with open(self.path, 'r+b') as f:
            f.truncate(0)
            f.write(self.b)

    def put(self, off, data):
        self.b[off:off + len(data)] = data
        return self

    def seg(self, i):
        return struct.unpack_from('<IIQQQQQQ', self.b, self.ph[i])

    def segs(self, ptype):
        return [i for i in range(len(self.ph)) if self.seg(i)[0] == ptype]

    def retype(self, old, new):
        for i in self.segs(old):
            struct.pack_into('<I', self.b, self.ph[i], new)
        return self

    def off(self, vaddr):
        for i in self.segs(1):
            _, _, o, va, _, fs, _, _ = self.seg(i)
            if va <= vaddr < va + fs:
                return o + vaddr - va
        raise BuildError('address not in file')

    def dyn(self):
        o, size = self.seg(self.segs(2)[0])[2], self.seg(self.segs(2)[0])[5]
        res = []
        for k in range(0, size, 16):
            tag, val = struct.unpack_from('<qQ', self.b, o + k)
            if tag == 0:
                break
            res.append((o + k, tag & 0xffffffffffffffff, val))
        return res

    def value(self, name):
        for _, t, v in self.dyn():
            if t == self.TAGS[name]:
                return v
        raise BuildError('no ' + name)

    def string(self, o):
        s = self.off(self.value('STRTAB')) + o
        return self.b[s:self.b.index(0, s)].decode()

    def retag(self, old, text, new, val=None):
        """The dynamic entry `old` whose string is `text` becomes `new`."""
        for o, t, v in self.dyn():
            if t == self.TAGS[old] and (text is None or self.string(v) == text):
                struct.pack_into('<qQ', self.b, o, self.TAGS[new], v if val is None else val)
                return self
        raise BuildError('no %s %s' % (old, text))

    def setval(self, name, fn):
        for o, t, v in self.dyn():
            if t == self.TAGS[name]:
                struct.pack_into('<Q', self.b, o + 8, fn(v))
                return self
        raise BuildError('no ' + name)

    def weaken_version(self, version):
        o = self.off(self.value('VERNEED'))
        for _ in range(self.value('VERNEEDNUM')):
            cnt, aux, nxt = struct.unpack_from('<H4xII', self.b, o + 2)
            a = o + aux
            for _ in range(cnt):
                flags, = struct.unpack_from('<H', self.b, a + 4)
                name, anext = struct.unpack_from('<II', self.b, a + 8)
                if self.string(name) == version:
                    struct.pack_into('<H', self.b, a + 4, flags | 2)
                    return self
                a += anext
            o += nxt
        raise BuildError('no version ' + version)


# ------------------------------------------------------------------ running

def parse_debug(text):
    """LD_DEBUG=files,libs text to search steps, mapped names and init order."""
    steps, init, maps, cur = [], [], [], None
    for line in text.split('\n'):
        line = re.sub(r'^\s*\d+:\t', '', line)
        m = re.match(r'file=(.*) \[(\d+)\];  (needed|dynamically loaded) by (.*) \[\d+\]$', line)
        if m:
            cur = dict(name=m[1], by=m[4], how='needed' if m[3] == 'needed' else 'dlopen',
                       via=None, got=None, mapped=False)
            steps.append(cur)
            continue
        m = re.match(r'find library=(.*) \[\d+\]; searching$', line)
        if m:
            if cur is None or cur['name'] != m[1] or cur.get('searched'):
                cur = dict(name=m[1], by=None, how='other', via=None, got=None, mapped=False)
                steps.append(cur)
            cur['searched'] = True
            continue
        m = re.match(r' search path=(.*)\t\t\((.*)\)$', line)
        if m and cur:
            cur['now'] = m[2]
            continue
        m = re.match(r' search path=(.*)$', line)
        if m and cur:
            cur['now'] = 'search path'
            continue
        m = re.match(r' search cache=(.*)$', line)
        if m and cur:
            cur['now'] = 'cache ' + m[1]
            continue
        m = re.match(r'  trying file=(.*)$', line)
        if m and cur:
            cur['got'], cur['via'] = m[1], cur.get('now')
            continue
        m = re.match(r'file=(.*) \[(\d+)\];  generating link map$', line)
        if m:
            if cur is None or cur['name'] != m[1] or cur['mapped']:
                cur = dict(name=m[1], by=None, how='other', via=None, got=None, mapped=False)
                steps.append(cur)
            if not cur.get('searched'):
                cur['got'], cur['via'] = m[1], 'the name itself'
            continue
        if line.startswith('  dynamic: ') and cur and not cur['mapped']:
            cur['mapped'] = True        # printed when the file has been mapped, not when refused
            maps.append(cur)
            continue
        m = re.match(r'calling init: (.*)$', line)
        if m:
            init.append(m[1])
    return steps, maps, init


BOILER = re.compile(r'^(__libc_start_main|__cxa_finalize|_ITM_\w+|__gmon_start__|_dl_\w+)$')


class Runner:
    def __init__(self, s, ldso, chroot_tool):
        self.s, self.plan, self.ldso, self.chroot_tool = s, s.plan, ldso, chroot_tool

    def norm(self, text):
        return text.replace(self.s.dir, '@')

    def rel(self, path):
        if path.startswith(self.s.dir + '/'):
            return path[len(self.s.dir) + 1:].lstrip('/')
        if path and not path.startswith('/'):
            cwd = self.plan['cwd']
            return path if cwd == '.' else os.path.join(cwd, path) if not cwd.startswith('/') else path
        return path

    def start(self, argv, extra):
        env = {k: self.s.at(v) for k, v in self.plan['env'].items()}
        env.update(extra)
        argv = [self.s.at(a) for a in argv]
        cwd = self.plan['cwd']
        cwd = cwd if cwd.startswith('/') else self.s.p(cwd)
        kw = {}
        if self.plan['chroot']:
            argv = [self.chroot_tool, self.s.p(self.plan['chroot']), str(len(env))] + \
                ['%s=%s' % x for x in env.items()] + argv
            cwd, env = '/', {}
        if self.plan['uid'] is not None:
            kw = dict(user=self.plan['uid'], group=self.plan['uid'], extra_groups=[])
        try:
            r = subprocess.run(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, timeout=60,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, **kw)
        except OSError as e:
            return None, '', 'execve: ' + os.strerror(e.errno)
        # addresses of a listing (ld.so --list) are masked unless we read them in trace()
        text = r.stdout.decode('utf8', 'replace')
        if 'LD_TRACE_LOADED_OBJECTS' not in extra:
            text = re.sub(r'\(0x[0-9a-f]{8,}\)', '(0x...)', text)
        return r.returncode, text, r.stderr.decode('utf8', 'replace')

    def debug(self, argv, what):
        root = self.s.p(self.plan['chroot']) if self.plan['chroot'] else self.s.dir
        d = os.path.join(root, '.dbg')
        shutil.rmtree(d, ignore_errors=True)
        os.mkdir(d)
        os.chmod(d, 0o777)
        inside = '/.dbg' if self.plan['chroot'] else d
        res = self.start(argv, {'LD_DEBUG': what, 'LD_DEBUG_OUTPUT': inside + '/o'})
        text = ''
        for f in sorted(os.listdir(d)):
            with open(os.path.join(d, f), errors='replace') as fh:
                text += fh.read()
        shutil.rmtree(d)
        return res, text

    def trace(self):
        p = self.plan
        extra = {'LD_TRACE_LOADED_OBJECTS': '1', 'LD_WARN': 'yes', 'LD_BIND_NOW': 'yes'}
        if p['kind'] == 'exec':
            rc, out, err = self.start(p['argv'], extra)
        else:
            root = p['root']
            if not os.path.lexists(self.s.p(root)):
                return None
            rc, out, err = self.start([self.ldso, '@/' + root], extra)
        lst, msgs = [], []
        for line in out.split('\n'):
            m = re.match(r'\t(.+) => not found$', line)
            if m:
                lst.append([self.norm(m[1]), None])
                continue
            m = re.match(r'\t(.+?) => (.+) \(0x[0-9a-f]+\)$', line) or \
                re.match(r'\t((.+)) \(0x[0-9a-f]+\)$', line)
            if m:
                if not m[1].startswith('linux-vdso'):
                    lst.append([self.norm(m[1]), self.norm(m[2])])
                continue
            if line.strip():
                msgs.append(self.norm(line.strip()))
        msgs += [self.norm(x) for x in err.split('\n') if x]
        return dict(list=lst, messages=msgs, exit=rc)

    def match(self, paths, maps, used):
        """[name asked for, path] for l_names in load order, from the mapped names."""
        res = []
        for l in paths:
            k = next((i for i, m in enumerate(maps) if i not in used and m['got'] == l), None)
            if k is None:
                k = next((i for i, m in enumerate(maps) if i not in used and '/' in m['name']
                          and os.path.basename(m['name']) == os.path.basename(l)), None)
            if k is None:
                res.append([l, l])
            else:
                used.add(k)
                if '$' in maps[k]['name'] and '/' in maps[k]['name']:
                    maps[k]['got'] = l
                res.append([maps[k]['name'], l])
        return res

    def pair(self, e):
        return [e[0] and self.norm(e[0]), self.rel(e[1])]

    def step(self, x, maps):
        d = dict(name=x['name'], by=x['by'], how=x['how'], via=None, got=None, mapped=x['mapped'])
        if x['mapped']:
            d['via'], d['got'] = x['via'], x['got']
        else:
            # not mapped: nothing found, or a file that is loaded already under another name
            last = x['got'] or (x['name'] if '/' in x['name'] else None)
            same = next((m['got'] for m in maps if self.ino(m['got']) and self.ino(m['got']) == self.ino(last)), None)
            if same:
                d['via'], d['got'], d['same_file_as'] = x['via'] or 'the name itself', last, same
            elif last:
                d['last_tried'] = last
        return dict((k, self.norm(v) if isinstance(v, str) else v) for k, v in d.items())

    def ino(self, path):
        try:
            if not path or self.plan['chroot']:
                return None
            cwd = self.plan['cwd']
            st = os.stat(os.path.join(cwd if cwd.startswith('/') else self.s.p(cwd), path))
            return st.st_dev, st.st_ino
        except OSError:
            return None

    def go(self):
        s, p = self.s, self.plan
        c = dict(name=s.name, group=s.group, what=s.what, kind=p['kind'], root=p['root'])
        warn = []
        argv = p['argv'] if p['kind'] == 'exec' else ['@/' + p['host']] + p['ops']
        argv = [self.ldso if a == 'LDSO' else a for a in argv]
        if p['kind'] == 'exec':
            p['argv'] = argv
        plain = self.start(argv, {})
        dbg, text = self.debug(argv, 'files,libs')
        if plain != dbg:
            warn.append('plain and LD_DEBUG runs differ')
        rc, out, err = plain
        steps, maps, init = parse_debug(text)
        if p['kind'] == 'exec':
            c['argv'] = argv
        else:
            c['host'], c['ops'] = p['host'], p['ops']
        c['env'], c['cwd'] = p['env'], p['cwd']
        if s.user:
            c['user'] = s.user
        if p['chroot']:
            c['chroot'] = p['chroot']
        c['error'] = self.norm(err.rstrip('\n')) or None
        c['exit'] = rc
        ldd = self.trace() if p['ldd'] else None
        if p['kind'] == 'exec':
            order, tr = [[m['name'], m['got']] for m in maps], None
            if argv[0] == self.ldso:
                order = [x for x in order if x[0] != s.at('@/' + p['root'])]
            if ldd and (init or rc == 0) and not any(x[1] is None for x in ldd['list']):
                # loading succeeded: the tracing mode lists the final link map, ld.so included
                tr = [[n.replace('@', s.dir) if n.startswith('@/') else n,
                       q.replace('@', s.dir) if q.startswith('@/') else q] for n, q in ldd['list']]
                for m in maps:      # names with tokens: the expanded path
                    if '$' in m['name'] and '/' in m['name']:
                        m['got'] = next((q for n, q in tr if n == m['name']), None)
                order = [[m['name'], m['got']] for m in maps if [m['name'], m['got']] in order or '$' in m['name']]
                a = sorted(x for x in tr if not re.search(r'(^|/)(ld-linux[^/]*|my-ld\.so)$', x[1]))
                if a != sorted(order):
                    warn.append('tracing mode has another list: %r %r' % (a, order))
                order = tr
            if p['secure']:
                # neither LD_DEBUG nor the tracing mode work: the program prints its own list
                c['secure'] = True
                order = [[None, x[2:]] for x in out.split('\n')
                         if x.startswith('M\t') and x[2:] and 'linux-vdso' not in x] if rc == 0 else None
                warn, out = [], ''
            loaded = lnames = None
            if order is not None:
                loaded, lnames = [self.pair(e) for e in order], [self.norm(e[1]) for e in order]
            if out:
                c['stdout'] = self.norm(out)
        else:
            opens, cur = [], None
            for line in out.split('\n'):
                k, _, v = line.partition('\t')
                if k == 'O':
                    cur = dict(op=v, error=None, value=None, objs=[])
                    opens.append(cur)
                elif k == 'E':
                    cur['error'] = self.norm(v)
                elif k == 'V':
                    cur['value'] = self.norm(v)
                elif k == 'M' and v and not v.startswith('linux-vdso'):
                    cur['objs'].append(v)
            used, known, res = set(), {}, []
            before = None
            for o in opens:
                new = [x for x in o['objs'] if x not in known]
                for e in self.match(new, maps, used):
                    known[e[1]] = e
                if before is None:
                    c['base'] = [self.pair(known[x]) for x in o['objs']]
                    base = list(o['objs'])
                else:
                    d = dict(op=self.norm(o['op']), error=o['error'], value=o['value'])
                    if new:
                        d['added'] = [self.pair(known[x]) for x in new]
                    gone = [x for x in before if x not in o['objs']] if o['objs'] else []
                    if gone:
                        d['removed'] = [self.rel(x) for x in gone]
                        for x in gone:
                            known.pop(x, None)
                    res.append(d)
                if o['objs']:
                    before = o['objs']
            last = [x for x in (before or []) if x not in base]
            loaded, lnames = [self.pair(known[x]) for x in last], [self.norm(x) for x in last]
            first = next((o['error'] for o in res if o['error']), None)
            if first and c['error']:
                c['stderr'] = c['error']
            c['error'] = first or c['error']
            c['opens'] = res
        c['loaded'], c['l_names'] = loaded, lnames
        if rc is not None and rc < 0:
            c['signal'] = signal.Signals(-rc).name
        c['steps'] = [self.step(x, maps) for x in steps]
        c['init'] = [self.norm(x) for x in init]
        if p['bindings'] or (p['bindings'] is None and s.group in BINDING_GROUPS):
            _, btext = self.debug(argv, 'bindings')
            bl = []
            for m in re.finditer(r"binding file (.*) \[\d+\] to (.*) \[\d+\]: (\w+) symbol `(.*)'(?: \[(.*)\])?", btext):
                if BOILER.match(m[4]) or not (m[2].startswith(s.dir) or m[4] in p['watch']):
                    continue
                b = [self.norm(m[1]), self.norm(m[2]), m[3], m[4], m[5]]
                if b not in bl:
                    bl.append(b)
            c['bindings'] = bl
        c['ldd'] = ldd
        text = re.sub(r'(?m)^\s*\d+:\t', '', self.norm(text))
        text = re.sub(r'(?m)^  (  entry|dynamic): .*\n', '', text)
        text = re.sub(r'\n{2,}', '\n', text)
        with open(s.p('ld_debug.txt'), 'w') as f:
            f.write(text.lstrip('\n'))
        with open(s.p('case.json'), 'w') as f:
            json.dump(c, f, indent=1, ensure_ascii=False)
            f.write('\n')
        return c, warn


BINDING_GROUPS = {'versions', 'symbols', 'interposition', 'copy-relocation', 'ifunc', 'cxx-abi',
                  'python-modules'}


# ------------------------------------------------------------------ scenarios
# 'what' tells the setting only; the outcome is whatever the loader does.

LLP = 'LD_LIBRARY_PATH'

# search-order
G = 'search-order'


def two(s, a, b, name='liba.so'):
    s.lib(a + '/' + name)
    s.lib(b + '/' + name)


@case(G, 'the library is in the RPATH of the executable and in LD_LIBRARY_PATH')
def order_rpath_vs_llp(s):
    two(s, 'rp', 'llp')
    s.exe(needed=['liba.so'], rpath='@/rp')
    s.run(env={LLP: '@/llp'})


@case(G, 'the library is in the RUNPATH of the executable and in LD_LIBRARY_PATH')
def order_runpath_vs_llp(s):
    two(s, 'rp', 'llp')
    s.exe(needed=['liba.so'], runpath='@/rp')
    s.run(env={LLP: '@/llp'})


@case(G, 'a library named libm.so.6 is in the RPATH, the system one in the cache')
def order_rpath_vs_cache(s):
    s.lib('rp/libm.so.6')
    s.exe(needed=['libm.so.6'], rpath='@/rp')
    s.run()


@case(G, 'a library named libm.so.6 is in the RUNPATH, the system one in the cache')
def order_runpath_vs_cache(s):
    s.lib('rp/libm.so.6')
    s.exe(needed=['libm.so.6'], runpath='@/rp')
    s.run()


@case(G, 'a library named libm.so.6 is in LD_LIBRARY_PATH, the system one in the cache')
def order_llp_vs_cache(s):
    s.lib('llp/libm.so.6')
    s.exe(needed=['libm.so.6'])
    s.run(env={LLP: '@/llp'})


@case(G, 'libm.so.6 is only in the system, no search path is set')
def order_cache_only(s):
    s.exe(needed=['libm.so.6'])
    s.run()


@case(G, 'the library exists only beside the executable, no search path is set, cwd is that folder')
def order_none_found(s):
    s.lib('liba.so')
    s.exe(needed=['liba.so'])
    s.run()


@case(G, 'two folders of LD_LIBRARY_PATH have the library')
def order_llp_first_dir(s):
    two(s, 'one', 'two')
    s.exe(needed=['liba.so'])
    s.run(env={LLP: '@/two:@/one'})


@case(G, 'two folders of RPATH have the library')
def order_rpath_first_dir(s):
    two(s, 'one', 'two')
    s.exe(needed=['liba.so'], rpath='@/two:@/one')
    s.run()


@case(G, 'LD_LIBRARY_PATH starts with a folder that does not exist and one without the library')
def order_llp_missing_dir_first(s):
    s.lib('b/liba.so')
    s.mkdir('empty')
    s.exe(needed=['liba.so'])
    s.run(env={LLP: '@/none:@/empty:@/b'})


@case(G, 'the RPATH folder lacks the library, LD_LIBRARY_PATH has it')
def order_rpath_miss_llp_hit(s):
    s.lib('rp/other.so')
    s.lib('llp/liba.so')
    s.exe(needed=['liba.so'], rpath='@/rp')
    s.run(env={LLP: '@/llp'})


@case(G, 'LD_LIBRARY_PATH lacks the library, the RUNPATH has it')
def order_llp_miss_runpath_hit(s):
    s.lib('rp/liba.so')
    s.mkdir('llp')
    s.exe(needed=['liba.so'], runpath='@/rp')
    s.run(env={LLP: '@/llp'})


@case(G, 'the RUNPATH folder has no libm.so.6, the cache has')
def order_runpath_miss_cache_hit(s):
    s.mkdir('rp')
    s.exe(needed=['libm.so.6'], runpath='@/rp')
    s.run()


@case(G, "a library's RPATH and the executable's RPATH both have the dependency")
def order_own_rpath_vs_exe_rpath(s):
    two(s, 'own', 'exe', 'libb.so')
    s.lib('exe/liba.so', ['libb.so'], rpath='@/own')
    s.exe(needed=['liba.so'], rpath='@/exe')
    s.run()


@case(G, "the executable's RPATH has the dependency, the library's RUNPATH too")
def order_own_runpath_vs_exe_rpath(s):
    two(s, 'own', 'exe', 'libb.so')
    s.lib('exe/liba.so', ['libb.so'], runpath='@/own')
    s.exe(needed=['liba.so'], rpath='@/exe')
    s.run()


@case(G, 'a file liba.so whose SONAME is libz9.so is searched by its file name')
def order_file_name_not_soname(s):
    s.lib('d/liba.so', soname='libz9.so')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a file libother.so whose SONAME is liba.so is the only candidate for liba.so')
def order_soname_is_not_searched(s):
    s.lib('d/libother.so', soname='liba.so')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'libm.so.6 in LD_LIBRARY_PATH is only a text file of 100 bytes; the system one is good')
def order_bad_llp_good_cache(s):
    s.write('llp/libm.so.6', 'x' * 100)
    s.exe(needed=['libm.so.6'])
    s.run(env={LLP: '@/llp'})


@case(G, 'libm.so.6 in LD_LIBRARY_PATH has the wrong ELF class; the system one is good')
def order_class32_llp_good_cache(s):
    s.lib('llp/libm.so.6')
    s.elf('llp/libm.so.6').put(4, b'\1').save()
    s.exe(needed=['libm.so.6'])
    s.run(env={LLP: '@/llp'})


@case(G, 'dlopen of libc.so, which in the default folders is a linker script and not in the cache')
def order_default_dir_linker_script(s):
    s.dlopen('n:libc.so')


@case(G, 'dlopen of crti.o, a relocatable object in a default folder, not in the cache')
def order_default_dir_object(s):
    s.dlopen('n:crti.o')


@case(G, 'every step has the dependency: own RPATH, RPATH of the parent, of the executable, LD_LIBRARY_PATH')
def order_all_steps(s):
    for d in ('own', 'parent', 'exe', 'llp'):
        s.lib(d + '/libc3.so')
    s.lib('exe/libb.so', ['libc3.so'], rpath='@/own')
    s.lib('exe/liba.so', ['libb.so'], rpath='@/parent')
    s.exe(needed=['liba.so'], rpath='@/exe')
    s.run(env={LLP: '@/llp'})


# rpath-inheritance
G = 'rpath-inheritance'


@case(G, 'a dependency of a library is found only in the RPATH of the executable')
def inherit_exe_rpath(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'libb (no path) needs libc3, which is in the RPATH of its loader liba')
def inherit_parent_rpath(s):
    s.lib('x/libc3.so')
    s.lib('x/libb.so', ['libc3.so'])
    s.lib('d/liba.so', ['libb.so'], rpath='@/x')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'libc3 needs libd; liba, two levels up, has the RPATH')
def inherit_grandparent_rpath(s):
    s.lib('x/libd.so')
    s.lib('x/libc3.so', ['libd.so'])
    s.lib('x/libb.so', ['libc3.so'])
    s.lib('d/liba.so', ['libb.so'], rpath='@/x')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'libb has a RUNPATH (an empty folder); its loader liba has an RPATH with the dependency')
def inherit_cut_by_own_runpath(s):
    s.lib('x/libc3.so')
    s.mkdir('none')
    s.lib('x/libb.so', ['libc3.so'], runpath='@/none')
    s.lib('d/liba.so', ['libb.so'], rpath='@/x')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'liba has a RUNPATH (an empty folder); the RPATH of the executable has the dependency')
def inherit_exe_rpath_cut_by_runpath(s):
    s.lib('d/libb.so')
    s.mkdir('none')
    s.lib('d/liba.so', ['libb.so'], runpath='@/none')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'libb has no path; liba between it and the executable has a RUNPATH; the executable an RPATH')
def inherit_middle_runpath(s):
    s.lib('d/libc3.so')
    s.lib('d/libb.so', ['libc3.so'])
    s.lib('d/liba.so', ['libb.so'], runpath='@/d')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'libb has no path; its loader liba has RPATH and RUNPATH, both with the dependency')
def inherit_parent_with_both(s):
    s.lib('x/libc3.so')
    s.lib('y/libc3.so')
    s.lib('x/libb.so', ['libc3.so'])
    s.copy('y/libb.so', 'x/libb.so')
    s.lib('d/liba.so', ['libb.so', '@/x'], runpath='@/y')
    s.elf('d/liba.so').retag('NEEDED', s.at('@/x'), 'RPATH').save()
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'the dependency of liba is in the RUNPATH of the executable only')
def runpath_not_inherited_exe(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'the dependency of libb is in the RUNPATH of liba only')
def runpath_not_inherited_lib(s):
    s.lib('x/libc3.so')
    s.lib('x/libb.so', ['libc3.so'])
    s.lib('d/liba.so', ['libb.so'], runpath='@/x')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'each object has its own RUNPATH')
def runpath_each(s):
    s.lib('y/libc3.so')
    s.lib('x/libb.so', ['libc3.so'], runpath='@/y')
    s.lib('d/liba.so', ['libb.so'], runpath='@/x')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'the RUNPATH of the executable lists the dependency itself as DT_NEEDED, before liba')
def runpath_dep_listed_by_exe_first(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['libb.so', 'liba.so'], runpath='@/d')
    s.run()


@case(G, 'the executable needs liba and then, after it, its dependency libb; only its RUNPATH has them')
def runpath_dep_listed_by_exe_last(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['liba.so', 'libb.so'], runpath='@/d')
    s.run()


def first_loader(s, order):
    s.lib('e/libe.so')
    s.lib('d/libd.so', ['libe.so'])
    s.lib('d/liba.so', ['libd.so'], runpath='@/d')
    s.lib('d/libb.so', ['libd.so'], rpath='@/d:@/e')
    s.exe(needed=order, runpath='@/d')
    s.run()


@case(G, 'libd is needed by liba (RUNPATH) first and by libb (RPATH to its dependency) second')
def inherit_first_loader_without(s):
    first_loader(s, ['liba.so', 'libb.so'])


@case(G, 'libd is needed by libb (RPATH to its dependency) first and by liba (RUNPATH) second')
def inherit_first_loader_with(s):
    first_loader(s, ['libb.so', 'liba.so'])


@case(G, 'the executable has both RPATH and RUNPATH, each with the library')
def both_in_exe(s):
    two(s, 'rp', 'run')
    s.exe(needed=['liba.so', '@/rp'], runpath='@/run')
    s.elf('prog').retag('NEEDED', s.at('@/rp'), 'RPATH').save()
    s.run()


@case(G, 'the executable has both RPATH and RUNPATH, only the RPATH has the library')
def both_in_exe_rpath_only_hit(s):
    s.lib('rp/liba.so')
    s.mkdir('run')
    s.exe(needed=['liba.so', '@/rp'], runpath='@/run')
    s.elf('prog').retag('NEEDED', s.at('@/rp'), 'RPATH').save()
    s.run()


@case(G, 'the executable has both RPATH and RUNPATH; the dependency of liba is in its RPATH only')
def both_in_exe_inherited(s):
    s.lib('rp/libb.so')
    s.lib('run/liba.so', ['libb.so'])
    s.exe(needed=['liba.so', '@/rp'], runpath='@/run')
    s.elf('prog').retag('NEEDED', s.at('@/rp'), 'RPATH').save()
    s.run()


@case(G, 'a library has both RPATH and RUNPATH, each with the dependency, and LD_LIBRARY_PATH has it too')
def both_in_lib_and_llp(s):
    two(s, 'rp', 'run', 'libb.so')
    s.lib('llp/libb.so')
    s.lib('d/liba.so', ['libb.so', '@/rp'], runpath='@/run')
    s.elf('d/liba.so').retag('NEEDED', s.at('@/rp'), 'RPATH').save()
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run(env={LLP: '@/llp'})


@case(G, 'RPATH of the library (missing the file), of its loader and of the executable (both with it)')
def inherit_parent_before_exe(s):
    two(s, 'parent', 'exe', 'libc3.so')
    s.mkdir('own')
    s.lib('parent/libb.so', ['libc3.so'], rpath='@/own')
    s.lib('exe/liba.so', ['libb.so'], rpath='@/parent')
    s.exe(needed=['liba.so'], rpath='@/exe')
    s.run()


@case(G, 'an inherited RPATH and LD_LIBRARY_PATH both have the dependency')
def inherit_vs_llp(s):
    two(s, 'd', 'llp', 'libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run(env={LLP: '@/llp'})


@case(G, 'liba with RUNPATH, executable with RPATH, LD_LIBRARY_PATH: all three have the dependency')
def inherit_runpath_cuts_then_llp(s):
    two(s, 'd', 'llp', 'libb.so')
    s.lib('own/libb.so')
    s.lib('d/liba.so', ['libb.so'], runpath='@/own')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run(env={LLP: '@/llp'})


@case(G, 'the host has an RPATH; a library opened by path needs a file there')
def inherit_exe_rpath_dlopen_dep(s):
    s.host(rpath='@/d')
    s.lib('d/libb.so')
    s.lib('x/liba.so', ['libb.so'])
    s.dlopen('n:@/x/liba.so')


@case(G, 'the host has a RUNPATH; a library opened by path needs a file there')
def runpath_exe_dlopen_dep(s):
    s.host(runpath='@/d')
    s.lib('d/libb.so')
    s.lib('x/liba.so', ['libb.so'])
    s.dlopen('n:@/x/liba.so')


@case(G, 'a library opened by path has an RPATH; the dependency of its dependency is there')
def inherit_dlopened_rpath(s):
    s.lib('d/libc3.so')
    s.lib('d/libb.so', ['libc3.so'])
    s.lib('x/liba.so', ['libb.so'], rpath='@/d')
    s.dlopen('n:@/x/liba.so')


@case(G, 'libd was loaded by an earlier dlopen of liba; libb, whose RPATH has libe, needs libd again')
def inherit_dlopen_retry_other_loader(s):
    s.lib('e/libe.so')
    s.lib('d/libd.so', ['libe.so'])
    s.lib('d/liba.so', ['libd.so'], runpath='@/d')
    s.lib('d/libb.so', ['libd.so'], rpath='@/d:@/e')
    s.dlopen('n:@/d/liba.so', 'n:@/d/libb.so')


# tokens
G = 'tokens'


def token(name, what, run, dirs, **kw):
    def fn(s):
        for d in dirs:
            s.lib(d + '/liba.so')
        s.exe(needed=['liba.so'], **{kw.get('tag', 'runpath'): run})
        s.run(cwd=kw.get('cwd', '.'))
    add(name, G, what, fn)


token('origin-runpath', 'RUNPATH $ORIGIN/d', '$ORIGIN/d', ['d'])
token('origin-rpath', 'RPATH $ORIGIN/d', '$ORIGIN/d', ['d'], tag='rpath')
token('origin-braces', 'RUNPATH ${ORIGIN}/d', '${ORIGIN}/d', ['d'])
token('origin-alone', 'RUNPATH $ORIGIN', '$ORIGIN', ['.'])
token('origin-dotdot', 'RUNPATH $ORIGIN/x/../d', '$ORIGIN/x/../d', ['d', 'x'])
token('origin-dotdot-missing-dir', 'RUNPATH $ORIGIN/x/../d where x does not exist', '$ORIGIN/x/../d', ['d'])
token('origin-other-cwd', 'RUNPATH $ORIGIN/d, started from /', '$ORIGIN/d', ['d'], cwd='/')
token('origin-suffix-underscore', 'RUNPATH $ORIGIN_d; folders d and $ORIGIN_d exist (cwd is their parent)',
      '$ORIGIN_d', ['d', '$ORIGIN_d'])
token('origin-suffix-letters', 'RUNPATH $ORIGINAL/d; folder $ORIGINAL/d exists in cwd', '$ORIGINAL/d',
      ['$ORIGINAL/d'])
token('origin-suffix-dash', 'RUNPATH $ORIGIN-d (the scenario folder plus -d, which is absent), then $ORIGIN/d',
      '$ORIGIN-d:$ORIGIN/d', ['d'])
token('origin-braces-suffix', 'RUNPATH ${ORIGIN}/sub${ORIGIN}', '${ORIGIN}/sub${ORIGIN}', ['d'])
token('origin-unclosed-brace', 'RUNPATH ${ORIGIN/d; folder ${ORIGIN/d exists in cwd', '${ORIGIN/d',
      ['d', '${ORIGIN/d'])
token('origin-lowercase', 'RUNPATH $origin/d; folder $origin/d exists in cwd', '$origin/d', ['d', '$origin/d'])
token('origin-mid-path', 'RUNPATH /nowhere/$ORIGIN/d', '/nowhere/$ORIGIN/d', ['d'])
token('dollar-unknown', 'RUNPATH $FOO/d; folder $FOO/d exists in cwd', '$FOO/d', ['$FOO/d'])
token('dollar-alone', 'RUNPATH $/d; folder $/d exists in cwd', '$/d', ['$/d'])
token('dollar-double', 'RUNPATH $$ORIGIN/d', '$$ORIGIN/d', ['d', '$/d'])
token('lib-token', 'RUNPATH @/$LIB; folders lib, lib64 and lib/x86_64-linux-gnu have the library', '@/$LIB',
      ['lib', 'lib64', 'lib/x86_64-linux-gnu'])
token('lib-token-braces', 'RUNPATH @/${LIB}', '@/${LIB}', ['lib', 'lib64', 'lib/x86_64-linux-gnu'])
token('platform-token', 'RUNPATH @/p/$PLATFORM; folders x86_64, haswell and xeon_phi (CPU decides)',
      '@/p/$PLATFORM', ['p/x86_64', 'p/haswell', 'p/xeon_phi'])
token('all-tokens', 'RUNPATH $ORIGIN/$LIB/$PLATFORM', '$ORIGIN/$LIB/$PLATFORM',
      [a + b for a in ('lib/', 'lib64/', 'lib/x86_64-linux-gnu/') for b in ('x86_64', 'haswell', 'xeon_phi')])
token('mixed-known-unknown', 'RUNPATH $ORIGIN/$FOO: the known token is replaced, the unknown kept',
      '$ORIGIN/$FOO', ['$FOO'])


@case(G, 'DT_NEEDED is $ORIGIN/d/liba.so')
def origin_in_needed(s):
    s.lib('d/liba.so')
    s.exe(needed=['$ORIGIN/d/liba.so'])
    s.run(cwd='/')


@case(G, 'LD_LIBRARY_PATH is $ORIGIN/d')
def origin_in_llp(s):
    s.lib('d/liba.so')
    s.exe('bin/prog', ['liba.so'])
    s.lib('bin/d/liba.so')
    s.run('bin/prog', env={LLP: '$ORIGIN/d'})


@case(G, 'LD_LIBRARY_PATH is $ORIGIN: is it the folder of the executable or of the library that asks?')
def origin_in_llp_for_lib(s):
    s.lib('l/libb.so')
    s.lib('bin/libb.so')
    s.lib('l/liba.so', ['libb.so'])
    s.exe('bin/prog', ['liba.so'], runpath='@/l')
    s.run('bin/prog', env={LLP: '$ORIGIN'})


@case(G, 'LD_PRELOAD is $ORIGIN/d/libp.so')
def origin_in_preload(s):
    s.lib('d/libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': '$ORIGIN/d/libp.so'}, cwd='/')


@case(G, 'dlopen of $ORIGIN/d/liba.so from the host')
def origin_in_dlopen(s):
    s.lib('d/liba.so')
    s.dlopen('n:$ORIGIN/d/liba.so', cwd='/')


@case(G, 'dlopen of $ORIGIN/libb.so from a library in another folder')
def origin_in_dlopen_from_lib(s):
    s.lib('d/libb.so')
    s.lib('libb.so')
    s.lib('d/liba.so', src=OPENER)
    s.dlopen('n:@/d/liba.so', 'via:$ORIGIN/libb.so')


@case(G, 'the library has RUNPATH $ORIGIN; the executable is in another folder')
def origin_of_library(s):
    s.lib('l/libb.so')
    s.lib('libb.so')
    s.lib('l/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.exe(needed=['liba.so'], runpath='@/l')
    s.run()


@case(G, 'RPATH $ORIGIN of the executable, inherited by a library in another folder')
def origin_of_inherited_rpath(s):
    s.lib('libb.so')
    s.lib('l/libb.so')
    s.lib('l/liba.so', ['libb.so'])
    s.exe(needed=['liba.so'], rpath='$ORIGIN:$ORIGIN/l')
    s.run()


# origin-symlinks
G = 'origin-symlinks'


@case(G, 'the executable (RUNPATH $ORIGIN) is started through a symlink; the library is beside the target')
def exe_symlink_lib_beside_target(s):
    s.lib('real/liba.so')
    s.exe('real/prog', ['liba.so'], runpath='$ORIGIN')
    s.symlink('bin/prog', '../real/prog')
    s.run('bin/prog')


@case(G, 'the executable (RUNPATH $ORIGIN) is started through a symlink; the library is beside the link')
def exe_symlink_lib_beside_link(s):
    s.lib('bin/liba.so')
    s.exe('real/prog', ['liba.so'], runpath='$ORIGIN')
    s.symlink('bin/prog', '../real/prog')
    s.run('bin/prog')


@case(G, 'the executable (RUNPATH $ORIGIN/../lib) is started through a symlinked folder')
def exe_symlinked_dir(s):
    s.lib('real/lib/liba.so')
    s.lib('lib/liba.so')
    s.exe('real/bin/prog', ['liba.so'], runpath='$ORIGIN/../lib')
    s.symlink('bin', 'real/bin')
    s.run('bin/prog')


@case(G, 'the executable (RUNPATH $ORIGIN) is started through a hard link in another folder')
def exe_hardlink(s):
    s.lib('real/liba.so')
    s.lib('bin/liba.so')
    s.exe('real/prog', ['liba.so'], runpath='$ORIGIN')
    s.hardlink('bin/prog', 'real/prog')
    s.run('bin/prog')


@case(G, 'the executable is started by a relative name (bin/prog, RUNPATH $ORIGIN)')
def exe_relative_name(s):
    s.lib('bin/liba.so')
    s.exe('bin/prog', ['liba.so'], runpath='$ORIGIN')
    s.run('bin/prog', argv=['bin/prog'])


@case(G, 'the executable is started as ../bin/./prog from another folder (RUNPATH $ORIGIN)')
def exe_relative_dotdot(s):
    s.lib('bin/liba.so')
    s.mkdir('x')
    s.exe('bin/prog', ['liba.so'], runpath='$ORIGIN')
    s.run('bin/prog', argv=['../bin/./prog'], cwd='x')


@case(G, 'ld.so is given a symlink to the executable (RUNPATH $ORIGIN); the library is beside the target')
def exe_symlink_by_ldso_beside_target(s):
    s.lib('real/liba.so')
    s.exe('real/prog', ['liba.so'], runpath='$ORIGIN')
    s.symlink('bin/prog', '../real/prog')
    s.run('bin/prog', argv=['LDSO', '@/bin/prog'])


@case(G, 'ld.so is given a symlink to the executable (RUNPATH $ORIGIN); the library is beside the link')
def exe_symlink_by_ldso_beside_link(s):
    s.lib('bin/liba.so')
    s.exe('real/prog', ['liba.so'], runpath='$ORIGIN')
    s.symlink('bin/prog', '../real/prog')
    s.run('bin/prog', argv=['LDSO', '@/bin/prog'])


@case(G, 'liba (RUNPATH $ORIGIN) is found through a symlinked file; libb is beside the target')
def lib_symlink_dep_beside_target(s):
    s.lib('real/libb.so')
    s.lib('real/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.symlink('l/liba.so', '../real/liba.so')
    s.exe(needed=['liba.so'], runpath='@/l')
    s.run()


@case(G, 'liba (RUNPATH $ORIGIN) is found through a symlinked file; libb is beside the link')
def lib_symlink_dep_beside_link(s):
    s.lib('l/libb.so')
    s.lib('real/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.symlink('l/liba.so', '../real/liba.so')
    s.exe(needed=['liba.so'], runpath='@/l')
    s.run()


@case(G, 'liba (RUNPATH $ORIGIN/../dep) is found through a symlinked folder; dep exists on both sides')
def lib_symlinked_dir_dotdot(s):
    s.lib('real/dep/libb.so')
    s.lib('dep/libb.so')
    s.lib('real/l/liba.so', ['libb.so'], runpath='$ORIGIN/../dep')
    s.symlink('l', 'real/l')
    s.exe(needed=['liba.so'], runpath='@/l')
    s.run()


@case(G, 'dlopen of ./l/liba.so, RUNPATH $ORIGIN, cwd is the scenario')
def dlopen_relative_origin(s):
    s.lib('l/libb.so')
    s.lib('l/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.dlopen('n:./l/liba.so', root='l/liba.so')


@case(G, 'a library found by the relative LD_LIBRARY_PATH l has RUNPATH $ORIGIN/m')
def llp_relative_origin(s):
    s.lib('l/m/libb.so')
    s.lib('l/liba.so', ['libb.so'], runpath='$ORIGIN/m')
    s.exe(needed=['liba.so'])
    s.run(env={LLP: 'l'})


@case(G, 'a library found by an empty item of LD_LIBRARY_PATH (cwd) has RUNPATH $ORIGIN/m')
def llp_empty_origin(s):
    s.lib('l/m/libb.so')
    s.lib('l/liba.so', ['libb.so'], runpath='$ORIGIN/m')
    s.exe(needed=['liba.so'])
    s.run(env={LLP: ':/none'}, cwd='l')


@case(G, 'DT_NEEDED sub/liba.so relative to cwd; liba has RUNPATH $ORIGIN/m')
def needed_relative_origin(s):
    s.lib('sub/m/libb.so')
    s.lib('sub/liba.so', ['libb.so'], runpath='$ORIGIN/m')
    s.exe(needed=['sub/liba.so'])
    s.run()


@case(G, 'a chain of two symlinks to liba (RUNPATH $ORIGIN); libb is beside the middle link only')
def lib_symlink_chain(s):
    s.lib('mid/libb.so')
    s.lib('real/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.symlink('mid/liba.so', '../real/liba.so')
    s.symlink('l/liba.so', '../mid/liba.so')
    s.exe(needed=['liba.so'], runpath='@/l')
    s.run()


# path-entries
G = 'path-entries'


def entry(name, what, path, where, kind='runpath', cwd='.', lib='liba.so', extra=None):
    def fn(s):
        for w in where:
            s.lib(w + '/' + lib)
        if extra:
            extra(s)
        if kind == 'llp':
            s.exe(needed=[lib])
            s.run(env={LLP: path}, cwd=cwd)
        else:
            s.exe(needed=[lib], **{kind: path})
            s.run(cwd=cwd)
    add(name, G, what, fn)


entry('rpath-relative', 'RPATH d (relative), cwd is the scenario', 'd', ['d'], 'rpath')
entry('rpath-relative-other-cwd', 'RPATH d (relative), cwd is a folder without d', 'd', ['d'], 'rpath',
      cwd='x', extra=lambda s: s.mkdir('x'))
entry('runpath-relative', 'RUNPATH ./d, cwd is the scenario', './d', ['d'])
entry('runpath-dot', 'RUNPATH ., cwd has the library', '.', ['.'])
entry('runpath-empty-leading', "RUNPATH ':/none', the library is in cwd", ':/none', ['.'])
entry('runpath-empty-trailing', "RUNPATH '/none:', the library is in cwd", '/none:', ['.'])
entry('runpath-empty-double', "RUNPATH '/none::/none2', the library is in cwd", '/none::/none2', ['.'])
entry('runpath-only-colon', "RUNPATH ':', the library is in cwd", ':', ['.'])
entry('runpath-trailing-slash', 'RUNPATH @/d/', '@/d/', ['d'])
entry('runpath-many-trailing-slashes', 'RUNPATH @/d///', '@/d///', ['d'])
entry('runpath-double-slash', 'RUNPATH @//d', '@//d', ['d'])
entry('runpath-dotdot', 'RUNPATH @/d/../d/./', '@/d/../d/./', ['d'])
entry('runpath-is-a-file', 'RUNPATH names a plain file first, then the folder', '@/file:@/d', ['d'],
      extra=lambda s: s.write('file', 'text'))
entry('runpath-is-a-file-only', 'RUNPATH names a plain file only', '@/file', [],
      extra=lambda s: s.write('file', 'text'))
entry('runpath-symlink-loop-dir', 'RUNPATH names a folder that is a symlink to itself, then the folder',
      '@/loop:@/d', ['d'], extra=lambda s: s.symlink('loop', 'loop'))
entry('runpath-semicolon', "RUNPATH '@/none;@/d'", '@/none;@/d', ['d'])
entry('runpath-duplicate', 'RUNPATH @/e:@/e:@/d:@/d', '@/e:@/e:@/d:@/d', ['d'], extra=lambda s: s.mkdir('e'))
entry('runpath-tilde', 'RUNPATH ~/d; folder ~/d exists in cwd', '~/d', ['~/d'])
entry('runpath-space', 'RUNPATH with a space at both ends of the folder name', '@/ d ', [' d '])
entry('llp-empty-leading', "LD_LIBRARY_PATH ':@/none', the library is in cwd", ':@/none', ['.'], 'llp')
entry('llp-empty-trailing', "LD_LIBRARY_PATH '@/none:', the library is in cwd", '@/none:', ['.'], 'llp')
entry('llp-empty-double', "LD_LIBRARY_PATH '@/none::@/none2', the library is in cwd", '@/none::@/none2', ['.'],
      'llp')
entry('llp-empty-order', "LD_LIBRARY_PATH ':@/d', the library is in cwd and in d", ':@/d', ['.', 'd'], 'llp')
entry('llp-only-colon', "LD_LIBRARY_PATH ':', the library is in cwd", ':', ['.'], 'llp')
entry('llp-empty-string', 'LD_LIBRARY_PATH is set but empty, the library is in cwd', '', ['.'], 'llp')
entry('llp-semicolon', "LD_LIBRARY_PATH '@/none;@/d'", '@/none;@/d', ['d'], 'llp')
entry('llp-semicolon-empty', "LD_LIBRARY_PATH '@/none;', the library is in cwd", '@/none;', ['.'], 'llp')
entry('llp-relative', 'LD_LIBRARY_PATH d (relative), cwd is the scenario', 'd', ['d'], 'llp')
entry('llp-relative-other-cwd', 'LD_LIBRARY_PATH d (relative), cwd is /', 'd', ['d'], 'llp', cwd='/')
entry('llp-trailing-slash', 'LD_LIBRARY_PATH @/d//', '@/d//', ['d'], 'llp')
entry('llp-space-in-name', "LD_LIBRARY_PATH '@/my dir'", '@/my dir', ['my dir'], 'llp')
entry('llp-quoted', "LD_LIBRARY_PATH with literal quotes: '\"@/d\"'", '"@/d"', ['d'], 'llp')
entry('llp-tilde', 'LD_LIBRARY_PATH ~/d with HOME unset; folder ~/d exists in cwd', '~/d', ['~/d'], 'llp')
entry('space-in-lib-name', "DT_NEEDED 'lib a.so' in a folder 'my libs'", '@/my libs', ['my libs'], lib='lib a.so')
entry('utf8-names', 'folder and library with non-ASCII names', '@/dépôt', ['dépôt'], lib='libé.so')
LONG = '/'.join(['n' * 200] * 12)
entry('long-path', 'RUNPATH of about 2400 characters', '@/' + LONG, [LONG])
entry('path-max-exceeded-then-good', 'first entry of RUNPATH is longer than PATH_MAX, second is good',
      '/' + 'x/' * 3000 + ':@/d', ['d'])
entry('component-too-long-then-good', 'first entry of RUNPATH has a component of 300 characters',
      '@/' + 'y' * 300 + ':@/d', ['d'])
entry('needed-name-too-long', 'DT_NEEDED is a bare name of 300 characters, RUNPATH an existing folder', '@/d',
      [], lib='z' * 300 + '.so', extra=lambda s: s.mkdir('d'))


@case(G, 'RPATH is the empty string, the library is in cwd')
def rpath_empty_string(s):
    s.lib('liba.so')
    s.exe(needed=['liba.so'], rpath='@/d')
    s.elf('prog').setval('RPATH', lambda v: 0).save()
    s.run()


@case(G, 'RUNPATH of liba is the empty string; the RPATH of the executable has libb')
def runpath_empty_string_cuts(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d')
    s.elf('d/liba.so').setval('RUNPATH', lambda v: 0).save()
    s.exe(needed=['liba.so'], rpath='@/d')
    s.run()


@case(G, 'the executable has two DT_RUNPATH entries, each with the library')
def runpath_two_entries(s):
    two(s, 'one', 'two')
    s.exe(needed=['liba.so', '@/two'], runpath='@/one')
    s.elf('prog').retag('NEEDED', s.at('@/two'), 'RUNPATH').save()
    s.run()


@case(G, 'the first folder of RUNPATH cannot be entered (mode 000, run as an ordinary user)')
def runpath_dir_unreadable_user(s):
    uid = other_uid(s)
    s.lib('a/liba.so')
    s.lib('b/liba.so')
    s.exe(needed=['liba.so'], runpath='@/a:@/b')
    os.chmod(s.p('a'), 0)
    s.run(uid=uid)


def other_uid(s):
    """A user id without root's bypass; None if we are not root anyhow."""
    s.user = 'ordinary'
    if os.getuid() != 0:
        return None
    r = subprocess.run(['/bin/sh', '-c', 'test -x .'], cwd='/', user=65534, group=65534, extra_groups=[])
    d = s.dir
    while d != '/':
        if not os.stat(d).st_mode & 1:
            raise Skip('OUTDIR is not reachable for an ordinary user')
        d = os.path.dirname(d)
    if r.returncode:
        raise Skip('cannot switch to an ordinary user')
    return 65534


# needed-names
G = 'needed-names'


@case(G, 'DT_NEEDED is an absolute path')
def needed_absolute(s):
    s.lib('d/liba.so')
    s.exe(needed=['@/d/liba.so'])
    s.run(cwd='/')


@case(G, 'DT_NEEDED is an absolute path that does not exist; LD_LIBRARY_PATH has a file of that name')
def needed_absolute_missing(s):
    s.lib('llp/liba.so')
    s.exe(needed=['@/d/liba.so'])
    s.run(env={LLP: '@/llp'})


@case(G, 'DT_NEEDED is sub/liba.so, cwd has sub')
def needed_relative(s):
    s.lib('sub/liba.so')
    s.exe(needed=['sub/liba.so'])
    s.run()


@case(G, 'DT_NEEDED is sub/liba.so, cwd is /; RUNPATH and LD_LIBRARY_PATH name the folder above sub')
def needed_relative_other_cwd(s):
    s.lib('sub/liba.so')
    s.exe(needed=['sub/liba.so'], runpath='@')
    s.run(env={LLP: '@'}, cwd='/')


@case(G, 'DT_NEEDED is ./liba.so')
def needed_dot_slash(s):
    s.lib('liba.so')
    s.exe(needed=['./liba.so'])
    s.run()


@case(G, 'DT_NEEDED is an absolute path with // and .., and a second DT_NEEDED names the same file plainly')
def needed_absolute_two_spellings(s):
    s.lib('d/liba.so')
    s.exe(needed=['@/d/liba.so', '@//d/../d/liba.so'])
    s.run()


@case(G, 'a library without SONAME is loaded by path; another needs it by bare name, which no search finds')
def no_soname_then_bare_missing(s):
    s.lib('x/libn.so', soname=None)
    s.lib('d/libuse.so', ['libn.so'])
    s.exe(needed=['@/x/libn.so', 'libuse.so'], runpath='@/d')
    s.run()


@case(G, 'a library without SONAME is loaded by path; another needs it by bare name, which finds the same file')
def no_soname_then_bare_same_file(s):
    s.lib('x/libn.so', soname=None)
    s.lib('d/libuse.so', ['libn.so'], runpath='@/x')
    s.exe(needed=['@/x/libn.so', 'libuse.so'], runpath='@/d')
    s.run()


@case(G, 'a library without SONAME is loaded by bare name; another needs it by the same bare name')
def no_soname_bare_twice(s):
    s.lib('x/libn.so', soname=None)
    s.lib('x/libuse.so', ['libn.so'])
    s.exe(needed=['libn.so', 'libuse.so'], runpath='@/x')
    s.run()


@case(G, 'a library with SONAME is loaded by path; another needs its SONAME, which no search finds')
def soname_then_bare(s):
    s.lib('x/libn.so')
    s.lib('d/libuse.so', ['libn.so'])
    s.exe(needed=['@/x/libn.so', 'libuse.so'], runpath='@/d')
    s.run()


@case(G, 'as above, but the needer comes first in load order')
def soname_then_bare_reversed(s):
    s.lib('x/libn.so')
    s.lib('d/libuse.so', ['libn.so'])
    s.exe(needed=['libuse.so', '@/x/libn.so'], runpath='@/d')
    s.run()


@case(G, 'file libn.so with SONAME libreal.so.1 is loaded; another needs libreal.so.1, which no search finds')
def soname_differs_satisfies(s):
    s.lib('d/libn.so', soname='libreal.so.1')
    s.lib('d/libuse.so', ['libreal.so.1'])
    s.exe(needed=['libn.so', 'libuse.so'], runpath='@/d')
    s.run()


@case(G, 'liba.so.1 (SONAME libx.so) is loaded first; then libx.so is needed and a real libx.so exists in the path')
def soname_shadows_file(s):
    s.lib('d/liba.so.1', soname='libx.so')
    s.lib('d/libx.so')
    s.exe(needed=['liba.so.1', 'libx.so'], runpath='@/d')
    s.run()


@case(G, 'two different files with one SONAME, both in DT_NEEDED by absolute path')
def same_soname_two_paths(s):
    two(s, 'one', 'two')
    s.exe(needed=['@/one/liba.so', '@/two/liba.so'])
    s.run()


@case(G, 'liba and libb (RUNPATHs to different folders) both need libs.so; two different files of that SONAME')
def same_soname_first_wins(s):
    two(s, 'one', 'two', 'libs.so')
    s.lib('d/liba.so', ['libs.so'], runpath='@/two')
    s.lib('d/libb.so', ['libs.so'], runpath='@/one')
    s.exe(needed=['liba.so', 'libb.so'], runpath='@/d')
    s.run()


@case(G, 'two different files with one SONAME opened by path, one after the other')
def same_soname_two_dlopens(s):
    two(s, 'one', 'two')
    s.dlopen('n:@/one/liba.so', 'n:@/two/liba.so')


@case(G, 'two files with one SONAME opened by path, then the bare SONAME')
def same_soname_then_bare(s):
    two(s, 'one', 'two')
    s.dlopen('n:@/two/liba.so', 'n:@/one/liba.so', 'n:liba.so')


@case(G, 'DT_NEEDED liba.so and liba.so.1, a symlink to it (no SONAME)')
def symlink_two_names(s):
    s.lib('d/liba.so', soname=None)
    s.symlink('d/liba.so.1', 'liba.so')
    s.exe(needed=['liba.so', 'liba.so.1'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED liba.so.1 (symlink), then liba.so; SONAME liba.so.1')
def symlink_first_then_target(s):
    s.lib('d/liba.so', soname='liba.so.1')
    s.symlink('d/liba.so.1', 'liba.so')
    s.exe(needed=['liba.so.1', 'liba.so'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED liba.so and libh.so, a hard link to it (no SONAME)')
def hardlink_two_names(s):
    s.lib('d/liba.so', soname=None)
    s.hardlink('d/libh.so', 'd/liba.so')
    s.exe(needed=['liba.so', 'libh.so'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED liba.so and libcopy.so, a copy of it with SONAME liba.so')
def copy_two_names(s):
    s.lib('d/liba.so')
    s.copy('d/libcopy.so', 'd/liba.so')
    s.exe(needed=['liba.so', 'libcopy.so'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED libcopy.so (SONAME liba.so), then liba.so')
def copy_first_then_soname(s):
    s.lib('d/liba.so')
    s.copy('d/libcopy.so', 'd/liba.so')
    s.exe(needed=['libcopy.so', 'liba.so'], runpath='@/d')
    s.run()


@case(G, 'two DT_NEEDED entries with the same string')
def needed_twice(s):
    s.lib('d/liba.so')
    s.exe(needed=['liba.so', 'libzz.so'], runpath='@/d')
    e = s.elf('prog')
    first = [v for _, t, v in e.dyn() if t == 1][0]
    e.retag('NEEDED', 'libzz.so', 'NEEDED', first).save()
    s.run()


@case(G, 'a library lists its own SONAME as DT_NEEDED')
def needed_self(s):
    s.lib('d/liba.so', ['liba.so'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library lists its own path as DT_NEEDED, having been found by search')
def needed_self_path(s):
    s.lib('d/liba.so', ['@/d/liba.so'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library needs the file name of the running executable')
def needed_exe_name(s):
    s.lib('d/liba.so', ['prog'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library needs the running executable (PIE) by a path that exists')
def needed_exe_path(s):
    s.lib('d/liba.so', ['@/prog'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED ld-linux-x86-64.so.2')
def needed_ldso(s):
    s.exe(needed=['ld-linux-x86-64.so.2'])
    s.run()


@case(G, 'DT_NEEDED is the empty string')
def needed_empty(s):
    s.exe(needed=['libzz.so'])
    s.elf('prog').retag('NEEDED', 'libzz.so', 'NEEDED', 0).save()
    s.run()


@case(G, 'DT_NEEDED linux-vdso.so.1')
def needed_vdso(s):
    s.exe(needed=['linux-vdso.so.1'])
    s.run()


@case(G, 'DT_NEEDED linux-gate.so.1 (name of the 32-bit vDSO)')
def needed_gate(s):
    s.exe(needed=['linux-gate.so.1'])
    s.run()


@case(G, 'DT_NEEDED LIBA.so, the folder has liba.so')
def needed_case(s):
    s.lib('d/liba.so')
    s.exe(needed=['LIBA.so'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED liba.so.1, the folder has liba.so.1.2 and liba.so only')
def needed_version_suffix(s):
    s.lib('d/liba.so.1.2')
    s.lib('d/liba.so')
    s.exe(needed=['liba.so.1'], runpath='@/d')
    s.run()


@case(G, 'DT_NEEDED is a bare name with a trailing space')
def needed_trailing_space(s):
    s.lib('d/liba.so')
    s.exe(needed=['liba.so '], runpath='@/d')
    s.run()


# dlopen
G = 'dlopen'


@case(G, 'dlopen by absolute path')
def dlopen_path(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so')


@case(G, 'dlopen by bare name, the file is in cwd and beside the host only')
def dlopen_bare_in_cwd(s):
    s.lib('liba.so')
    s.dlopen('n:liba.so')


@case(G, 'dlopen of ./liba.so in cwd')
def dlopen_dot_slash(s):
    s.lib('liba.so')
    s.dlopen('n:./liba.so', root='liba.so')


@case(G, 'dlopen of a path that does not exist')
def dlopen_missing_path(s):
    s.dlopen('n:@/none/liba.so')


@case(G, 'dlopen by bare name, LD_LIBRARY_PATH has it')
def dlopen_bare_llp(s):
    s.lib('llp/liba.so')
    s.dlopen('n:liba.so', env={LLP: '@/llp'})


@case(G, 'dlopen by bare name, RUNPATH of the host has it')
def dlopen_bare_host_runpath(s):
    s.lib('d/liba.so')
    s.host(runpath='@/d')
    s.dlopen('n:liba.so')


@case(G, 'dlopen by bare name, RPATH of the host has it')
def dlopen_bare_host_rpath(s):
    s.lib('d/liba.so')
    s.host(rpath='@/d')
    s.dlopen('n:liba.so')


@case(G, 'dlopen by bare name of a system library (libm.so.6)')
def dlopen_bare_system(s):
    s.dlopen('n:libm.so.6')


@case(G, 'dlopen of libc.so.6, already loaded')
def dlopen_bare_libc(s):
    s.dlopen('n:libc.so.6')


def via(name, what, host=None, opener=None, where='d'):
    def fn(s):
        s.lib('d/libb.so')
        s.lib('x/liba.so', src=OPENER, **(opener or {}))
        s.host(**(host or {}))
        s.dlopen('n:@/x/liba.so', 'via:libb.so')
    add(name, G, what, fn)


via('dlopen-from-lib-runpath', 'a library with a RUNPATH calls dlopen of a bare name that is there',
    opener=dict(runpath='@/d'))
via('dlopen-from-lib-rpath', 'a library with an RPATH calls dlopen of a bare name that is there',
    opener=dict(rpath='@/d'))
via('dlopen-from-lib-host-runpath', 'a library without paths calls dlopen; RUNPATH of the host has the file',
    host=dict(runpath='@/d'))
via('dlopen-from-lib-host-rpath', 'a library without paths calls dlopen; RPATH of the host has the file',
    host=dict(rpath='@/d'))
via('dlopen-from-lib-runpath-host-rpath',
    'a library with a RUNPATH (other folder) calls dlopen; RPATH of the host has the file',
    host=dict(rpath='@/d'), opener=dict(runpath='@/x'))
via('dlopen-from-lib-rpath-host-rpath',
    'a library with an RPATH (other folder) calls dlopen; RPATH of the host has the file',
    host=dict(rpath='@/d'), opener=dict(rpath='@/x'))
via('dlopen-from-lib-nothing', 'a library without paths calls dlopen of a bare name that no path has')


@case(G, 'the opener was loaded by a parent with RPATH; the opener itself has no path')
def dlopen_from_lib_parent_rpath(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', src=OPENER)
    s.lib('x/libp.so', ['liba.so'], rpath='@/d')
    s.dlopen('n:@/x/libp.so', 'via:libb.so')


@case(G, 'liba opened by path with LOCAL, then by its bare SONAME')
def dlopen_local_then_bare(s):
    s.lib('x/liba.so')
    s.dlopen('n:@/x/liba.so', 'n:liba.so')


@case(G, 'liba (no SONAME) opened by path with LOCAL, then by its bare file name')
def dlopen_local_then_bare_no_soname(s):
    s.lib('x/liba.so', soname=None)
    s.dlopen('n:@/x/liba.so', 'n:liba.so')


def pre(name, what, flags, soname=''):
    def fn(s):
        s.lib('x/liba.so', src='int fa(void){return 5;}', soname=soname)
        s.lib('y/libb.so', ['liba.so'], src='int fa(void); int fb(void){return fa();}')
        s.dlopen(flags + ':@/x/liba.so', 'n:@/y/libb.so', 'call:fb', bindings=True)
    add(name, G, what, fn)


pre('dlopen-dep-already-local', 'libb needs liba, which no search finds but which is open by path, LOCAL', 'n')
pre('dlopen-dep-already-global', 'libb needs liba, which no search finds but which is open by path, GLOBAL', 'ng')
pre('dlopen-dep-already-no-soname', 'libb needs liba; open by path, GLOBAL, but without SONAME', 'ng', None)


@case(G, 'liba is opened, closed, and then libb needs it')
def dlopen_dep_closed_before(s):
    s.lib('x/liba.so')
    s.lib('y/libb.so', ['liba.so'])
    s.dlopen('n:@/x/liba.so', 'close:', 'n:@/y/libb.so')


@case(G, 'the same file opened through a symlink and by its real name')
def dlopen_symlink_twice(s):
    s.lib('liba.so')
    s.symlink('libl.so', 'liba.so')
    s.dlopen('n:@/libl.so', 'n:@/liba.so')


@case(G, 'a copy of an open file opened by path')
def dlopen_copy(s):
    s.lib('liba.so')
    s.copy('libc2.so', 'liba.so')
    s.dlopen('n:@/liba.so', 'n:@/libc2.so')


@case(G, 'RTLD_NOLOAD of a file that is not loaded, by path')
def dlopen_noload_absent(s):
    s.lib('liba.so')
    s.dlopen('no:@/liba.so')


@case(G, 'RTLD_NOLOAD of a bare name that exists nowhere')
def dlopen_noload_missing(s):
    s.dlopen('no:libnone.so')


@case(G, 'RTLD_NOLOAD of a loaded file by SONAME')
def dlopen_noload_present(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so', 'no:liba.so')


@case(G, 'dlopen of the empty string')
def dlopen_empty(s):
    s.dlopen('n:')


@case(G, 'dlopen with neither LAZY nor NOW')
def dlopen_no_mode(s):
    s.lib('liba.so')
    s.dlopen('g:@/liba.so')


@case(G, 'dlopen of a path with a trailing slash')
def dlopen_trailing_slash(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so/', root='liba.so')


@case(G, 'dlopen of a library marked -z nodlopen')
def dlopen_noopen_flag(s):
    s.lib('liba.so', ldflags=['-Wl,-z,nodlopen'])
    s.dlopen('n:@/liba.so')


@case(G, 'a library needed by an opened one is marked -z nodlopen')
def dlopen_noopen_dep(s):
    s.lib('libb.so', ldflags=['-Wl,-z,nodlopen'])
    s.lib('liba.so', ['libb.so'], runpath='@')
    s.dlopen('n:@/liba.so')


@case(G, 'linux-vdso.so.1 opened by name')
def dlopen_vdso(s):
    s.dlopen('n:linux-vdso.so.1')


@case(G, 'ld-linux-x86-64.so.2 opened by name')
def dlopen_ldso(s):
    s.dlopen('n:ld-linux-x86-64.so.2')


@case(G, 'the host itself opened by its path')
def dlopen_host_itself(s):
    s.dlopen('n:@/dl')


# graph
G = 'graph'


def graph(name, what, edges, roots, kind='exec', libc=True):
    """edges: {lib: [deps]}; all in one folder that is in LD_LIBRARY_PATH."""
    def fn(s):
        for n, deps in edges.items():
            s.lib('d/lib%s.so' % n, ['lib%s.so' % d for d in deps], libc=libc)
        if kind == 'exec':
            s.exe(needed=['lib%s.so' % r for r in roots])
            s.run(env={LLP: '@/d'})
        else:
            s.dlopen(*['n:lib%s.so' % r for r in roots], env={LLP: '@/d'})
    add(name, G, what, fn)


graph('graph-diamond', 'prog: a b; a: d; b: d', dict(a=['d'], b=['d'], d=[]), 'ab')
graph('graph-cycle2', 'prog: a; a: b; b: a', dict(a='b', b='a'), 'a')
graph('graph-cycle3', 'prog: a; a: b; b: c3; c3: a', dict(a=['b'], b=['c3'], c3=['a']), 'a')
graph('graph-cycle-dlopen', 'dlopen a; a: b; b: c3; c3: a b', dict(a=['b'], b=['c3'], c3=['a', 'b']), 'a', 'dlopen')
graph('graph-breadth-first', 'prog: a b; a: x; b: y; x: z; y: z w', dict(a='x', b='y', x='z', y='zw', z='', w=''), 'ab')
graph('graph-wide-deep', 'prog: a b e; a: f g; f: h; b: h i; h: e', dict(a='fg', b='hi', e='', f='h', g='', h='e', i=''),
      'abe')
graph('graph-no-libc', 'libraries without libc.so.6 in DT_NEEDED', dict(a='b', b='d', d=''), 'a', libc=False)
graph('graph-deep-chain', 'a chain of 12 libraries',
      dict([('n%02d' % i, ['n%02d' % (i + 1)]) for i in range(11)] + [('n11', [])]), ['n00'])
graph('graph-deep-chain-dlopen', 'a chain of 12 libraries opened at its head',
      dict([('n%02d' % i, ['n%02d' % (i + 1)]) for i in range(11)] + [('n11', [])]), ['n00'], 'dlopen')
graph('graph-dlopen-shared-dep', 'dlopen a (needs d), then b (needs d and e)', dict(a='d', b='de', d='', e=''), 'ab',
      'dlopen')
graph('graph-dlopen-diamond', 'dlopen a; a: b c3; b: d; c3: d e; d: e', dict(a=['b', 'c3'], b=['d'], c3=['d', 'e'],
      d=['e'], e=[]), 'a', 'dlopen')
graph('graph-init-order', 'prog: a b; a: d e; b: e; d: b', dict(a='de', b='e', d='b', e=''), 'ab')


@case(G, 'liba in front of libb; libb is marked -z initfirst')
def graph_initfirst(s):
    s.lib('d/liba.so')
    s.lib('d/libb.so', ['liba.so'], ldflags=['-Wl,-z,initfirst'])
    s.exe(needed=['liba.so', 'libb.so'])
    s.run(env={LLP: '@/d'})


# preload
G = 'preload'
FRET = 'int f(void){return %d;}\n'
CALLF = 'int f(void);\nint main(void){return f();}\n'


@case(G, 'LD_PRELOAD with an absolute path')
def preload_path(s):
    s.lib('libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': '@/libp.so'})


@case(G, 'LD_PRELOAD with a bare name that LD_LIBRARY_PATH has')
def preload_bare_llp(s):
    s.lib('d/libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': 'libp.so', LLP: '@/d'})


@case(G, 'LD_PRELOAD with a bare name that the RUNPATH of the executable has')
def preload_bare_runpath(s):
    s.lib('d/libp.so')
    s.exe(runpath='@/d')
    s.run(env={'LD_PRELOAD': 'libp.so'})


@case(G, 'LD_PRELOAD with a bare name that the RPATH of the executable has')
def preload_bare_rpath(s):
    s.lib('d/libp.so')
    s.exe(rpath='@/d')
    s.run(env={'LD_PRELOAD': 'libp.so'})


@case(G, 'LD_PRELOAD with a relative path with a slash')
def preload_relative(s):
    s.lib('d/libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': 'd/libp.so'})


@case(G, 'LD_PRELOAD names a bare library that exists nowhere')
def preload_missing(s):
    s.exe()
    s.run(env={'LD_PRELOAD': 'libnone.so'})


@case(G, 'LD_PRELOAD names a missing path and then a good one')
def preload_missing_then_good(s):
    s.lib('libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': '@/none.so:@/libp.so'})


@case(G, 'LD_PRELOAD of two libraries with a colon, in the other order than their names')
def preload_two_colon(s):
    s.lib('libp.so')
    s.lib('libq.so')
    s.exe()
    s.run(env={'LD_PRELOAD': '@/libq.so:@/libp.so'})


@case(G, 'LD_PRELOAD of two libraries with a space, empty items around')
def preload_two_space(s):
    s.lib('libp.so')
    s.lib('libq.so')
    s.exe()
    s.run(env={'LD_PRELOAD': ' @/libp.so  :@/libq.so:'})


@case(G, 'LD_PRELOAD with a space inside the path')
def preload_space_in_path(s):
    s.lib('my dir/libp.so')
    s.exe()
    s.run(env={'LD_PRELOAD': '@/my dir/libp.so'})


@case(G, 'the preloaded library defines a function that a needed one defines too')
def preload_interposes(s):
    s.lib('liba.so', src=FRET % 3)
    s.lib('libp.so', src=FRET % 4)
    s.exe(needed=[Link('liba.so')], src=CALLF, runpath='@')
    s.run(env={'LD_PRELOAD': '@/libp.so'}, bindings=True)


@case(G, 'a preloaded library has a dependency that no search finds')
def preload_dep_missing(s):
    s.lib('libp.so', ['libnone.so'])
    s.exe()
    s.run(env={'LD_PRELOAD': '@/libp.so'})


@case(G, 'LD_PRELOAD of a library of the wrong ELF class')
def preload_class32(s):
    s.lib('libp.so')
    s.elf('libp.so').put(4, b'\1').save()
    s.exe()
    s.run(env={'LD_PRELOAD': '@/libp.so'})


@case(G, 'LD_PRELOAD of a text file')
def preload_text(s):
    s.write('libp.so', 'not a library ' * 20)
    s.exe()
    s.run(env={'LD_PRELOAD': '@/libp.so'})


@case(G, 'LD_PRELOAD of a position-independent executable')
def preload_pie(s):
    s.exe('other')
    s.exe()
    s.run(env={'LD_PRELOAD': '@/other'})


@case(G, 'the preloaded library is also needed, by SONAME; order of the needed ones is a b')
def preload_also_needed(s):
    s.lib('d/liba.so')
    s.lib('d/libb.so')
    s.exe(needed=['liba.so', 'libb.so'], runpath='@/d')
    s.run(env={'LD_PRELOAD': '@/d/libb.so'})


@case(G, 'a preloaded library satisfies by its SONAME a DT_NEEDED that no search finds')
def preload_satisfies_needed(s):
    s.lib('x/liba.so')
    s.exe(needed=['liba.so'])
    s.run(env={'LD_PRELOAD': '@/x/liba.so'})


@case(G, 'a preloaded file without SONAME has the file name of a DT_NEEDED that no search finds')
def preload_no_soname(s):
    s.lib('x/liba.so', soname=None)
    s.exe(needed=['liba.so'])
    s.run(env={'LD_PRELOAD': '@/x/liba.so'})


@case(G, 'LD_PRELOAD is empty')
def preload_empty(s):
    s.exe()
    s.run(env={'LD_PRELOAD': ''})


@case(G, 'a preloaded library needs a symbol that only a needed library defines')
def preload_uses_needed(s):
    s.lib('liba.so', src=FRET % 3)
    s.lib('libp.so', src='int f(void); int g(void){return f()+10;}')
    s.lib('linktime/libg.so', src='int g(void){return 1;}', soname='liba.so')
    s.exe(needed=[Link('linktime/libg.so')], src='int g(void);int main(void){return g();}', runpath='@')
    s.run(env={'LD_PRELOAD': '@/libp.so'}, bindings=True)


@case(G, 'LD_AUDIT names a library that exists nowhere')
def audit_missing(s):
    s.exe()
    s.run(env={'LD_AUDIT': 'libnone.so'})


# hwcaps
G = 'hwcaps'
HW = 'glibc-hwcaps/'


def hw(name, what, dirs, kind='llp', path='@/d', bad=None):
    def fn(s):
        for d in dirs:
            s.lib(('' if '/' in d and d[0] in 'ab' and d[1] == '/' else 'd/') + d + '/liba.so')
        if bad:
            bad(s)
        if kind == 'llp':
            s.exe(needed=['liba.so'])
            s.run(env={LLP: path})
        else:
            s.exe(needed=['liba.so'], **{kind: path})
            s.run()
    add(name, G, what, fn)


ALL = ['.'] + [HW + 'x86-64-v%d' % i for i in (1, 2, 3, 4)]
hw('hwcaps-llp-v2-v3', 'LD_LIBRARY_PATH: base, x86-64-v2 and x86-64-v3', ['.', HW + 'x86-64-v2', HW + 'x86-64-v3'])
hw('hwcaps-llp-v3-only', 'LD_LIBRARY_PATH: only x86-64-v3 has it', [HW + 'x86-64-v3'])
hw('hwcaps-llp-v4-v2', 'LD_LIBRARY_PATH: base, x86-64-v2 and x86-64-v4', ['.', HW + 'x86-64-v4', HW + 'x86-64-v2'])
hw('hwcaps-llp-all', 'LD_LIBRARY_PATH: base and x86-64-v1 to v4', ALL)
hw('hwcaps-runpath-all', 'RUNPATH: base and x86-64-v1 to v4', ALL, 'runpath')
hw('hwcaps-rpath-all', 'RPATH: base and x86-64-v1 to v4', ALL, 'rpath')
hw('hwcaps-v1-only', 'RUNPATH: only a folder x86-64-v1 (no such level) has it', [HW + 'x86-64-v1'], 'runpath')
hw('hwcaps-unknown-level', 'RUNPATH: base and x86-64-v9', ['.', HW + 'x86-64-v9'], 'runpath')
hw('hwcaps-unknown-only', 'RUNPATH: only x86-64-v9 has it', [HW + 'x86-64-v9'], 'runpath')
for legacy in ('haswell', 'tls', 'x86_64', 'avx512_1', 'xeon_phi', 'haswell/x86_64', 'tls/haswell/avx512_1/x86_64'):
    hw('hwcaps-legacy-' + re.sub('[/_]', '-', legacy), 'RUNPATH: base and the legacy folder ' + legacy, ['.', legacy],
       'runpath')
hw('hwcaps-legacy-vs-new', 'RUNPATH: base, haswell and glibc-hwcaps/x86-64-v2', ['.', 'haswell', HW + 'x86-64-v2'],
   'runpath')
hw('hwcaps-first-dir-base', 'RUNPATH a:b, a has only the base, b has x86-64-v3', ['a/.', 'b/' + HW + 'x86-64-v3'],
   'runpath', '@/a:@/b')
hw('hwcaps-class32-in-v3', 'RUNPATH: base, and in x86-64-v3 a file of the wrong ELF class', ['.', HW + 'x86-64-v3'],
   'runpath', bad=lambda s: s.elf('d/' + HW + 'x86-64-v3/liba.so').put(4, b'\1').save())
hw('hwcaps-text-in-v3', 'RUNPATH: base, and in x86-64-v3 a text file', ['.'], 'runpath',
   bad=lambda s: s.write('d/' + HW + 'x86-64-v3/liba.so', 'text ' * 40))
hw('hwcaps-dangling-in-v3', 'RUNPATH: base, and in x86-64-v3 a dangling symlink', ['.'], 'runpath',
   bad=lambda s: s.symlink('d/' + HW + 'x86-64-v3/liba.so', 'none'))
hw('hwcaps-glibc-hwcaps-itself', 'RUNPATH: only d/glibc-hwcaps/liba.so exists', ['glibc-hwcaps'], 'runpath')


@case(G, 'liba is found in glibc-hwcaps/x86-64-v2 and has RUNPATH $ORIGIN; libb is in the base folder only')
def hwcaps_origin(s):
    s.lib('d/libb.so')
    s.lib('d/' + HW + 'x86-64-v2/liba.so', ['libb.so'], runpath='$ORIGIN')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'dlopen by path of the base file while x86-64-v3 has another')
def hwcaps_dlopen_path(s):
    s.lib('d/liba.so')
    s.lib('d/' + HW + 'x86-64-v3/liba.so')
    s.dlopen('n:@/d/liba.so')


@case(G, 'a library found in the base folder first, then its bare name again with v3 in another RUNPATH')
def hwcaps_second_path(s):
    s.lib('a/liba.so')
    s.lib('b/' + HW + 'x86-64-v3/liba.so')
    s.lib('a/libb.so', ['liba.so'], runpath='@/b')
    s.exe(needed=['libb.so', 'liba.so'], runpath='@/a')
    s.run()


# nodeflib
G = 'nodeflib'
NODEF = ['-Wl,-z,nodefaultlib']


def libc_dir():
    for d in ('/lib/x86_64-linux-gnu', '/lib64', '/usr/lib64', '/usr/lib/x86_64-linux-gnu', '/lib', '/usr/lib'):
        if os.path.exists(d + '/libc.so.6'):
            return d
    raise Skip('no libc.so.6 in the usual folders')


@case(G, 'executable with -z nodefaultlib and no path')
def nodeflib_exe(s):
    s.exe(ldflags=NODEF)
    s.run()


@case(G, "executable with -z nodefaultlib and the system's folder as RUNPATH")
def nodeflib_exe_runpath(s):
    s.exe(ldflags=NODEF, runpath=libc_dir())
    s.run()


@case(G, "executable with -z nodefaultlib and the system's folder in LD_LIBRARY_PATH")
def nodeflib_exe_llp(s):
    s.exe(ldflags=NODEF)
    s.run(env={LLP: libc_dir()})


@case(G, 'a library with -z nodefaultlib needs libm.so.6')
def nodeflib_lib(s):
    s.lib('d/liba.so', ['libm.so.6'], ldflags=NODEF, libc=False)
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library with -z nodefaultlib needs libc.so.6, which the executable has loaded')
def nodeflib_lib_loaded(s):
    s.lib('d/liba.so', ldflags=NODEF)
    s.dlopen('n:@/d/liba.so')


@case(G, 'liba (-z nodefaultlib) needs libb without the flag, libb needs libm.so.6')
def nodeflib_not_inherited(s):
    s.lib('d/libb.so', ['libm.so.6'], libc=False)
    s.lib('d/liba.so', ['libb.so'], ldflags=NODEF, libc=False, runpath='@/d')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library with -z nodefaultlib dlopens libm.so.6')
def nodeflib_dlopen(s):
    s.lib('liba.so', src=OPENER, ldflags=NODEF)
    s.dlopen('n:@/liba.so', 'via:libm.so.6')


# errno: the system's part of 'cannot open shared object file: ...' is the last errno
G = 'errno'


def errno_cases(name, what, setup, path='@/e', lib='libb.so', user=False):
    """liba (-z nodefaultlib: nothing is tried behind its RUNPATH) needs `lib`."""
    def build(s):
        s.mkdir('e')
        s.lib('d/liba.so', [lib], ldflags=NODEF, libc=False, **({'runpath': path} if path else {}))
        uid = other_uid(s) if user else None
        setup(s)
        return uid

    def ex(s):
        uid = build(s)
        s.exe(needed=['liba.so'], runpath='@/d')
        s.run(uid=uid)

    def dl(s):
        uid = build(s)
        s.dlopen('n:@/d/liba.so', uid=uid)
    add('errno-' + name, G, what, ex)
    add('errno-%s-dlopen' % name, G, what + ' (dlopen)', dl)


def errno_mode000(s):
    s.lib('e/libb.so')
    os.chmod(s.p('e/libb.so'), 0)


def errno_machine(s):
    s.lib('e/libb.so')
    s.elf('e/libb.so').put(18, b'\xb7\0').save()


errno_cases('no-path', 'no search step at all is left', lambda s: None, None)
errno_cases('missing-dir', 'the only folder does not exist', lambda s: None, '@/nonexistent')
errno_cases('missing-file', 'the only folder lacks the file', lambda s: None)
errno_cases('dir-is-file', 'the only folder is a plain file', lambda s: s.write('f', 'x'), '@/f')
errno_cases('dir-loop', 'the only folder is a symlink to itself', lambda s: s.symlink('l', 'l'), '@/l')
errno_cases('file-loop', 'the file is a symlink to itself', lambda s: s.symlink('e/libb.so', 'libb.so'))
errno_cases('file-notdir', 'the file is a symlink to a path below a plain file',
            lambda s: (s.write('f', 'x'), s.symlink('e/libb.so', '@/f/x')))
errno_cases('file-dangling', 'the file is a dangling symlink', lambda s: s.symlink('e/libb.so', 'none'))
errno_cases('file-mode000', 'the file has mode 000 and the user is an ordinary one', errno_mode000, user=True)
errno_cases('file-machine', 'the file is for another machine', errno_machine)
errno_cases('name-too-long', 'the needed name has 300 characters', lambda s: None, lib='z' * 300)


# secure: AT_SECURE (set-user-ID to an ordinary user, run as root: rights only get less)
G = 'secure'


SELFMAP = r'''
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
static int cb(struct dl_phdr_info *i, size_t n, void *d){ printf("M\t%s\n", i->dlpi_name); return 0; }
int main(void){ return dl_iterate_phdr(cb, 0); }
'''


def secure(s, prog='prog'):
    if os.getuid() != 0:
        raise Skip('needs root')
    if os.statvfs(s.dir).f_flag & os.ST_NOSUID:
        raise Skip('OUTDIR is mounted nosuid')
    uid = other_uid(s)
    os.chown(s.p(prog), uid, uid)
    os.chmod(s.p(prog), 0o4755)


def sec(name, what, build, env=None, prog='prog', cwd='.', **kw):
    def fn(s):
        build(s)
        s.exe(prog, src=SELFMAP, **kw)
        secure(s, prog)
        s.run(prog, env=env, cwd=cwd, secure=True, ldd=False)
    add('secure-' + name, G, what, fn)


def sec_lib(s):
    s.lib('d/liba.so')


sec('llp', 'set-user-ID program, LD_LIBRARY_PATH has the library', sec_lib, {LLP: '@/d'}, needed=['liba.so'])
sec('runpath-absolute', 'set-user-ID program, absolute RUNPATH', sec_lib, needed=['liba.so'], runpath='@/d')
sec('rpath-absolute', 'set-user-ID program, absolute RPATH', sec_lib, needed=['liba.so'], rpath='@/d')
sec('runpath-relative', 'set-user-ID program, RUNPATH d, cwd has it', sec_lib, needed=['liba.so'], runpath='d')
sec('runpath-origin', 'set-user-ID program, RUNPATH $ORIGIN/d', sec_lib, needed=['liba.so'], runpath='$ORIGIN/d')
sec('runpath-origin-then-absolute', 'set-user-ID program, RUNPATH $ORIGIN/d:@/d', sec_lib, needed=['liba.so'],
    runpath='$ORIGIN/d:@/d')
sec('needed-origin', 'set-user-ID program, DT_NEEDED $ORIGIN/d/liba.so', sec_lib, needed=['$ORIGIN/d/liba.so'])
sec('needed-relative', 'set-user-ID program, DT_NEEDED d/liba.so, cwd has it', sec_lib, needed=['d/liba.so'])
sec('needed-absolute', 'set-user-ID program, DT_NEEDED absolute', sec_lib, needed=['@/d/liba.so'])
sec('preload-path', 'set-user-ID program, LD_PRELOAD with a path', sec_lib, {'LD_PRELOAD': '@/d/liba.so'})
sec('preload-bare-system', 'set-user-ID program, LD_PRELOAD=libm.so.6 (not set-user-ID itself)', lambda s: None,
    {'LD_PRELOAD': 'libm.so.6'})
sec('preload-bare-missing', 'set-user-ID program, LD_PRELOAD with a bare name that exists nowhere', lambda s: None,
    {'LD_PRELOAD': 'libnone.so'})
sec('lib-runpath-origin', 'set-user-ID program with an absolute RUNPATH to liba, whose RUNPATH is $ORIGIN/m',
    lambda s: (s.lib('d/m/libb.so'), s.lib('d/liba.so', ['libb.so'], runpath='$ORIGIN/m')), needed=['liba.so'],
    runpath='@/d')
sec('missing', 'set-user-ID program, a library missing', lambda s: None, needed=['libnone.so'])
sec('hwcaps', 'set-user-ID program, absolute RUNPATH with base and glibc-hwcaps/x86-64-v2',
    lambda s: (sec_lib(s), s.lib('d/' + HW + 'x86-64-v2/liba.so')), needed=['liba.so'], runpath='@/d')


# bad-files
G = 'bad-files'


def patch(*edits):
    def fn(s, rel):
        s.lib(rel)
        e = s.elf(rel)
        for off, data in edits:
            e.put(off, data)
        e.save()
    return fn


def data(content):
    return lambda s, rel: s.write(rel, content)


def cut(n):
    def fn(s, rel):
        s.lib(rel)
        with open(s.p(rel), 'r+b') as f:
            f.truncate(n)
    return fn


BIG = 'int big[4096]={1}; int touch(void){return big[4095];}\n'


def cut_load(before_dynamic, libc=True):
    """Cut inside the last PT_LOAD: before the dynamic section, or after it inside .data."""
    def fn(s, rel):
        s.lib(rel, src=BIG, libc=libc)
        e = s.elf(rel)
        last = e.segs(1)[-1]
        n = e.seg(last)[2] if before_dynamic else e.seg(last)[2] + e.seg(last)[5] - 8192
        with open(s.p(rel), 'r+b') as f:
            f.truncate(n)
    return fn


def cut_sections(s, rel):
    s.lib(rel)
    e = s.elf(rel)
    last = e.segs(1)[-1]
    with open(s.p(rel), 'r+b') as f:
        f.truncate(e.seg(last)[2] + e.seg(last)[5])


def edit(fn0, **kw):
    def fn(s, rel):
        s.lib(rel, **kw)
        e = s.elf(rel)
        fn0(e)
        e.save()
    return fn


def misalign(e):
    i = e.segs(1)[-1]
    struct.pack_into('<Q', e.b, e.ph[i] + 48, 0x800)


def misoffset(e):
    i = e.segs(1)[-1]
    off = e.seg(i)[2]
    struct.pack_into('<Q', e.b, e.ph[i] + 8, off + 8)


def debug_only(s, rel):
    s.lib('.full.so', cflags=['-g'])
    s.parent(rel)
    r = subprocess.run(['objcopy', '--only-keep-debug', s.p('.full.so'), s.p(rel)])
    s.remove('.full.so')
    if r.returncode:
        raise Skip('objcopy failed')


def rel_object(s, rel):
    s.parent(rel)
    shutil.copyfile(s.tools.obj('int x(void){return 1;}', ['-fPIC']), s.p(rel))


def archive(s, rel):
    o = s.tools.obj('int x(void){return 1;}', ['-fPIC'])
    s.parent(rel)
    if subprocess.run(['ar', 'rcD', s.p(rel), o]).returncode:
        raise Skip('ar failed')


def abitag(osnum, major):
    src = ('__asm__(".section .note.ABI-tag,\\"a\\",%%note\\n.balign 4\\n.long 4,16,1\\n.asciz \\"GNU\\"\\n'
           '.long %d,%d,0,0\\n.text");\nint x(void){return 1;}\n' % (osnum, major))
    return lambda s, rel: s.lib(rel, src=src.replace('%%', '@').replace('%note', '@note'))


def noread(s, rel):
    s.lib(rel)
    os.chmod(s.p(rel), 0)


def loop(s, rel):
    s.symlink(rel, os.path.basename(rel))


KINDS = [
    ('class32', 'e_ident class set to 32-bit', patch((4, b'\1'))),
    ('i386', 'class 32-bit and machine i386', patch((4, b'\1'), (18, b'\3\0'))),
    ('machine', 'e_machine set to AArch64', patch((18, struct.pack('<H', 183)))),
    ('big-endian', 'e_ident data encoding set to big-endian', patch((5, b'\2'))),
    ('magic', 'fourth magic byte wrong', patch((3, b'G'))),
    ('ident-version', 'e_ident version 0', patch((6, b'\0'))),
    ('e-version', 'e_version 2', patch((20, b'\2\0\0\0'))),
    ('ident-padding', 'last byte of e_ident set', patch((15, b'\1'))),
    ('type-none', 'e_type ET_NONE', patch((16, b'\0\0'))),
    ('type-core', 'e_type ET_CORE', patch((16, b'\4\0'))),
    ('rel-object', 'a relocatable object', rel_object),
    ('phentsize', 'e_phentsize 32', patch((54, b'\x20\0'))),
    ('osabi-gnu', 'OSABI GNU/Linux (3)', patch((7, b'\3'))),
    ('osabi-freebsd', 'OSABI FreeBSD (9)', patch((7, b'\x09'))),
    ('osabi-standalone', 'OSABI 255', patch((7, b'\xff'))),
    ('abiversion', 'OSABI 0 with ABI version 1', patch((8, b'\1'))),
    ('osabi-gnu-abiversion', 'OSABI 3 with ABI version 9', patch((7, b'\3\x09'))),
    ('empty', 'an empty file', data('')),
    ('ten-bytes', 'the first 10 bytes of a library', cut(10)),
    ('text-short', 'a text file of 30 bytes', data('INPUT(libreal.so.1) /* ld */\n\n')),
    ('text-long', 'a text file of 130 bytes', data('version https://example.invalid/pointer\noid sha256:' + '0' * 80)),
    ('archive', 'a static archive', archive),
    ('cut-ehdr', 'cut after 60 bytes', cut(60)),
    ('cut-ehdr-exact', 'cut after 64 bytes, the ELF header alone', cut(64)),
    ('cut-phdr', 'cut after 100 bytes, inside the program headers', cut(100)),
    ('cut-before-dynamic', 'cut at the start of the last PT_LOAD', cut_load(True)),
    ('cut-in-data', 'cut inside .data, behind the dynamic section; a .bss follows .data', cut_load(False)),
    ('cut-in-data-no-bss', 'cut inside .data, behind the dynamic section; no .bss', cut_load(False, False)),
    ('cut-sections', 'cut behind the last PT_LOAD: section headers gone', cut_sections),
    ('directory', 'a folder of that name', lambda s, rel: s.mkdir(rel)),
    ('dangling', 'a dangling symlink', lambda s, rel: s.symlink(rel, 'nowhere')),
    ('loop', 'a symlink to itself', loop),
    ('notdir', 'a symlink to a path below a plain file',
     lambda s, rel: (s.write('plain', 'x'), s.symlink(rel, '@/plain/liba.so'))),
    ('dev-null', 'a symlink to /dev/null', lambda s, rel: s.symlink(rel, '/dev/null')),
    ('no-load', 'all PT_LOAD turned into PT_NULL', edit(lambda e: e.retype(1, 0))),
    ('no-dynamic', 'PT_DYNAMIC turned into PT_NULL', edit(lambda e: e.retype(2, 0))),
    ('load-align', 'alignment of a PT_LOAD set to 0x800', edit(misalign)),
    ('load-offset', 'offset of a PT_LOAD shifted by 8', edit(misoffset)),
    ('debug-only', 'the output of objcopy --only-keep-debug', debug_only),
    ('abitag-linux-99', 'ABI-tag note: Linux 99.0.0', abitag(0, 99)),
    ('abitag-hurd', 'ABI-tag note: Hurd', abitag(1, 2)),
    ('et-exec', 'a position-dependent executable', lambda s, rel: s.exe(rel, pie=False)),
    ('pie', 'a position-independent executable', lambda s, rel: s.exe(rel)),
]


def bad(kind, text, make):
    def search(s):
        make(s, 'bad/liba.so')
        s.lib('good/liba.so')
        s.exe(needed=['liba.so'], runpath='@/bad:@/good')
        s.run()

    def only(s):
        make(s, 'bad/liba.so')
        s.exe(needed=['liba.so'], runpath='@/bad')
        s.run()

    def path(s):
        make(s, 'bad/liba.so')
        s.dlopen('n:@/bad/liba.so')
    add('bad-%s-good-later' % kind, G, text + ', in RUNPATH before a good one', search)
    add('bad-%s-only' % kind, G, text + ', the only candidate', only)
    add('bad-%s-dlopen' % kind, G, text + ', opened by path', path)


for k in KINDS:
    bad(*k)


def bad_steps(kind, text, make):
    def fn(s):
        make(s, 'bad/liba.so')
        s.lib('good/liba.so')
        s.exe(needed=['liba.so'], runpath='@/good')
        s.run(env={LLP: '@/bad'})
    add('bad-%s-next-step' % kind, G, text + ', in LD_LIBRARY_PATH; a good one in the RUNPATH', fn)

    def rp(s):
        make(s, 'bad/liba.so')
        s.lib('good/liba.so')
        s.exe(needed=['liba.so'], rpath='@/bad')
        s.run(env={LLP: '@/good'})
    add('bad-%s-rpath-then-llp' % kind, G, text + ', in RPATH; a good one in LD_LIBRARY_PATH', rp)


for k in KINDS:
    if k[0] in ('class32', 'machine', 'directory', 'loop', 'empty', 'text-long', 'osabi-freebsd', 'abitag-linux-99'):
        bad_steps(*k)


def unreadable(name, what, plan, root):
    def fn(s):
        uid = None if root else other_uid(s)
        if root:
            if os.getuid() != 0:
                raise Skip('needs root')
            s.user = 'root'
        noread(s, 'bad/liba.so')
        s.lib('good/liba.so')
        if plan == 'dlopen':
            s.dlopen('n:@/bad/liba.so', uid=uid)
        else:
            s.exe(needed=['liba.so'], runpath='@/bad:@/good' if plan == 'search' else '@/bad')
            s.run(uid=uid)
    add(name, G, what, fn)


for plan, text in (('search', 'in RUNPATH before a good one'), ('only', 'the only candidate'), ('dlopen', 'opened by path')):
    n = {'search': 'good-later'}.get(plan, plan)
    unreadable('bad-mode000-%s' % n, 'mode 000, run as an ordinary user, ' + text, plan, False)
    unreadable('bad-mode000-root-%s' % n, 'mode 000, run as root, ' + text, plan, True)


@case(G, 'a library without .bss cut inside .data; the lost part is read by a function')
def bad_cut_in_data_touched(s):
    cut_load(False, False)(s, 'liba.so')
    s.dlopen('n:@/liba.so', 'call:touch')


@case(G, 'two candidates of the wrong class and nothing else')
def bad_class32_twice(s):
    patch((4, b'\1'))(s, 'a/liba.so')
    patch((4, b'\1'))(s, 'b/liba.so')
    s.exe(needed=['liba.so'], runpath='@/a:@/b')
    s.run()


@case(G, 'one candidate of the wrong class, then one for another machine')
def bad_class32_then_machine(s):
    patch((4, b'\1'))(s, 'a/liba.so')
    patch((18, b'\xb7\0'))(s, 'b/liba.so')
    s.exe(needed=['liba.so'], runpath='@/a:@/b')
    s.run()


@case(G, 'one candidate of the wrong class; the dependency of a dlopened library')
def bad_class32_dep_of_dlopen(s):
    patch((4, b'\1'))(s, 'a/libb.so')
    s.lib('liba.so', ['libb.so'], runpath='@/a')
    s.dlopen('n:@/liba.so')


@case(G, 'a bare dlopen whose only candidate in LD_LIBRARY_PATH has the wrong class')
def bad_class32_dlopen_bare(s):
    patch((4, b'\1'))(s, 'a/liba.so')
    s.dlopen('n:liba.so', env={LLP: '@/a'})


@case(G, 'a good file, found second, whose first namesake is a folder in LD_LIBRARY_PATH, dlopen by bare name')
def bad_directory_dlopen_bare(s):
    s.mkdir('a/liba.so')
    s.lib('b/liba.so')
    s.dlopen('n:liba.so', env={LLP: '@/a:@/b'})


# elf-kinds
G = 'elf-kinds'


@case(G, 'a PIE whose DF_1_PIE flag was cleared, opened by path')
def kind_pie_unflagged(s):
    s.exe('other')
    s.elf('other').setval('FLAGS_1', lambda v: v & ~0x08000000).save()
    s.dlopen('n:@/other')


@case(G, 'a static PIE opened by path')
def kind_static_pie(s):
    try:
        s.tools.gcc(['-static-pie', s.tools.obj(MAIN, ['-fPIE']), '-o', s.p('other')])
    except BuildError:
        raise Skip('no static-pie linking here')
    s.dlopen('n:@/other')


@case(G, 'a statically linked executable, with LD_LIBRARY_PATH and LD_PRELOAD set')
def kind_static(s):
    try:
        s.tools.gcc(['-static', s.tools.obj(MAIN, ['-fno-pie']), '-o', s.p('prog')])
    except BuildError:
        raise Skip('no static linking here')
    s.run(env={LLP: '@', 'LD_PRELOAD': '@/none.so'}, ldd=False)


@case(G, 'an executable with a DT_NEEDED but without PT_INTERP (PT_INTERP turned into PT_NULL)')
def kind_no_interp(s):
    s.lib('liba.so')
    s.exe(needed=['liba.so'])
    s.elf('prog').retype(3, 0).save()
    s.run(argv=['LDSO', '@/prog'])


@case(G, 'a library with DT_TEXTREL')
def kind_textrel(s):
    s.lib('liba.so', src='__asm__(".text\\n.globl tr\\ntr: .quad tr2\\n.data\\ntr2: .quad 0\\n.text");',
          ldflags=['-Wl,-z,notext'])
    s.dlopen('n:@/liba.so')


@case(G, 'a library with DT_HASH only')
def kind_sysv_hash(s):
    s.lib('liba.so', src=FRET % 6, ldflags=['-Wl,--hash-style=sysv'])
    s.dlopen('n:@/liba.so', 'call:f')


@case(G, 'a library that asks for an x86 ISA level with an unknown bit')
def kind_isa_unknown(s):
    isa_lib(s, 0x1f | 0x8000)
    s.dlopen('n:@/liba.so')


@case(G, 'an executable whose needed library asks for an x86 ISA level with an unknown bit')
def kind_isa_unknown_exec(s):
    isa_lib(s, 0x1f | 0x8000)
    s.exe(needed=['liba.so'], runpath='@')
    s.run()


@case(G, 'a library that asks for x86 ISA level v4 (CPU decides)')
def kind_isa_v4(s):
    isa_lib(s, 0x0f)
    s.dlopen('n:@/liba.so')


def isa_lib(s, value):
    try:
        s.lib('liba.so', ldflags=['-Wl,-z,x86-64-v4'])
    except BuildError:
        raise Skip('linker without -z x86-64-v4')
    e = s.elf('liba.so')
    i = bytes(e.b).find(struct.pack('<II', 0xc0008002, 4))
    if i < 0:
        raise Skip('no ISA property written')
    e.put(i + 8, struct.pack('<I', value)).save()


M32 = 'no 32-bit compiling or no 32-bit loader here'
START32 = '__asm__(".globl _start\\n_start: movl $1,%eax\\n xorl %ebx,%ebx\\n int $0x80\\n");\n'


@case(G, 'a 32-bit executable; the only liba.so in its RUNPATH is 64-bit')
def kind_m32_prog_lib64(s):
    if not os.path.exists('/lib/ld-linux.so.2'):
        raise Skip(M32)
    s.lib('d/liba.so')
    try:
        s.lib('linktime/liba.so', src='', cflags=['-m32'], ldflags=['-m32'], libc=False)
        s.exe(needed=[Link('linktime/liba.so')], src=START32, runpath='@/d', pie=False, cflags=['-m32'],
              ldflags=['-m32', '-nostdlib', '-Xlinker', '--dynamic-linker', '-Xlinker', '/lib/ld-linux.so.2'])
    except BuildError:
        raise Skip(M32)
    s.run()


@case(G, 'a 64-bit executable; RUNPATH has a true 32-bit library first, then a 64-bit one')
def kind_m32_lib_first(s):
    try:
        s.lib('a/liba.so', cflags=['-m32'], ldflags=['-m32'], libc=False)
    except BuildError:
        raise Skip(M32)
    s.lib('b/liba.so')
    s.exe(needed=['liba.so'], runpath='@/a:@/b')
    s.run()


# interp
G = 'interpreter'


def set_interp(s, path):
    s.exe(ldflags=['-Xlinker', '--dynamic-linker', '-Xlinker', path])


@case(G, 'PT_INTERP names a file that does not exist')
def interp_missing(s):
    set_interp(s, '@/none/ld.so')
    s.run(ldd=False)


@case(G, 'PT_INTERP names a folder')
def interp_directory(s):
    s.mkdir('ld.so')
    set_interp(s, '@/ld.so')
    s.run(ldd=False)


@case(G, 'PT_INTERP names an empty file')
def interp_empty(s):
    s.write('ld.so', '')
    os.chmod(s.p('ld.so'), 0o755)
    set_interp(s, '@/ld.so')
    s.run(ldd=False)


@case(G, 'PT_INTERP names a file without execute permission')
def interp_not_executable(s):
    shutil.copyfile(LD_DEFAULT, s.p('my-ld.so'))
    os.chmod(s.p('my-ld.so'), 0o644)
    set_interp(s, '@/my-ld.so')
    s.run(ldd=False)


@case(G, 'PT_INTERP is relative (my-ld.so), cwd has a copy of the loader')
def interp_relative(s):
    shutil.copyfile(LD_DEFAULT, s.p('my-ld.so'))
    os.chmod(s.p('my-ld.so'), 0o755)
    set_interp(s, 'my-ld.so')
    s.run()


@case(G, 'PT_INTERP is a copy of the loader in the scenario; a library needs ld-linux-x86-64.so.2')
def interp_copy(s):
    shutil.copyfile(LD_DEFAULT, s.p('my-ld.so'))
    os.chmod(s.p('my-ld.so'), 0o755)
    set_interp(s, '@/my-ld.so')
    s.run()


@case(G, 'the executable has no execute permission')
def interp_exe_mode(s):
    s.exe()
    os.chmod(s.p('prog'), 0o644)
    s.run(ldd=False)


@case(G, 'the executable is for another machine (e_machine AArch64)')
def interp_exe_machine(s):
    s.exe()
    s.elf('prog').put(18, b'\xb7\0').save()
    s.run(ldd=False)


# ld.so command line
G = 'ldso-options'


def opt(name, what, args, env=None, **kw):
    def fn(s):
        two(s, 'one', 'two')
        s.exe(needed=['liba.so', 'libm.so.6'], **{k: v for k, v in kw.items() if k in ('rpath', 'runpath')})
        s.run(argv=['LDSO'] + args, env=env, ldd=False)
    add(name, G, what, fn)


opt('ldso-plain', 'ld.so prog, RUNPATH one', ['@/prog'], runpath='@/one')
opt('ldso-inhibit-cache', 'ld.so --inhibit-cache prog: libm.so.6 without the cache', ['--inhibit-cache', '@/prog'],
    runpath='@/one')
opt('ldso-library-path', 'ld.so --library-path two prog; LD_LIBRARY_PATH one', ['--library-path', '@/two', '@/prog'],
    {LLP: '@/one'})
opt('ldso-library-path-vs-rpath', 'ld.so --library-path two prog; RPATH one', ['--library-path', '@/two', '@/prog'],
    rpath='@/one')
opt('ldso-inhibit-rpath', 'ld.so --inhibit-rpath prog, RPATH one, LD_LIBRARY_PATH two',
    ['--inhibit-rpath', '@/prog', '@/prog'], {LLP: '@/two'}, rpath='@/one')
opt('ldso-inhibit-rpath-empty', "ld.so --inhibit-rpath '' prog, RUNPATH one", ['--inhibit-rpath', '', '@/prog'],
    runpath='@/one')
opt('ldso-preload', 'ld.so --preload two/liba.so prog, RUNPATH one', ['--preload', '@/two/liba.so', '@/prog'],
    runpath='@/one')
opt('ldso-list', 'ld.so --list prog, RUNPATH one', ['--list', '@/prog'], runpath='@/one')
opt('ldso-list-missing', 'ld.so --list prog, liba.so is in no path', ['--list', '@/prog'])
opt('ldso-argv0', 'ld.so --argv0 other prog with liba.so in no path: name in the message',
    ['--argv0', 'other', '@/prog'])
opt('ldso-missing-program', 'ld.so of a program that does not exist', ['@/none'])
opt('ldso-bare-program', 'ld.so prog without a slash, cwd has it, LD_LIBRARY_PATH is unset', ['prog'], runpath='@/one')
opt('ldso-verify', 'ld.so --verify prog', ['--verify', '@/prog'])


@case(G, 'ld.so --inhibit-rpath with the path of liba: neither its RUNPATH nor, for libb, another is left')
def ldso_inhibit_rpath_library(s):
    s.lib('d/m/libb.so')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d/m')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run(argv=['LDSO', '--inhibit-rpath', '@/d/liba.so', '@/prog'], ldd=False)


@case(G, 'ld.so --inhibit-rpath with the SONAME of liba instead of its path')
def ldso_inhibit_rpath_soname(s):
    s.lib('d/m/libb.so')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d/m')
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run(argv=['LDSO', '--inhibit-rpath', 'liba.so', '@/prog'], ldd=False)


@case(G, 'LD_TRACE_LOADED_OBJECTS=1 in the environment of the program, two libraries missing')
def ldso_trace_missing(s):
    s.lib('d/liba.so', ['libnone1.so'])
    s.exe(needed=['liba.so', 'libnone2.so'], runpath='@/d')
    s.run(env={'LD_TRACE_LOADED_OBJECTS': '1'}, ldd=False)


def mask(name, what, args):
    def fn(s):
        for d in ['.'] + [HW + 'x86-64-v%d' % i for i in (2, 3)] + [HW + 'mine']:
            s.lib('d/' + d + '/liba.so')
        s.exe(needed=['liba.so'], runpath='@/d')
        s.run(argv=['LDSO'] + args + ['@/prog'], ldd=False)
    add(name, G, what, fn)


mask('ldso-hwcaps-mask', 'ld.so --glibc-hwcaps-mask x86-64-v2, folders v2, v3 and mine exist',
     ['--glibc-hwcaps-mask', 'x86-64-v2'])
mask('ldso-hwcaps-prepend', 'ld.so --glibc-hwcaps-prepend mine, folders v2, v3 and mine exist',
     ['--glibc-hwcaps-prepend', 'mine'])


@case(G, 'ld.so is given a shared library without entry code to list its dependencies')
def ldso_list_library(s):
    s.lib('d/libb.so')
    s.lib('liba.so', ['libb.so', 'libnone.so'], runpath='@/d')
    s.run('liba.so', argv=['LDSO', '--list', '@/liba.so'], ldd=False)


# missing-deps
G = 'missing-deps'


def missing(name, what, edges, roots, kind):
    def fn(s):
        for n, deps in edges.items():
            s.lib('d/lib%s.so' % n, ['lib%s.so' % d for d in deps], runpath='@/d')
        if kind == 'exec':
            s.exe(needed=['lib%s.so' % r for r in roots], runpath='@/d')
            s.run()
        else:
            s.dlopen('n:@/d/lib%s.so' % roots[0])
    add(name + ('' if kind == 'exec' else '-dlopen'), G, what, fn)


for kd in ('exec', 'dlopen'):
    missing('missing-dep', 'a: none1', dict(a=['none1']), ['a'], kd)
    missing('missing-dep-of-dep', 'a: b; b: none1', dict(a=['b'], b=['none1']), ['a'], kd)
    missing('missing-two-siblings', 'a: none1 none2', dict(a=['none1', 'none2']), ['a'], kd)
    missing('missing-deep-then-shallow', 'a: b none2; b: none1', dict(a=['b', 'none2'], b=['none1']), ['a'], kd)
    missing('missing-second-of-good', 'a: b none1 c3', dict(a=['b', 'none1', 'c3'], b=[], c3=[]), ['a'], kd)
    missing('missing-two-branches', 'a: b c3; b: none1; c3: none2', dict(a=['b', 'c3'], b=['none1'], c3=['none2']),
            ['a'], kd)
missing('missing-exe-two', 'prog: none1 none2', {}, ['none1', 'none2'], 'exec')


@case(G, 'dlopen fails for a missing dependency, that is then opened by path, and the first is tried again')
def missing_then_retry(s):
    s.lib('x/libb.so')
    s.lib('liba.so', ['libb.so'])
    s.dlopen('n:@/liba.so', 'n:@/x/libb.so', 'n:@/liba.so')


@case(G, 'as missing-second-of-good-dlopen, but libb had been open before')
def missing_rollback_keeps_open(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so', 'libnone.so'], runpath='@/d')
    s.dlopen('n:@/d/libb.so', 'n:@/d/liba.so')


@case(G, 'the executable misses a library while LD_BIND_NOW is set')
def missing_bind_now(s):
    s.exe(needed=['libnone.so'])
    s.run(env={'LD_BIND_NOW': '1'})


# versions
G = 'versions'
V1 = 'V1 { global: f; local: *; };\n'
V12 = 'V1 { global: f; local: *; };\nV2 { global: g; } V1;\n'
FG = 'int f(void){return 0;} int g(void){return 0;}\n'
USE = 'int f(void); int g(void); int main(void){return f()+g();}\n'
USELIB = 'int f(void); int g(void); int h(void){return f()+g();}\n'


def ver(name, what, runtime, now=False, use='exe', linkver=V12, edits=None, needed=None, env=None):
    """Linked against a library with V1 and V2; `runtime` builds what is there at run time."""
    def fn(s):
        s.lib('linktime/libv.so', src=FG, vscript=linkver)
        runtime(s)
        fl = ['-Wl,-z,now'] if now else []
        if use == 'exe':
            s.exe(needed=[Link('linktime/libv.so')], src=USE, runpath='@/d', ldflags=fl)
            if edits:
                edits(s, 'prog')
            s.run(env=env)
        else:
            s.lib('liba.so', [Link('linktime/libv.so')], src=USELIB, runpath='@/d', ldflags=fl)
            if edits:
                edits(s, 'liba.so')
            s.dlopen('n:@/liba.so', env=env)
    add(name, G, what, fn)


def vlib(src=FG, vscript=V12, name='d/libv.so', **kw):
    return lambda s: s.lib(name, src=src, vscript=vscript, **kw)


F1 = 'int f(void){return 0;}\n'
for u in ('exe', 'lib'):
    x = '' if u == 'exe' else '-dlopen'
    ver('version-ok' + x, 'V1 and V2 needed, both provided', vlib(), use=u)
    ver('version-missing' + x, 'V1 and V2 needed, the provider has only V1', vlib(F1, V1), use=u)
    ver('version-unversioned-provider' + x, 'V1 and V2 needed, the provider has no version information at all',
        vlib(FG, None), use=u)
    ver('version-weak-missing' + x, 'V1 and V2 needed, the reference to V2 is marked weak; the provider has f and g in V1',
        vlib(FG, 'V1 { global: f; g; local: *; };\n'), use=u,
        edits=lambda s, f: s.elf(f).weaken_version('V2').save())
    ver('version-two-missing' + x, 'V1 and V2 needed, the provider has only V9', vlib(FG, 'V9 { global: f; g; };\n'),
        use=u)
    ver('version-provider-not-needed' + x, 'versions are required of libv.so, but DT_NEEDED does not list it', vlib(),
        use=u, edits=lambda s, f: s.elf(f).retag('NEEDED', 'libv.so', 'HARMLESS').save())
    ver('version-symbol-in-other-node' + x, 'both nodes exist, but g is in V1', now=True, use=u,
        runtime=vlib(FG, 'V1 { global: f; g; local: *; };\nV2 { global: zz; } V1;\n'))
    ver('version-symbol-gone' + x, 'both nodes exist, but g is gone', now=True, use=u,
        runtime=vlib('int f(void){return 0;} int zz(void){return 0;}\n',
                     'V1 { global: f; local: *; };\nV2 { global: zz; } V1;\n'))
ver('version-symbol-gone-lazy', 'both nodes exist, but g is gone; lazy binding, g is called',
    vlib('int f(void){return 0;} int zz(void){return 0;}\n',
         'V1 { global: f; local: *; };\nV2 { global: zz; } V1;\n'))


@case(G, 'versions required of libv.so, DT_NEEDED does not list it, but libw.so brings it in')
def version_provider_via_other(s):
    s.lib('linktime/libv.so', src=FG, vscript=V12)
    s.lib('d/libv.so', src=FG, vscript=V12)
    s.lib('d/libw.so', ['libv.so'], runpath='@/d')
    s.exe(needed=[Link('linktime/libv.so'), 'libw.so'], src=USE, runpath='@/d')
    s.elf('prog').retag('NEEDED', 'libv.so', 'HARMLESS').save()
    s.run()


@case(G, 'the provider of the versions is found under the needed name but its SONAME differs')
def version_provider_soname_differs(s):
    s.lib('linktime/libv.so', src=FG, vscript=V12)
    s.lib('d/libv.so', src=FG, vscript=V12, soname='libnew.so')
    s.exe(needed=[Link('linktime/libv.so')], src=USE, runpath='@/d')
    s.run()


def toonew(s, rel, name, version, sym, exe=True):
    s.lib('linktime/' + name, src='int %s(void){return 0;}' % sym, vscript='%s { global: %s; };\n' % (version, sym),
          libc=False)
    src = 'int %s(void); int %s(void){return %s();}\n' % (sym, 'main' if exe else 'user', sym)
    if exe:
        s.exe(rel, [Link('linktime/' + name)], src=src)
    else:
        s.lib(rel, [Link('linktime/' + name)], src=src)


@case(G, 'the executable needs GLIBC_9.99 of libm.so.6')
def version_glibc_too_new(s):
    toonew(s, 'prog', 'libm.so.6', 'GLIBC_9.99', 'zzz')
    s.run()


@case(G, 'a dlopened library needs GLIBC_9.99 of libm.so.6')
def version_glibc_too_new_dlopen(s):
    toonew(s, 'liba.so', 'libm.so.6', 'GLIBC_9.99', 'zzz', exe=False)
    s.dlopen('n:@/liba.so')


@case(G, 'two needed libraries and the executable each need another missing version of libm.so.6')
def version_glibc_too_new_thrice(s):
    s.lib('linktime/libm.so.6', src='int z1(void){return 0;} int z2(void){return 0;} int z3(void){return 0;}\n',
          vscript='GLIBC_9.97 { global: z1; };\nGLIBC_9.98 { global: z2; };\nGLIBC_9.99 { global: z3; };\n', libc=False)
    s.lib('d/liba.so', [Link('linktime/libm.so.6')], src='int z1(void); int a(void){return z1();}')
    s.lib('d/libb.so', [Link('linktime/libm.so.6')], src='int z2(void); int b(void){return z2();}')
    s.exe(needed=['liba.so', 'libb.so', Link('linktime/libm.so.6')],
          src='int z3(void); int main(void){return z3();}', runpath='@/d')
    s.run()


@case(G, 'GLIBCXX_9.9.9 is needed of libstdc++.so.6')
def version_glibcxx_too_new(s):
    if not os.path.exists(libc_dir() + '/libstdc++.so.6') and not os.path.exists('/usr/lib/x86_64-linux-gnu/libstdc++.so.6'):
        raise Skip('no libstdc++.so.6')
    toonew(s, 'prog', 'libstdc++.so.6', 'GLIBCXX_9.9.9', '_ZN3fooEv')
    s.run()


MULTI = ('int f1(void){return 1;} int f2(void){return 2;}\n'
         '__asm__(".symver f1,f@V1\\n.symver f2,f@@V2");\n')
MSCRIPT = 'V1 { global: f; local: *; };\nV2 { global: f; } V1;\n'


@case(G, 'linked when f had only V1; at run time there are f@V1 and f@@V2')
def version_old_binding(s):
    s.lib('linktime/libv.so', src='int f(void){return 1;}', vscript=V1)
    s.lib('d/libv.so', src=MULTI, vscript=MSCRIPT)
    s.exe(needed=[Link('linktime/libv.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'linked against f@V1 and f@@V2')
def version_default_binding(s):
    s.lib('d/libv.so', src=MULTI, vscript=MSCRIPT)
    s.exe(needed=[Link('d/libv.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'linked against an unversioned f; at run time there are f@V1 and f@@V2')
def version_unversioned_reference(s):
    s.lib('linktime/libv.so', src='int f(void){return 1;}')
    s.lib('d/libv.so', src=MULTI, vscript=MSCRIPT)
    s.exe(needed=[Link('linktime/libv.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'dlsym of f in a library with f@V1 and f@@V2, called')
def version_dlsym(s):
    s.lib('libv.so', src=MULTI, vscript=MSCRIPT)
    s.dlopen('n:@/libv.so', 'call:f')


@case(G, 'dlsym of f in a library that has only the hidden f@V1')
def version_dlsym_hidden_only(s):
    s.lib('libv.so', src='int f1(void){return 1;}\n__asm__(".symver f1,f@V1");\n', vscript=V1)
    s.dlopen('n:@/libv.so', 'sym:f')


@case(G, 'f@V1 is needed; an earlier library defines f without versions, the later libv.so f@V1')
def version_interposed_by_unversioned(s):
    s.lib('d/libv.so', src='int f(void){return 1;}', vscript=V1)
    s.lib('d/libu.so', src='int f(void){return 7;}')
    s.exe(needed=['libu.so', Link('d/libv.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'f@V1 is needed; an earlier library defines f in another node')
def version_not_interposed_by_other_node(s):
    s.lib('d/libv.so', src='int f(void){return 1;}', vscript=V1)
    s.lib('d/libu.so', src='int f(void){return 7;}', vscript='W1 { global: f; };\n')
    s.exe(needed=['libu.so', Link('d/libv.so')], src=CALLF, runpath='@/d')
    s.run()


# symbols
G = 'symbols'
UNF = 'int undef_f(void); int user(void){return undef_f();} int other(void){return 0;}\n'
UND = 'extern int undef_d; int *user(void){return &undef_d;}\n'


@case(G, 'undefined function in a library, dlopen LAZY, never called')
def sym_func_lazy(s):
    s.lib('liba.so', src=UNF)
    s.dlopen('l:@/liba.so', 'call:other')


@case(G, 'undefined function in a library, dlopen LAZY, then called')
def sym_func_lazy_called(s):
    s.lib('liba.so', src=UNF)
    s.dlopen('l:@/liba.so', 'call:user')


@case(G, 'undefined function in a library, dlopen NOW')
def sym_func_now(s):
    s.lib('liba.so', src=UNF)
    s.dlopen('n:@/liba.so')


@case(G, 'undefined function in a library linked with -z now, dlopen LAZY')
def sym_func_znow(s):
    s.lib('liba.so', src=UNF, ldflags=['-Wl,-z,now'])
    s.dlopen('l:@/liba.so')


@case(G, 'undefined function, dlopen LAZY with LD_BIND_NOW set')
def sym_func_bind_now(s):
    s.lib('liba.so', src=UNF)
    s.dlopen('l:@/liba.so', env={'LD_BIND_NOW': '1'})


@case(G, 'undefined function, dlopen LAZY with LD_BIND_NOW set but empty')
def sym_func_bind_now_empty(s):
    s.lib('liba.so', src=UNF)
    s.dlopen('l:@/liba.so', env={'LD_BIND_NOW': ''})


@case(G, 'undefined data in a library, dlopen LAZY')
def sym_data_lazy(s):
    s.lib('liba.so', src=UND)
    s.dlopen('l:@/liba.so')


@case(G, 'undefined function whose address is taken in data, dlopen LAZY')
def sym_func_address_lazy(s):
    s.lib('liba.so', src='int undef_f(void); int (*p)(void)=undef_f;\n')
    s.dlopen('l:@/liba.so')


@case(G, 'weak undefined function and data, dlopen NOW')
def sym_weak(s):
    s.lib('liba.so', src='__attribute__((weak)) int wf(void); extern __attribute__((weak)) int wd;\n'
                         'int user(void){return (wf!=0)+2*(&wd!=0);}')
    s.dlopen('n:@/liba.so', 'call:user')


@case(G, 'two undefined functions and one undefined datum, dlopen NOW: which is named?')
def sym_three_now(s):
    s.lib('liba.so', src='int u1(void); int u2(void); extern int ud; int user(void){return u2()+u1()+ud;}')
    s.dlopen('n:@/liba.so')


@case(G, 'two undefined functions, dlopen NOW: which is named?')
def sym_two_funcs_now(s):
    s.lib('liba.so', src='int u1(void); int u2(void); int user(void){return u2()+u1();}')
    s.dlopen('n:@/liba.so')


@case(G, 'a library and its dependency both have an undefined datum: which is named?')
def sym_dep_and_self(s):
    s.lib('libb.so', src='extern int ub; int *b(void){return &ub;}')
    s.lib('liba.so', ['libb.so'], src='extern int ua; int *a(void){return &ua;}', runpath='@')
    s.dlopen('n:@/liba.so')


DEF = 'int undef_f(void){return 9;} int undef_d=9;\n'
for nm, txt, ops in (
        ('global', 'resolved by a library opened before with GLOBAL', ['ng:@/libdef.so', 'n:@/liba.so', 'call:user']),
        ('local', 'defined in a library opened before with LOCAL', ['n:@/libdef.so', 'n:@/liba.so']),
        ('promoted', 'defined in a library opened LOCAL, then promoted with NOLOAD|GLOBAL',
         ['n:@/libdef.so', 'ngo:@/libdef.so', 'n:@/liba.so', 'call:user']),
        ('global-closed', 'defined in a library opened GLOBAL and closed again', ['ng:@/libdef.so', 'close:', 'n:@/liba.so']),
        ('global-later', 'LAZY open first, then the definer with GLOBAL, then the call',
         ['l:@/liba.so', 'ng:@/libdef.so', 'l:@/liba.so', 'call:user'])):
    def fn(s, ops=ops):
        s.lib('libdef.so', src=DEF)
        s.lib('liba.so', src=UNF)
        s.dlopen(*ops)
    add('sym-by-' + nm, G, 'undefined function ' + txt, fn)


@case(G, 'the definer is a dependency of a library opened GLOBAL')
def sym_by_global_dep(s):
    s.lib('libdef.so', src=DEF)
    s.lib('libg.so', ['libdef.so'], runpath='@')
    s.lib('liba.so', src=UNF)
    s.dlopen('ng:@/libg.so', 'n:@/liba.so', 'call:user')


@case(G, 'the host defines the function and was linked with -rdynamic')
def sym_by_host_rdynamic(s):
    s.host(extra='int undef_f(void){return 8;}\n', ldflags=['-rdynamic'])
    s.lib('liba.so', src=UNF)
    s.dlopen('n:@/liba.so', 'call:user')


@case(G, 'the host defines the function and was linked without -rdynamic')
def sym_by_host_plain(s):
    s.host(extra='int undef_f(void){return 8;}\n')
    s.lib('liba.so', src=UNF)
    s.dlopen('n:@/liba.so')


@case(G, 'a library of the executable has an undefined function, lazily bound, never called')
def sym_exec_lazy(s):
    s.lib('d/liba.so', src=UNF)
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'a library of the executable has an undefined function, LD_BIND_NOW=1')
def sym_exec_bind_now(s):
    s.lib('d/liba.so', src=UNF)
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run(env={'LD_BIND_NOW': '1'})


@case(G, 'a library of the executable has an undefined function; the executable is linked with -z now')
def sym_exec_exe_znow(s):
    s.lib('d/liba.so', src=UNF)
    s.exe(needed=['liba.so'], runpath='@/d', ldflags=['-Wl,-z,now'])
    s.run()


@case(G, 'a library of the executable has an undefined datum')
def sym_exec_data(s):
    s.lib('d/liba.so', src=UND)
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'the executable calls a function that the library of run time lacks')
def sym_exec_called(s):
    s.lib('linktime/liba.so', src=FRET % 1)
    s.lib('d/liba.so', src='int other(void){return 0;}')
    s.exe(needed=[Link('linktime/liba.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'the executable uses a symbol of libb, which only its needed liba brings in')
def sym_transitive(s):
    s.lib('d/libb.so', src=FRET % 5)
    s.lib('d/liba.so', ['libb.so'], runpath='@/d')
    s.lib('linktime/liba.so', src=FRET % 1)
    s.exe(needed=[Link('linktime/liba.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'a dlopened library uses a symbol of the dependency of its dependency')
def sym_transitive_dlopen(s):
    s.lib('d/libc3.so', src=DEF)
    s.lib('d/libb.so', ['libc3.so'], runpath='@/d')
    s.lib('d/liba.so', ['libb.so'], src=UNF, runpath='@/d')
    s.dlopen('n:@/d/liba.so', 'call:user')


@case(G, 'a dependency uses a symbol that the library which needs it defines (dlopen LOCAL)')
def sym_upwards(s):
    s.lib('d/libb.so', src=UNF)
    s.lib('d/liba.so', ['libb.so'], src=DEF, runpath='@/d')
    s.dlopen('n:@/d/liba.so', 'call:user')


@case(G, 'libb, opened before alone with LAZY, uses a symbol that liba, which needs libb, defines')
def sym_upwards_opened_before(s):
    s.lib('d/libb.so', src=UNF)
    s.lib('d/liba.so', ['libb.so'], src=DEF, runpath='@/d')
    s.dlopen('l:@/d/libb.so', 'n:@/d/liba.so', 'call:user')


@case(G, 'a plugin linked without the library that the host has in DT_NEEDED uses its symbol')
def sym_from_host_needed(s):
    s.lib('d/libdef.so', src=DEF)
    s.host(needed=['libdef.so'], runpath='@/d')
    s.lib('liba.so', src=UNF)
    s.dlopen('n:@/liba.so', 'call:user')


@case(G, 'dlsym of a name that exists nowhere')
def sym_dlsym_missing(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so', 'sym:nosuch')


@case(G, 'dlsym on a handle finds a symbol of its dependency')
def sym_dlsym_dep(s):
    s.lib('libb.so', src=FRET % 2)
    s.lib('liba.so', ['libb.so'], runpath='@')
    s.dlopen('n:@/liba.so', 'sym:f', 'default:f')


@case(G, 'RTLD_DEFAULT lookup after GLOBAL and after LOCAL')
def sym_default(s):
    s.lib('liba.so', src='int f(void){return 1;}')
    s.lib('libb.so', src='int g(void){return 1;}')
    s.dlopen('ng:@/liba.so', 'n:@/libb.so', 'default:f', 'default:g')


@case(G, 'a symbol of hidden visibility in the provider')
def sym_hidden(s):
    s.lib('d/libdef.so', src='__attribute__((visibility("hidden"))) int undef_f(void){return 9;}')
    s.lib('d/liba.so', ['libdef.so'], src=UNF, runpath='@/d')
    s.dlopen('n:@/d/liba.so')


@case(G, 'dlsym of a hidden symbol')
def sym_hidden_dlsym(s):
    s.lib('liba.so', src='__attribute__((visibility("hidden"))) int f(void){return 9;}')
    s.dlopen('n:@/liba.so', 'sym:f')


@case(G, 'a local symbol of a version script in the provider')
def sym_local_by_script(s):
    s.lib('d/libdef.so', src=DEF, vscript='{ global: undef_d; local: *; };\n')
    s.lib('d/liba.so', ['libdef.so'], src=UNF, runpath='@/d')
    s.dlopen('n:@/d/liba.so')


@case(G, 'an undefined TLS symbol')
def sym_tls_undefined(s):
    s.lib('liba.so', src='extern __thread int tv; int *p(void){return &tv;}')
    s.dlopen('l:@/liba.so')


@case(G, 'an undefined symbol of protected visibility is asked of a provider where it is protected')
def sym_protected_provider(s):
    s.lib('d/libdef.so', src='__attribute__((visibility("protected"))) int undef_f(void){return 9;}')
    s.lib('d/liba.so', ['libdef.so'], src=UNF, runpath='@/d')
    s.dlopen('n:@/d/liba.so', 'call:user')


# interposition
G = 'interposition'
GCALL = 'int f(void){return %d;} int g(void){return f();}\n'
CALLG = 'int g(void); int main(void){return g();}\n'


@case(G, 'liba and libb define f, the executable lists a first')
def inter_order_ab(s):
    s.lib('d/liba.so', src=FRET % 1)
    s.lib('d/libb.so', src=FRET % 2)
    s.exe(needed=[Link('d/liba.so'), Link('d/libb.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'liba and libb define f, the executable lists b first')
def inter_order_ba(s):
    s.lib('d/liba.so', src=FRET % 1)
    s.lib('d/libb.so', src=FRET % 2)
    s.exe(needed=[Link('d/libb.so'), Link('d/liba.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, "a library's dependency defines f as well as a later sibling: breadth first")
def inter_breadth(s):
    s.lib('d/libx.so', src=FRET % 1)
    s.lib('d/liba.so', ['libx.so'], runpath='@/d')
    s.lib('d/libb.so', src=FRET % 2)
    s.lib('linktime/liba.so', src=FRET % 1)
    s.exe(needed=[Link('linktime/liba.so'), 'libb.so'], src=CALLF, runpath='@/d')
    s.run()


def bsym(name, what, flags=(), edit_fn=None, src=GCALL % 2):
    def fn(s):
        s.lib('d/liba.so', ['libzz.so'] if edit_fn else [], src=src, ldflags=list(flags))
        if edit_fn:
            edit_fn(s, 'd/liba.so')
        s.exe(needed=[Link('d/liba.so')], src='int g(void); int f(void){return 1;} int main(void){return g();}\n',
              runpath='@/d', ldflags=['-rdynamic'])
        s.run()
    add(name, G, what, fn)


bsym('inter-exe-wins', 'executable and library define f, the library calls f')
bsym('inter-bsymbolic', 'as inter-exe-wins, the library linked with -Bsymbolic', ['-Wl,-Bsymbolic'])
bsym('inter-bsymbolic-functions', 'as inter-exe-wins, the library linked with -Bsymbolic-functions',
     ['-Wl,-Bsymbolic-functions'])
bsym('inter-protected', 'as inter-exe-wins, f protected in the library',
     src='__attribute__((visibility("protected"))) ' + GCALL % 2)
bsym('inter-dt-symbolic', 'as inter-exe-wins, a DT_SYMBOLIC entry added after linking',
     edit_fn=lambda s, f: s.elf(f).retag('NEEDED', 'libzz.so', 'SYMBOLIC', 0).save())
bsym('inter-df-symbolic', 'as inter-exe-wins, DF_SYMBOLIC added after linking',
     edit_fn=lambda s, f: s.elf(f).retag('NEEDED', 'libzz.so', 'FLAGS', 2).save())


def weakcase(name, what, env=None):
    def fn(s):
        s.lib('d/liba.so', src='__attribute__((weak)) ' + FRET % 1)
        s.lib('d/libb.so', src=FRET % 2)
        s.exe(needed=[Link('d/liba.so'), Link('d/libb.so')], src=CALLF, runpath='@/d')
        s.run(env=env)
    add(name, G, what, fn)


weakcase('inter-weak-first', 'weak definition in the first library, strong in the second')
weakcase('inter-weak-dynamic-weak', 'as inter-weak-first with LD_DYNAMIC_WEAK=1', {'LD_DYNAMIC_WEAK': '1'})


@case(G, 'libb needs a symbol that its own dependency and an earlier GLOBAL library define')
def inter_global_before_own(s):
    s.lib('libg.so', src='int undef_f(void){return 1;}')
    s.lib('libdef.so', src='int undef_f(void){return 2;}')
    s.lib('liba.so', ['libdef.so'], src=UNF, runpath='@')
    s.dlopen('ng:@/libg.so', 'n:@/liba.so', 'call:user')


@case(G, 'as inter-global-before-own, opened with RTLD_DEEPBIND')
def inter_deepbind(s):
    s.lib('libg.so', src='int undef_f(void){return 1;}')
    s.lib('libdef.so', src='int undef_f(void){return 2;}')
    s.lib('liba.so', ['libdef.so'], src=UNF, runpath='@')
    s.dlopen('ng:@/libg.so', 'nb:@/liba.so', 'call:user')


@case(G, 'two LOCAL plugins define the same f; each calls its own?')
def inter_two_local(s):
    s.lib('liba.so', src=GCALL % 1)
    s.lib('libb.so', src=GCALL % 2)
    s.dlopen('n:@/liba.so', 'call:g', 'n:@/libb.so', 'call:g')


@case(G, 'two GLOBAL plugins define the same f; which do they call?')
def inter_two_global(s):
    s.lib('liba.so', src=GCALL % 1)
    s.lib('libb.so', src=GCALL % 2)
    s.dlopen('ng:@/liba.so', 'call:g', 'ng:@/libb.so', 'call:g')


UNIQ = '''__asm__(".data\\n.globl u\\n.type u,%%gnu_unique_object\\n.size u,4\\nu: .long %d\\n.text");
extern int u; int getu(void){return u;}
'''


@case(G, 'two LOCAL plugins define the same STB_GNU_UNIQUE datum')
def inter_unique(s):
    s.lib('liba.so', src=UNIQ.replace('%%', '@') % 1)
    s.lib('libb.so', src=UNIQ.replace('%%', '@') % 2)
    s.dlopen('n:@/liba.so', 'call:getu', 'n:@/libb.so', 'call:getu')


# copy-relocation
G = 'copy-relocation'
CD = 'int v[%d]={%s}; int getv(void){return v[0];} void setv(int x){v[0]=x;}\n'
CU = 'extern int v[1]; int getv(void); void setv(int); int main(void){v[0]=5; return getv();}\n'


def copyrel(name, what, runtime, link=CD % (1, '3'), now=False):
    def fn(s):
        s.lib('linktime/liba.so', src=link)
        runtime(s)
        s.exe(needed=[Link('linktime/liba.so')], src=CU, runpath='@/d', pie=False)
        s.run()
    add(name, G, what, fn)


copyrel('copy-plain', 'executable with a copy relocation', lambda s: s.lib('d/liba.so', src=CD % (1, '3')))
copyrel('copy-larger', 'the datum of run time is larger', lambda s: s.lib('d/liba.so', src=CD % (4, '3,4,5,6')))
copyrel('copy-smaller', 'the datum of run time is smaller', lambda s: s.lib('d/liba.so', src=CD % (1, '3')),
        link=CD % (4, '3,4,5,6'))
copyrel('copy-missing', 'the datum is gone at run time',
        lambda s: s.lib('d/liba.so', src='int getv(void){return 0;} void setv(int x){}\n'))
copyrel('copy-bsymbolic', 'the provider is linked with -Bsymbolic',
        lambda s: s.lib('d/liba.so', src=CD % (1, '3'), ldflags=['-Wl,-Bsymbolic']))
copyrel('copy-protected', 'the datum is protected at run time',
        lambda s: s.lib('d/liba.so', src='__attribute__((visibility("protected"))) ' + CD % (1, '3')))


@case(G, 'the datum is protected at run time and the library is marked indirect-extern-access')
def copy_protected_marked(s):
    s.lib('linktime/liba.so', src=CD % (1, '3'))
    try:
        s.lib('d/liba.so', src='__attribute__((visibility("protected"))) ' + CD % (1, '3'),
              ldflags=['-Wl,-z,indirect-extern-access'])
    except BuildError:
        raise Skip('linker without -z indirect-extern-access')
    s.exe(needed=[Link('linktime/liba.so')], src=CU, runpath='@/d', pie=False)
    s.run()


# ifunc
G = 'ifunc'
IFN = 'static int impl(void){return 3;} static void *res(void){return impl;}\nint f(void) __attribute__((ifunc("res")));\n'


@case(G, 'IFUNC in a library, called by the executable')
def ifunc_plain(s):
    s.lib('d/liba.so', src=IFN)
    s.exe(needed=[Link('d/liba.so')], src=CALLF, runpath='@/d')
    s.run()


@case(G, 'IFUNC found by dlsym and called')
def ifunc_dlsym(s):
    s.lib('liba.so', src=IFN)
    s.dlopen('n:@/liba.so', 'call:f')


def ifunc_order(name, what, order, env):
    def fn(s):
        s.lib('d/libi.so', src=IFN)
        s.lib('d/libu.so', src='int f(void); int g(void){return f();} int (*p)(void)=f;\n')
        s.exe(needed=[Link('d/lib%s.so' % o) for o in order], src=CALLG, runpath='@/d')
        s.run(env=env)
    add(name, G, what, fn)


ifunc_order('ifunc-user-relocated-first', 'libu uses the IFUNC of libi without needing it; DT_NEEDED order i u', 'iu', {})
ifunc_order('ifunc-provider-relocated-first', 'libu uses the IFUNC of libi without needing it; DT_NEEDED order u i', 'ui', {})
ifunc_order('ifunc-user-relocated-first-now', 'as ifunc-user-relocated-first with LD_BIND_NOW=1', 'iu',
            {'LD_BIND_NOW': '1'})


# tls
G = 'tls'


def tls(name, what, sizes, model='initial-exec', env=None, kind='dlopen'):
    def fn(s):
        for i, n in enumerate(sizes):
            s.lib('d/libt%d.so' % i,
                  src='static __thread char t[%d] __attribute__((tls_model("%s"))); char *get%d(void){return t;}\n'
                      % (n, model, i))
        if kind == 'exec':
            s.exe(needed=['libt%d.so' % i for i in range(len(sizes))], runpath='@/d')
            s.run(env=env)
        else:
            s.dlopen(*['n:@/d/libt%d.so' % i for i in range(len(sizes))], env=env)
    add(name, G, what, fn)


for n in (64, 512, 1024, 1536, 1792, 2048, 4096, 65536):
    tls('tls-ie-%d' % n, 'dlopen of a library with %d bytes of initial-exec TLS' % n, [n])
tls('tls-ie-many', 'dlopen of 12 libraries with 200 bytes of initial-exec TLS each', [200] * 12)
tls('tls-gd-65536', 'dlopen of a library with 65536 bytes of TLS, general dynamic', [65536], 'global-dynamic')
tls('tls-ie-65536-exec', '65536 bytes of initial-exec TLS in a library needed by the executable', [65536], kind='exec')
tls('tls-ie-4096-tunable', 'as tls-ie-4096 with glibc.rtld.optional_static_tls=16384', [4096],
    env={'GLIBC_TUNABLES': 'glibc.rtld.optional_static_tls=16384'})


@case(G, 'dlopen of a library with 65536 bytes general dynamic, then of one with 1024 bytes initial-exec')
def tls_gd_then_ie(s):
    s.lib('libg.so', src='static __thread char t[65536]; int g(void){return t[5];}\n')
    s.lib('libi.so', src='static __thread char t[1024] __attribute__((tls_model("initial-exec"))); char *g(void){return t;}\n')
    s.dlopen('n:@/libg.so', 'call:g', 'n:@/libi.so')


def tls_small(s, *ops):
    s.lib('d/libb.so', src='__thread char tv[64]; int touch(void){return tv[1];}\n')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d',
          src='extern __thread char tv[64] __attribute__((tls_model("initial-exec"))); char *g(void){return tv;}\n')
    s.dlopen('n:@/d/libb.so', *ops)


@case(G, 'initial-exec reference to 64 bytes of TLS of a library opened before and not yet used')
def tls_ie_small_foreign(s):
    tls_small(s, 'n:@/d/liba.so')


@case(G, 'initial-exec reference to 64 bytes of TLS of a library opened before whose TLS was used')
def tls_ie_small_foreign_used(s):
    tls_small(s, 'call:touch', 'n:@/d/liba.so')




@case(G, 'a dependency of the dlopened library has 65536 bytes of initial-exec TLS')
def tls_ie_dep(s):
    s.lib('d/libb.so', src='static __thread char t[65536] __attribute__((tls_model("initial-exec"))); char *g(void){return t;}\n')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d')
    s.dlopen('n:@/d/liba.so')


@case(G, 'initial-exec reference in the opened library to a large TLS variable of another dlopened library')
def tls_ie_foreign(s):
    s.lib('d/libb.so', src='__thread char tv[65536];\n')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d',
          src='extern __thread char tv[65536] __attribute__((tls_model("initial-exec"))); char *g(void){return tv;}\n')
    s.dlopen('n:@/d/liba.so')


@case(G, 'as tls-ie-foreign, but the TLS variable is of a library opened before')
def tls_ie_foreign_opened_before(s):
    s.lib('d/libb.so', src='__thread char tv[65536]; char *touch(void){return tv;}\n')
    s.lib('d/liba.so', ['libb.so'], runpath='@/d',
          src='extern __thread char tv[65536] __attribute__((tls_model("initial-exec"))); char *g(void){return tv;}\n')
    s.dlopen('n:@/d/libb.so', 'n:@/d/liba.so')


# flags
G = 'flags'


@case(G, 'library with an executable-stack PT_GNU_STACK, opened')
def execstack_dlopen(s):
    s.lib('liba.so', ldflags=['-Wl,-z,execstack'])
    s.dlopen('n:@/liba.so')


@case(G, 'library with an executable-stack PT_GNU_STACK, needed by the executable')
def execstack_exec(s):
    s.lib('d/liba.so', ldflags=['-Wl,-z,execstack'])
    s.exe(needed=['liba.so'], runpath='@/d')
    s.run()


@case(G, 'library without any PT_GNU_STACK, opened')
def execstack_no_header(s):
    s.lib('liba.so')
    s.elf('liba.so').retype(0x6474e551, 0).save()
    s.dlopen('n:@/liba.so')


@case(G, 'dlclose of an ordinary library')
def close_plain(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so', 'close:')


@case(G, 'dlclose of a library marked -z nodelete')
def close_nodelete_flag(s):
    s.lib('liba.so', ldflags=['-Wl,-z,nodelete'])
    s.dlopen('n:@/liba.so', 'close:')


@case(G, 'dlclose of a library opened with RTLD_NODELETE')
def close_nodelete_mode(s):
    s.lib('liba.so')
    s.dlopen('nd:@/liba.so', 'close:')


@case(G, 'dlclose of a library whose dependency is marked -z nodelete')
def close_nodelete_dep(s):
    s.lib('libb.so', ldflags=['-Wl,-z,nodelete'])
    s.lib('liba.so', ['libb.so'], runpath='@')
    s.dlopen('n:@/liba.so', 'close:')


@case(G, 'a failing dlopen has already mapped a -z nodelete dependency')
def close_nodelete_failed(s):
    s.lib('libb.so', ldflags=['-Wl,-z,nodelete'])
    s.lib('liba.so', ['libb.so', 'libnone.so'], runpath='@')
    s.dlopen('n:@/liba.so')


@case(G, 'dlclose of a library while another open one needs its dependency')
def close_shared_dep(s):
    s.lib('libd.so')
    s.lib('liba.so', ['libd.so'], runpath='@')
    s.lib('libb.so', ['libd.so'], runpath='@')
    s.dlopen('n:@/liba.so', 'n:@/libb.so', 'close:', 'close:')


@case(G, 'dlclose of a library that was opened twice')
def close_twice(s):
    s.lib('liba.so')
    s.dlopen('n:@/liba.so', 'n:@/liba.so', 'close:', 'close:')


@case(G, 'dlclose of a library with an STB_GNU_UNIQUE definition that was bound')
def close_unique(s):
    s.lib('liba.so', src=UNIQ.replace('%%', '@') % 1)
    s.dlopen('n:@/liba.so', 'call:getu', 'close:')


@case(G, 'a library marked -z global opened with LOCAL; a later one uses its symbol')
def global_flag(s):
    s.lib('libdef.so', src=DEF, ldflags=['-Wl,-z,global'])
    s.lib('liba.so', src=UNF)
    s.dlopen('n:@/libdef.so', 'n:@/liba.so', 'call:user', bindings=True)


def filt(name, what, flag, have):
    def fn(s):
        if have:
            s.lib('d/libreal.so', src=FRET % 2)
        s.lib('d/liba.so', src=FRET % 1, ldflags=['-Wl,%s,libreal.so' % flag], runpath='@/d')
        s.exe(needed=[Link('d/liba.so')], src=CALLF, runpath='@/d')
        s.run(bindings=True)
    add(name, G, what, fn)


filt('auxiliary-present', 'DT_AUXILIARY libreal.so, which exists', '-f', True)
filt('auxiliary-missing', 'DT_AUXILIARY libreal.so, which does not exist', '-f', False)
filt('filter-present', 'DT_FILTER libreal.so, which exists', '-F', True)
filt('filter-missing', 'DT_FILTER libreal.so, which does not exist', '-F', False)


@case(G, 'DT_AUXILIARY names a file of the wrong ELF class')
def auxiliary_class32(s):
    s.lib('d/libreal.so')
    s.elf('d/libreal.so').put(4, b'\1').save()
    s.lib('d/liba.so', ldflags=['-Wl,-f,libreal.so'], runpath='@/d')
    s.dlopen('n:@/d/liba.so')


@case(G, 'DT_AUXILIARY names a text file')
def auxiliary_text(s):
    s.write('d/libreal.so', 'text ' * 40)
    s.lib('d/liba.so', ldflags=['-Wl,-f,libreal.so'], runpath='@/d')
    s.dlopen('n:@/d/liba.so')


RELR = 'static int x; int *p[8]={&x,&x,&x,&x,&x,&x,&x,&x};\n'


def relr(name, what, libc, kind):
    def fn(s):
        try:
            s.lib('liba.so', src=RELR, libc=libc, ldflags=['-Wl,-z,pack-relative-relocs'])
        except BuildError:
            raise Skip('linker without -z pack-relative-relocs')
        if kind == 'exec':
            s.exe(needed=['liba.so'], runpath='@')
            s.run()
        else:
            s.dlopen('n:@/liba.so')
    add(name, G, what, fn)


relr('relr-libc', 'library with DT_RELR and the libc version GLIBC_ABI_DT_RELR', True, 'dlopen')
relr('relr-no-libc', 'library with DT_RELR that does not need libc', False, 'dlopen')
relr('relr-libc-exec', 'library with DT_RELR and GLIBC_ABI_DT_RELR, needed by the executable', True, 'exec')


@case(G, 'library with DT_RELR that needs libc without the version GLIBC_ABI_DT_RELR')
def relr_unversioned_libc(s):
    """The string of the version is changed to GLIBC_2.2.5 by repointing the verneed entry."""
    try:
        s.lib('liba.so', src=RELR + 'int puts(const char*); int q(void){return puts("");}\n',
              ldflags=['-Wl,-z,pack-relative-relocs'])
    except BuildError:
        raise Skip('linker without -z pack-relative-relocs')
    e = s.elf('liba.so')
    o = e.off(e.value('VERNEED'))
    cnt, aux = struct.unpack_from('<H4xI', e.b, o + 2)
    ents, a = {}, o + aux
    for _ in range(cnt):
        name, nxt = struct.unpack_from('<II', e.b, a + 8)
        ents[e.string(name)] = (a, bytes(e.b[a:a + 4]), name)
        a += nxt
    if 'GLIBC_ABI_DT_RELR' not in ents or 'GLIBC_2.2.5' not in ents:
        raise Skip('linker wrote no GLIBC_ABI_DT_RELR')
    a, _, _ = ents['GLIBC_ABI_DT_RELR']
    _, h, name = ents['GLIBC_2.2.5']
    e.put(a, h)
    struct.pack_into('<I', e.b, a + 8, name)
    e.save()
    s.dlopen('n:@/liba.so')


# cxx-abi
G = 'cxx-abi'
NEWABI = '_Z4takeRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE'
OLDABI = '_Z4takeRKSs'


def cxx(name, what, have, want, how):
    def fn(s):
        s.lib('d/libcore.so', src='int take(void) __asm__("%s"); int take(void){return 0;}\n' % have)
        s.lib('linktime/libcore.so', src='int take(void) __asm__("%s"); int take(void){return 0;}\n' % want)
        use = 'int take(void) __asm__("%s"); int %s(void){return take();}\n'
        if how == 'exec':
            s.exe(needed=[Link('linktime/libcore.so')], src=use % (want, 'main'), runpath='@/d')
            s.run()
        else:
            s.lib('plugin.so', [Link('linktime/libcore.so')], src=use % (want, 'user'), runpath='@/d')
            s.dlopen(how + ':@/plugin.so', 'call:user')
    add(name, G, what, fn)


cxx('cxx-new-wants-old-exec', 'executable wants the cxx11 string ABI, the library was built with the old one', OLDABI,
    NEWABI, 'exec')
cxx('cxx-new-wants-old-now', 'plugin wants the cxx11 string ABI, the library has the old one, dlopen NOW', OLDABI,
    NEWABI, 'n')
cxx('cxx-old-wants-new-lazy', 'plugin wants the old string ABI, the library has cxx11, dlopen LAZY, called', NEWABI,
    OLDABI, 'l')


@case(G, 'plugin refers to the typeinfo datum of a class that its library no longer exports, dlopen LAZY')
def cxx_typeinfo_data(s):
    s.lib('d/libcore.so', src='char ti[8] __asm__("_ZTI5Thing")={1};\n')
    s.lib('plugin.so', ['libcore.so'], src='extern char ti[] __asm__("_ZTI6Thing2"); char *p=ti;\n', runpath='@/d')
    s.dlopen('l:@/plugin.so')


# python-modules
G = 'python-modules'
MOD = 'mod.cpython-399-x86_64-linux-gnu.so'
PYF = 'void *PyModule_Create2(void*,int); void *PyLong_FromLong(long);\nvoid *PyInit_mod(void){PyLong_FromLong(1); return PyModule_Create2(0,1013);}\n'
PYD = 'extern long _Py_NoneStruct; extern void *PyExc_TypeError; void *PyModule_Create2(void*,int);\n' \
      'void *none(void){return &_Py_NoneStruct;} void *exc(void){return PyExc_TypeError;}\n' \
      'void *PyInit_mod(void){return PyModule_Create2(0,1013);}\n'
PYLIB = 'long _Py_NoneStruct; void *PyExc_TypeError; void *PyModule_Create2(void*a,int b){return 0;} void *PyLong_FromLong(long x){return 0;}\n'


def py(name, what, mod, ops, host=None, lib=False, needed=()):
    def fn(s):
        s.host(**(host or {}))
        if lib:
            s.lib('lib/libpython3.99.so.1.0', src=PYLIB)
        s.lib(MOD, list(needed), src=mod, soname=None)
        s.dlopen(*ops, root=MOD)
    add(name, G, what, fn)


M = ':@/' + MOD
py('py-functions-lazy', 'extension module with undefined Py functions, host without them, LAZY', PYF, ['l' + M, 'sym:PyInit_mod'])
py('py-functions-now', 'extension module with undefined Py functions, host without them, NOW', PYF, ['n' + M])
py('py-data-lazy', 'extension module with undefined Py data, LAZY', PYD, ['l' + M])
py('py-data-now', 'extension module with undefined Py data, NOW', PYD, ['n' + M])
py('py-host-exports', 'the host exports the Py symbols (-rdynamic)', PYD, ['n' + M, 'call:PyInit_mod'],
   host=dict(extra=PYLIB, ldflags=['-rdynamic']))
py('py-host-static', 'the host contains the Py symbols but does not export them', PYD, ['n' + M],
   host=dict(extra=PYLIB))
py('py-libpython-local', 'libpython was opened with LOCAL before', PYD,
   ['n:@/lib/libpython3.99.so.1.0', 'n' + M], lib=True)
py('py-libpython-global', 'libpython was opened with GLOBAL before', PYD,
   ['ng:@/lib/libpython3.99.so.1.0', 'n' + M, 'call:PyInit_mod'], lib=True)
py('py-needs-libpython-missing', 'the module needs libpython3.99.so.1.0, which no search finds', PYD, ['n' + M],
   needed=['libpython3.99.so.1.0'])
py('py-needs-libpython-loaded', 'the module needs libpython3.99.so.1.0, open by path', PYD,
   ['n:@/lib/libpython3.99.so.1.0', 'n' + M], lib=True, needed=['libpython3.99.so.1.0'])
py('py-host-needs-libpython', 'the host itself needs libpython (RUNPATH), the module does not', PYD,
   ['n' + M, 'call:PyInit_mod'], lib=True, host=dict(needed=['libpython3.99.so.1.0'], runpath='@/lib'))
py('py-init-missing', 'the module lacks the PyInit function of its name', 'int x;\n', ['n' + M, 'sym:PyInit_mod'])


# patchelf
G = 'patchelf'


def patchelf(name, what, build, args, run):
    def fn(s):
        tool = shutil.which('patchelf')
        if not tool:
            raise Skip('no patchelf')
        build(s)
        r = subprocess.run([tool] + [s.at(a) for a in args], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if r.returncode:
            raise BuildError('patchelf: ' + r.stdout.decode())
        run(s)
    add(name, G, what, fn)


def pe_two(s):
    s.lib('d/libb.so')
    s.lib('d/liba.so', ['libb.so'])
    s.exe(needed=['liba.so'])


patchelf('patchelf-set-rpath', 'patchelf --set-rpath on the executable (a RUNPATH), dependency of liba there',
         pe_two, ['--set-rpath', '@/d', '@/prog'], lambda s: s.run())
patchelf('patchelf-force-rpath', 'patchelf --force-rpath --set-rpath on the executable', pe_two,
         ['--force-rpath', '--set-rpath', '@/d', '@/prog'], lambda s: s.run())


def pe_replace(s):
    s.lib('d/libnew.so')
    s.exe(needed=['libold.so'], runpath='@/d')


patchelf('patchelf-replace-needed', 'patchelf --replace-needed libold.so libnew.so', pe_replace,
         ['--replace-needed', 'libold.so', 'libnew.so', '@/prog'], lambda s: s.run())


def pe_soname(s):
    s.lib('x/liba.so')
    s.lib('d/libb.so', ['liba.so'])


patchelf('patchelf-set-soname', 'patchelf --set-soname libz9.so on an opened library; another needs its old SONAME',
         pe_soname, ['--set-soname', 'libz9.so', '@/x/liba.so'], lambda s: s.dlopen('n:@/x/liba.so', 'n:@/d/libb.so'))


def pe_versions(s):
    s.lib('linktime/libv.so', src=FG, vscript=V12)
    s.lib('d/libv2.so', src=FG, vscript=V12)
    s.exe(needed=[Link('linktime/libv.so')], src=USE, runpath='@/d')


patchelf('patchelf-replace-versioned', 'patchelf --replace-needed of a library with version requirements', pe_versions,
         ['--replace-needed', 'libv.so', 'libv2.so', '@/prog'], lambda s: s.run())
patchelf('patchelf-remove-versioned', 'patchelf --remove-needed of a library with version requirements', pe_versions,
         ['--remove-needed', 'libv.so', '@/prog'], lambda s: s.run())


# layouts: how wheels, environments and bundles arrange their files
G = 'layouts'


@case(G, 'auditwheel: pkg/_ext.so with RPATH $ORIGIN/../pkg.libs and a renamed library there')
def layout_auditwheel(s):
    s.lib('site/pkg.libs/libfoo-1a2b3c4d.so.1')
    s.lib('site/pkg/_ext.so', ['libfoo-1a2b3c4d.so.1'], rpath='$ORIGIN/../pkg.libs', soname=None)
    s.dlopen('n:@/site/pkg/_ext.so')


@case(G, 'two packages bundle different files of one SONAME, each reached by RUNPATH $ORIGIN/lib')
def layout_two_bundles(s):
    for x in 'ab':
        s.lib('site/%s/lib/libomp9.so.1' % x, src='int which(void){return %d;}' % (1 + (x == 'b')))
        s.lib('site/%s/_%s.so' % (x, x), ['libomp9.so.1'], runpath='$ORIGIN/lib', soname=None,
              src='int which(void); int ask(void){return which();}')
    s.dlopen('n:@/site/a/_a.so', 'call:ask', 'n:@/site/b/_b.so', 'call:ask', bindings=True)


def gpu(s, core_paths, lib_paths):
    s.lib('site/vendor/blas/lib/libblasLt9.so')
    s.lib('site/vendor/blas/lib/libblas9.so', ['libblasLt9.so'], **lib_paths)
    s.lib('site/core/lib/libcore.so', ['libblas9.so'], **core_paths)
    s.lib('site/core/_C.so', ['libcore.so'], runpath='$ORIGIN/lib', soname=None)


V = '$ORIGIN/../../vendor/blas/lib'


@case(G, 'libcore.so reaches ../../vendor/blas/lib by RUNPATH; the dependency beside libblas9.so has RUNPATH $ORIGIN')
def layout_vendor_runpath(s):
    gpu(s, dict(runpath=V), dict(runpath='$ORIGIN'))
    s.dlopen('n:@/site/core/_C.so')


@case(G, 'as layout-vendor-runpath, but libblas9.so has no path of its own')
def layout_vendor_runpath_lib_without(s):
    gpu(s, dict(runpath=V), {})
    s.dlopen('n:@/site/core/_C.so')


@case(G, 'as layout-vendor-runpath-lib-without, but libcore.so has an RPATH')
def layout_vendor_rpath_lib_without(s):
    gpu(s, dict(rpath=V), {})
    s.dlopen('n:@/site/core/_C.so')


@case(G, 'libcore.so has no path; the vendor libraries were opened by path with GLOBAL before')
def layout_vendor_opened_before(s):
    gpu(s, {}, {})
    s.dlopen('ng:@/site/vendor/blas/lib/libblasLt9.so', 'ng:@/site/vendor/blas/lib/libblas9.so', 'n:@/site/core/_C.so')


@case(G, 'as layout-vendor-opened-before, in the wrong order')
def layout_vendor_opened_before_order(s):
    gpu(s, {}, {})
    s.dlopen('ng:@/site/vendor/blas/lib/libblas9.so', 'ng:@/site/vendor/blas/lib/libblasLt9.so', 'n:@/site/core/_C.so')


@case(G, 'the package folder core is a symlink into a store; its RUNPATH leads by .. to vendor')
def layout_store_dir_symlink(s):
    gpu(s, dict(runpath=V), dict(runpath='$ORIGIN'))
    s.mkdir('store/core-1')
    os.rename(s.p('site/core'), s.p('store/core-1/core'))
    s.symlink('site/core', '../store/core-1/core')
    s.dlopen('n:@/site/core/_C.so')


@case(G, 'every file of the package is a symlink into a store, the folders are real')
def layout_store_file_symlinks(s):
    gpu(s, dict(runpath=V), dict(runpath='$ORIGIN'))
    for i, f in enumerate(('core/_C.so', 'core/lib/libcore.so', 'vendor/blas/lib/libblas9.so',
                           'vendor/blas/lib/libblasLt9.so')):
        s.copy('store/%d/%s' % (i, os.path.basename(f)), 'site/' + f)
        s.remove('site/' + f)
        s.symlink('site/' + f, '@/store/%d/%s' % (i, os.path.basename(f)))
    s.dlopen('n:@/site/core/_C.so')


@case(G, 'venv/bin/python is a symlink to base/bin/python, RPATH $ORIGIN/../lib; only base has the library')
def layout_venv_python(s):
    s.lib('base/lib/libpython3.99.so.1.0')
    s.exe('base/bin/python', ['libpython3.99.so.1.0'], rpath='$ORIGIN/../lib')
    s.mkdir('venv/lib')
    s.symlink('venv/bin/python', '../../base/bin/python')
    s.run('venv/bin/python')


@case(G, 'venv/bin/python is a copy of base/bin/python, RPATH $ORIGIN/../lib; only base has the library')
def layout_venv_copied_python(s):
    s.lib('base/lib/libpython3.99.so.1.0')
    s.exe('base/bin/python', ['libpython3.99.so.1.0'], rpath='$ORIGIN/../lib')
    s.mkdir('venv/lib')
    s.copy('venv/bin/python', 'base/bin/python')
    s.run('venv/bin/python')


@case(G, "environment with RPATH $ORIGIN/../lib on everything; another's lib folder in LD_LIBRARY_PATH")
def layout_env_rpath_vs_llp(s):
    s.lib('env/lib/libb.so')
    s.lib('env/lib/liba.so', ['libb.so'], rpath='$ORIGIN/.')
    s.exe('env/bin/prog', ['liba.so'], rpath='$ORIGIN/../lib')
    s.lib('other/lib/liba.so')
    s.lib('other/lib/libb.so')
    s.run('env/bin/prog', env={LLP: '@/other/lib'})


@case(G, "a bundle's LD_LIBRARY_PATH leaks: the program's library needs V2 of libv.so, the bundle has an old one")
def layout_llp_leak_old_version(s):
    s.lib('sys/libv.so', src=FG, vscript=V12)
    s.lib('bundle/libv.so', src=F1, vscript=V1)
    s.lib('sys/liba.so', [Link('sys/libv.so')], src=USELIB, runpath='@/sys')
    s.exe('bin/tool', ['liba.so'], runpath='@/sys')
    s.run('bin/tool', env={LLP: '@/bundle'})


@case(G, 'the RUNPATH of a build folder that is gone, the install folder in no path')
def layout_build_dir_gone(s):
    s.lib('inst/lib/liba.so')
    s.exe('inst/bin/prog', ['liba.so'], runpath='@/build/lib')
    s.run('inst/bin/prog')


@case(G, 'the development symlink liba.so is missing, liba.so.1 is there; the plugin needs liba.so')
def layout_dev_link_missing(s):
    s.lib('d/liba.so.1.2.3', soname='liba.so.1')
    s.symlink('d/liba.so.1', 'liba.so.1.2.3')
    s.lib('plugin.so', ['liba.so'], runpath='@/d')
    s.dlopen('n:@/plugin.so')


@case(G, 'an executable and a plugin need liba.so.1 and liba.so.2 (different files)')
def layout_two_majors(s):
    s.lib('d/liba.so.1', src=FRET % 1)
    s.lib('d/liba.so.2', src=FRET % 2)
    s.host(needed=['liba.so.1'], runpath='@/d')
    s.lib('plugin.so', [Link('d/liba.so.2')], runpath='@/d', src='int f(void); int user(void){return f();}')
    s.dlopen('n:@/plugin.so', 'call:user', bindings=True)


# sysroot: a chroot with its own cache and default folders (root only)
G = 'sysroot'


def sysroot(s):
    """root/ with the loader and libc of this machine at the same places."""
    if os.getuid() != 0:
        raise Skip('chroot needs root')
    d = libc_dir()
    s.copy('root' + LD_DEFAULT, LD_DEFAULT)
    s.copy('root' + d + '/libc.so.6', d + '/libc.so.6')
    for x in ('usr/lib', 'lib', 'etc', 'opt/x', 'opt/y', 'tmp'):
        s.mkdir('root/' + x)
    return d


def ldconfig(s, conf, links=False):
    tool = shutil.which('ldconfig') or '/sbin/ldconfig'
    s.write('root/etc/ld.so.conf', conf)
    r = subprocess.run([tool] + ([] if links else ['-X']) + ['-r', s.p('root')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if r.returncode:
        raise Skip('ldconfig -r failed')


def root_case(what, name=None):
    return case(G, what, name)


def root_prog(s, needed=('liba.so',), **kw):
    s.exe('root/prog', list(needed), **kw)
    s.run('root/prog', argv=['/prog'], chroot='root', **({}))


@root_case('no cache file; the library is in /lib, /usr/lib and the multiarch folder')
def sysroot_no_cache(s):
    d = sysroot(s)
    for x in ('lib', 'usr/lib', 'usr' + d, d.lstrip('/')):
        s.lib('root/' + x + '/liba.so')
    root_prog(s)


@root_case('no cache file; the library is in /usr/lib only')
def sysroot_no_cache_usr_lib(s):
    sysroot(s)
    s.lib('root/usr/lib/liba.so')
    root_prog(s)


@root_case('no cache file; the library is in /usr/local/lib only')
def sysroot_no_cache_usr_local(s):
    sysroot(s)
    s.lib('root/usr/local/lib/liba.so')
    root_prog(s)


@root_case('no cache file; the library is in /lib64 only')
def sysroot_no_cache_lib64(s):
    sysroot(s)
    s.lib('root/lib64/liba.so')
    root_prog(s)


@root_case('the cache has the library from /opt/x; /usr/lib has another')
def sysroot_cache_vs_default(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    s.lib('root/usr/lib/liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s)


@root_case('ld.so.conf names /opt/x, but ldconfig was not run: no cache')
def sysroot_conf_without_cache(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    s.write('root/etc/ld.so.conf', '/opt/x\n')
    root_prog(s)


@root_case('the cache names a file of /opt/x that was removed since; /usr/lib got one after ldconfig')
def sysroot_stale_cache(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    ldconfig(s, '/opt/x\n')
    s.remove('root/opt/x/liba.so')
    s.lib('root/usr/lib/liba.so')
    root_prog(s)


@root_case('the cache names a file that was replaced by a text file since; /usr/lib got a good one')
def sysroot_cache_text(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    ldconfig(s, '/opt/x\n')
    s.write('root/opt/x/liba.so', 'text ' * 40)
    s.lib('root/usr/lib/liba.so')
    root_prog(s)


@root_case('the cache names a file that got the wrong ELF class since; /usr/lib got a good one')
def sysroot_cache_class32(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    ldconfig(s, '/opt/x\n')
    s.elf('root/opt/x/liba.so').put(4, b'\1').save()
    s.lib('root/usr/lib/liba.so')
    root_prog(s)


@root_case('a library added to a folder of the cache after ldconfig')
def sysroot_added_after(s):
    sysroot(s)
    s.lib('root/opt/x/libother.so')
    ldconfig(s, '/opt/x\n')
    s.lib('root/opt/x/liba.so')
    root_prog(s)


@root_case('file libreal.so.1.2 with SONAME liba.so in a folder of the cache (ldconfig -X makes no links)')
def sysroot_cache_soname(s):
    sysroot(s)
    s.lib('root/opt/x/libreal.so.1.2', soname='liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s)


@root_case('file libreal.so.1.2 with SONAME liba.so in a folder of the cache, ldconfig makes links')
def sysroot_cache_soname_links(s):
    sysroot(s)
    s.lib('root/opt/x/libreal.so.1.2', soname='liba.so')
    ldconfig(s, '/opt/x\n', links=True)
    root_prog(s)


@root_case('/etc/ld.so.preload ends without a newline')
def sysroot_etc_preload_no_newline(s):
    sysroot(s)
    s.lib('root/opt/x/libp.so')
    s.lib('root/opt/x/libq.so')
    s.write('root/etc/ld.so.preload', '/opt/x/libp.so\n/opt/x/libq.so')
    root_prog(s, [])


@root_case('/lib is a symlink to usr/lib (merged /usr); the cache has the library from /usr/lib')
def sysroot_usrmerge(s):
    sysroot(s)
    shutil.copytree(s.p('root/lib'), s.p('root/usr/lib'), dirs_exist_ok=True)
    shutil.rmtree(s.p('root/lib'))
    s.symlink('root/lib', 'usr/lib')
    s.lib('root/usr/lib/liba.so')
    ldconfig(s, '')
    root_prog(s)


@root_case('two folders of ld.so.conf have the library')
def sysroot_cache_two(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    s.lib('root/opt/y/liba.so')
    ldconfig(s, '/opt/y\n/opt/x\n')
    root_prog(s)


@root_case('the cache has base and glibc-hwcaps x86-64-v2 and v3 entries')
def sysroot_cache_hwcaps(s):
    sysroot(s)
    for x in ('.', HW + 'x86-64-v2', HW + 'x86-64-v3'):
        s.lib('root/opt/x/' + x + '/liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s)


@root_case('hwcaps v3 in /usr/lib in the cache, base in the earlier folder /opt/x')
def sysroot_cache_hwcaps_other_dir(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    s.lib('root/usr/lib/' + HW + 'x86-64-v3/liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s)


@root_case('no cache; hwcaps v2 in /usr/lib, base in the multiarch folder of /lib')
def sysroot_default_hwcaps(s):
    d = sysroot(s)
    s.lib('root' + d + '/liba.so')
    s.lib('root/usr/lib/' + HW + 'x86-64-v2/liba.so')
    root_prog(s)


@root_case('executable with -z nodefaultlib; cache entries in /opt/x for all it needs')
def sysroot_nodeflib_cache(s):
    d = sysroot(s)
    s.copy('root/opt/x/libc.so.6', d + '/libc.so.6')
    s.lib('root/opt/x/liba.so')
    s.lib('root/usr/lib/liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s, ldflags=NODEF)


@root_case('executable with -z nodefaultlib; the cache has liba only in /usr/lib')
def sysroot_nodeflib_cache_default(s):
    d = sysroot(s)
    s.copy('root/opt/x/libc.so.6', d + '/libc.so.6')
    s.lib('root/usr/lib/liba.so')
    ldconfig(s, '/opt/x\n')
    root_prog(s, ldflags=NODEF)


@root_case('/etc/ld.so.preload names two libraries, one missing, and has a comment')
def sysroot_etc_preload(s):
    sysroot(s)
    s.lib('root/opt/x/libp.so')
    s.write('root/etc/ld.so.preload', '# comment\n/opt/x/libp.so /opt/x/none.so # more\n')
    root_prog(s, [])


@root_case('/etc/ld.so.preload and LD_PRELOAD both name a library')
def sysroot_both_preloads(s):
    sysroot(s)
    s.lib('root/opt/x/libp.so')
    s.lib('root/opt/x/libq.so')
    s.write('root/etc/ld.so.preload', '/opt/x/libp.so\n')
    s.exe('root/prog')
    s.run('root/prog', argv=['/prog'], chroot='root', env={'LD_PRELOAD': '/opt/x/libq.so'})


@root_case('no libc.so.6 at all')
def sysroot_no_libc(s):
    d = sysroot(s)
    s.remove('root' + d + '/libc.so.6')
    root_prog(s, [])


@root_case('/etc/ld.so.cache is a text file; liba is in /usr/lib')
def sysroot_cache_garbage(s):
    sysroot(s)
    s.lib('root/usr/lib/liba.so')
    s.write('root/etc/ld.so.cache', 'garbage ' * 40)
    root_prog(s)


@root_case('/etc/ld.so.cache is cut in the middle; liba in /opt/x')
def sysroot_cache_cut(s):
    sysroot(s)
    s.lib('root/opt/x/liba.so')
    ldconfig(s, '/opt/x\n')
    with open(s.p('root/etc/ld.so.cache'), 'r+b') as f:
        f.truncate(os.path.getsize(s.p('root/etc/ld.so.cache')) // 2)
    root_prog(s)


# ------------------------------------------------------------------ main

def machine(ldso, tools):
    def first(cmd):
        try:
            return subprocess.run(cmd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env={'PATH': os.environ.get('PATH', ''), 'LC_ALL': 'C'}).stdout.decode().split('\n')[0]
        except OSError:
            return None
    hlp = subprocess.run([ldso, '--help'], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={}).stdout.decode()
    part = hlp[hlp.find('Shared library search path'):] if 'Shared library search path' in hlp else ''
    return dict(ldso=ldso, libc=' '.join(platform.libc_ver()), ldso_version=first([ldso, '--version']),
                gcc=first(['gcc', '--version']), ld=first(['ld', '--version']), patchelf=first(['patchelf', '--version']),
                uid=os.getuid(), ldso_help=part.split('\n'))


def interp_of(path):
    e = Elf(path)
    i = e.segs(3)
    return bytes(e.b[e.seg(i[0])[2]:e.seg(i[0])[2] + e.seg(i[0])[5]]).rstrip(b'\0').decode()


def main():
    ap = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    ap.add_argument('outdir', nargs='?')
    ap.add_argument('--only', help='only scenarios whose name or group matches')
    ap.add_argument('--jobs', type=int, default=os.cpu_count() or 2)
    ap.add_argument('--list', action='store_true')
    ap.add_argument('--keep-build', action='store_true')
    a = ap.parse_args()
    chosen = [c for c in CASES if not a.only or re.search(a.only, c[0]) or re.search(a.only, c[1])]
    names = [c[0] for c in CASES]
    assert len(set(names)) == len(names), [n for n in names if names.count(n) > 1]
    if a.list:
        for n, g, w, _ in chosen:
            print('%s\t%s\t%s' % (n, g, w))
        return 0
    if not a.outdir:
        ap.error('OUTDIR is missing')
    if sys.platform != 'linux' or platform.machine() != 'x86_64' or not os.path.exists(LD_DEFAULT):
        print('needs Linux on x86-64 with glibc', file=sys.stderr)
        return 2
    os.umask(0o022)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.path.realpath(a.outdir)
    if re.search(r'[@:;$\s]', out):
        print("OUTDIR's path must not contain '@', ':', ';', '$' or blanks", file=sys.stderr)
        return 2
    os.makedirs(out, exist_ok=True)
    if os.listdir(out) and not os.path.exists(os.path.join(out, MARKER)):
        print('OUTDIR is not empty and not ours: ' + a.outdir, file=sys.stderr)
        return 2
    for e in os.listdir(out):
        p = os.path.join(out, e)
        if os.path.isdir(p) and not os.path.islink(p):
            subprocess.run(['chmod', '-R', 'u+rwX', p], stderr=subprocess.DEVNULL)
            shutil.rmtree(p)
        else:
            os.unlink(p)
    open(os.path.join(out, MARKER), 'w').close()
    tools = Tools(out)
    chroot_tool = os.path.join(tools.dir, 'enter')
    tools.gcc([tools.obj(CHROOT, ['-fPIE']), '-o', chroot_tool])
    ldso = interp_of(chroot_tool)

    def guarded(fn, name):
        """(result, None, None), or (None, reason to skip, error)."""
        try:
            return fn(), None, None
        except Skip as e:
            d = os.path.join(out, name)
            subprocess.run(['chmod', '-R', 'u+rwX', d], stderr=subprocess.DEVNULL)
            shutil.rmtree(d, ignore_errors=True)
            return None, str(e), None
        except BuildError as e:
            return None, None, str(e)
        except Exception:
            return None, None, traceback.format_exc()

    def build(item):
        name, group, what, fn = item

        def make():
            s = S(tools, out, name, group, what)
            fn(s)
            return s
        return guarded(make, name)

    def run(item):
        s, skip, err = item
        return guarded(Runner(s, ldso, chroot_tool).go, s.name) if s else (None, skip, err)

    # Building must be over before the first program is run: a fork in another thread holds
    # files open for writing for a moment, and execve then fails with ETXTBSY.
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as ex:
        built = list(ex.map(build, chosen))
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as ex:
        ran = list(ex.map(run, built))
    res = [(c[0], r[0][0] if r[0] else None, r[0][1] if r[0] else [], r[1], r[2]) for c, r in zip(chosen, ran)]
    cases = [r[1] for r in res if r[1]]
    skipped = [(r[0], r[3]) for r in res if r[3]]
    failed = [(r[0], r[4]) for r in res if r[4]]
    warned = [(r[0], w) for r in res for w in r[2]]
    env = machine(ldso, tools)
    if not a.keep_build:
        shutil.rmtree(tools.dir)
    with open(os.path.join(out, 'index.json'), 'w') as f:
        json.dump(dict(cases=[c['name'] for c in cases], skipped=skipped), f, indent=1)
        f.write('\n')
    with open(os.path.join(out, 'environment.json'), 'w') as f:
        json.dump(env, f, indent=1)
        f.write('\n')
    for n, t in failed:
        print('FAILED %s: %s' % (n, t), file=sys.stderr)
    for n, w in warned:
        print('WARNING %s: %s' % (n, w), file=sys.stderr)
    for n, w in skipped:
        print('skipped %s: %s' % (n, w))
    print('%d scenarios, %d skipped, %d failed, %d warnings, %d gcc calls' % (
        len(cases), len(skipped), len(failed), len(warned), tools.calls))
    return 1 if failed or warned else 0


if __name__ == '__main__':
    sys.exit(main())
