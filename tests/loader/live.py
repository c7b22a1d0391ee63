#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the model of the loader with the real one on the files of this machine.

    live.py WHYSO [--sample N] [FOLDER...]           programs and libraries, in tracing mode
    live.py WHYSO --python PYTHON [--sample N] DIR   extension modules of DIR, opened by PYTHON

The first form asks `LD_TRACE_LOADED_OBJECTS=1 ld.so FILE` for every dynamic ELF file of this
machine's architecture below the folders (/usr/bin, /usr/sbin, /usr/lib, /usr/libexec): the same
objects in the same order under the same paths, the same names not found, or the same error. The
second runs PYTHON with ctypes.CDLL(FILE) under LD_DEBUG=files,libs and asks the model for the same
sequence of dlopen() calls: the same objects in the same order, and every path tried. Exit status 1
where anything differs; 77 where there is nothing to compare.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/lib', '/usr/libexec', '/usr/local', '/opt']
PT_DYNAMIC, PT_INTERP = 2, 3


def elf_facts(path):
    """(e_machine, has PT_DYNAMIC with content) of a 64-bit little-endian program or library."""
    try:
        with open(path, 'rb') as file:
            head = file.read(64)
            if len(head) < 64 or head[:6] != b'\x7fELF\x02\x01':
                return None
            kind, machine = struct.unpack_from('<HH', head, 16)
            offset, = struct.unpack_from('<Q', head, 32)
            size, count = struct.unpack_from('<HH', head, 54)
            if kind not in (2, 3) or size != 56:
                return None
            file.seek(offset)
            table = file.read(size * count)
    except OSError:
        return None
    dynamic = False
    for at in range(0, len(table) - size + 1, size):
        segment, = struct.unpack_from('<I', table, at)
        length, = struct.unpack_from('<Q', table, at + 32)
        dynamic |= segment == PT_DYNAMIC and length > 0
    return machine, dynamic


def files_below(folders):
    found = set()
    for folder in folders:
        for where, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(where, name)
                if os.path.isfile(path) and not os.path.islink(path):
                    found.add(path)
    return sorted(found)


def interpreter_of(path):
    with open(path, 'rb') as file:
        data = file.read(4096)
    offset, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<HH', data, 54)
    for at in range(offset, offset + size * count, size):
        if struct.unpack_from('<I', data, at)[0] == PT_INTERP:
            where, = struct.unpack_from('<Q', data, at + 8)
            return data[where:data.index(b'\0', where)].decode()
    return None


def ask_model(whyso, words):
    run = subprocess.run([whyso, 'ld', '--format', 'json'] + words, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, timeout=60, cwd='/', env={})
    if run.returncode not in (0, 1):
        raise RuntimeError('exit %d: %s' % (run.returncode, run.stderr.decode(errors='replace')))
    return json.loads(run.stdout)


