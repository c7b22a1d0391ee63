// SPDX-License-Identifier: Apache-2.0
// Tags of wheels: for which Python, ABI and platform one was built (PEP 425, 600, 656), and whether
// that fits a given interpreter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "whyso/python/module_name.h"

namespace whyso::python {

/// "cp311-cp311-manylinux_2_28_x86_64" or, compressed, "py2.py3-none-any", which stands for every
/// combination. Views of the text it was read from.
struct TagSet {
  std::vector<std::string_view> interpreters;
  std::vector<std::string_view> abis;
  std::vector<std::string_view> platforms;

  bool operator==(const TagSet&) const = default;
};

/// Nothing where `text` has not three parts or one of them is empty.
[[nodiscard]] std::optional<TagSet> find_tag_set(std::string_view text);

/// What one platform tag asks for. The view is of the tag.
struct PlatformTag {
  enum class Kind : std::uint8_t {
    any,
    linux,      ///< the machine it was built on: no promise about the C library
    manylinux,  ///< glibc of at least that version
    musllinux,  ///< musl of at least that version
    other,      ///< macOS, Windows, …
  };

  Kind kind = Kind::other;
  unsigned major = 0;  ///< of the C library; the legacy names manylinux1, 2010 and 2014 are 2.5,
  unsigned minor = 0;  ///< 2.12 and 2.17
  std::string_view machine;  ///< "x86_64"; empty for `any` and `other`

  bool operator==(const PlatformTag&) const = default;
};

[[nodiscard]] PlatformTag read_platform_tag(std::string_view tag);

enum class LibcKind : std::uint8_t { glibc, musl, unknown };

/// The interpreter that a wheel has to fit.
struct TagTarget {
  PythonBuild python;
  std::string_view machine;  ///< as of `uname -m`, but of the interpreter: "i686" for a 32-bit one
  LibcKind libc = LibcKind::unknown;  ///< unknown fits every C library
  unsigned libc_major = 0;
  unsigned libc_minor = 0;
};

[[nodiscard]] bool is_platform_compatible(const PlatformTag& tag, const TagTarget& target);

/// Do interpreter and ABI tag fit, as `packaging.tags` enumerates them?
[[nodiscard]] bool is_python_compatible(std::string_view interpreter, std::string_view abi,
                                        const TagTarget& target);

/// Does any combination fit?
[[nodiscard]] bool is_compatible(const TagSet& tags, const TagTarget& target);

}  // namespace whyso::python
