// SPDX-License-Identifier: Apache-2.0
// Relocations: the places of a file that the loader fills in, and what each asks for, alike on all
// machines. Where a symbol is found is not known here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/integer_at.h"
#include "whyso/elf/memory.h"

namespace whyso::elf {

/// What one relocation wants, whatever the machine calls it.
enum class RelocationKind : std::uint8_t {
  unknown,         ///< no loader of that machine takes it, as far as we know
  none,            ///< nothing
  relative,        ///< the load address: names no symbol
  indirect,        ///< the result of one of the file's own functions (IRELATIVE): no symbol
  call,            ///< a function through the PLT (JUMP_SLOT): may be bound when first called
  data_pointer,    ///< an address through the GOT (GLOB_DAT)
  address,         ///< an address in data
  size,            ///< a symbol's size
  copy,            ///< a copy of another file's variable, in a program (COPY)
  tls_module,      ///< DTPMOD
  tls_offset,      ///< DTPOFF
  tls_static,      ///< TPOFF: a place in the static block of each thread
  tls_descriptor,  ///< TLSDESC
};

/// "a function call", "the address of data", ...: for people.
[[nodiscard]] std::string_view words_of(RelocationKind kind);

/// One relocation. The addend is not kept: it decides nothing.
struct Relocation {
  std::uint64_t offset = 0;  ///< the address to be filled in, as the file counts
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  ///< index in the dynamic symbol table, 0 for none
};

/// One table of relocations over the bytes of a file, which must outlive it.
class RelocationRange {
 public:
  RelocationRange() = default;
  RelocationRange(Bytes bytes, Layout layout, bool has_addends);

  [[nodiscard]] std::size_t size() const { return bytes_.size() / step_; }
  /// index < size().
  [[nodiscard]] Relocation at(std::size_t index) const {
    const std::uint64_t at = index * step_;
    if (!is_wide_) return narrow(at);
    const auto info = integer_at<std::uint64_t>(bytes_, at + 8, order_);
    return {.offset = integer_at<std::uint64_t>(bytes_, at, order_),
            .type = static_cast<std::uint32_t>(info),
            .symbol = static_cast<std::uint32_t>(info >> 32U)};
  }

 private:
  [[nodiscard]] Relocation narrow(std::uint64_t at) const;

  Bytes bytes_;
  std::size_t step_ = 1;
  ByteOrder order_ = ByteOrder::little;
  bool is_wide_ = true;
};

/// All relocations of one file in the order in which the loader handles them
/// (_ELF_DYNAMIC_DO_RELOC), those of DT_RELR excepted.
struct Relocations {
  std::vector<RelocationRange> relative;  ///< those that DT_RELACOUNT says are relative
  std::vector<RelocationRange> at_load;   ///< the others, handled when the file is loaded
  RelocationRange plt;                    ///< afterwards; calls in it may wait for the first call

  /// Empty where the file has none; malformed where a table lies outside the file.
  [[nodiscard]] static Result<Relocations> read(const Memory& memory, const DynamicTables& tables,
                                                Machine machine);
};

/// What a relocation type means to the loader of a machine.
class RelocationKinds {
 public:
  explicit RelocationKinds(Machine machine);

  /// Is the machine's numbering known? If not, every type is unknown.
  [[nodiscard]] bool are_known() const { return are_known_; }
  [[nodiscard]] RelocationKind of(std::uint32_t type) const {
    if (type < few_.size()) return few_[type];
    return type == descriptor_ ? RelocationKind::tls_descriptor : rare(type);
  }

 private:
  [[nodiscard]] RelocationKind rare(std::uint32_t type) const;

  Machine machine_;
  bool are_known_ = false;
  std::uint32_t descriptor_ = ~0U;
  std::array<RelocationKind, 64> few_{};
};

}  // namespace whyso::elf
