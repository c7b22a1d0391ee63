// SPDX-License-Identifier: Apache-2.0
#include "whyso/elf/layout.h"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

namespace whyso::elf {
namespace {

// An integer in the file's byte order, of alignment one, so that a structure of them lies over any
// bytes.
template <class T, ByteOrder order>
class Integer {
 public:
  operator T() const {  // NOLINT(google-explicit-constructor): stands for the number
    const T value = std::bit_cast<T>(bytes_);
    constexpr bool is_native =
        (order == ByteOrder::little) == (std::endian::native == std::endian::little);
    return is_native ? value : std::byteswap(value);
  }

  template <class Enumeration>
  [[nodiscard]] Enumeration as() const {
    return static_cast<Enumeration>(static_cast<T>(*this));
  }

 private:
  std::array<std::byte, sizeof(T)> bytes_;
};

template <ByteOrder order>
using Half = Integer<std::uint16_t, order>;
template <ByteOrder order>
using Word = Integer<std::uint32_t, order>;
template <bool wide, ByteOrder order>
using Address = Integer<std::conditional_t<wide, std::uint64_t, std::uint32_t>, order>;

// Stored<Record, wide, order>: the Record as it lies in the file.
template <class Record, bool wide, ByteOrder order>
struct Stored;

template <bool wide, ByteOrder order>
struct Stored<Header, wide, order> {
  std::array<std::uint8_t, 16> ident;
  Half<order> type;
  Half<order> machine;
  Word<order> version;
  Address<wide, order> entry;
  Address<wide, order> program_headers;
  Address<wide, order> section_headers;
  Word<order> flags;
  Half<order> header_size;
  Half<order> program_header_size;
  Half<order> program_header_count;
  Half<order> section_header_size;
  Half<order> section_header_count;
  Half<order> section_names;

  [[nodiscard]] Header value() const {
    return {.ident = ident,
            .elf_class = ElfClass{ident[4]},
            .byte_order = order,
            .type = type.template as<Type>(),
            .machine = machine.template as<Machine>(),
            .os_abi = ident[7],
            .abi_version = ident[8],
            .version = version,
            .flags = flags,
            .entry = entry,
            .program_header_offset = program_headers,
            .program_header_size = program_header_size,
            .program_header_count = program_header_count};
  }
};

template <ByteOrder order>
struct Stored<Segment, true, order> {
  Word<order> type;
  Word<order> flags;
  Address<true, order> offset, virtual_address, physical_address, file_size, memory_size, alignment;

  [[nodiscard]] Segment value() const {
    return {type.template as<SegmentType>(),
            flags,
            offset,
            virtual_address,
            file_size,
            memory_size,
            alignment};
  }
};

template <ByteOrder order>
struct Stored<Segment, false, order> {
  Word<order> type;
  Address<false, order> offset, virtual_address, physical_address, file_size, memory_size;
  Word<order> flags;
  Address<false, order> alignment;

  [[nodiscard]] Segment value() const {
    return {type.template as<SegmentType>(),
            flags,
            offset,
            virtual_address,
            file_size,
            memory_size,
            alignment};
  }
};

template <bool wide, ByteOrder order>
struct Stored<DynamicEntry, wide, order> {
  Address<wide, order> tag, content;

  [[nodiscard]] DynamicEntry value() const { return {tag.template as<Tag>(), content}; }
};

template <ByteOrder order>
struct Stored<SymbolRecord, true, order> {
  Word<order> name;
  std::uint8_t info, other;
  Half<order> section;
  Address<true, order> address, size;

  [[nodiscard]] SymbolRecord value() const { return {name, info, other, section, address, size}; }
};

template <ByteOrder order>
struct Stored<SymbolRecord, false, order> {
  Word<order> name;
  Address<false, order> address, size;
  std::uint8_t info, other;
  Half<order> section;

