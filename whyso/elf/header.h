// SPDX-License-Identifier: Apache-2.0
// The ELF header and the program headers as native values. Holds no bytes and reads none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "whyso/base/bytes.h"

namespace whyso::elf {

/// e_ident[EI_CLASS]; may hold another number where the file does.
enum class ElfClass : std::uint8_t { none = 0, elf32 = 1, elf64 = 2 };

/// e_type; may hold another number where the file does.
enum class Type : std::uint16_t { none = 0, relocatable = 1, executable = 2, shared = 3, core = 4 };

/// e_machine: those whose loaders whyso knows by name; may hold any other number.
enum class Machine : std::uint16_t {
  none = 0,
  i386 = 3,
  mips = 8,
  powerpc = 20,
  powerpc64 = 21,
  s390 = 22,
  arm = 40,
  sparc64 = 43,
  ia64 = 50,
  x86_64 = 62,
  aarch64 = 183,
  cuda = 190,
  riscv = 243,
  bpf = 247,
  loongarch = 258,
};

/// p_type; may hold any other number.
enum class SegmentType : std::uint32_t {
  null = 0,
  load = 1,
  dynamic = 2,
  interpreter = 3,
  note = 4,
  program_headers = 6,
  thread_local_storage = 7,
  gnu_eh_frame = 0x6474e550,
  gnu_stack = 0x6474e551,
  gnu_relro = 0x6474e552,
  gnu_property = 0x6474e553,
};

inline constexpr std::uint32_t segment_is_executable = 1;  ///< bit of Segment::flags (PF_X)
inline constexpr std::uint32_t segment_is_writable = 2;    ///< bit of Segment::flags (PF_W)
inline constexpr std::uint32_t segment_is_readable = 4;    ///< bit of Segment::flags (PF_R)

/// The ELF header (gABI, "ELF Header"). Nothing in it has been judged: the numbers are the file's,
/// so that a loader model can refuse them in the loader's own order.
struct Header {
  std::array<std::uint8_t, 16> ident{};  ///< e_ident as it stands in the file, padding included
  ElfClass elf_class = ElfClass::none;
  ByteOrder byte_order = ByteOrder::little;  ///< little also where EI_DATA is neither 1 nor 2
  Type type = Type::none;
  Machine machine = Machine::none;
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint32_t version = 0;  ///< e_version, not EI_VERSION
  std::uint32_t flags = 0;
  std::uint64_t entry = 0;
  std::uint64_t program_header_offset = 0;
  std::uint16_t program_header_size = 0;  ///< e_phentsize: bytes of one
  std::uint16_t program_header_count = 0;
  std::uint64_t file_size = 0;  ///< bytes that are really there

  bool operator==(const Header&) const = default;
};

/// One program header (gABI, "Program Header").
struct Segment {
  SegmentType type = SegmentType::null;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t virtual_address = 0;
  std::uint64_t file_size = 0;
  std::uint64_t memory_size = 0;
  std::uint64_t alignment = 0;

  bool operator==(const Segment&) const = default;
};

}  // namespace whyso::elf
