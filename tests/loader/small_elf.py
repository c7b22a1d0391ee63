# SPDX-License-Identifier: Apache-2.0
"""Writes the small files of a world: 64-bit x86 libraries with dynamic section, symbols, relocations
and versions (gABI, LSB for versions, ld.so's own GNU hash), and the cache of ldconfig. It knows the
bytes, not what the loader makes of them."""
import functools
import struct

DT = {'needed': 1, 'pltrelsz': 2, 'pltgot': 3, 'hash': 4, 'strtab': 5, 'symtab': 6, 'rela': 7,
      'relasz': 8, 'relaent': 9, 'strsz': 10, 'syment': 11, 'soname': 14, 'rpath': 15, 'symbolic': 16,
      'pltrel': 20, 'jmprel': 23, 'runpath': 29, 'flags': 30, 'gnu_hash': 0x6ffffef5,
      'versym': 0x6ffffff0, 'flags_1': 0x6ffffffb, 'verdef': 0x6ffffffc, 'verdefnum': 0x6ffffffd,
      'verneed': 0x6ffffffe, 'verneednum': 0x6fffffff, 'auxiliary': 0x7ffffffd, 'filter': 0x7fffffff}
BIND = {'global': 1, 'weak': 2, 'unique': 10}
TYPE = {'notype': 0, 'object': 1, 'func': 2}
RELOC = {'64': 1, 'glob_dat': 6, 'jump_slot': 7}
HEADERS = 64 + 3 * 56


def sysv_hash(name):
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xf0000000
        value = (value ^ high >> 24) & ~high
    return value & 0xffffffff


def gnu_hash(name):
    value = 5381
    for byte in name.encode():
        value = value * 33 + byte & 0xffffffff
    return value


class Strings:
    def __init__(self):
        self.bytes, self.known = bytearray(1), {'': 0}

    def add(self, text):
        if text not in self.known:
            self.known[text] = len(self.bytes)
            self.bytes += text.encode('utf8', 'surrogateescape') + b'\0'
        return self.known[text]


