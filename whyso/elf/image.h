// SPDX-License-Identifier: Apache-2.0
// One ELF file understood as far as it can be. Opens no file and knows no search rule; whether
// a loader would take the file is judged elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/blob.h"
#include "whyso/base/file_bytes.h"
#include "whyso/base/result.h"
#include "whyso/elf/dynamic.h"
#include "whyso/elf/header.h"
#include "whyso/elf/memory.h"
#include "whyso/elf/notes.h"
#include "whyso/elf/symbols.h"
#include "whyso/elf/versions.h"

namespace whyso::elf {

/// An ELF file of either class and byte order. Every table is read when asked for and is its own
/// Result, so damage in one does not hide the others. Views that are returned live as long as any
/// copy of the file's bytes. Asking twice reads twice: nothing is cached, copies may be used by any
/// thread where all bytes are at hand.
class ElfImage {
 public:
  /// Malformed where `blob` does not begin with an ELF magic or is too small for the header; all
  /// else is kept for the tables. `name` stands in errors, usually the path.
  [[nodiscard]] static Result<ElfImage> parse(Blob blob, std::string name = {});

  /// The same of a file that may be read in pieces: then a table that fails may be sound all the
  /// same, and must be read from the whole file; those that do not fail are right.
  [[nodiscard]] static Result<ElfImage> parse(FileBytes bytes, std::string name = {});

  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const std::string& name() const { return name_; }

  /// The program headers in the order of the file. Unsupported where the class or byte order is
  /// unknown; malformed where e_phentsize is wrong or they do not all lie inside the file.
  [[nodiscard]] Result<std::vector<Segment>> segments() const;

  /// The segments over the bytes, for what lies at an address.
  [[nodiscard]] Result<Memory> memory() const;

  /// How many bytes are missing at the end of the file for its longest PT_LOAD range; 0 where it is
  /// whole. The loader maps a file that is cut short and the process dies later of SIGBUS.
  [[nodiscard]] Result<std::uint64_t> missing_bytes() const;

  /// The text of PT_INTERP: the loader that the kernel starts; nothing where there is none.
  [[nodiscard]] Result<std::optional<std::string_view>> interpreter() const;

  /// The raw dynamic section up to DT_NULL; nothing where there is none (read_dynamic_entries).
  [[nodiscard]] Result<std::optional<DynamicEntries>> dynamic_entries() const;

  /// The dynamic section with its strings; nothing where there is none.
  [[nodiscard]] Result<std::optional<Dynamic>> dynamic() const;

  /// The dynamic symbols; empty where there are none.
  [[nodiscard]] Result<SymbolTable> symbols() const;

  /// Versions needed and defined; empty where there are none.
  [[nodiscard]] Result<std::vector<VersionNeed>> version_needs() const;
  [[nodiscard]] Result<std::vector<VersionDefinition>> version_definitions() const;

  /// Build id, ABI tag and GNU properties; empty where there are no notes.
  [[nodiscard]] Result<Notes> notes() const;

  [[nodiscard]] Result<GnuStack> gnu_stack() const;

 private:
  ElfImage(FileBytes bytes, std::string name, Header header)
      : bytes_(std::move(bytes)), name_(std::move(name)), header_(header) {}

  template <class T>
  [[nodiscard]] Result<T> named(Result<T> result) const;
  [[nodiscard]] Layout layout() const { return {header_.elf_class, header_.byte_order}; }

  [[nodiscard]] Result<DynamicTables> tables(const Memory& memory) const;

  FileBytes bytes_;
  std::string name_;
  Header header_;
};

/// Does it begin with "\x7f" "ELF"?
[[nodiscard]] bool has_elf_magic(Bytes bytes);

}  // namespace whyso::elf
