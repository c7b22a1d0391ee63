#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_seeds.py FOLDER: writes FOLDER/TARGET/NN, a few small valid inputs for each target of the
fuzzers, from which they find their way."""
import io
import os
import struct
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'loader'))
from small_elf import cache, damaged, library       # noqa: E402

DEFINES = [{'name': name, 'version': version, 'hidden': hidden} for name, version, hidden in (
    ('alpha', 'V1', True), ('alpha', 'V2', False), ('beta', None, False), ('_ZN1aC2Ev', 'V2', False))]
WANTS = [{'name': 'printf', 'version': 'GLIBC_2.2.5', 'file': 'libc.so.6', 'how': 'jump_slot'},
         {'name': 'gamma', 'bind': 'weak'}]


def note(kind, owner, content):
    padded = content + bytes(-len(content) % 4)
    return struct.pack('<III', len(owner) + 1, len(content), kind) + owner + bytes(4 - len(owner) % 4) + padded


def with_notes(data):
    """The stack header of a library becomes the header of notes at its end."""
    notes = note(3, b'GNU', bytes(range(20))) + note(1, b'GNU', struct.pack('<4I', 0, 3, 2, 0))
    notes += note(5, b'GNU', struct.pack('<IIII', 0xc0008002, 4, 3, 0))
    at = len(data)
    header = struct.pack('<IIQQQQQQ', 4, 4, at, at, at, len(notes), len(notes), 4)
    return data[:64 + 2 * 56] + header + data[64 + 3 * 56:] + notes


def elf_files():
    rich = {'soname': 'liba.so', 'needed': ['liba.so', 'libb.so', '$ORIGIN/libc.so'], 'defines': DEFINES,
            'wants': WANTS, 'versions': ['V1', 'V2'], 'rpath': '$ORIGIN:/x::${LIB}', 'flags_1': 8}
    return [library({}), library(rich), library(dict(rich, hash='sysv')), library(dict(rich, hash='both')),
            library({'needed': [['auxiliary', 'libb.so'], ['filter', 'liba.so']], 'runpath': ''}),
            with_notes(library(rich)), damaged(library(rich), 'class'), damaged(library(rich), 'order'),
            library({'needs_versions': [['libb.so', 'V1', True]], 'needed': ['libb.so']})]


def archives():
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, 'w', method) as archive:
            archive.writestr('a-1.dist-info/RECORD', 'a.py,,\n')
            archive.writestr('a.py', 'x = 1\n' * 30)
            archive.comment = b'comment'
        yield buffer.getvalue()


METADATA = '''Metadata-Version: 2.1
Name: Some.Package
Version: 1.0rc1.post2.dev3+cu128
Requires-Dist: numpy<3,>=1.21; python_version >= "3.9" and extra == "dev"
Requires-Dist: torch @ https://example.org/torch.whl
Requires-Python: >=3.8, !=3.9.*
License: a
        folded one

The description
'''
SOURCE = '''"""doc"""
from __future__ import annotations
import os.path as p, sys
if TYPE_CHECKING:
    from a import (b,
                   c as d)
try:
    from . import _C
except (ImportError, OSError) as e:
    raise
else:
    import \\
        late
def f(x={1: 'import q'}):
    for i in [f"{x!r:>{3}}", r'\\']: import inner
    with suppress(ImportError): from .. import *
class K:
    match x:
        case [1, *_]: import z
'''
TEXTS = {
    'toml': ['root = "x"\n[a.b]\nlist = [1, 2.5, true, "\\u00e9"]\n[[t]]\nd = 1979-05-27T07:32:00Z\n',
             'a = """\nmany\n"""\nb = {x = 1, y = [[1], [2]]}\n', "c = 'raw'\n# end\nd.e = 0x1F\n"],
    'json': ['{"a": [1, -2.5e3, null, true, "\\u00e9\\ud83d\\ude00"], "b": {"c": {}}}', '[[[[]]]]', '"x"'],
    'ldso_conf': ['include ld.so.conf.d/*.conf\n/opt/lib # why\n hwcap 1 x\n/usr/lib/:\t/x=libc5\n'],
    'ldso_preload': ['liba.so /x/libb.so:libc.so # why\nlibd.so', '$ORIGIN/liba.so : :'],
    'record': ['a/__init__.py,sha256=AbCdEf-_123,12\n"a,b""c.py",,\r\nbin/../x,md5=1,\n'
               'a-1.dist-info/RECORD,,\n', 'x\n,,\n"never closed,\na,b,c,d\n'],
    'metadata': [METADATA, 'Wheel-Version: 1.0\nTag: cp311-cp311-linux_x86_64\nRoot-Is-Purelib: false\n'],
    'wheel_name': ['torch-2.10.0+cu128-cp311-cp311-manylinux_2_28_x86_64.whl',
                   'a_b-1.0-1build-py2.py3-none-any.whl', 'x-1-cp38.cp39-abi3.none-musllinux_1_2_aarch64.whl'],
    'version': ['1!2.0.3rc1.post4.dev5+ubuntu.1\n1.0', 'v1.0-alpha\n1.0a0', '1.0.0.0\n1', 'junk\n2'],
    'requirement': ['name[a,b]>=1.0,<2; os_name == "posix"', 'x @ file:///a/b.whl ; extra=="y"',
                    'a.b_c (==1.*, ~=2.2, ===x)'],
    'marker': ['python_version >= "3.9" and (sys_platform == "linux" or extra == "dev")',
               '"x86" not in platform_machine', "((os.name=='posix'))"],
    'specifiers': ['>=1.0, !=1.5.*, <2!3', '~=2.2.post3, ===anything', '==1.0+local'],
    'pyvenv_cfg': ['home = /usr/bin\ninclude-system-site-packages = TRUE\nversion_info = 3.11.7.final.0\n'
                   'prompt = \'x\'\nuv = 0.4\n'],
    'pth': ['# c\n/abs/path\nrel/path \nimport sys; x\n\n', '\ufeffa\r\nimport\ty\r'],
    'imports': [SOURCE, 'import a;import b\nif 1:\n  from x import(y)\n elif', '\'\'\'open\nimport x'],
    'names': ['Some.Package_name', 'a-1.0-py3.11-linux-x86_64.egg-info', '_C.cpython-311t-x86_64-linux-gnu.so',
              'numpy-1.26.dist-info', 'mod.abi3.so', 'm.pypy310-pp73-aarch64-linux-gnu.so'],
    'installed': ['[console_scripts]\npip = pip._internal:main [x]\n\n[other]\na=b\n',
                  'Package: libc6\nStatus: install ok installed\nVersion: 2.36-9\nArchitecture: amd64\n\n',
                  '/.\n/usr\n/usr/lib/x.so\n', '../a.py\n../b\n./\n', 'numpy>=1\n\n[dev:os_name=="nt"]\nx\n',
                  'libc6:amd64.list'],
    'json_files': ['{"name": "a", "version": "1", "paths_data": {"paths": [{"_path": "x", "sha256": "ab", '
                   '"size_in_bytes": 3, "path_type": "hardlink"}]}, "depends": ["b >=1"]}',
                   '{"url": "file:///x%20y", "dir_info": {"editable": true}}',
                   '{"url": "https://e/x.whl", "archive_info": {"hashes": {"sha256": "ab"}}}',
                   '{"url": "git+https://e", "vcs_info": {"vcs": "git", "commit_id": "a"}, "subdirectory": "s"}'],
}


def seeds():
    files = elf_files()
    for target in ('elf', 'elf_notes', 'elf_versions', 'elf_symbols', 'loader'):
        yield target, files
    plain = [['libc.so.6', '/lib/libc.so.6'], ['libz.so.1', '/lib/libz.so.1'], ['lib9.so', '/x/lib9.so']]
    current = cache(plain)
    old = b'ld.so-1.7.0\0' + struct.pack('<I', 1) + struct.pack('<iII', 0x303, 0, 8) + b'lib9.so\0/lib9.so\0'
    yield 'ldso_cache', [cache([]), current, cache(plain + [['libz.so.1', '/v2/libz.so.1', 'x86-64-v2']]),
                         old, old + bytes(-len(old) % 8) + current]
    yield 'ldso_strings', [
        b'\0/lib64/\0/usr/lib64/\0\0/etc/ld.so.cache\0/etc/ld.so.preload\0glibc-hwcaps\0x86-64-v3\0'
        b'ld.so (Debian GLIBC 2.36-9) stable release version 2.36.\0CPU ISA level is lower than required\0',
        b'musl libc\0/etc/ld-musl-x86_64.path\0', b'GNU C Library stable release version 2.17, by\0']
    yield 'zip', list(archives())
    for target, texts in TEXTS.items():
        yield target, [text.encode('utf8') for text in texts]


def main():
    for target, contents in seeds():
        folder = os.path.join(sys.argv[1], target)
        os.makedirs(folder, exist_ok=True)
        for number, content in enumerate(contents):
            with open(os.path.join(folder, '%02d' % number), 'wb') as file:
                file.write(content)


if __name__ == '__main__':
    main()
