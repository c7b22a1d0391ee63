// SPDX-License-Identifier: Apache-2.0
// What decides whether two ELF objects can live in one process, and how people call it. Does not
// know which loader serves it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "whyso/base/bytes.h"
#include "whyso/elf/header.h"

namespace whyso::elf {

/// Class, byte order, machine, and those header flags that change the calling convention.
struct Abi {
  ElfClass elf_class = ElfClass::none;
  ByteOrder byte_order = ByteOrder::little;
  Machine machine = Machine::none;
  std::uint32_t convention = 0;  ///< the calling convention's bits of e_flags, see abi_of

  bool operator==(const Abi&) const = default;
};

/// The flags kept are EF_PPC64_ABI, EF_RISCV_FLOAT_ABI with EF_RISCV_RVE, EF_LOONGARCH_ABI and
/// EF_ARM_ABI_FLOAT_HARD/_SOFT; elsewhere none.
[[nodiscard]] Abi abi_of(const Header& header);

/// Can both be mapped into one process? Where 64-bit PowerPC or ARM files do not say their
/// convention they go with either.
[[nodiscard]] bool can_share_process(const Abi& a, const Abi& b);

/// "x86-64", "AArch64", "32-bit ARM": machine with what of the class and byte order is not usual
/// for it ("big-endian AArch64"); "machine 1234" for one without a name.
[[nodiscard]] std::string name_of(const Abi& abi);

/// "x86-64", "i386", "AArch64", ...; empty for one that we have no name for.
[[nodiscard]] std::string_view name_of(Machine machine);

/// As loaders print it: "ELFCLASS32", "ELFCLASS64", or "ELFCLASSNONE".
[[nodiscard]] std::string_view name_of(ElfClass elf_class);

}  // namespace whyso::elf
