// SPDX-License-Identifier: Apache-2.0
// How ELF structures lie in bytes: the only place that knows of the two classes and the two byte
// orders. What the numbers mean, and whether they are sensible, is not known here.
#pragma once

#include <cstdint>
#include <optional>

#include "whyso/base/bytes.h"
#include "whyso/elf/header.h"

namespace whyso::elf {

/// d_tag (gABI, "Dynamic Section", and the GNU additions); may hold any other number.
enum class Tag : std::uint64_t {
  null = 0,
  needed = 1,
  pltrel_size = 2,
  pltgot = 3,
  hash = 4,
  string_table = 5,
  symbol_table = 6,
  rela = 7,
  rela_size = 8,
  string_table_size = 10,
  init = 12,
  fini = 13,
  soname = 14,
  rpath = 15,
  symbolic = 16,
  rel = 17,
  rel_size = 18,
  pltrel_type = 20,
  debug = 21,
  textrel = 22,
  pltrel = 23,
  bind_now = 24,
  runpath = 29,
  flags = 30,
  relr_size = 35,
  relr = 36,
  gnu_hash = 0x6ffffef5,
  audit = 0x6ffffefc,
  symbol_versions = 0x6ffffff0,
  relative_count = 0x6ffffff9,      // DT_RELACOUNT
  rel_relative_count = 0x6ffffffa,  // DT_RELCOUNT
  flags_1 = 0x6ffffffb,
  version_definitions = 0x6ffffffc,
  version_definition_count = 0x6ffffffd,
  version_needs = 0x6ffffffe,
  version_need_count = 0x6fffffff,
  auxiliary = 0x7ffffffd,
  filter = 0x7fffffff,
};

/// One entry of the dynamic section.
struct DynamicEntry {
  Tag tag = Tag::null;
  std::uint64_t value = 0;
  bool operator==(const DynamicEntry&) const = default;
};

/// One entry of the dynamic symbol table (gABI, "Symbol Table").
struct SymbolRecord {
  std::uint32_t name = 0;
  std::uint8_t info = 0;
  std::uint8_t other = 0;
  std::uint16_t section = 0;
  std::uint64_t value = 0;
  std::uint64_t size = 0;
};

/// Elf_Verneed: one file from which versions are needed. Offsets count from this record.
struct VersionNeedRecord {
  std::uint16_t version = 0;
  std::uint16_t count = 0;
  std::uint32_t file = 0;
  std::uint32_t first = 0;
  std::uint32_t next = 0;
};

/// Elf_Vernaux: one version needed.
struct NeededVersionRecord {
  std::uint32_t hash = 0;
  std::uint16_t flags = 0;
  std::uint16_t index = 0;
  std::uint32_t name = 0;
  std::uint32_t next = 0;
};

/// Elf_Verdef: one version defined. Offsets count from this record.
struct VersionDefinitionRecord {
  std::uint16_t version = 0;
  std::uint16_t flags = 0;
  std::uint16_t index = 0;
  std::uint16_t count = 0;
  std::uint32_t hash = 0;
  std::uint32_t first = 0;
  std::uint32_t next = 0;
};

/// Elf_Verdaux: the name of a version, then those of its parents.
struct VersionNameRecord {
  std::uint32_t name = 0;
  std::uint32_t next = 0;
};

/// Elf_Nhdr, equal in both classes.
struct NoteRecord {
  std::uint32_t name_size = 0;
  std::uint32_t description_size = 0;
  std::uint32_t type = 0;
};

/// The head of a DT_GNU_HASH table; the bloom filter, the buckets and the chains follow it.
struct GnuHashRecord {
  std::uint32_t bucket_count = 0;
  std::uint32_t first_symbol = 0;
  std::uint32_t bloom_size = 0;
  std::uint32_t bloom_shift = 0;
};

/// Class and byte order of one file; turns its bytes into the records above, Header and Segment.
/// A class that is neither 32 nor 64 bits is read as 64.
class Layout {
 public:
  Layout(ElfClass elf_class, ByteOrder order)
      : is_wide_(elf_class != ElfClass::elf32), order_(order) {}

  [[nodiscard]] ByteOrder byte_order() const { return order_; }

  /// Bytes of an address: 4 or 8.
  [[nodiscard]] std::uint64_t address_size() const { return is_wide_ ? 8 : 4; }

  /// Bytes that one Record takes in this file.
  template <class Record>
  [[nodiscard]] std::uint64_t size() const;

  /// The Record at `offset`, or nothing where it does not lie inside `bytes`.
  template <class Record>
  [[nodiscard]] std::optional<Record> read(Bytes bytes, std::uint64_t offset) const;

  /// An address-sized unsigned number at `offset`.
  [[nodiscard]] std::optional<std::uint64_t> read_address(Bytes bytes, std::uint64_t offset) const;

 private:
  bool is_wide_;
  ByteOrder order_;
};

}  // namespace whyso::elf
