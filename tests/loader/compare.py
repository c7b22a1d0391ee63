#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the model of the loader with what the real loader did.

    compare.py WHYSO SCENARIOS [--only REGEX] [--verbose]

SCENARIOS is a folder made by build_scenarios.py. For each scenario `WHYSO ld` is asked and must
agree about what is loaded (names, paths, order), about every search (who asked, the step that
decided, what was taken, every path tried, in order), about error texts and the exit status, about
the order of initialisation, what dlsym finds, and what every symbol was bound to.
The model runs no code. What a running program ran into (a function that nothing defines, a page that
its file lacks) must be among what the model says it may run into.
Scenarios whose outcome hinges on what is not modelled yet are named with the reason in later.txt;
one that agrees must not be named there. Exit status 1 where anything disagrees.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LOOKUPS = ('call', 'sym', 'default')
BOILERPLATE = re.compile(r'^(__libc_start_main|__cxa_finalize|_ITM_\w+|__gmon_start__|_dl_\w+)$')


def read_later():
    later = {}
    with open(os.path.join(HERE, 'later.txt')) as lines:
        for line in lines:
            line = line.strip()
            if line and not line.startswith('#'):
                name, _, reason = line.partition(' ')
                later[name] = reason.strip()
    return later


def is_loader(path):
    return re.search(r'(^|/)(ld-linux[^/]*|my-ld\.so)$', path)


