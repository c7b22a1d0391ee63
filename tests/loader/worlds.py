# SPDX-License-Identifier: Apache-2.0
"""A world: a few small files, a program, and what it opens; laid out, shown to the real loader and to
the model, and what differs between them.

A world is a dict that JSON can hold:
  program  needed, rpath, runpath, flags_1, libc_last (small_elf.Program)
  files    path in the world: a library (small_elf.Library, with `damage`), or {'link': target},
           {'same': path} for a hard link, {'folder': true}
  ops      what the program opens, in order: FLAGS:NAME (n NOW, l LAZY, g GLOBAL, d NODELETE, o NOLOAD,
           b DEEPBIND), or c: to close what was opened last
  env, cwd the variables and the folder in the world where it is started
  symbols  true where bindings are compared, too
  chroot   true where the world is / for the program; then `cache` may be a list of small_elf.cache
'@' in a text is the folder of the world, which is empty in a chroot.
"""
import json
import os
import re
import shutil
import subprocess

from small_elf import Program, cache, library

LDSO = '/lib64/ld-linux-x86-64.so.2'
DEFAULT = 'lib/x86_64-linux-gnu'
OPENER = r'''
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static int tell(struct dl_phdr_info *i, size_t n, void *d){ printf("M\t%s\n", i->dlpi_name); return 0; }
int main(int argc, char **argv)
{
  void *handles[64]; int count = 0;
  puts("O\tstart"); dl_iterate_phdr(tell, 0); fflush(stdout);
  for (int k = 1; k < argc; k++) {
    char *name = strchr(argv[k], ':') + 1, *error;
    int flags = 0;
    printf("O\t%s\n", argv[k]); fflush(stdout);
    dlerror();
    if (argv[k][0] == 'c') {
      if (count) dlclose(handles[--count]);
    } else {
      for (char *q = argv[k]; *q != ':'; q++)
        flags |= *q == 'n' ? RTLD_NOW : *q == 'l' ? RTLD_LAZY : *q == 'g' ? RTLD_GLOBAL :
                 *q == 'd' ? RTLD_NODELETE : *q == 'o' ? RTLD_NOLOAD : RTLD_DEEPBIND;
      void *handle = dlopen(name, flags);
      if (handle) handles[count++] = handle; else puts("N");
    }
    if ((error = dlerror())) printf("E\t%s\n", error);
    dl_iterate_phdr(tell, 0); fflush(stdout);
  }
  _exit(0);     /* what ld.so says of a world at the end is not asked */
}
'''
# jail ROOT CWD COUNT VAR=VALUE... PROGRAM...: the variables are meant for the program alone.
JAIL = r'''
#include <stdlib.h>
#include <unistd.h>
int main(int c, char **v)
{
  int n = atoi(v[3]); char **argv = v + 4 + n, *env[64];
  for (int i = 0; i < n; i++) env[i] = v[4 + i];
  env[n] = 0;
  if (chroot(v[1]) || chdir(v[2])) return 98;
  execve(argv[0], argv, env);
  return 97;
}
'''