  [[nodiscard]] SymbolRecord value() const { return {name, info, other, section, address, size}; }
};

template <bool wide, ByteOrder order>
struct Stored<VersionNeedRecord, wide, order> {
  Half<order> version, count;
  Word<order> file, first, next;

  [[nodiscard]] VersionNeedRecord value() const { return {version, count, file, first, next}; }
};

template <bool wide, ByteOrder order>
struct Stored<NeededVersionRecord, wide, order> {
  Word<order> hash;
  Half<order> flags, index;
  Word<order> name, next;

  [[nodiscard]] NeededVersionRecord value() const { return {hash, flags, index, name, next}; }
};

template <bool wide, ByteOrder order>
struct Stored<VersionDefinitionRecord, wide, order> {
  Half<order> version, flags, index, count;
  Word<order> hash, first, next;

  [[nodiscard]] VersionDefinitionRecord value() const {
    return {version, flags, index, count, hash, first, next};
  }
};

template <bool wide, ByteOrder order>
struct Stored<VersionNameRecord, wide, order> {
  Word<order> name, next;

  [[nodiscard]] VersionNameRecord value() const { return {name, next}; }
};

template <bool wide, ByteOrder order>
struct Stored<NoteRecord, wide, order> {
  Word<order> name_size, description_size, type;

  [[nodiscard]] NoteRecord value() const { return {name_size, description_size, type}; }
};

template <bool wide, ByteOrder order>
struct Stored<GnuHashRecord, wide, order> {
  Word<order> bucket_count, first_symbol, bloom_size, bloom_shift;

  [[nodiscard]] GnuHashRecord value() const {
    return {bucket_count, first_symbol, bloom_size, bloom_shift};
  }
};

template <class Record, bool wide, ByteOrder order>
Record decode(Bytes bytes) {
  using Shape = Stored<Record, wide, order>;
  static_assert(alignof(Shape) == 1 && std::is_trivially_copyable_v<Shape>);
  Shape stored;
  std::memcpy(&stored, bytes.data(), sizeof stored);
  return stored.value();
}

}  // namespace

template <class Record>
std::uint64_t Layout::size() const {
  return is_wide_ ? sizeof(Stored<Record, true, ByteOrder::little>)
                  : sizeof(Stored<Record, false, ByteOrder::little>);
}

template <class Record>
std::optional<Record> Layout::read(Bytes bytes, std::uint64_t offset) const {
  const auto at = slice(bytes, offset, size<Record>());
  if (!at) return std::nullopt;
  if (order_ == ByteOrder::little) {
    return is_wide_ ? decode<Record, true, ByteOrder::little>(*at)
                    : decode<Record, false, ByteOrder::little>(*at);
  }
  return is_wide_ ? decode<Record, true, ByteOrder::big>(*at)
                  : decode<Record, false, ByteOrder::big>(*at);
}

std::optional<std::uint64_t> Layout::read_address(Bytes bytes, std::uint64_t offset) const {
  if (is_wide_) return read_integer<std::uint64_t>(bytes, offset, order_);
  return read_integer<std::uint32_t>(bytes, offset, order_);
}

template std::uint64_t Layout::size<Header>() const;
template std::optional<Header> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<Segment>() const;
template std::optional<Segment> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<DynamicEntry>() const;
template std::optional<DynamicEntry> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<SymbolRecord>() const;
template std::optional<SymbolRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<VersionNeedRecord>() const;
template std::optional<VersionNeedRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<NeededVersionRecord>() const;
template std::optional<NeededVersionRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<VersionDefinitionRecord>() const;
template std::optional<VersionDefinitionRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<VersionNameRecord>() const;
template std::optional<VersionNameRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<NoteRecord>() const;
template std::optional<NoteRecord> Layout::read(Bytes, std::uint64_t) const;
template std::uint64_t Layout::size<GnuHashRecord>() const;
template std::optional<GnuHashRecord> Layout::read(Bytes, std::uint64_t) const;

}  // namespace whyso::elf
