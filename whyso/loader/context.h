// SPDX-License-Identifier: Apache-2.0
// The process side of a load: given, never read from our own process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace whyso::loader {

/// What a missing or refused library does to the walk.
enum class Failure : std::uint8_t {
  stop,   ///< as in life: the first one ends the start or the dlopen
  go_on,  ///< it is recorded and the walk goes on, so that all of them are known at once
};

/// How far a load goes into symbols. Process::unresolved() can be asked always.
enum class SymbolWork : std::uint8_t {
  none,     ///< files and versions alone
  missing,  ///< ends at a symbol that nothing defines, or at static TLS that does not fit; what is
            ///< bound to what is not followed: dlclose knows nothing of it
  all,      ///< every relocation in its order, with warnings
  record,   ///< the same, and every binding is kept
};

/// How the process was started and what its environment says. Text is as the user gave it.
struct ProcessContext {
  std::optional<std::string> library_path;   ///< LD_LIBRARY_PATH, or --library-path
  bool is_library_path_option = false;       ///< the latter: only its name in accounts differs
  std::string preload;                       ///< LD_PRELOAD
  std::string audit;                         ///< LD_AUDIT
  std::string preload_option;                ///< --preload
  std::string cwd = "/";                     ///< absolute
  std::string argv0;                         ///< empty: the program's path as it was typed
  bool is_secure = false;                    ///< AT_SECURE: a set-user-ID program
  bool has_proc = true;                      ///< /proc is mounted: the program knows its own path
  bool is_started_by_loader = false;         ///< "ld.so PROGRAM" instead of PROGRAM
  bool is_verified_only = false;             ///< "ld.so --verify PROGRAM" maps nothing else
  bool is_listed_only = false;               ///< "ld.so --list PROGRAM", as ldd does: binds nothing
  bool inhibit_cache = false;                ///< --inhibit-cache
  std::optional<std::string> inhibit_rpath;  ///< --inhibit-rpath LIST
  Failure failure = Failure::stop;
  bool bind_now = false;        ///< LD_BIND_NOW is set and not empty
  bool weak_is_weaker = false;  ///< LD_DYNAMIC_WEAK: a weak definition is a last resort
  std::string tunables;         ///< GLIBC_TUNABLES
  SymbolWork symbols = SymbolWork::none;
};

}  // namespace whyso::loader
