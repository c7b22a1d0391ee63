#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the model of the loader with the real one on random worlds.

    random_worlds.py WHYSO [--count N] [--seed S] [--symbols] [--jobs N] [--keep FOLDER]
    random_worlds.py WHYSO --replay FILE

A world has 3 to 40 libraries in a few folders: cycles, one soname in several files, several files of
one name, links and hard links, RPATH and RUNPATH with tokens, folders for hardware, filters, versions
that are needed and provided, damaged files, preloads, a cache, and a sequence of dlopens with flags.
With --symbols the libraries define and want symbols, plain and with versions, and every binding is
compared, too. World number i of seed S is made from "S:i" alone. One that differs is made smaller as long as it
still differs, and written to FOLDER as JSON, which --replay reads. Worlds with a cache of their own
need root and are left out otherwise. Exit status 1 where anything differs.
"""
import argparse
import concurrent.futures
import copy
import json
import os
import random
import shutil
import sys
import tempfile
import time

from worlds import DEFAULT, Workshop, asked_of, judge

LEVELS = ['glibc-hwcaps/x86-64-v2', 'glibc-hwcaps/x86-64-v3', 'glibc-hwcaps/x86-64-v4', 'tls',
          'x86_64', 'tls/x86_64', 'haswell']
DAMAGE = ['class', 'class', 'machine', 'machine', 'empty', 'text', 'short', 'object', 'executable',
          'order', 'abi', 'phentsize', 'version']
SYMBOLS = ['sym%d' % i for i in range(9)]
HOWS = ['glob_dat', 'glob_dat', '64', 'jump_slot', 'jump_slot']
HIDDEN, PROTECTED = 2, 3
SYMBOLIC, BIND_NOW = 2, 8                       # in DT_FLAGS; the rest in DT_FLAGS_1
NODEFLIB, NOOPEN, NODELETE, PIE = 0x800, 0x40, 0x8, 0x8000000


class Maker:
    """Makes one world of random numbers."""

    def __init__(self, random_numbers, may_chroot, symbols=False):
        self.random, self.may_chroot, self.symbols = random_numbers, may_chroot, symbols
        self.chroot = may_chroot and self.often(0.4)
        self.folders = ['f%d' % i for i in range(self.random.randint(1, 6))]
        if self.chroot and self.often(0.7):
            self.folders += self.random.sample(['lib', 'usr/lib', DEFAULT], 2)
        count = self.random.choice([3, 4, 6, 10, 15, 25, 40])
        self.names = ['lib%s.so%s' % (chr(97 + i) if i < 26 else 'z%d' % i, self.pick(['', '', '.1']))
                      for i in range(count)]
        self.bad = self.pick([0, 0, 0, 0.02, 0.1])
        self.strange = self.pick([0, 0, 0.02, 0.1])
        self.is_whole = self.often(0.75)        # everything that is asked for can be found
        self.files = {}

    def often(self, chance):
        return self.random.random() < chance

    def pick(self, values):
        return self.random.choice(values)

    def some(self, values, most):
        return self.random.sample(values, min(len(values), self.random.randint(0, most)))

    def element(self):
        folder = self.pick(self.folders + ['none'])
        forms = ['@/' + folder] * 6 + [
            folder, '$ORIGIN', '$ORIGIN/../' + folder, '${ORIGIN}/../' + folder + '/', '@//' + folder,
            '@/%s/../%s' % (self.pick(self.folders), folder), '', '$LIB', '@/$LIB/../../' + folder,
            '@/' + folder + '/', '$PLATFORM', '@/$PLATFORM', '$ORIGINAL/' + folder, '@/link-' + folder]
        return self.pick(forms)

    def path(self, separators=':'):
        elements = [self.element() for _ in range(self.random.randint(1, 4))]
        text = elements[0]
        for element in elements[1:]:
            text += self.pick(separators) + element
        return text

    def wanted(self):
        name = self.pick(self.names)
        if self.often(self.strange):
            name = self.pick(['@/' + self.pick(self.folders) + '/' + name, self.pick(self.folders) + '/' + name,
                              '$ORIGIN/' + name, '$ORIGIN/../%s/%s' % (self.pick(self.folders), name),
                              'libmissing.so', '', 'libc.so.6', 'ld-linux-x86-64.so.2', 'linux-vdso.so.1',
                              'libm.so.6' if not self.chroot else 'libno.so'])
        return name

    def own_paths(self, spec, chance):
        if self.often(chance):
            spec[self.pick(['rpath', 'rpath', 'runpath'])] = self.path()
            if self.often(0.05):
                spec[self.pick(['rpath', 'runpath'])] = self.pick(['', self.path()])

    def library(self, name):
        spec = {'needed': [self.wanted() for _ in range(self.random.randint(0, self.pick([1, 3, 6])))]}
        if self.often(0.8):
            spec['soname'] = name if self.often(0.85) else self.pick(self.names)
        self.own_paths(spec, self.pick_path)
        if self.often(0.04):
            spec['flags_1'] = self.pick([NODEFLIB, NODEFLIB, NOOPEN, NODELETE, PIE])
        if self.often(0.03):
            at = self.random.randint(0, len(spec['needed']))
            # The empty name is the program, whose move tears ld.so's list of objects: not modelled.
            spec['needed'].insert(at, [self.pick(['auxiliary', 'filter']), self.wanted() or 'libno.so'])
        if self.often(0.15):
            spec['versions'] = self.some(['V1', 'V2', 'V3'], 3)
        if self.often(self.versions):
            spec['needs_versions'] = [
                [each, self.pick(['V1', 'V2']), self.often(0.3)] for each in spec['needed']
                if isinstance(each, str) and each.startswith('lib') and '$' not in each][:3]
        if self.symbols:
            self.add_symbols(spec)
        if self.often(self.bad):
            spec['damage'] = self.pick(DAMAGE)
        return spec

    def add_symbols(self, spec):
        """Few names, so that libraries interpose each other's."""
        spec['hash'] = self.pick(['gnu', 'gnu', 'gnu', 'sysv', 'both'])
        defines = {}
        for name in self.some(SYMBOLS, self.density + 2):
            for _ in range(self.pick([1, 1, 1, 2])):
                define = self.definition(name, spec.get('versions'))
                defines[name, define.get('version')] = define
        defined = {name for name, _ in defines}
        libraries = [each for each in spec['needed'] if isinstance(each, str) and each.startswith('lib')]
        names = [each for each in SYMBOLS if each not in defined] + ['gone'] * self.often(0.1)
        spec['defines'] = list(defines.values())
        spec['wants'] = [self.reference(name, libraries) for name in self.some(names, self.density)]
        if self.often(0.05):
            spec['symbolic'] = True
        if self.often(0.1):
            spec['flags'] = self.pick([SYMBOLIC, BIND_NOW])

    def definition(self, name, versions):
        define = {'name': name, 'type': self.pick(['func', 'object', 'notype']),
                  'bind': self.pick(['global'] * 6 + ['weak', 'weak', 'unique'])}
        if define['bind'] == 'unique':
            define['type'] = 'object'
        if versions and self.often(0.8):
            define.update(version=self.pick(versions), hidden=self.often(0.3))
        if self.often(0.5):
            define['how'] = self.pick(HOWS)
        if self.often(0.08):
            define['visibility'] = self.pick([HIDDEN, PROTECTED])
        return define

    def reference(self, name, libraries):
        want = {'name': name, 'how': self.pick(HOWS)}
        if self.often(self.weak):
            want['bind'] = 'weak'
        if libraries and self.often(self.versions or 0.02):
            want.update(version=self.pick(['V1', 'V2']), file=self.pick(libraries))
        return want

    def place(self, name, must_be_found):
        """One file under a name."""
        folder = self.pick(self.folders)
        if must_be_found:
            return folder + '/' + name, self.library(name)
        if self.often(0.05):
            folder += '/' + self.pick(LEVELS)
        path = folder + '/' + name
        plain = [each for each, spec in self.files.items() if 'link' not in spec and 'folder' not in spec
                 and 'same' not in spec]
        if plain and self.often(0.08):
            return path, {'same': self.pick(plain)} if self.often(0.4) else {
                'link': self.pick(['@/' + self.pick(plain), self.pick(plain).split('/')[-1]])}
        if self.often(self.bad / 4):
            return path, self.pick([{'folder': True}, {'link': name}, {'link': 'gone'}])
        return path, self.library(name)

    def opening(self):
        flags = self.pick(['n', 'n', 'n', 'l', 'ng', 'lg', 'nd', 'no', 'nb', 'ngo', 'lb', 'g'])
        plain = list(self.files)
        name = self.pick(['@/' + self.pick(plain)] * 4 + [self.pick(plain), self.pick(self.names),
                         self.pick(self.names), self.wanted(), '@/gone/' + self.pick(self.names)])
        return flags + ':' + name

    def world(self):
        self.pick_path = self.pick([0, 0.2, 0.5])
        self.versions = self.pick([0, 0, 0.2])
        if self.symbols:
            self.weak = self.pick([0.1, 0.5, 1])
            self.density = self.pick([1, 2, 4])
        for name in self.names:
            for i in range(self.pick([1, 1, 1, 1, 2, 3, 1 if self.is_whole else 0])):
                path, spec = self.place(name, self.is_whole and i == 0)
                self.files.setdefault(path, spec)
        if not self.files:
            self.files['f0/liba.so'] = {}
        for folder in list(self.folders):
            if self.often(0.2):
                self.files['link-' + folder.replace('/', '-')] = {'link': '@/' + folder}
        program = {'needed': [self.wanted() for _ in range(self.pick([0, 1, 2, 5]))],
                   'libc_last': self.often(0.3)}
        self.own_paths(program, 0.6)
        if self.often(0.05):
            program['flags_1'] = NODEFLIB
        world = {'program': program, 'files': self.files, 'env': {}, 'ops': [
            self.opening() if self.often(0.85) else 'c:' for _ in range(self.random.randint(0, 8))]}
        if self.often(0.5):
            world['env']['LD_LIBRARY_PATH'] = self.path(':;')
        if self.is_whole:
            self.open_all(program, world['env'])
        if self.often(0.15):
            world['env']['LD_PRELOAD'] = self.pick(': ').join(
                self.pick(['@/' + self.pick(list(self.files)), self.pick(self.names)])
                for _ in range(self.random.randint(1, 3)))
        if self.often(0.2):
            world['cwd'] = self.pick(self.folders)
        if self.chroot:
            world['chroot'] = True
            if self.often(0.7):
                world['cache'] = [self.cached() for _ in range(self.random.randint(0, len(self.names)))]
                world['cache'].append(['libc.so.6', '/%s/libc.so.6' % DEFAULT])
        if self.symbols:
            world['symbols'] = True
            if self.often(0.1):
                world['env']['LD_BIND_NOW'] = self.pick(['1', ''])
        return world

    def open_all(self, program, env):
        """Every folder is on a path that all libraries see."""
        spread = ['@/' + folder for folder in self.folders]
        self.random.shuffle(spread)
        if self.often(0.2) and 'runpath' not in program:
            spread = [each for each in [program.get('rpath')] if each] + spread
            program['rpath'] = ':'.join(spread)
        else:
            spread = [each for each in [env.get('LD_LIBRARY_PATH')] if each] + spread
            env['LD_LIBRARY_PATH'] = ':'.join(spread)

    def cached(self):
        name = self.pick(self.names)
        entry = [name, '/' + self.pick(list(self.files)) if self.often(0.5) else
                 '/%s/%s' % (self.pick(self.folders), name)]
        if self.often(0.1):
            entry.append(self.pick(['x86-64-v2', 'x86-64-v3', 'x86-64-v4']))
        return entry


