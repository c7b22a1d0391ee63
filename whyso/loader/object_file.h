// SPDX-License-Identifier: Apache-2.0
// One file as the loader sees it once it is open: usable or refused, and what it asks for. Does not
// know by which path it was found; keeps no bytes of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "whyso/elf/header.h"
#include "whyso/loader/names.h"
#include "whyso/loader/rules.h"
#include "whyso/loader/verdict.h"
#include "whyso/tree/file_tree.h"

namespace whyso::loader {

enum class WantKind : std::uint8_t { needed, auxiliary, filter };

/// A DT_NEEDED, DT_AUXILIARY or DT_FILTER.
struct Want {
  std::string name;  ///< tokens are not expanded
  WantKind kind = WantKind::needed;
};

/// What the dynamic section says, in strings of its own.
struct DynamicFacts {
  std::optional<std::string> soname;
  std::vector<Want> wants;             ///< in the order of the file
  std::optional<std::string> rpath;    ///< nothing where there is a RUNPATH: it cancels RPATH
  std::optional<std::string> runpath;  ///< an empty one still cuts the inherited RPATHs
  std::uint64_t flags_1 = 0;           ///< DT_FLAGS_1
  bool is_symbolic = false;            ///< DT_SYMBOLIC
  bool binds_now = false;              ///< DT_BIND_NOW and the flags that mean the same
  bool has_static_tls = false;         ///< DF_STATIC_TLS
};

/// A version that is needed.
struct WantedVersion {
  std::string name;
  std::uint32_t hash = 0;
  bool is_weak = false;
};

/// The versions needed of one library (one Elf_Verneed).
struct VersionWant {
  std::string file;
  std::vector<WantedVersion> versions;
};

/// What is compared after all files are mapped. Damaged tables count as none.
struct VersionFacts {
  std::vector<VersionWant> wants;
  bool has_definitions = false;                                    ///< DT_VERDEF
  std::vector<std::pair<std::uint32_t, std::string>> definitions;  ///< hash and name
  bool has_relr = false;                                           ///< DT_RELR
  std::uint32_t isa_needed = 0;  ///< GNU_PROPERTY_X86_ISA_1_NEEDED
};

/// PT_TLS: the thread-local data of one file.
struct TlsSegment {
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  std::uint64_t first_byte = 0;  ///< where its first byte lies, modulo the alignment
};

/// A refusal with an error; `what` empty: none.
struct Refusal {
  std::string what;
  int error_number = 0;
  bool is_crash = false;
  [[nodiscard]] bool is_set() const { return is_crash || !what.empty(); }
};

/// One file, whatever its names. In the order of the loader's checks: `verdict` and `header` are
/// found when a candidate is opened (open_verify: other class or machine is passed over), `mapping`
/// when it is mapped (_dl_map_object_from_fd: always an error).
struct ObjectFile {
  Path real;
  tree::FileFacts facts;
  Verdict verdict = Verdict::taken;  ///< taken, other_class, other_machine, other_kernel or refused
  Refusal header;                    ///< where the verdict is refused
  Refusal mapping;
  Refusal mapping_as_program;  ///< the same where it is the program: executables are allowed
  elf::Type type = elf::Type::none;
  std::optional<std::string> interpreter;  ///< PT_INTERP
  bool is_dynamic = false;
  DynamicFacts dynamic;  ///< empty where the file is refused
  VersionFacts versions;
  std::optional<TlsSegment> tls;
  bool needs_indirect_access = false;   ///< GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS
  bool wants_executable_stack = false;  ///< PT_GNU_STACK, or its absence on some machines
  bool is_damaged = false;              ///< a table could not be read
};

/// Judges what was read. A folder or device is told by `facts.kind` and has no content. A file that
/// is read in pieces and seems damaged must be judged again from all its bytes.
[[nodiscard]] ObjectFile judge(Path real, const tree::FileFacts& facts, const FileBytes& content,
                               const LoaderRules& rules);

}  // namespace whyso::loader
