// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/static_tls.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::loader {
namespace {

constexpr std::uint64_t default_namespaces = 4;
constexpr std::uint64_t most_namespaces = 16;
constexpr std::uint64_t default_optional = 512;
constexpr std::uint64_t bytes_a_library = 144;  // LIBC_IE_TLS and OTHER_IE_TLS
constexpr std::uint64_t historic_surplus = 1664;
constexpr std::uint64_t thread_alignment = 64;  // TCB_ALIGNMENT of x86-64

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

/// The last "NAME=VALUE" among GLIBC_TUNABLES' parts.
std::uint64_t tunable(std::string_view tunables, std::string_view name, std::uint64_t otherwise) {
  std::uint64_t value = otherwise;
  for (const std::string_view part : split(tunables, ':')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos || part.substr(0, equals) != name) continue;
    value = parse_decimal(part.substr(equals + 1)).value_or(value);
  }
  return value;
}

std::uint64_t surplus_of(std::uint64_t namespaces, std::uint64_t optional) {
  return (namespaces - 1) * bytes_a_library + namespaces * bytes_a_library + optional;
}

bool grows_down_on(elf::Machine machine) {
  return machine == elf::Machine::x86_64 || machine == elf::Machine::i386 ||
         machine == elf::Machine::s390 || machine == elf::Machine::sparc64;
}

/// Bytes of the thread's control block that blocks which grow upwards begin behind.
std::uint64_t control_block_of(const elf::Abi& abi) {
  if (abi.machine == elf::Machine::aarch64) return 16;
  return abi.machine == elf::Machine::arm ? 8 : 0;
}

/// The gap that alignment left among the blocks so far, which smaller ones may fill.
struct Gap {
  std::uint64_t top = 0;
  std::uint64_t bottom = 0;
};

std::uint64_t place_down(std::uint64_t used, Gap& gap, const TlsSegment& block) {
  const std::uint64_t first = (0 - block.first_byte) & (block.alignment - 1);
  if (gap.bottom - gap.top >= block.size) {
    const std::uint64_t end = round_up(gap.top + block.size - first, block.alignment) + first;
    if (end <= gap.bottom) {
      gap.top = end;
      return used;
    }
  }
  const std::uint64_t end = round_up(used + block.size - first, block.alignment) + first;
  if (end > used + block.size + (gap.bottom - gap.top)) gap = {used, end - block.size};
  return end;
}

std::uint64_t place_up(std::uint64_t used, const TlsSegment& block) {
  const std::uint64_t first = (0 - block.first_byte) & (block.alignment - 1);
  std::uint64_t at = round_up(used, block.alignment);
  if (at - used < first) at += block.alignment;
  return at + block.size - first;
}

}  // namespace

StaticTls StaticTls::lay_out(std::span<const TlsSegment> blocks, const LoaderRules& rules,
                             std::string_view tunables) {
  StaticTls tls;
  tls.grows_down_ = grows_down_on(rules.abi.machine);
  tls.alignment_ = thread_alignment;
  if (!tls.grows_down_) tls.used_ = control_block_of(rules.abi);
  Gap gap;
  for (const TlsSegment& block : blocks) {
    tls.alignment_ = std::max(tls.alignment_, block.alignment);
    tls.used_ = tls.grows_down_ ? place_down(tls.used_, gap, block) : place_up(tls.used_, block);
  }
  std::uint64_t surplus = historic_surplus;
  tls.optional_ = default_optional;
  if (rules.is_at_least(32)) {
    const std::uint64_t namespaces = std::clamp<std::uint64_t>(
        tunable(tunables, "glibc.rtld.nns", default_namespaces), 1, most_namespaces);
    tls.optional_ = tunable(tunables, "glibc.rtld.optional_static_tls", default_optional);
    surplus = surplus_of(namespaces, tls.optional_) + historic_surplus -
              surplus_of(default_namespaces, default_optional);
  }
  if (rules.is_at_least(41) && tls.grows_down_) tls.used_ = round_up(tls.used_, 32) + 32;
  tls.size_ = round_up(tls.used_ + surplus, tls.alignment_);
  return tls;
}

std::optional<std::uint64_t> StaticTls::take(const TlsSegment& block, bool optional) {
  if (block.alignment > alignment_ || block.size > size_) return std::nullopt;
  std::uint64_t end = 0;
  if (grows_down_) {
    const std::uint64_t free = size_ - used_;
    const std::uint64_t wanted = block.size + block.first_byte;
    if (used_ > size_ || free < wanted) return std::nullopt;
    const std::uint64_t steps = (free - wanted) / block.alignment;
    end = used_ + free - steps * block.alignment - block.first_byte;
  } else {
    const std::uint64_t at = round_up(used_ - block.first_byte, block.alignment) + block.first_byte;
    end = at + block.size;
    if (end > size_) return std::nullopt;
  }
  const std::uint64_t use = end - used_;
  if (optional && use > optional_) return std::nullopt;
  if (optional) optional_ -= use;
  used_ = end;
  return end;
}

}  // namespace whyso::loader
