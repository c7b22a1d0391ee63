// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/symbol_file.h"

#include <algorithm>
#include <tuple>

#include "whyso/base/parallel.h"

namespace whyso::loader {

bool SymbolReference::is_own() const {
  const auto visibility = elf::visibility_of(record);
  return elf::binding_of(record) == elf::SymbolBinding::local ||
         visibility == elf::SymbolVisibility::hidden ||
         visibility == elf::SymbolVisibility::internal;
}

Result<void> SymbolFile::read_tables(const elf::ElfImage& image) {
  const elf::Memory memory = TRY(image.memory());
  find_missing_pages(memory.segments(), image.header().file_size, 4096);
  const auto entries = TRY(elf::read_dynamic_entries(memory));
  if (!entries) return {};
  const elf::DynamicTables tables = elf::tables_of(*entries);
  symbols_ = TRY(elf::SymbolTable::read(memory, tables, image.header().machine));
  relocations_ = TRY(elf::Relocations::read(memory, tables, image.header().machine));
  if (symbols_.version_damage()) return std::unexpected(*symbols_.version_damage());
  return {};
}

void SymbolFile::find_missing_pages(const std::vector<elf::Segment>& segments,
                                    std::uint64_t file_size, std::uint64_t page) {
  const std::uint64_t backed = (file_size + page - 1) / page * page;
  for (const elf::Segment& segment : segments) {
    const auto end = checked_add(segment.offset, segment.file_size);
    if (segment.type != elf::SegmentType::load || !end || *end <= backed) continue;
    const std::uint64_t kept = backed > segment.offset ? backed - segment.offset : 0;
    missing_.push_back(
        {segment.virtual_address + kept, segment.virtual_address + segment.file_size});
  }
}

SymbolFile SymbolFile::read(const tree::FileTree& tree, const ObjectFile& file) {
  const auto content = tree.read(file.real);
  const Blob blob = content.is_present() ? content.value().blob : Blob();
  const auto image = elf::ElfImage::parse(blob, file.real.text());
  SymbolFile read(image ? image->header().machine : elf::Machine::none);
  read.blob_ = blob;
  auto outcome = image ? read.read_tables(*image) : Result<void>(std::unexpected(image.error()));
  if (!outcome) read.damage_ = std::move(outcome).error();
  return read;
}

Result<SymbolReference> SymbolFile::reference(std::uint32_t symbol) const {
  SymbolReference reference{.record = TRY(symbols_.record(symbol)), .name = {}};
  std::tie(reference.name, reference.hash) = TRY(symbols_.hashed_name_of(reference.record));
  const elf::SymbolVersions& versions = symbols_.versions();
  if (!versions.has_any()) return reference;
  const auto* version = versions.find(TRY(versions.number_of(symbol)));
  if (version != nullptr && version->hash != 0) reference.version = version;
  return reference;
}

bool SymbolFile::is_missing(std::uint64_t address) const {
  return std::ranges::any_of(missing_, [address](const AddressRange& range) {
    return address >= range.from && address < range.to;
  });
}

SymbolFiles::Entry& SymbolFiles::entry(Id<KnownFile> file) {
  if (file.index >= entries_.size()) entries_.resize(std::size_t{file.index} + 1);
  return entries_[file.index];
}

const SymbolFile& SymbolFiles::of(Id<KnownFile> file) {
  Entry& known = entry(file);
  if (!known.file) {
    known.file = std::make_unique<const SymbolFile>(
        SymbolFile::read(files_->tree(), files_->file(file).object));
  }
  return *known.file;
}

void SymbolFiles::prepare(std::span<const Id<KnownFile>> files) {
  std::vector<Id<KnownFile>> unknown;
  for (const Id<KnownFile> file : files) {
    if (!entry(file).file && std::ranges::find(unknown, file) == unknown.end()) {
      unknown.push_back(file);
    }
  }
  for_each_index(unknown.size(), [&](std::size_t i) {
    entries_[unknown[i].index].file = std::make_unique<const SymbolFile>(
        SymbolFile::read(files_->tree(), files_->file(unknown[i]).object));
  });
}

const std::vector<UndefinedSymbol>& SymbolFiles::undefined(Id<KnownFile> file) {
  const SymbolFile& read = of(file);
  Entry& known = entry(file);
  if (known.undefined) return *known.undefined;
  known.undefined.emplace();
  const auto count = read.symbols().count();
  if (!count) return *known.undefined;
  for (std::uint32_t symbol = 1; symbol < *count; ++symbol) {
    const auto record = read.symbols().record(symbol);
    if (!record || record->section != elf::section_undefined) continue;
    if (elf::binding_of(*record) == elf::SymbolBinding::local) continue;
    const auto name = read.symbols().hashed_name_of(*record);
    if (name) known.undefined->push_back({symbol, name->second});
  }
  return *known.undefined;
}

}  // namespace whyso::loader