def trace_truth(ldso, path):
    """([(name, path)], [names not found], error) of the tracing mode."""
    run = subprocess.run([ldso, path], env={'LD_TRACE_LOADED_OBJECTS': '1'}, cwd='/',
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found, missing = [], []
    for line in run.stdout.decode(errors='replace').splitlines():
        match = re.match(r'\t(.+) => not found$', line)
        if match:
            missing.append(match[1])
            continue
        match = re.match(r'\t(.+?) => (.+) \(0x[0-9a-f]+\)$', line) or \
            re.match(r'\t((.+)) \(0x[0-9a-f]+\)$', line)
        if match and not match[1].startswith('linux-vdso'):
            found.append((match[1], match[2]))
    error = run.stderr.decode(errors='replace').strip() if run.returncode else None
    return found, missing, error


def compare_trace(arguments):
    whyso, ldso, path = arguments
    found, missing, error = trace_truth(ldso, path)
    words = ['--cwd', '/', '--var', 'LD_TRACE_LOADED_OBJECTS=1', '--', ldso, path]
    try:
        model = ask_model(whyso, words)
    except (RuntimeError, ValueError) as failure:
        return path, [('failure', None, str(failure))]
    told = [tuple(pair) for pair in model['loaded']]
    absent = [each['name'] for each in model['searches'] if each['ending'] == 'missing'
              and each['asking'] in ('needed', 'filter')]
    differences = [('error', error, model['error']), ('loaded', found, told),
                   ('missing', missing, absent)]
    if error:       # nothing is listed then
        differences = differences[:1]
    return path, [each for each in differences if each[1] != each[2]]


LINE = re.compile(r'^\s*(\d+):\t(.*)$')


def debug_of(python, path):
    """What ld.so says until PYTHON has opened the file: (dlopens, mapped, tried, error). What the
    file's constructors open is not looked at."""
    with tempfile.TemporaryDirectory() as folder:
        env = {'PATH': '/usr/bin:/bin', 'LD_DEBUG': 'files,libs', 'LD_DEBUG_OUTPUT': folder + '/o'}
        code = 'import ctypes,sys\ntry: ctypes.CDLL(sys.argv[1])\nexcept OSError as e: print(e)'
        run = subprocess.run([python, '-Sc', code, path], env=env, cwd='/', timeout=300,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
        first = min(os.listdir(folder), key=lambda name: int(name.rsplit('.', 1)[1]))
        with open(os.path.join(folder, first), errors='replace') as text:
            lines = [LINE.match(line) for line in text]
    opens, mapped, tried, name = [], [], [], None
    for line in (match[2] for match in lines if match):
        ask = re.match(r'file=(.*) \[\d+\];  (needed|dynamically loaded) by (.*) \[\d+\]$', line)
        if ask:
            name = ask[1]
            if ask[2] != 'needed':
                if opens and opens[-1] == path:
                    break
                opens.append(name)
        attempt = re.match(r'  trying file=(.*)$', line)
        if attempt:
            tried.append(attempt[1])
        if re.match(r'file=(.*) \[\d+\];  generating link map$', line):
            mapped.append(name)
    return opens, mapped, tried, run.stdout.decode(errors='replace').strip()


def compare_open(arguments):
    whyso, python, path = arguments
    opens, mapped, tried, error = debug_of(python, path)
    words = ['--cwd', '/']
    for name in opens:
        words += ['--open', 'n:' + name]
    try:
        model = ask_model(whyso, words + ['--', python])
    except (RuntimeError, ValueError) as failure:
        return path, [('failure', None, str(failure))]
    told = [each['name'] for each in model['searches']
            if each['ending'] == 'mapped']
    paths = [each for search in model['searches'] for each in search['tried']]
    said = model['opens'][-1]['error'] if model['opens'] else None
    differences = [('mapped', mapped, told), ('tried', tried, paths)]
    differences.append(('error', error or None, said))
    return path, [each for each in differences if each[1] != each[2]]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('whyso')
    parser.add_argument('folders', nargs='*')
    parser.add_argument('--sample', type=int, default=0)
    parser.add_argument('--python')
    options = parser.parse_intermixed_args()
    python = options.python or '/usr/bin/python3'
    ldso = interpreter_of(os.path.realpath(python))
    machine = elf_facts(os.path.realpath(ldso))[0]
    files = [path for path in files_below(options.folders or FOLDERS)
             if elf_facts(path) == (machine, True) and os.path.realpath(path) != os.path.realpath(ldso)]
    if options.python:
        files = [path for path in files if re.search(r'\.so$', path)]
    if options.sample:
        files = random.Random(1).sample(files, min(options.sample, len(files)))
    if not files:
        print('no files to compare')
        return 77
    compare = compare_open if options.python else compare_trace
    middle = python if options.python else ldso
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(os.path.realpath(options.whyso), middle, path) for path in files]
        for path, differences in pool.map(compare, jobs):
            wrong += bool(differences)
            for what, true, told in differences:
                print('%s: %s\n   ld.so %s\n   model %s' % (path, what, json.dumps(true)[:1000],
                                                        json.dumps(told)[:1000]))
    print('%d files compared, %d differ' % (len(files), wrong))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
