// SPDX-License-Identifier: Apache-2.0
// One reference looked up in one scope (_dl_lookup_symbol_x without its effects).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "whyso/loader/state.h"
#include "whyso/loader/symbol_file.h"

namespace whyso::loader {

/// Objects in the order in which they are searched, each once.
struct Scope {
  struct Entry {
    Id<Object> object;
    const SymbolFile* file = nullptr;
    bool is_program = false;
  };
  std::vector<Entry> entries;
};

/// What a reference is for (elf_machine_type_class): functions that are called may not be found in
/// an undefined entry with an address, and copies not in the program that they are made for.
enum class ReferenceClass : std::uint8_t { data, call, copy };

[[nodiscard]] ReferenceClass class_of(elf::RelocationKind kind);

/// What one file is asked for.
struct SymbolWanted {
  std::string_view name;
  std::uint32_t hash = 0;                         ///< gnu_hash of the name
  const elf::NumberedVersion* version = nullptr;  ///< null: any
  ReferenceClass reference = ReferenceClass::data;
  bool takes_newest = false;  ///< dlsym
  /// Up to glibc 2.29: the search ends at the library that was to define the version.
  std::optional<Id<Object>> provider;
};

enum class Found : std::uint8_t {
  nowhere,
  defined,
  not_in_provider,  ///< up to glibc 2.29 the library that was to define the version must have it
  unclear,          ///< a damaged table on the way: nothing can be said
};

/// Where a reference leads.
struct Lead {
  Found found = Found::nowhere;
  Definition at;
  elf::SymbolRecord record;
  const SymbolFile* file = nullptr;
  /// The version was not compared: its provider has none. An assertion fails up to glibc 2.40 if
  /// that is the library which was to define the version.
  bool is_unversioned = false;

  [[nodiscard]] bool is_unique() const {
    return found == Found::defined && elf::binding_of(record) == elf::SymbolBinding::gnu_unique;
  }
};

/// How lookups differ between loaders and processes.
struct LookupRules {
  bool prefers_exact_version = false;  ///< since glibc 2.42
  bool weak_is_weaker = false;         ///< LD_DYNAMIC_WEAK
};

[[nodiscard]] LookupRules lookup_rules_of(const Loader& loader);

[[nodiscard]] Lead look_up(const Scope& scope, const SymbolWanted& wanted,
                           const LookupRules& rules);

/// Up to glibc 2.29: the loaded object that bears the name of the library which was to define the
/// version; nothing where that release is another, or there is none.
[[nodiscard]] std::optional<Id<Object>> provider_of(const ProcessState& state,
                                                    const elf::NumberedVersion* version);

/// In which objects the symbols of one are looked for, in order, each once.
[[nodiscard]] std::vector<Id<Object>> scope_of(const ProcessState& state, Id<Object> object);

/// After a dlopen: what was there before and is needed by `root` is looked for there, too
/// (update_scopes).
void extend_scopes(ProcessState& state, Id<Object> root);

/// Those that are still mapped and have a file, with their symbols.
[[nodiscard]] Scope scope_over(const ProcessState& state, std::span<const Id<Object>> objects);

/// The root's own search list, as dlsym(3) on a handle searches it.
[[nodiscard]] Scope scope_of_handle(const ProcessState& state, Id<Object> root);

}  // namespace whyso::loader