class Scenario:
    def __init__(self, folder, whyso):
        self.folder = folder
        self.whyso = whyso
        with open(os.path.join(folder, 'case.json')) as text:
            self.case = json.load(text)

    def at(self, text):
        """As build_scenarios.py does it: '@' is the folder of the scenario."""
        return text.replace('@', self.folder)

    def requests_of(self, op):
        """The words of `whyso ld` for one argument of the opener."""
        flags, _, name = op.partition(':')
        if flags == 'via':              # the opener calls a function of that name
            return ['call:open_it', 'nv:' + self.at(name)]
        return [flags + ':' + self.at(name)]

    def command(self):
        case = self.case
        chroot = case.get('chroot')
        cwd = case['cwd'] if case['cwd'].startswith('/') else os.path.join(self.folder, case['cwd'])
        words = ['--bindings'] if case.get('bindings') else []
        words += ['--cwd', '/' if chroot else os.path.normpath(cwd), '--format', 'json']
        if chroot:
            words += ['--root', os.path.join(self.folder, chroot)]
        for name, value in case['env'].items():
            words += ['--var', name + '=' + self.at(value)]
        if case['kind'] == 'exec':
            return words + ['--'] + [self.at(word) for word in case['argv']]
        for op in case['ops']:
            words += [word for request in self.requests_of(op) for word in ('--open', request)]
        return words + ['--', os.path.join(self.folder, case['host'])]

    def ask(self):
        user = {'user': 65534, 'group': 65534, 'extra_groups': []}
        ordinary = self.case.get('user') == 'ordinary' and os.getuid() == 0
        run = subprocess.run([self.whyso, 'ld'] + self.command(), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, timeout=60, cwd='/', env={},
                             **(user if ordinary else {}))
        if run.returncode not in (0, 1):
            raise RuntimeError('exit %d: %s' % (run.returncode, run.stderr.decode(errors='replace')))
        return json.loads(run.stdout.decode('utf8', 'surrogateescape'))

    def norm(self, text):
        return text if text is None else text.replace(self.folder, '@')

    def relative(self, path):
        if path.startswith(self.folder + '/'):
            return path[len(self.folder) + 1:].lstrip('/')
        cwd = self.case['cwd']
        if path and not path.startswith('/'):
            return path if cwd == '.' or cwd.startswith('/') else os.path.join(cwd, path)
        return path

    def pairs(self, pairs):
        return [[self.norm(name), self.relative(path)] for name, path in pairs]

    def differences(self):
        """(what, truth, model) for each thing that differs."""
        case, model = self.case, self.ask()
        compare = self.compare_exec if case['kind'] == 'exec' else self.compare_dlopen
        found = [each for each in compare(model) if each[1] != each[2]]
        if not case.get('secure'):
            found += self.compare_searches(model)
            found += self.compare_tried(model)
        return found

    def compare_exec(self, model):
        case = self.case
        text = '\n'.join(model['warnings'] + ([model['error']] if model['error'] else []))
        error = self.norm(text) or None
        exit_status = model['exit']
        if model['exit'] == 0 and case['error'] and case['error'] != error:
            met = self.met_danger(model.get('dangers', []), error, case['error'])
            if met:
                error, exit_status = met, 127
        yield 'error', case['error'], error
        if exit_status != 0 or not case['init']:      # else it is the program's own
            yield 'exit', case['exit'], exit_status
        loaded = self.pairs(model['loaded'])
        if case['loaded'] and not any(is_loader(pair[1]) for pair in case['loaded']):
            loaded = [pair for pair in loaded if not is_loader(pair[1])]
        if case.get('secure') and case['loaded'] is not None:
            loaded = [[None, path] for _, path in loaded]
        if case['loaded'] is not None:
            yield 'loaded', case['loaded'], loaded
        if not case.get('secure'):
            yield 'init', case['init'], [self.norm(path) for path in model.get('initialized', [])]
        yield from self.compare_bindings(model)

    def met_danger(self, dangers, before, true):
        """The text of a program that the model says may end so, if that is what it printed."""
        for danger in dangers:
            text = '\n'.join(([before] if before else []) + [self.norm(danger)])
            if text == true:
                return text
        return None

    def compare_dlopen(self, model):
        case = self.case
        opens, told_opens = case['opens'], list(model['opens'])
        for true in opens:
            if true['op'].startswith('via:') and told_opens:
                told_opens.pop(opens.index(true))           # the call that makes the request
        died = None
        for true, told in zip(opens, told_opens):
            if true['op'].startswith('call:') and true['error'] is None and true['value'] is None:
                died = told.get('dangers', [])
                break
            yield 'error of ' + true['op'], true['error'], self.norm(told['error'])
            if true['op'].split(':')[0] in ('sym', 'default'):
                yield 'value of ' + true['op'], true['value'], self.norm(told.get('value'))
            yield 'added by ' + true['op'], true.get('added', []), self.pairs(told.get('added', []))
            yield 'removed by ' + true['op'], true.get('removed', []), [
                self.relative(path) for path in told.get('removed', [])]
        if died is not None:
            yield from self.compare_death(died)
        elif len(opens) == len(told_opens) or case['exit'] >= 0:
            yield 'opens', len(opens), len(told_opens)
        base = len(case['base'])
        if model['exit'] == 0:
            yield 'base', case['base'], self.pairs(model['loaded'])[:base]
            yield 'loaded', case['loaded'], self.pairs(model['loaded'])[base:]
        if (case['exit'] < 0 or model['exit'] != 0) and died is None:
            yield 'exit', case['exit'], model['exit']
        yield 'init', case['init'], [self.norm(path) for path in model.get('initialized', [])]
        yield from self.compare_bindings(model)

    def compare_death(self, dangers):
        """A function that was called ended the process."""
        case, dangers = self.case, [self.norm(danger) for danger in dangers]
        if case['exit'] == 127:
            yield 'death', case['error'], case['error'] if case['error'] in dangers else dangers
        elif case['exit'] == -signal.SIGBUS:
            yield 'death', True, any(danger.startswith('SIGBUS') for danger in dangers)
        else:
            yield 'exit', case['exit'], 0

    def compare_bindings(self, model):
        """What is bound at load: the same. What the real run bound besides was asked for by running
        code, of which the model knows nothing."""
        if not self.case.get('bindings'):
            return
        told = []
        for each in model.get('bindings', []):
            pair = [self.norm(each['from']), self.norm(each['to']), 'protected' if each.get('protected')
                    else 'normal', each['symbol'], each['version']]
            if each['to'].startswith(self.folder) and not BOILERPLATE.match(each['symbol']) and pair not in told:
                told.append(pair)
        true = self.case['bindings']
        yield 'bindings', [each for each in true if each in told], told

    def compare_searches(self, model):
        true = [self.true_search(each) for each in self.case['steps']]
        told = [self.told_search(each) for each in model['searches']
                if (each['asking'], each['ending']) != ('program', 'missing') or '/' not in each['name']]
        if true != told:
            pairs = list(zip(true + [None] * len(told), told + [None] * len(true)))
            first = next(pair for pair in pairs if pair[0] != pair[1])
            yield 'search', first[0], first[1]

    def true_search(self, step):
        return (step['name'], step['by'] if step['how'] != 'other' else '', step['via'],
                step['got'] if step['via'] != 'the name itself' else None, step.get('same_file_as'))

    def told_search(self, search):
        found = search['ending'] in ('mapped', 'matched-file')
        via = self.norm(search['step']) if found else None
        got = self.norm(search['path']) if found and via != 'the name itself' else None
        return (self.norm(search['name']), self.norm(search['by']), via, got,
                self.norm(search.get('same_file_as')))

    def compare_tried(self, model):
        """The lines 'trying file=' of all searches."""
        with open(os.path.join(self.folder, 'ld_debug.txt'), errors='replace') as text:
            true = re.findall(r'^  trying file=(.*)$', text.read(), re.M)
        told = [self.norm(path) for search in model['searches'] for path in search['tried']]
        if true != told:
            pairs = list(zip(true + [None] * len(told), told + [None] * len(true)))
            yield ('tried',) + next(pair for pair in pairs if pair[0] != pair[1])


