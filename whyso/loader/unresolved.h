// SPDX-License-Identifier: Apache-2.0
// Symbols as the outside asks for them: what a process binds to what, and what it cannot bind.
//
// How to ask (a rule about undefined symbols): start a Process, or copy one that was started, open
// the module under Failure::go_on; where nothing failed to be found, `process.unresolved(
// outcome.mapped)` tells every reference that nothing defines: those that `stops_load()` make the
// dlopen fail, with `error_text()` as what Python says; those with `Binding::at_call` end the
// process when the function is first called; those that are weak are left 0 and need not exist. The
// names and versions are the file's own; `process.scope_of(object)` is where they were looked for,
// in order. Nothing is bound for that: it costs one filter test a symbol and object of the scope.
#pragma once

#include <cstdint>
#include <string>

#include "whyso/base/table.h"
#include "whyso/elf/relocations.h"
#include "whyso/loader/object.h"

namespace whyso::loader {

/// When a reference is looked up.
enum class BindingTime : std::uint8_t {
  at_load,  ///< data always; calls under RTLD_NOW, LD_BIND_NOW or a file's own BIND_NOW
  at_call,  ///< a function, when it is first called
};

/// A symbol that one object refers to and that nothing in its scope defines.
struct Unresolved {
  Id<Object> object;         ///< who refers to it
  std::string symbol;        ///< as it stands in the file
  std::string version;       ///< empty where none is asked for
  std::string version_file;  ///< the library that was to define it when the object was linked
  elf::RelocationKind kind =
      elf::RelocationKind::unknown;  ///< of the first relocation that needs it
  BindingTime time = BindingTime::at_load;
  bool is_weak = false;

  [[nodiscard]] bool stops_load() const { return !is_weak && time == BindingTime::at_load; }
  /// "undefined symbol: S" or "undefined symbol: S, version V": what follows the object's path.
  [[nodiscard]] std::string error_text() const {
    return "undefined symbol: " + symbol + (version.empty() ? "" : ", version " + version);
  }
};

/// One reference and what it was bound to.
struct Bound {
  Id<Object> from;
  Id<Object> to;
  std::uint32_t symbol = 0;   ///< index in the symbols of `from`
  bool is_protected = false;  ///< bound to itself since the symbol is protected there
};

}  // namespace whyso::loader
