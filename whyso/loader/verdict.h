// SPDX-License-Identifier: Apache-2.0
// The words of a search: its steps, what became of a candidate, and errors as the loader prints
// them. Searches for nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace whyso::loader {

/// Where a library was looked for, in the loader's order (_dl_map_object).
enum class Step : std::uint8_t {
  path_itself,      ///< the name holds a '/': opened without a search
  rpath,            ///< DT_RPATH of the requirer, of those who loaded it, and of the program
  ld_library_path,  ///< LD_LIBRARY_PATH or --library-path
  runpath,          ///< DT_RUNPATH of the requirer alone
  cache,            ///< /etc/ld.so.cache
  defaults,         ///< the directories that are built into ld.so
};

/// What became of one path.
enum class Verdict : std::uint8_t {
  taken,
  no_such_file,
  no_such_directory,
  not_a_directory,  ///< something on the way is a file
  permission_denied,
  loop,  ///< too many symbolic links
  name_too_long,
  failed,       ///< the system failed otherwise
  other_class,  ///< 32-bit where 64-bit is wanted, or the reverse
  other_machine,
  other_kernel,     ///< its ABI tag asks for another kernel: passed over up to glibc 2.35
  not_set_user_id,  ///< a preload of a set-user-ID program must have that bit itself
  refused,          ///< the loader stops with an error
};

/// "no such file", "other ELF class", ...: for people.
[[nodiscard]] std::string_view words_of(Verdict verdict);

/// Who prints an error: ld.so itself knows few errno texts, libc knows all.
enum class Speaker : std::uint8_t { program_start, dlopen };

/// What the loader was doing when it failed; the form of what it prints depends on it.
enum class Stage : std::uint8_t {
  mapping,    ///< searching, opening and mapping files
  versions,   ///< symbol versions
  cpu,        ///< the x86 level that files ask for
  symbols,    ///< relocation
  assertion,  ///< an assertion of the loader's own: the process ends, also in a dlopen
};

/// Why a load failed. The loader prints "OBJECT: WHAT: errno's text".
struct LoadError {
  std::string object;
  std::string what;
  int error_number = 0;      ///< 0: no errno text follows
  bool is_crash = false;     ///< the process dies of SIGBUS in a file that was cut short; no text
  bool is_overflow = false;  ///< with is_crash: it dies of SIGSEGV instead, its stack has run out
  Stage stage = Stage::mapping;
  /// What stands between the program's name and the object where a start fails in Stage::symbols.
  std::string occasion = "error while loading shared libraries";

  /// As dlerror() has it, or as it stands behind "PROGRAM: error while loading shared libraries: ".
  [[nodiscard]] std::string text(Speaker speaker) const;
  /// The process ends where this happens in a dlopen.
  [[nodiscard]] bool ends_process() const { return is_crash || stage == Stage::assertion; }
  bool operator==(const LoadError&) const = default;
};

/// strerror(3) of the C locale, or what ld.so has in its place before libc is loaded.
[[nodiscard]] std::string errno_text(int error_number, Speaker speaker);

}  // namespace whyso::loader
