#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the model of the loader with the real one on small worlds of three objects.

    enumerate_worlds.py WHYSO [--count N | --all | --world NUMBER] [--family NAME] [--jobs N]

A program may need liba, liba may need libb. Every combination of: how the program and liba say where
to look (nothing, RPATH, RUNPATH, both, in several spellings), LD_LIBRARY_PATH, what stands under the
name libb.so in each place that is searched (nothing, a library, one of another class or machine, an
empty file, text, one with another soname, a link, and so on), and in which order and with which flags
things are opened. The family `chroot` adds the cache and the default folders, and needs root: its
worlds are / for the program. A world is a number; --count N takes N that are spread evenly, --world
shows one and leaves it in place. Exit status 1 where anything differs.
"""
import argparse
import concurrent.futures
import json
import math
import os
import shutil
import sys
import tempfile

from worlds import DEFAULT, Workshop, asked_of, judge

STATES = ['absent', 'good', 'class', 'machine', 'empty', 'text', 'soname', 'link', 'folder', 'loop',
          'notdir', 'object', 'executable', 'hard']
PATHS = ['none', 'rpath', 'runpath', 'both']
FORMS = ['@/{}', '{}', '$ORIGIN/{}', '$ORIGIN/../{}/', '@/none:@/{}', ':@/{}:', '$LIB/../../../{}']
OPENS = [
    ([], []), (['liba.so'], []), (['liba.so', 'libb.so'], []), (['libb.so', 'liba.so'], []),
    (['@/o/liba.so'], []), ([], ['n:@/o/liba.so']), ([], ['n:liba.so']), ([], ['n:libb.so']),
    ([], ['l:@/o/liba.so', 'n:libb.so']), ([], ['n:libb.so', 'n:@/o/liba.so']),
    ([], ['ng:@/o/liba.so', 'n:@/o/liba.so', 'c:']), ([], ['no:@/o/liba.so', 'no:libb.so']),
    ([], ['nd:@/o/liba.so', 'c:', 'n:libb.so']), ([], ['n:@/o/liba.so', 'c:', 'n:libb.so', 'c:']),
    ([], ['n:@/l/libb.so', 'n:@/o/liba.so', 'n:libb.so']),
    ([], ['n:@/a/libb.so', 'n:@/p/libb.so', 'n:@/o/liba.so']),
    ([], ['nb:@/o/liba.so', 'lg:@/o/../o/liba.so', 'c:', 'c:']), (['libb.so'], ['n:@/o/liba.so']),
    (['liba.so'], ['n:libb.so', 'no:liba.so', 'c:', 'c:']), ([], ['g:@/o/liba.so', 'n:o/liba.so']),
]
# name: [(digit, how many values)]; the first changes fastest.
FAMILIES = {
    'plain': [('opens', len(OPENS)), ('program', 4), ('a', 4), ('library_path', 3), ('at_p', len(STATES)),
              ('at_a', len(STATES)), ('at_l', len(STATES)), ('form', len(FORMS)), ('soname', 3)],
    'chroot': [('opens', len(OPENS)), ('program', 3), ('a', 3), ('library_path', 2), ('cache', 5),
               ('at_c', len(STATES)), ('at_d', len(STATES)), ('at_a', 4), ('nodeflib', 3), ('form', 3),
               ('soname', 2)],
}


def size_of(family):
    return math.prod(count for _, count in FAMILIES[family])


def digits_of(family, number):
    digits = {}
    for name, count in FAMILIES[family]:
        number, digits[name] = divmod(number, count)
    return digits


def put(files, folder, state, soname):
    """What stands under the name libb.so in a folder."""
    path, good = folder + '/libb.so', {'soname': soname} if soname else {}
    if state == 'absent':
        return
    if state == 'good':
        files[path] = good
    elif state == 'soname':
        files[path] = {'soname': 'libother.so'}
    elif state == 'link':
        files[path] = {'link': '@/shelf/libb.so.1'}
        files['shelf/libb.so.1'] = good
    elif state == 'hard':
        files[path] = {'same': 'shelf/libb.so.1'}
        files['shelf/libb.so.1'] = good
    elif state == 'folder':
        files[path] = {'folder': True}
    elif state == 'loop':
        files[path] = {'link': 'libb.so'}
    elif state == 'notdir':
        files[path] = {'link': '../prog/x'}
    else:
        files[path] = dict(good, damage=state)


def paths_of(kind, text, other):
    return {'none': {}, 'rpath': {'rpath': text}, 'runpath': {'runpath': text},
            'both': {'rpath': other, 'runpath': text}}[kind]


def world_of(family, number):
    digit = digits_of(family, number)
    form = FORMS[digit['form']]
    needed, ops = OPENS[digit['opens']]
    soname = ['libb.so', None, 'libc2.so'][digit['soname']]
    files = {'o/liba.so': dict(paths_of(PATHS[digit['a']], form.format('a'), '@/l'),
                               needed=['libb.so'], soname='liba.so')}
    place = 'o' if family == 'plain' else DEFAULT
    program = dict(paths_of(PATHS[digit['program']], form.format('p') + ':@/o', '@/a'), needed=needed)
    world = {'program': program, 'files': files, 'ops': ops, 'env': {}}
    for key, folder in (('at_p', 'p'), ('at_a', 'a'), ('at_l', 'l'), ('at_c', 'c'), ('at_d', place)):
        if key in digit:
            put(files, folder, STATES[digit[key]], soname)
    if digit['library_path']:
        world['env']['LD_LIBRARY_PATH'] = [None, form.format('l') + ';@/o', '@/l'][digit['library_path']]
    if family == 'chroot':
        world['chroot'] = True
        world['cache'] = [None, [], [['libb.so', '/c/libb.so'], ['liba.so', '/o/liba.so']],
                          [['libb.so', '/%s/libb.so' % DEFAULT], ['libb.so', '/c/libb.so']],
                          [['libb.so', '/gone/libb.so'], ['libb.so.1', '/c/libb.so']]][digit['cache']]
        if digit['nodeflib']:
            (program if digit['nodeflib'] == 1 else files['o/liba.so'])['flags_1'] = 0x800
    return world


def spread(size, count):
    """`count` numbers below size, spread evenly in each digit: steps of a length that has no factor in
    common with size."""
    step = int(size * 0.6180339887) | 1
    while math.gcd(step, size) != 1:
        step += 2
    return [number * step % size for number in range(min(count, size))]


def work(arguments):
    folder, whyso, jobs = arguments
    workshop = Workshop(folder)
    return [(family, number, found) for family, number in jobs
            if (found := judge(workshop, world_of(family, number), whyso))]


def show(whyso, family, number, folder):
    workshop, world = Workshop(folder), world_of(family, number)
    at = workshop.lay_out(world)
    status, output, text = workshop.real(world, at, asked_of(world))
    print(json.dumps(world, indent=1), text, output, 'exit %d' % status, sep='\n')
    for difference in judge(workshop, world, whyso):
        print(json.dumps(difference))
    print('left in', workshop.root)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('whyso')
    parser.add_argument('--family', choices=FAMILIES)
    parser.add_argument('--count', type=int, default=600)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--world', type=int)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    options = parser.parse_args()
    whyso = os.path.realpath(options.whyso)
    if options.world is not None:
        return show(whyso, options.family or 'plain', options.world, tempfile.mkdtemp())
    families = [options.family] if options.family else list(FAMILIES)
    if os.getuid() != 0 and 'chroot' in families:
        families.remove('chroot')
        print('the family chroot is skipped: it needs root')
    jobs = [(family, number) for family in families
            for number in spread(size_of(family), size_of(family) if options.all else options.count)]
    folder, wrong = tempfile.mkdtemp(), 0
    try:
        Workshop(folder + '/0')
        shares = [(folder + '/%d' % i, whyso, jobs[i::options.jobs]) for i in range(options.jobs)]
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            for family, number, found in [each for share in pool.map(work, shares) for each in share]:
                wrong += 1
                print('%s %d: %s' % (family, number, json.dumps(digits_of(family, number))))
                for what, true, told in found:
                    print('   %s\n      ld.so %s\n      model %s' % (
                        what, json.dumps(true)[:800], json.dumps(told)[:800]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print('%d of %d worlds compared, %d differ' % (len(jobs), sum(map(size_of, families)), wrong))
    return 1 if wrong or not jobs else 0


if __name__ == '__main__':
    sys.exit(main())
