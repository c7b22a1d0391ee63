// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/relocations.h"

#include <algorithm>
#include <span>
#include <utility>

namespace whyso::elf {
namespace {

using enum RelocationKind;

struct NumberedKind {
  std::uint32_t type;
  RelocationKind kind;
};

// <elf.h>; the types that elf_machine_rela() or elf_machine_rel() of each machine handles.
constexpr std::array<NumberedKind, 20> x86_64_kinds{{
    {0, none},         {1, address},     {2, address},     {5, copy},
    {6, data_pointer}, {7, call},        {8, relative},    {10, address},
    {11, unknown},     {16, tls_module}, {17, tls_offset}, {18, tls_static},
    {24, unknown},     {32, size},       {33, size},       {36, tls_descriptor},
    {37, indirect},    {38, relative},   {9, unknown},     {4, unknown},
}};
constexpr std::array<NumberedKind, 15> i386_kinds{{
    {0, none},
    {1, address},
    {2, address},
    {5, copy},
    {6, data_pointer},
    {7, call},
    {8, relative},
    {14, tls_static},
    {35, tls_module},
    {36, tls_offset},
    {37, tls_static},
    {38, size},
    {41, tls_descriptor},
    {42, indirect},
    {3, unknown},
}};
constexpr std::array<NumberedKind, 12> aarch64_kinds{{
    {0, none},
    {257, address},
    {258, address},
    {1024, copy},
    {1025, data_pointer},
    {1026, call},
    {1027, relative},
    {1028, tls_module},
    {1029, tls_offset},
    {1030, tls_static},
    {1031, tls_descriptor},
    {1032, indirect},
}};
constexpr std::array<NumberedKind, 13> riscv_kinds{{
    {0, none},
    {1, address},
    {2, address},
    {3, relative},
    {4, copy},
    {5, call},
    {6, tls_module},
    {7, tls_module},
    {8, tls_offset},
    {9, tls_offset},
    {10, tls_static},
    {11, tls_static},
    {58, indirect},
}};
constexpr std::array<NumberedKind, 12> arm_kinds{{
    {0, none},
    {2, address},
    {3, address},
    {13, tls_descriptor},
    {17, tls_module},
    {18, tls_offset},
    {19, tls_static},
    {20, copy},
    {21, data_pointer},
    {22, call},
    {23, relative},
    {160, indirect},
}};
constexpr std::array<NumberedKind, 11> s390_kinds{{
    {0, none},
    {4, address},
    {9, copy},
    {10, data_pointer},
    {11, call},
    {12, relative},
    {22, address},
    {54, tls_module},
    {55, tls_offset},
    {56, tls_static},
    {61, indirect},
}};
constexpr std::array<NumberedKind, 11> powerpc64_kinds{{
    {0, none},
    {19, copy},
    {20, data_pointer},
    {21, call},
    {22, relative},
    {38, address},
    {68, tls_module},
    {73, tls_static},
    {78, tls_offset},
    {247, indirect},
    {248, indirect},
}};

std::span<const NumberedKind> kinds_of(Machine machine) {
  switch (machine) {
    case Machine::x86_64:
      return x86_64_kinds;
    case Machine::i386:
      return i386_kinds;
    case Machine::aarch64:
      return aarch64_kinds;
    case Machine::riscv:
      return riscv_kinds;
    case Machine::arm:
      return arm_kinds;
    case Machine::s390:
      return s390_kinds;
    case Machine::powerpc64:
      return powerpc64_kinds;
    default:
      return {};
  }
}

/// ELF_MACHINE_NO_REL: the loader of that machine never looks at DT_REL.
bool ignores_rel(Machine machine) {
  return machine != Machine::i386 && machine != Machine::arm && machine != Machine::mips;
}

struct RangePlace {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

Result<RelocationRange> range_of(const Memory& memory, RangePlace place, bool has_addends,
                                 std::string_view what) {
  if (place.size == 0) return RelocationRange();
  return RelocationRange(TRY(memory.bytes_at(place.address, place.size, what)), memory.layout(),
                         has_addends);
}

std::uint64_t step_of(Layout layout, bool has_addends) {
  return layout.address_size() * (has_addends ? 3 : 2);
}

/// One table taken apart: without the part that DT_JMPREL covers as well.
struct TablePlaces {
  RangePlace relative;
  RangePlace rest;
};

TablePlaces places_of(const DynamicTable& table, std::uint64_t relative_count,
                      const std::optional<DynamicTable>& plt, std::uint64_t step) {
  RangePlace place{table.address, table.size};
  if (place.address == 0) return {};
  if (plt && place.address + place.size == plt->address + plt->size && plt->size <= place.size) {
    place.size -= plt->size;
  }
  const auto relative = checked_multiply(relative_count, step);
  if (!relative || *relative >= place.size) return {.relative = place, .rest = {}};
  return {.relative = {place.address, *relative},
          .rest = {place.address + *relative, place.size - *relative}};
}

}  // namespace

std::string_view words_of(RelocationKind kind) {
  constexpr std::array<std::string_view, 13> words{
      "an unknown reference", "nothing",           "a relative address", "a function of its own",
      "a function call",      "an address",        "an address in data", "a symbol's size",
      "a copy of data",       "thread-local data", "thread-local data",  "static thread-local data",
      "thread-local data"};
  return words.at(static_cast<std::size_t>(std::to_underlying(kind)));
}

RelocationRange::RelocationRange(Bytes bytes, Layout layout, bool has_addends)
    : bytes_(bytes),
      step_(static_cast<std::size_t>(step_of(layout, has_addends))),
      order_(layout.byte_order()),
      is_wide_(layout.address_size() == 8) {}

Relocation RelocationRange::narrow(std::uint64_t at) const {
  const auto info = integer_at<std::uint32_t>(bytes_, at + 4, order_);
  return {.offset = integer_at<std::uint32_t>(bytes_, at, order_),
          .type = info & 0xffU,
          .symbol = info >> 8U};
}

Result<Relocations> Relocations::read(const Memory& memory, const DynamicTables& tables,
                                      Machine machine) {
  Relocations relocations;
  const Layout layout = memory.layout();
  const bool is_plt_of_rela = tables.plt_has_addends || ignores_rel(machine);
  const auto add = [&](const DynamicTable& table, bool has_addends,
                       std::string_view what) -> Result<void> {
    const auto plt = has_addends == is_plt_of_rela ? tables.plt : std::nullopt;
    const TablePlaces places =
        places_of(table, tables.relative_count, plt, step_of(layout, has_addends));
    relocations.relative.push_back(TRY(range_of(memory, places.relative, has_addends, what)));
    relocations.at_load.push_back(TRY(range_of(memory, places.rest, has_addends, what)));
    return {};
  };
  if (tables.rel && !ignores_rel(machine)) TRY_VOID(add(*tables.rel, false, "DT_REL"));
  if (tables.rela) TRY_VOID(add(*tables.rela, true, "DT_RELA"));
  if (tables.plt) {
    relocations.plt =
        TRY(range_of(memory, {tables.plt->address, tables.plt->size}, is_plt_of_rela, "DT_JMPREL"));
  }
  return relocations;
}

RelocationKinds::RelocationKinds(Machine machine) : machine_(machine) {
  for (const NumberedKind& known : kinds_of(machine)) {
    are_known_ = true;
    if (known.type < few_.size()) few_[known.type] = known.kind;
    if (known.kind == tls_descriptor) descriptor_ = known.type;
  }
}

RelocationKind RelocationKinds::rare(std::uint32_t type) const {
  const auto known = kinds_of(machine_);
  const auto found = std::ranges::find(known, type, &NumberedKind::type);
  return found == known.end() ? unknown : found->kind;
}

}  // namespace whyso::elf
