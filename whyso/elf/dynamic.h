// SPDX-License-Identifier: Apache-2.0
// The dynamic section: what a file asks of the loader, and where its tables lie. Reads no symbol
// and no version; searches for nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/elf/layout.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

inline constexpr std::uint64_t flag_origin = 0x1;       ///< DF_ORIGIN, a bit of Dynamic::flags
inline constexpr std::uint64_t flag_symbolic = 0x2;     ///< DF_SYMBOLIC
inline constexpr std::uint64_t flag_textrel = 0x4;      ///< DF_TEXTREL
inline constexpr std::uint64_t flag_bind_now = 0x8;     ///< DF_BIND_NOW
inline constexpr std::uint64_t flag_static_tls = 0x10;  ///< DF_STATIC_TLS

inline constexpr std::uint64_t flag_1_now = 0x1;         ///< DF_1_NOW, a bit of Dynamic::flags_1
inline constexpr std::uint64_t flag_1_nodelete = 0x8;    ///< DF_1_NODELETE
inline constexpr std::uint64_t flag_1_initfirst = 0x20;  ///< DF_1_INITFIRST
inline constexpr std::uint64_t flag_1_noopen = 0x40;     ///< DF_1_NOOPEN
inline constexpr std::uint64_t flag_1_nodeflib = 0x800;  ///< DF_1_NODEFLIB
inline constexpr std::uint64_t flag_1_pie = 0x08000000;  ///< DF_1_PIE

/// One table that the dynamic section points to.
struct DynamicTable {
  std::uint64_t address = 0;
  std::uint64_t size = 0;  ///< bytes, or records for the versions; 0 where no entry says it
  bool operator==(const DynamicTable&) const = default;
};

/// Where the tables lie; each is nothing where the section does not name it. Of several entries
/// with one tag the last counts, as in glibc (elf_get_dynamic_info).
struct DynamicTables {
  std::optional<DynamicTable> strings;              ///< DT_STRTAB, DT_STRSZ
  std::optional<DynamicTable> symbols;              ///< DT_SYMTAB; its size is never said
  std::optional<DynamicTable> hash;                 ///< DT_HASH
  std::optional<DynamicTable> gnu_hash;             ///< DT_GNU_HASH
  std::optional<DynamicTable> symbol_versions;      ///< DT_VERSYM
  std::optional<DynamicTable> version_needs;        ///< DT_VERNEED, DT_VERNEEDNUM
  std::optional<DynamicTable> version_definitions;  ///< DT_VERDEF, DT_VERDEFNUM
  std::optional<DynamicTable> rela;                 ///< DT_RELA, DT_RELASZ
  std::optional<DynamicTable> rel;                  ///< DT_REL, DT_RELSZ
  std::optional<DynamicTable> relr;                 ///< DT_RELR, DT_RELRSZ
  std::optional<DynamicTable> plt;                  ///< DT_JMPREL, DT_PLTRELSZ
  bool plt_has_addends = false;                     ///< DT_PLTREL is DT_RELA
  std::uint64_t relative_count = 0;                 ///< DT_RELACOUNT, else DT_RELCOUNT
};

enum class FilteeKind : std::uint8_t { auxiliary, filter };

/// A DT_AUXILIARY or DT_FILTER: a library whose symbols go before one's own.
struct Filtee {
  FilteeKind kind = FilteeKind::auxiliary;
  std::string_view name;
  std::size_t needed_before =
      0;  ///< how many DT_NEEDED stand before it: the loader keeps the order
  bool operator==(const Filtee&) const = default;
};

/// What a file asks of the loader. An empty string and an absent one are two things: an empty
/// RUNPATH still cuts the inherited RPATHs.
struct Dynamic {
  std::vector<std::string_view> needed;  ///< DT_NEEDED in the order of the file, tokens unexpanded
  std::vector<Filtee> filtees;
  std::optional<std::string_view> soname;
  std::optional<std::string_view> rpath;  ///< also where there is a RUNPATH, which cancels it
  std::optional<std::string_view> runpath;
  std::uint64_t flags = 0;    ///< DT_FLAGS
  std::uint64_t flags_1 = 0;  ///< DT_FLAGS_1
  bool is_symbolic = false;   ///< DT_SYMBOLIC or DF_SYMBOLIC
  bool has_textrel = false;   ///< DT_TEXTREL or DF_TEXTREL
  bool binds_now = false;     ///< DT_BIND_NOW, DF_BIND_NOW or DF_1_NOW
  DynamicTables tables;
};

using DynamicEntries = std::vector<DynamicEntry>;

/// The entries before DT_NULL; nothing where the file has no PT_DYNAMIC or an empty one (a static
/// program, an object file, a file of debug data). Found by its address, as the loader does.
/// Malformed where it lies outside the file or has no end.
[[nodiscard]] Result<std::optional<DynamicEntries>> read_dynamic_entries(const Memory& memory);

[[nodiscard]] DynamicTables tables_of(const DynamicEntries& entries);

/// The meaning of `entries`; malformed where a string lies outside the string table's segment.
[[nodiscard]] Result<Dynamic> interpret(const Memory& memory, const DynamicEntries& entries);

}  // namespace whyso::elf
