// SPDX-License-Identifier: Apache-2.0
// The symbols and relocations of one file, read where a process binds symbols and kept for all
// processes. Knows no process: where a reference leads is lookup.h's matter.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "whyso/base/table.h"
#include "whyso/elf/image.h"
#include "whyso/elf/relocations.h"
#include "whyso/elf/symbols.h"
#include "whyso/loader/files.h"

namespace whyso::loader {

/// A reference as its file makes it. Views live as long as the SymbolFile.
struct SymbolReference {
  elf::SymbolRecord record;
  std::string_view name;
  std::uint32_t hash = 0;                         ///< gnu_hash of the name
  const elf::NumberedVersion* version = nullptr;  ///< null: any version does

  [[nodiscard]] bool is_undefined() const { return record.section == elf::section_undefined; }
  [[nodiscard]] bool is_weak() const { return elf::binding_of(record) == elf::SymbolBinding::weak; }
  /// Local or hidden: the file's own, whatever others define.
  [[nodiscard]] bool is_own() const;
};

/// Over the bytes of one file, which it keeps alive. Damage in a table counts as "may hold
/// anything": nothing is concluded from what such a file lacks.
class SymbolFile {
 public:
  [[nodiscard]] static SymbolFile read(const tree::FileTree& tree, const ObjectFile& file);

  [[nodiscard]] const elf::SymbolTable& symbols() const { return symbols_; }
  [[nodiscard]] const elf::Relocations& relocations() const { return relocations_; }
  [[nodiscard]] const elf::RelocationKinds& kinds() const { return kinds_; }
  [[nodiscard]] const std::optional<Error>& damage() const { return damage_; }

  /// Malformed where the symbol or its name lies outside its table.
  [[nodiscard]] Result<SymbolReference> reference(std::uint32_t symbol) const;

  /// Behind a page that the file does not reach: touching that address is a SIGBUS.
  [[nodiscard]] bool is_missing(std::uint64_t address) const;
  /// Some page of it is missing.
  [[nodiscard]] bool is_torn() const { return !missing_.empty(); }

 private:
  struct AddressRange {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };

  explicit SymbolFile(elf::Machine machine) : kinds_(machine) {}
  [[nodiscard]] Result<void> read_tables(const elf::ElfImage& image);
  void find_missing_pages(const std::vector<elf::Segment>& segments, std::uint64_t file_size,
                          std::uint64_t page);

  Blob blob_;
  elf::SymbolTable symbols_;
  elf::Relocations relocations_;
  elf::RelocationKinds kinds_;
  std::optional<Error> damage_;
  std::vector<AddressRange> missing_;
};

/// An undefined symbol of one file.
struct UndefinedSymbol {
  std::uint32_t symbol = 0;
  std::uint32_t hash = 0;
};

/// The SymbolFiles of one world, each read once. Not to be shared between threads but in prepare().
class SymbolFiles {
 public:
  /// `files` must outlive it.
  explicit SymbolFiles(const Files& files) : files_(&files) {}

  [[nodiscard]] const SymbolFile& of(Id<KnownFile> file);
  /// Reads those that are not yet known on all cores.
  void prepare(std::span<const Id<KnownFile>> files);
  /// The undefined symbols of a file, but those of STB_LOCAL; empty where its table is damaged.
  [[nodiscard]] const std::vector<UndefinedSymbol>& undefined(Id<KnownFile> file);

 private:
  struct Entry {
    std::unique_ptr<const SymbolFile> file;
    std::optional<std::vector<UndefinedSymbol>> undefined;
  };

  Entry& entry(Id<KnownFile> file);

  const Files* files_;
  std::deque<Entry> entries_;  // by Id<KnownFile>
};

}  // namespace whyso::loader
