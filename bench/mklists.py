#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mklists.py ENV OUTDIR -- write the lists the peers are fed with.

 elf.txt      every regular file under ENV's site-packages that starts with \\x7fELF (no symlinks), absolute, sorted
 shared.txt   the same, only e_type ET_DYN / ET_EXEC (the loader can take them; drops ET_REL .o and cubin files)
 dyn.txt      the same, only those with machine x86-64 and a PT_DYNAMIC segment
 recfiles.txt every RECORD-listed path that exists, absolute, sorted
 rechash.txt  "sha256hex  path" of every RECORD row with a sha256, for sha256sum -c
 records.txt  the RECORD files
Counts go to stdout.
"""
import base64, csv, os, struct, sys
env, out = sys.argv[1], sys.argv[2]
os.makedirs(out, exist_ok=True)
sp = next(os.path.join(env, "lib", d, "site-packages") for d in sorted(os.listdir(os.path.join(env, "lib"))) if d.startswith("python"))
elf, shared, dyn, machines = [], [], [], {}
nfiles = nbytes = elfbytes = 0
for dp, dn, fn in os.walk(sp):
    dn.sort()
    for f in fn:
        p = os.path.join(dp, f)
        if os.path.islink(p) or not os.path.isfile(p): continue
        nfiles += 1; sz = os.path.getsize(p); nbytes += sz
        with open(p, "rb") as fh:
            h = fh.read(64)
            if h[:4] != b"\x7fELF": continue
            elf.append(p); elfbytes += sz
            if len(h) < 64: continue
            et, em = struct.unpack_from("<HH", h, 16)
            machines[(et, em)] = machines.get((et, em), 0) + 1
            if et in (2, 3): shared.append(p)
            if h[4] == 2 and em == 62 and et in (2, 3):
                phoff, = struct.unpack_from("<Q", h, 32); phes, phn = struct.unpack_from("<HH", h, 54)
                fh.seek(phoff); ph = fh.read(phes * phn)
                if any(struct.unpack_from("<I", ph, i * phes)[0] == 2 for i in range(phn)): dyn.append(p)
rows = hashed = missing = blank = 0; rec = set(); h = []; recs = []; owners = {}
for d in sorted(os.listdir(sp)):
    r = os.path.join(sp, d, "RECORD")
    if not (d.endswith(".dist-info") and os.path.isfile(r)): continue
    recs.append(r)
    with open(r, newline="", encoding="utf-8") as fh:
        for row in csv.reader(fh):
            if not row: continue
            rows += 1; p = os.path.normpath(os.path.join(sp, row[0]))
            owners.setdefault(p, []).append(d)
            if os.path.exists(p): rec.add(p)
            else: missing += 1
            if row[1].startswith("sha256="):
                hashed += 1; h.append((base64.urlsafe_b64decode(row[1][7:] + "==").hex(), p))
            else: blank += 1
def w(n, xs):
    with open(os.path.join(out, n), "w") as fh: fh.writelines(x + "\n" for x in xs)
w("elf.txt", sorted(elf)); w("shared.txt", sorted(shared)); w("dyn.txt", sorted(dyn)); w("recfiles.txt", sorted(rec))
w("rechash.txt", ["%s  %s" % t for t in h]); w("records.txt", recs)
multi = {p: o for p, o in owners.items() if len(set(o)) > 1}
print("dists %d  RECORD rows %d (hashed %d, unhashed %d)  distinct existing paths %d  rows whose file is missing %d  paths claimed by >1 dist %d"
      % (len(recs), rows, hashed, blank, len(rec), missing, len(multi)))
print("bytes of RECORD-listed files %d  bytes of RECORD files %d" % (sum(os.path.getsize(p) for p in rec), sum(os.path.getsize(r) for r in recs)))
print("site-packages files %d  bytes %d  ELF files %d bytes %d  ET_DYN/EXEC %d  x86-64 with PT_DYNAMIC %d" % (nfiles, nbytes, len(elf), elfbytes, len(shared), len(dyn)))
print("(e_type,e_machine):count", machines)
