// SPDX-License-Identifier: Apache-2.0
// Names of files that Python can import, and for which Python an extension module was built. Knows
// nothing of folders or of what the files hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace whyso::python {

enum class Implementation : std::uint8_t { cpython, pypy, graalpy };

/// The Python that imports. Views live as long as what they were taken from.
struct PythonBuild {
  Implementation implementation = Implementation::cpython;
  unsigned major = 3;
  unsigned minor = 11;
  std::string_view abi_flags;  ///< "t" free-threaded, "d" debug, "m" up to 3.7; often empty
  std::string_view platform = "x86_64-linux-gnu";  ///< the multiarch triplet; musl ends in "-musl"
};

/// The file name suffixes that CPython takes for extension modules, in the order in which it tries
/// them (dynload_shlib.c): ".cpython-311-x86_64-linux-gnu.so", ".abi3.so", ".so". For PyPy and
/// GraalPy, whose full tag is not known here, only ".so".
[[nodiscard]] std::vector<std::string> extension_suffixes(const PythonBuild& build);

/// For whom an extension module says that it was built.
struct ExtensionTag {
  enum class Kind : std::uint8_t {
    plain,       ///< ".so": any Python tries it; it may also be an ordinary library
    stable_abi,  ///< ".abi3.so"
    tagged,      ///< one version of one implementation
  };

  Kind kind = Kind::plain;
  Implementation implementation = Implementation::cpython;  ///< only where tagged
  unsigned major = 0;                                       ///< only where tagged
  unsigned minor = 0;
  std::string_view abi_flags;
  std::string_view platform;  ///< "x86_64-linux-gnu", empty where the tag names none

  bool operator==(const ExtensionTag&) const = default;
};

/// A file name read as that of an extension module. Views of the file name.
struct ExtensionModuleName {
  std::string_view module;  ///< without the package: "_C"
  ExtensionTag tag;

  bool operator==(const ExtensionModuleName&) const = default;
};

/// Nothing where no Python can import it by its name: a module is an identifier followed by a
/// suffix ("libc10.so" is possible, "libc10.so.1" and "a.b.so" are not).
[[nodiscard]] std::optional<ExtensionModuleName> find_extension_module(std::string_view file_name);

/// Would `build` import it? A tagged one only if implementation, version, flags and, where named,
/// platform are its own.
[[nodiscard]] bool is_importable_by(const ExtensionTag& tag, const PythonBuild& build);

/// The machine of a platform triplet, in the spelling of `uname -m`: "x86_64" of
/// "x86_64-linux-gnu", "ppc64le" of "powerpc64le-linux-gnu". Empty for an empty triplet.
[[nodiscard]] std::string_view machine_of(std::string_view platform);

/// The module that "NAME.py" is; nothing for other names.
[[nodiscard]] std::optional<std::string_view> find_source_module(std::string_view file_name);

/// May it stand in an import statement? Letters, digits and '_', no digit first; every character
/// outside ASCII counts as a letter.
[[nodiscard]] bool is_identifier(std::string_view text);

}  // namespace whyso::python
