// SPDX-License-Identifier: Apache-2.0
// Notes: build id, GNU properties, the ABI tag. Does not judge what a CPU or kernel makes of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/header.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

/// One note of a PT_NOTE (gABI, "Note Section").
struct Note {
  std::string_view owner;  ///< n_name without its final NUL, such as "GNU"
  std::uint32_t type = 0;
  Bytes description;
};

/// NT_GNU_ABI_TAG: the kernel that the file was built for.
struct AbiTag {
  std::uint32_t operating_system = 0;  ///< 0 Linux, 1 Hurd, 2 Solaris, 3 FreeBSD
  std::uint32_t major = 0, minor = 0, patch = 0;
  bool operator==(const AbiTag&) const = default;
};

/// One entry of NT_GNU_PROPERTY_TYPE_0 (Linux gABI extensions, "Program Property").
struct GnuProperty {
  std::uint32_t type = 0;
  Bytes data;
};

inline constexpr std::uint32_t x86_isa_baseline = 1;  ///< bit of Notes::x86_isa_needed
inline constexpr std::uint32_t x86_isa_v2 = 2;
inline constexpr std::uint32_t x86_isa_v3 = 4;
inline constexpr std::uint32_t x86_isa_v4 = 8;

/// All notes of a file and the meaning of those that a loader looks at.
struct Notes {
  std::vector<Note> all;                        ///< in the order of the file
  std::optional<Bytes> build_id;                ///< NT_GNU_BUILD_ID
  std::optional<AbiTag> abi_tag;                ///< nothing also where it is too short
  std::vector<GnuProperty> properties;          ///< up to the first that does not fit
  std::optional<std::uint32_t> x86_isa_needed;  ///< GNU_PROPERTY_X86_ISA_1_NEEDED
};

/// Malformed where a PT_NOTE lies outside the file or a note runs out of it.
[[nodiscard]] Result<Notes> read_notes(const Memory& memory);

/// What PT_GNU_STACK asks for. Where it is absent the machine's habit counts: executable on x86,
/// 32-bit ARM, PowerPC, s390 and MIPS; not on AArch64, RISC-V and 64-bit PowerPC.
enum class GnuStack : std::uint8_t { absent, executable, not_executable };

/// The last PT_GNU_STACK counts, as in glibc.
[[nodiscard]] GnuStack gnu_stack_of(const std::vector<Segment>& segments);

}  // namespace whyso::elf