class Workshop:
    """The folder where worlds are laid out, one after the other, and the programs they share."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.root = os.path.join(self.folder, 'w')
        self.jail = os.path.join(self.folder, 'jail')
        opener = os.path.join(self.folder, 'opener')
        if not os.path.exists(self.jail):
            os.makedirs(self.folder, exist_ok=True)
            room = '-Wl,-rpath,' + 'X' * Program.ROOM
            self.compile(OPENER, opener, room, '-Wl,--spare-dynamic-tags=%d' % Program.TAGS,
                         '-Wl,--enable-new-dtags', '-Wl,--hash-style=gnu', '-Wl,-z,now')
            self.compile(JAIL, self.jail)
            for name, path in (('ldso', LDSO), ('libc', '/%s/libc.so.6' % DEFAULT)):
                shutil.copy(os.path.realpath(path), os.path.join(self.folder, name))
        with open(opener, 'rb') as file:
            self.program = Program(file.read())

    def compile(self, text, output, *flags):
        subprocess.run(['gcc', '-O1', '-w', '-x', 'c', '-', '-o', output, *flags], check=True,
                       input=text.encode(), cwd=self.folder)

    def lay_out(self, world):
        """The text that '@' stands for."""
        shutil.rmtree(self.root, ignore_errors=True)
        os.mkdir(self.root)
        at = '' if world.get('chroot') else self.root
        self.write('prog', self.program.bytes(replaced(world.get('program', {}), at)), 0o755)
        files = world.get('files', {})
        for path, spec in files.items():
            if spec.get('folder'):
                os.makedirs(os.path.join(self.root, path), exist_ok=True)
            elif 'link' not in spec and 'same' not in spec:
                self.write(path, library(replaced(spec, at)))
        for path, spec in files.items():
            if 'same' in spec:
                self.parent(path)
                os.link(os.path.join(self.root, spec['same']), os.path.join(self.root, path))
        os.makedirs(os.path.join(self.root, world.get('cwd', '')), exist_ok=True)
        if world.get('chroot'):
            for name, path in (('ldso', LDSO[1:]), ('libc', DEFAULT + '/libc.so.6')):
                self.parent(path)
                os.link(os.path.join(self.folder, name), os.path.join(self.root, path))
            if world.get('cache') is not None:
                self.write('etc/ld.so.cache', cache(world['cache']))
        # Last, so that nothing is written through a link that leads out of a chroot.
        links = {path: spec['link'] for path, spec in files.items() if 'link' in spec}
        for path in links:
            self.parent(path)
        for path, target in links.items():
            os.symlink(target.replace('@', at), os.path.join(self.root, path))
        return at

    def parent(self, path):
        os.makedirs(os.path.dirname(os.path.join(self.root, path)), exist_ok=True)

    def write(self, path, data, mode=0o644):
        self.parent(path)
        with open(os.path.join(self.root, path), 'wb') as file:
            file.write(data)
        os.chmod(file.name, mode)

    def real(self, world, at, what):
        """(exit status, standard output, standard error) of the real program."""
        env = dict(variables(world, at), LD_DEBUG=what)
        argv = [at + '/prog'] + [op.replace('@', at) for op in world.get('ops', ())]
        cwd = os.path.join(at + '/', world.get('cwd', ''))
        if world.get('chroot'):
            argv = [self.jail, self.root, cwd, str(len(env))] + ['%s=%s' % x for x in env.items()] + argv
            env, cwd = {}, '/'
        run = subprocess.run(argv, env=env, cwd=cwd, stdin=subprocess.DEVNULL, timeout=30,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return run.returncode, run.stdout.decode(errors='replace'), run.stderr.decode(errors='replace')

    def model(self, world, at, whyso, *more):
        words = [whyso, 'ld', '--format', 'json', *more]
        words += ['--cwd', os.path.normpath(os.path.join(at + '/', world.get('cwd', '')))]
        if world.get('chroot'):
            words += ['--root', self.root]
        for name, value in variables(world, at).items():
            words += ['--var', name + '=' + value]
        for op in world.get('ops', ()):
            words += ['--open', op.replace('@', at)]
        run = subprocess.run(words + ['--', at + '/prog'], stdout=subprocess.PIPE, env={}, timeout=30,
                             stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        if run.returncode not in (0, 1):
            raise RuntimeError('exit %d: %s' % (run.returncode, run.stderr.decode(errors='replace')))
        return json.loads(run.stdout.decode('utf8', 'surrogateescape'))


def variables(world, at):
    return {name: value.replace('@', at) for name, value in world.get('env', {}).items()}


def replaced(value, at):
    """'@' in all texts of a value."""
    if isinstance(value, str):
        return value.replace('@', at)
    if isinstance(value, dict):
        return {key: replaced(each, at) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [replaced(each, at) for each in value]
    return value


def searches_of(debug):
    """[(name, by, how, deciding step, paths tried, mapped)] of LD_DEBUG=files,libs."""
    found, announced = [], None
    for line in debug.split('\n'):
        line = re.sub(r'^\s*\d+:\t', '', line)
        ask = re.match(r'file=(.*) \[\d+\];  (needed|dynamically loaded) by (.*) \[\d+\]$', line)
        if ask:
            found.append([ask[1], ask[3], ask[2] != 'needed', None, [], False])
            announced = None
        step = re.match(r' search path=.*?(?:\t\t\((.*)\))?$', line)
        if step:
            announced = step[1] or 'search path'
        step = re.match(r' search cache=(.*)$', line)
        if step:
            announced = 'cache ' + step[1]
        attempt = re.match(r'  trying file=(.*)$', line)
        if attempt and found:
            found[-1][4].append(attempt[1])
            found[-1][3] = announced
        if line.startswith('  dynamic: ') and found:
            found[-1][5] = True
    return [tuple(each) for each in found]


def asked_of(world):
    """What LD_DEBUG shall tell."""
    return 'files,libs,bindings' if world.get('symbols') else 'files,libs'


BINDING = re.compile(r"\s*\d+:\tbinding file (.*) \[\d+\] to (.*) \[\d+\]: \w+ symbol `(.*)'(?: \[(.*)\])?$")


MALLOC = ('calloc', 'free', 'malloc', 'realloc')


def is_of_system(path):
    return re.search(r'(^|/)lib[cm]\.so\.6$|(^|/)ld-linux-x86-64\.so\.2$|^linux-vdso\.so\.1$', path)


def bindings_of(text):
    """[(from, to, symbol, version)], without what the system's own libraries bind, much of it when their
    functions are called, and without ld.so's search for malloc (__rtld_malloc_init_real), which bears
    the name of the program."""
    found = [BINDING.match(line) for line in text.split('\n') if 'binding file' in line]
    return [each.groups() for each in found
            if each and not is_of_system(each[1]) and each[3] not in MALLOC]


def truth_of(status, output, text):
    """What the real loader did, in the words of story_of."""
    plain = [line for line in text.split('\n') if line and not re.match(r'\s*\d+:\t', line)]
    ops, objects, error = [], [], None
    for line in output.split('\n'):
        kind, _, value = line.partition('\t')
        if kind == 'O':
            before, objects, error = objects, [], None
            ops.append([value, None, before, objects])
        elif kind == 'E':
            ops[-1][1] = value
        elif kind == 'M' and value and not value.startswith('linux-vdso'):
            objects.append(value)
    story = {'exit': status, 'error': '\n'.join(plain) or None,
             'searches': [each[:3] + (each[3] if each[5] else None,) + each[4:]
                          for each in searches_of(text)]}
    if 'binding file' in text:
        story['bindings'] = bindings_of(text)
    if status == 0:
        story['start'] = ops[0][3]
        story['opens'] = [(name, error, sorted(path for path in after if path not in before),
                           sorted(path for path in before if path not in after))
                          for name, error, before, after in ops[1:]]
        story['loaded'] = ops[-1][3]
    return story


def story_of(model):
    """What the model says, in the same words."""
    error = '\n'.join(model['warnings'] + ([model['error']] if model['error'] else []))
    story = {'exit': model['exit'], 'error': error or None, 'searches': []}
    for search in model['searches']:
        if search['asking'] == 'program':
            continue
        mapped = search['ending'] == 'mapped'
        step = search['step'] if mapped and search['step'] != 'the name itself' else None
        story['searches'].append((search['name'], search['by'], search['asking'] == 'dlopen', step,
                                  search['tried'], mapped))
    if 'bindings' in model:
        story['bindings'] = [
            (each['from'], each['to'], each['symbol'], each['version'])
            for each in model['bindings'] if not is_of_system(each['from'])]
    if model['exit'] == 0:
        loaded = [path for _, path in model['loaded']]
        later = {path for each in model['opens'] for _, path in each.get('added', [])}
        story['start'] = None
        story['opens'] = [(each['request'], each['error'],
                           sorted(path for _, path in each.get('added', [])),
                           sorted(each.get('removed', [])))
                          for each in model['opens']]
        story['loaded'] = loaded
        if not later and not model['opens']:
            story['start'] = loaded
    return story


def differences(truth, story):
    """[(what, truth, model)]."""
    found = []
    for key, true in truth.items():
        told = story.get(key)
        if key == 'start' and told is None and 'start' in story:
            continue
        if key in ('opens', 'searches', 'bindings') and isinstance(told, list):
            pairs = list(zip(true + [None] * len(told), told + [None] * len(true)))
            found += [(key,) + pair for pair in pairs if pair[0] != pair[1]][:1]
        elif true != told:
            found.append((key, true, told))
    return found


def judge(workshop, world, whyso):
    """What differs between the loader and its model in this world."""
    at = workshop.lay_out(world)
    truth = truth_of(*workshop.real(world, at, asked_of(world)))
    try:
        more = ['--bindings'] if world.get('symbols') else []
        story = story_of(workshop.model(world, at, whyso, *more))
    except (RuntimeError, ValueError, subprocess.TimeoutExpired) as failure:
        return [('failure', None, str(failure))]
    return differences(truth, story)