class Library:
    """What is asked for, a dict: soname, needed (names, or [tag, name]), rpath, runpath, flags,
    flags_1, hash ('gnu', 'sysv', 'both'), defines ([{name, bind, type, version, hidden, size, how}]),
    wants ([{name, bind, type, version, file, how}]), versions (names), needs_versions ([[file,
    version, is weak]]), all optional. `versions` are what verdef names behind the base; a wanted
    version of a file makes verneed; `how` is the kind of the relocation that refers to it, which a
    defined symbol has only if it is given."""

    def __init__(self, spec):
        self.spec, self.strings, self.image = spec, Strings(), bytearray(HEADERS)
        self.tags = []
        self.defines = list(spec.get('defines', ()))
        self.wants = list(spec.get('wants', ()))
        self.buckets = max(1, len(self.defines) // 2)
        self.defines.sort(key=lambda each: gnu_hash(each['name']) % self.buckets)
        self.version_index = {}

    def put(self, data, align=8):
        self.image += bytes(-len(self.image) % align)
        at = len(self.image)
        self.image += data
        return at

    def tag(self, name, value):
        self.tags.append((DT[name], value))

    def bytes(self):
        spec = self.spec
        for entry in spec.get('needed', ()):
            kind, name = ('needed', entry) if isinstance(entry, str) else entry
            self.tag(kind, self.strings.add(name))
        for name in ('soname', 'rpath', 'runpath'):
            if spec.get(name) is not None:
                self.tag(name, self.strings.add(spec[name]))
        for name in ('flags', 'flags_1'):
            if spec.get(name):
                self.tag(name, spec[name])
        if spec.get('symbolic'):
            self.tag('symbolic', 0)
        self.put_versions()
        self.put_symbols()
        self.put_relocations()
        self.tag('strtab', self.put(self.strings.bytes))
        self.tag('strsz', len(self.strings.bytes))
        return self.finish()

    def put_versions(self):
        names = list(self.spec.get('versions', ()))
        if names:
            base = self.spec.get('soname') or 'base'
            table = b''
            for index, name in enumerate([base] + names, 1):
                last = index > len(names)
                table += struct.pack('<HHHHIII', 1, 1 if index == 1 else 0, index, 1, sysv_hash(name),
                                     20, 0 if last else 28)
                table += struct.pack('<II', self.strings.add(name), 0)
                self.version_index[None, name] = index
            self.tag('verdef', self.put(table))
            self.tag('verdefnum', len(names) + 1)
        self.put_needs(len(names) + 2)

    def put_needs(self, index):
        files = {}
        for want in self.wants:
            if want.get('version') and want.get('file'):
                files.setdefault(want['file'], {}).setdefault(want['version'], False)
        for file, version, weak in self.spec.get('needs_versions', ()):
            files.setdefault(file, {})[version] = weak
        table = b''
        for number, (file, versions) in enumerate(files.items(), 1):
            length = 16 + 16 * len(versions)
            table += struct.pack('<HHIII', 1, len(versions), self.strings.add(file), 16,
                                 0 if number == len(files) else length)
            for count, (version, weak) in enumerate(versions.items(), 1):
                self.version_index[file, version] = index
                table += struct.pack('<IHHII', sysv_hash(version), 2 if weak else 0, index,
                                     self.strings.add(version), 0 if count == len(versions) else 16)
                index += 1
        if files:
            self.tag('verneed', self.put(table))
            self.tag('verneednum', len(files))

    def put_symbols(self):
        data = self.put(bytes(64))
        table, versions = bytearray(24), [0]
        for want in self.wants:
            info = BIND[want.get('bind', 'global')] << 4 | TYPE[want.get('type', 'notype')]
            table += struct.pack('<IBBHQQ', self.strings.add(want['name']), info, 0, 0, 0, 0)
            versions.append(self.version_index.get((want.get('file'), want.get('version')), 1))
        for number, define in enumerate(self.defines):
            info = BIND[define.get('bind', 'global')] << 4 | TYPE[define.get('type', 'func')]
            table += struct.pack('<IBBHQQ', self.strings.add(define['name']), info,
                                 define.get('visibility', 0), 0xfff1 if define.get('absolute') else 1,
                                 data + 8 * (number % 8), define.get('size', 8))
            index = self.version_index.get((None, define.get('version')), 1)
            versions.append(index | (0x8000 if define.get('hidden') else 0))
        self.tag('symtab', self.put(table))
        self.tag('syment', 24)
        if self.version_index:
            self.tag('versym', self.put(struct.pack('<%dH' % len(versions), *versions), 2))
        kind = self.spec.get('hash', 'gnu')
        if kind != 'gnu':
            self.put_sysv_hash()
        if kind != 'sysv':
            self.put_gnu_hash()

    def put_sysv_hash(self):
        names = [each['name'] for each in self.wants + self.defines]
        heads, chain = [0] * self.buckets, [0] * (len(names) + 1)
        for index, name in enumerate(names, 1):
            bucket = sysv_hash(name) % self.buckets
            chain[index], heads[bucket] = heads[bucket], index
        words = [self.buckets, len(chain)] + heads + chain
        self.tag('hash', self.put(struct.pack('<%dI' % len(words), *words)))

    def put_gnu_hash(self):
        first = 1 + len(self.wants)
        heads, chain, bloom = [0] * self.buckets, [], 0
        hashes = [gnu_hash(each['name']) for each in self.defines]
        for number, value in enumerate(hashes):
            bucket = value % self.buckets
            heads[bucket] = heads[bucket] or first + number
            last = number + 1 == len(hashes) or hashes[number + 1] % self.buckets != bucket
            chain.append(value & ~1 | (1 if last else 0))
            bloom |= 1 << value % 64 | 1 << (value >> 6) % 64
        table = struct.pack('<IIIIQ', self.buckets, first, 1, 6, bloom)
        table += struct.pack('<%dI' % len(heads + chain), *heads, *chain)
        self.tag('gnu_hash', self.put(table))

    def put_relocations(self):
        symbols = [dict({'how': 'glob_dat'}, **want) for want in self.wants] + self.defines
        got = self.put(bytes(24 + 8 * len(symbols)))
        tables = {'rela': b'', 'jmprel': b''}
        for number, symbol in enumerate(symbols):
            how = symbol.get('how')
            if how:
                where = 'jmprel' if how == 'jump_slot' else 'rela'
                tables[where] += struct.pack('<QQq', got + 24 + 8 * number, number + 1 << 32 | RELOC[how], 0)
        if tables['rela']:
            self.tag('rela', self.put(tables['rela']))
            self.tag('relasz', len(tables['rela']))
            self.tag('relaent', 24)
        if tables['jmprel']:
            self.tag('pltgot', got)
            self.tag('jmprel', self.put(tables['jmprel']))
            self.tag('pltrelsz', len(tables['jmprel']))
            self.tag('pltrel', 7)

    def finish(self):
        table = b''.join(struct.pack('<QQ', tag, value) for tag, value in self.tags + [(0, 0)])
        dynamic = self.put(table)
        size = len(self.image)
        head = b'\x7fELF\x02\x01\x01' + bytes(9)
        head += struct.pack('<HHIQQQIHHHHHH', 3, 62, 1, 0, 64, 0, 0, 64, 56, 3, 64, 0, 0)
        for kind, flags, offset, length, align in ((1, 6, 0, size, 4096),
                                                   (2, 6, dynamic, len(table), 8),
                                                   (0x6474e551, 6, 0, 0, 16)):
            head += struct.pack('<IIQQQQQQ', kind, flags, offset, offset, offset, length, length, align)
        self.image[:len(head)] = head
        return bytes(self.image)


def library(spec):
    """The bytes of a library, damaged as `damage` says."""
    return damaged(Library(spec).bytes(), spec.get('damage'))


def damaged(data, damage):
    edits = {'class': (4, b'\1'), 'machine': (18, b'\xb7\0'), 'object': (16, b'\1\0'),
             'executable': (16, b'\2\0'), 'order': (5, b'\2'), 'abi': (7, b'\x09'),
             'phentsize': (54, b'\x20\0'), 'version': (20, b'\2')}
    if damage in edits:
        at, new = edits[damage]
        return data[:at] + new + data[at + len(new):]
    return {None: data, 'empty': b'', 'text': b'/* GNU ld script */ INPUT ( -lnothing )' + b' ' * 64,
            'short': data[:40], 'cut': data[:100], 'crash': data[:120]}[damage]


class Program:
    """A real program with room in its dynamic section and string table, see ROOM; its needs and paths
    are written over."""
    ROOM = 6000
    TAGS = 80

    def __init__(self, data):
        self.data = data
        segments, = struct.unpack_from('<Q', data, 32)
        loads = []
        for at in range(segments, segments + 56 * struct.unpack_from('<H', data, 56)[0], 56):
            kind, _, offset, address, _, size = struct.unpack_from('<IIQQQQ', data, at)
            loads += [(address, offset, size)] if kind == 1 else []
            if kind == 2:
                self.at, self.size = offset, size
        self.tags = [struct.unpack_from('<QQ', data, at)
                     for at in range(self.at, self.at + self.size, 16)]
        self.tags = [each for each in self.tags if each[0]]
        values = dict(self.tags)
        strings = values[DT['strtab']]
        self.strings = next(strings - address + offset for address, offset, size in loads
                            if address <= strings < address + size)
        self.pool = values[DT['runpath']]
        self.tags = [each for each in self.tags if each[0] != DT['runpath']]

    def bytes(self, spec):
        """Its bytes with needed, rpath, runpath and flags_1 as the spec says; libc is needed first,
        or with `libc_last` last."""
        pool, front, back = b'', [], []

        def text(value):
            nonlocal pool
            at = self.pool + len(pool)
            pool += value.encode('utf8', 'surrogateescape') + b'\0'
            return at
        for name in spec.get('needed', ()):
            (front if spec.get('libc_last') else back).append((DT['needed'], text(name)))
        for name in ('rpath', 'runpath'):
            if spec.get(name) is not None:
                back.append((DT[name], text(spec[name])))
        tags = [(tag, value | spec.get('flags_1', 0) if tag == DT['flags_1'] else value)
                for tag, value in self.tags]
        at = next(i for i, each in enumerate(tags) if each[0] == DT['needed'])
        tags = front + tags[:at + 1] + back + tags[at + 1:]
        if len(pool) > self.ROOM or len(tags) * 16 >= self.size:
            raise ValueError('no room in the program')
        data = bytearray(self.data)
        where = self.strings + self.pool
        data[where:where + len(pool)] = pool
        table = b''.join(struct.pack('<QQ', *each) for each in tags)
        data[self.at:self.at + self.size] = table + bytes(self.size - len(table))
        return bytes(data)


def cache_order(one, other):
    """_dl_cache_libcmp: runs of digits compare as numbers."""
    i = j = 0
    while i < len(one):
        a, b = one[i], other[j] if j < len(other) else ''
        if a.isdigit() and b.isdigit():
            end_a = next((k for k in range(i, len(one)) if not one[k].isdigit()), len(one))
            end_b = next((k for k in range(j, len(other)) if not other[k].isdigit()), len(other))
            difference = int(one[i:end_a]) - int(other[j:end_b])
            if difference:
                return difference
            i, j = end_a, end_b
        elif a.isdigit() or b.isdigit():
            return 1 if a.isdigit() else -1
        elif a != b:
            return ord(a) - (ord(b) if b else 0)
        else:
            i, j = i + 1, j + 1
    return -ord(other[j]) if j < len(other) else 0


def cache(entries):
    """A cache in the new format of [name, path] or [name, path, hwcaps folder]."""
    entries = [(list(each) + [None])[:3] for each in entries]
    entries.sort(key=functools.cmp_to_key(lambda a, b: cache_order(b[0], a[0])))
    folders = sorted({each[2] for each in entries if each[2]})
    start, strings, table = 48 + 24 * len(entries), bytearray(), b''

    def text(value):
        at = start + len(strings)
        strings.extend(value.encode('utf8', 'surrogateescape') + b'\0')
        return at
    for name, path, folder in entries:
        level = {'x86-64-v2': 1, 'x86-64-v3': 2, 'x86-64-v4': 3}.get(folder, 0)
        hwcap = 1 << 62 | level << 32 | folders.index(folder) if folder else 0
        table += struct.pack('<iIIIQ', 0x303, text(name), text(path), 0, hwcap)
    names = [text(folder) for folder in folders]
    used = len(strings)
    extension = 0
    tail = b''
    if folders:
        strings.extend(bytes(-(start + used) % 4))
        extension = start + len(strings)
        tail = struct.pack('<IIIIII', 0xEAA42174, 1, 1, 0, extension + 24, 4 * len(names))
        tail += struct.pack('<%dI' % len(names), *names)
    head = b'glibc-ld.so.cache1.1' + struct.pack('<IIB3xI12x', len(entries), used, 2, extension)
    return head + table + bytes(strings) + tail