def world_of(seed, number, symbols=False):
    return Maker(random.Random('%s:%d' % (seed, number)), os.getuid() == 0, symbols).world()


def smaller(world):
    """Worlds with one thing less."""
    def without(path):
        made = copy.deepcopy(world)
        place = made
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]
        return made
    for name in ('ops', 'cache'):
        for i in range(len(world.get(name) or ())):
            yield without([name, i])
    for name in list(world['env']):
        yield without(['env', name])
    for name in [each for each in ('cwd', 'cache') if each in world]:
        yield without([name])
    specs = [['program']] + [['files', path] for path in world['files']]
    for path in list(world['files']):
        yield without(['files', path])
    for where in specs:
        spec = world[where[0]] if len(where) == 1 else world[where[0]][where[1]]
        for key, value in spec.items():
            if key not in ('link', 'same', 'folder'):
                yield without(where + [key])
            if isinstance(value, list):
                for i in range(len(value)):
                    yield without(where + [key, i])
        for key in ('rpath', 'runpath'):
            elements = (spec.get(key) or '').split(':')
            for i in range(len(elements) if len(elements) > 1 else 0):
                made = copy.deepcopy(world)
                place = made[where[0]] if len(where) == 1 else made[where[0]][where[1]]
                place[key] = ':'.join(elements[:i] + elements[i + 1:])
                yield made


