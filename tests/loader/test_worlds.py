#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The comparison of worlds notices a model that is wrong: what a stand-in for it says is bent in each
of the things that are compared."""
import copy
import sys
import tempfile

from enumerate_worlds import FAMILIES, digits_of, size_of, spread
from random_worlds import world_of
from worlds import Workshop, asked_of, differences, truth_of

WORLD = {
    'program': {'needed': ['liba.so'], 'runpath': '@/p'},
    'files': {'p/liba.so': {'soname': 'liba.so'}, 'q/libb.so': {'needed': ['libgone.so']},
              'q/libc.so': {'needed': ['liba.so']}},
    'ops': ['n:@/q/libb.so', 'n:@/q/libc.so'], 'env': {}}


def real_story(world):
    with tempfile.TemporaryDirectory() as folder:
        workshop = Workshop(folder)
        at = workshop.lay_out(world)
        return truth_of(*workshop.real(world, at, asked_of(world))), at


def bent(story):
    """(what, story with that bent)."""
    for key in story:
        made = copy.deepcopy(story)
        if key == 'exit':
            made[key] = 5
        elif key == 'error':
            made[key] = 'something'
        elif key == 'start':
            continue        # where something is opened the model tells only the end
        else:
            made[key] = made[key][:-1]
        yield key, made
    made = copy.deepcopy(story)
    made['searches'][0] = made['searches'][0][:4] + (made['searches'][0][4][1:],) + made['searches'][0][5:]
    yield 'searches', made
    made = copy.deepcopy(story)
    made['opens'][0] = made['opens'][0][:1] + (None,) + made['opens'][0][2:]
    yield 'opens', made


def main():
    story, at = real_story(WORLD)
    assert story['exit'] == 0 and story['error'] is None, story
    assert [each[0].replace(at, '@') for each in story['searches']] == [
        'libc.so.6', 'liba.so', '@/q/libb.so', 'libgone.so', '@/q/libc.so'], story['searches']
    assert story['searches'][1][3] == 'RUNPATH from file %s/prog' % at, story['searches'][1]
    assert story['opens'][0][1] == \
        'libgone.so: cannot open shared object file: No such file or directory', story['opens']
    assert story['opens'][1][2] == [at + '/q/libc.so'], story['opens']
    assert not differences(story, copy.deepcopy(story))
    for key, made in bent(story):
        assert [each[0] for each in differences(story, made)] == [key], key
    assert world_of('1', 7) == world_of('1', 7) != world_of('1', 8)
    for family, digits in FAMILIES.items():
        numbers = spread(size_of(family), 400)
        assert len(set(numbers)) == 400
        for name, count in digits:
            seen = {digits_of(family, number)[name] for number in numbers}
            assert len(seen) == count, (family, name, seen)
    print('every bent answer was noticed')


if __name__ == '__main__':
    sys.exit(main())
