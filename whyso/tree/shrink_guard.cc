// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/shrink_guard.h"

#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>

namespace whyso::tree {
namespace {

/// Only async-signal-safe calls: mmap is a plain system call.
void replace_page(int signal, siginfo_t* information, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  const std::uintptr_t size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  void* start = reinterpret_cast<void*>(address & ~(size - 1));
  const bool is_behind_end = information->si_code == BUS_ADRERR;
  if (is_behind_end && ::mmap(start, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                              0) != MAP_FAILED) {
    return;
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void guard_against_shrinking_files() {
  struct sigaction action = {};
  action.sa_sigaction = replace_page;
  action.sa_flags = SA_SIGINFO;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace whyso::tree