def judge(arguments):
    folder, whyso = arguments
    scenario = Scenario(folder, whyso)
    try:
        return scenario.case, scenario.differences()
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
        return scenario.case, [('failure', None, str(error))]


def reachable_copy(whyso, folder):
    """Where root runs the comparison some questions are asked as an ordinary user, who may have no
    way into the folder of the build."""
    if os.getuid() != 0:
        return whyso
    os.chmod(folder, 0o755)
    copy = shutil.copy(whyso, folder)
    os.chmod(copy, 0o755)
    return copy


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('whyso')
    parser.add_argument('scenarios')
    parser.add_argument('--only', default='')
    parser.add_argument('--verbose', action='store_true')
    options = parser.parse_args()
    folder = os.path.realpath(options.scenarios)
    names = sorted(name for name in os.listdir(folder)
                   if os.path.exists(os.path.join(folder, name, 'case.json')))
    later = read_later()
    groups = collections.defaultdict(collections.Counter)
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            tempfile.TemporaryDirectory() as reachable:
        whyso = reachable_copy(os.path.realpath(options.whyso), reachable)
        jobs = [(os.path.join(folder, name), whyso) for name in names
                if re.search(options.only, name)]
        for case, differences in pool.map(judge, jobs):
            name, group = case['name'], case['group']
            groups[group]['all'] += 1
            if differences and name in later:
                groups[group]['later'] += 1
            elif differences or name in later:
                groups[group]['wrong'] += 1
                wrong.append((group, name, differences or [('later.txt', 'agrees', 'is named')]))
            else:
                groups[group]['agree'] += 1
    for group, name, differences in wrong:
        print('%s: %s' % (group, name))
        for what, true, told in differences if options.verbose else differences[:2]:
            print('   %s\n      ld.so %s\n      model %s' % (what, json.dumps(true), json.dumps(told)))
    print('%-20s %5s %6s %6s %6s' % ('group', 'all', 'agree', 'later', 'wrong'))
    for group in sorted(groups):
        count = groups[group]
        print('%-20s %5d %6d %6d %6d' % (group, count['all'], count['agree'], count['later'],
                                         count['wrong']))
    total = sum(groups.values(), collections.Counter())
    print('%-20s %5d %6d %6d %6d' % ('total', total['all'], total['agree'], total['later'],
                                     total['wrong']))
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
