// SPDX-License-Identifier: Apache-2.0
// floor.cc -- lower bounds for the work a whole-environment diagnosis must do.   g++ -O2 -std=c++17
// -o floor floor.cc   [-pthread]
//   floor dyn   elf.txt      open+fstat+mmap every ELF, read header, program headers, dynamic
//   section, DT_NEEDED/SONAME/RPATH/RUNPATH strings floor sym   elf.txt      the same + walk every
//   dynsym entry (name hashed) + versym/verneed/verdef floor stat  recfiles.txt newfstatat every
//   path floor rec   records.txt  read and split every RECORD into path,hash,size (paths hashed)
//   floor all   elf.txt recfiles.txt records.txt   rec + stat + sym, one thread
// prints counts and the in-process milliseconds
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
using U = unsigned long;
static U hashed = 0, nsym = 0, nver = 0, nneed = 0, nobj = 0, nbytes = 0, nrows = 0, nstat = 0,
         nmiss = 0;
static inline void h(const char* s) {
  U x = 5381;
  while (*s) x = x * 33 + (unsigned char)*s++;
  hashed ^= x;
}
static vector<string> lines(const char* f) {
  vector<string> v;
  ifstream i(f);
  string l;
  while (getline(i, l)) v.push_back(l);
  return v;
}
static void elf(const char* p, bool sym) {
  int fd = open(p, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  struct stat st;
  fstat(fd, &st);
  size_t n = st.st_size;
  char* b = (char*)mmap(0, n, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (b == MAP_FAILED) return;
  auto* e = (Elf64_Ehdr*)b;
  nobj++;
  nbytes += n;
  auto* ph = (Elf64_Phdr*)(b + e->e_phoff);
  Elf64_Phdr* pd = nullptr;
  auto off = [&](U va) -> U {
    for (int i = 0; i < e->e_phnum; i++)
      if (ph[i].p_type == PT_LOAD && va >= ph[i].p_vaddr && va < ph[i].p_vaddr + ph[i].p_filesz)
        return va - ph[i].p_vaddr + ph[i].p_offset;
    return 0;
  };
  for (int i = 0; i < e->e_phnum; i++)
    if (ph[i].p_type == PT_DYNAMIC) pd = ph + i;
  if (pd) {
    auto* d0 = (Elf64_Dyn*)(b + pd->p_offset);
    U str = 0, sy = 0, vs = 0, vn = 0, vnn = 0, vd = 0, vdn = 0, gh = 0, hh = 0;
    for (auto* d = d0; d->d_tag; d++) switch (d->d_tag) {
        case DT_STRTAB:
          str = off(d->d_un.d_ptr);
          break;
        case DT_SYMTAB:
          sy = off(d->d_un.d_ptr);
          break;
        case DT_VERSYM:
          vs = off(d->d_un.d_ptr);
          break;
        case DT_VERNEED:
          vn = off(d->d_un.d_ptr);
          break;
        case DT_VERNEEDNUM:
          vnn = d->d_un.d_val;
          break;
        case DT_VERDEF:
          vd = off(d->d_un.d_ptr);
          break;
        case DT_VERDEFNUM:
          vdn = d->d_un.d_val;
          break;
        case DT_GNU_HASH:
          gh = off(d->d_un.d_ptr);
          break;
        case DT_HASH:
          hh = off(d->d_un.d_ptr);
          break;
      }
    for (auto* d = d0; d->d_tag; d++)
      if (d->d_tag == DT_NEEDED || d->d_tag == DT_SONAME || d->d_tag == DT_RPATH ||
          d->d_tag == DT_RUNPATH) {
        nneed++;
        h(b + str + d->d_un.d_val);
      }
    if (sym) {
      U ns = 0;
      if (hh)
        ns = ((Elf32_Word*)(b + hh))[1];
      else if (gh) {
        auto* g = (unsigned*)(b + gh);
        unsigned nb = g[0], so = g[1], bl = g[2];
        auto* bk = g + 4 + bl * 2;
        unsigned mx = 0;
        for (unsigned i = 0; i < nb; i++) mx = max(mx, bk[i]);
        if (mx < so)
          ns = so;
        else {
          auto* c = bk + nb;
          while (!(c[mx - so] & 1)) mx++;
          ns = mx + 1;
        }
      }
      // gnu_hash leaves out the undefined symbols only when it is empty: symtab's end by strtab is
      // the usual fallback
      if (!hh && gh && ns <= 1 && str > sy) ns = (str - sy) / sizeof(Elf64_Sym);
      auto* s = (Elf64_Sym*)(b + sy);
      auto* v = vs ? (Elf64_Half*)(b + vs) : nullptr;
      for (U i = 0; i < ns; i++) {
        h(b + str + s[i].st_name);
        nsym++;
        if (v) hashed += v[i];
      }
      if (vn) {
        char* q = b + vn;
        for (U i = 0; i < vnn; i++) {
          auto* r = (Elf64_Verneed*)q;
          h(b + str + r->vn_file);
          char* a = q + r->vn_aux;
          for (int j = 0; j < r->vn_cnt; j++) {
            auto* x = (Elf64_Vernaux*)a;
            h(b + str + x->vna_name);
            nver++;
            a += x->vna_next;
          }
          q += r->vn_next;
        }
      }
      if (vd) {
        char* q = b + vd;
        for (U i = 0; i < vdn; i++) {
          auto* r = (Elf64_Verdef*)q;
          auto* x = (Elf64_Verdaux*)(q + r->vd_aux);
          h(b + str + x->vda_name);
          nver++;
          q += r->vd_next;
        }
      }
    }
  }
  munmap(b, n);
}
static void rec(const char* p) {
  int fd = open(p, O_RDONLY | O_CLOEXEC);
  struct stat st;
  fstat(fd, &st);
  string s(st.st_size, 0);
  if (read(fd, &s[0], s.size()) < 0) return;
  close(fd);
  for (size_t i = 0; i < s.size();) {
    size_t e = s.find('\n', i);
    if (e == string::npos) e = s.size();
    size_t c2 = s.rfind(',', e), c1 = c2 == string::npos || c2 <= i ? c2 : s.rfind(',', c2 - 1);
    if (c1 != string::npos && c1 >= i) {
      U x = 5381;
      for (size_t k = i; k < c1; k++) x = x * 33 + (unsigned char)s[k];
      hashed ^= x;
      nrows++;
    }
    i = e + 1;
  }
}
static void sta(const char* p) {
  struct stat st;
  if (fstatat(AT_FDCWD, p, &st, 0) == 0) {
    nstat++;
    nbytes += st.st_size;
  } else
    nmiss++;
}
int main(int c, char** v) {
  string m = v[1];
  auto t = chrono::steady_clock::now();
  if (m == "dyn" || m == "sym")
    for (auto& p : lines(v[2])) elf(p.c_str(), m == "sym");
  else if (m == "stat")
    for (auto& p : lines(v[2])) sta(p.c_str());
  else if (m == "rec")
    for (auto& p : lines(v[2])) rec(p.c_str());
  else {
    for (auto& p : lines(v[4])) rec(p.c_str());
    for (auto& p : lines(v[3])) sta(p.c_str());
    for (auto& p : lines(v[2])) elf(p.c_str(), true);
  }
  double ms = chrono::duration<double, milli>(chrono::steady_clock::now() - t).count();
  printf(
      "%s: objects %lu dynstrings %lu dynsyms %lu versions %lu rows %lu stat %lu missing %lu bytes "
      "%lu  %.3f ms (x%lx)\n",
      m.c_str(), nobj, nneed, nsym, nver, nrows, nstat, nmiss, nbytes, ms, hashed & 0xffff);
}
