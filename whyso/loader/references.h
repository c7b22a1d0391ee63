// SPDX-License-Identifier: Apache-2.0
// The relocations of one object, each symbol looked up: plain bindings, and those that have effects
// or end the load. Changes nothing, so that several objects can be read at once.
#pragma once

#include <cstdint>
#include <vector>

#include "whyso/loader/lookup.h"

namespace whyso::loader {

/// What there is to be said of one relocation besides that its symbol is bound.
enum class NoteKind : std::uint8_t {
  undefined,        ///< nothing defines the symbol
  not_in_provider,  ///< see Found::not_in_provider
  unversioned,      ///< see Lead::is_unversioned
  unique,           ///< the first definition of that name in the process counts
  is_protected,     ///< the program refers to a symbol that its library protects
  indirect,         ///< an IFUNC of another object: its resolver is called
  copy,             ///< a variable is copied into the program
  static_tls,       ///< the TLS of the object where it is defined must be static
  tls_descriptor,
  bad_type,      ///< the loader does not take this relocation
  missing_page,  ///< the place to be filled in is cut off: the process dies
};

struct Note {
  NoteKind kind = NoteKind::undefined;
  BindingTime time = BindingTime::at_load;
  elf::RelocationKind relocation = elf::RelocationKind::unknown;
  std::uint32_t type = 0;
  std::uint32_t symbol = 0;  ///< of the object itself
  bool is_in_plt = false;
  Lead lead;
  std::uint32_t bound = 0;  ///< unique: index in ObjectReferences::bound
};

/// In the order in which the loader comes to them.
struct ObjectReferences {
  std::vector<Note> notes;
  std::vector<Id<Object>> bound_to;  ///< other objects that something was bound to, each once
  std::vector<Bound> bound;          ///< each symbol once; only where it is asked for
};

/// What to do with calls that need not be bound yet.
enum class Calls : std::uint8_t {
  bind,   ///< RTLD_NOW
  leave,  ///< RTLD_LAZY
  probe,  ///< they are looked up and noted as BindingTime::at_call
};

struct ReadingOptions {
  Calls calls = Calls::bind;
  bool keeps_bound = false;
  LookupRules lookup;
};

/// `file` is that of `object`. `scope` must hold it where the object is in its own scope.
[[nodiscard]] ObjectReferences read_references(const ProcessState& state, Id<Object> object,
                                               const SymbolFile& file, const Scope& scope,
                                               const ReadingOptions& options);

}  // namespace whyso::loader
