// SPDX-License-Identifier: Apache-2.0
// The block of thread-local data that every thread has from its beginning, and what of it is left
// for libraries that come later. Knows sizes, not objects.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "whyso/elf/header.h"
#include "whyso/loader/object_file.h"
#include "whyso/loader/rules.h"

namespace whyso::loader {

/// glibc's accounting of static TLS in one process (_dl_determine_tlsoffset and
/// _dl_try_allocate_static_tls).
class StaticTls {
 public:
  /// The room of a process that has not started: none.
  StaticTls() = default;

  /// Lays out the blocks of what is there at the start; `tunables` is GLIBC_TUNABLES.
  static StaticTls lay_out(std::span<const TlsSegment> blocks, const LoaderRules& rules,
                           std::string_view tunables);

  /// Takes room for one block and returns its end as the loader counts; nothing where there is not
  /// enough, or the alignment is greater than that of the whole. What is `optional` may only take
  /// a part of the reserve.
  std::optional<std::uint64_t> take(const TlsSegment& block, bool optional);

  /// Gives back what lies at the end, if it does.
  [[nodiscard]] std::uint64_t used() const { return used_; }
  void set_used(std::uint64_t used) { used_ = used; }
  /// Do blocks lie below the thread pointer, the later ones further down (x86)?
  [[nodiscard]] bool grows_down() const { return grows_down_; }

 private:
  bool grows_down_ = true;
  std::uint64_t size_ = 0;  // without the thread's own descriptor
  std::uint64_t used_ = 0;
  std::uint64_t optional_ = 0;
  std::uint64_t alignment_ = 1;
};

}  // namespace whyso::loader