def shrunk(workshop, world, whyso, kind):
    """The same world with as little in it as a minute finds to keep it different in the same thing."""
    end, again = time.monotonic() + 60, True
    while again:
        again = False
        for candidate in smaller(world):
            if time.monotonic() > end:
                return world
            try:
                found = judge(workshop, candidate, whyso)
            except (OSError, ValueError):       # a hard link without its file
                continue
            if any(each[0] == kind for each in found):
                world, again = candidate, True
                break
    return world


def work(arguments):
    folder, whyso, seed, symbols, numbers = arguments
    workshop, wrong = Workshop(folder), []
    for number in numbers:
        world = world_of(seed, number, symbols)
        found = judge(workshop, world, whyso)
        if found:
            small = shrunk(workshop, world, whyso, found[0][0])
            wrong.append((number, small, judge(workshop, small, whyso)))
    return len(numbers), wrong


def replay(whyso, path):
    with open(path) as file:
        world = json.load(file)
    workshop = Workshop(tempfile.mkdtemp())
    at = workshop.lay_out(world)
    status, output, text = workshop.real(world, at, asked_of(world))
    print(json.dumps(world, indent=1), text, output, 'exit %d' % status, sep='\n')
    found = judge(workshop, world, whyso)
    for difference in found:
        print(json.dumps(difference))
    print('left in', workshop.root)
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('whyso')
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--symbols', action='store_true')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--keep')
    parser.add_argument('--replay')
    options = parser.parse_args()
    whyso = os.path.realpath(options.whyso)
    if options.replay:
        return replay(whyso, options.replay)
    print('seed', options.seed)
    folder, wrong, done = tempfile.mkdtemp(), 0, 0
    try:
        numbers = list(range(options.count))
        # Many small shares, so that one with a world to shrink holds nobody up.
        size = max(1, min(100, options.count // options.jobs))
        shares = [(whyso, options.seed, options.symbols, numbers[i:i + size])
                  for i in range(0, options.count, size)]
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            jobs = [(folder + '/%d' % i,) + share for i, share in enumerate(shares)]
            for compared, share in pool.map(work, jobs):
                done += compared
                for number, world, found in share:
                    wrong += 1
                    print('world %d: %s' % (number, json.dumps(world)), flush=True)
                    for what, true, told in found:
                        print('   %s\n      ld.so %s\n      model %s' % (
                            what, json.dumps(true)[:800], json.dumps(told)[:800]), flush=True)
                    if options.keep:
                        os.makedirs(options.keep, exist_ok=True)
                        name = '%s-%d.json' % (options.seed, number)
                        with open(os.path.join(options.keep, name), 'w') as file:
                            json.dump(world, file, indent=1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print('%d worlds of seed %s compared, %d differ' % (done, options.seed, wrong))
    return 1 if wrong or not done else 0


if __name__ == '__main__':
    sys.exit(main())
