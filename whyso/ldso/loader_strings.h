// SPDX-License-Identifier: Apache-2.0
// What a dynamic loader's own bytes say of it: version, default directories, features. Reads texts
// only; which rules follow from them is decided by the loader model. Distributions backport, so a
// text that is there counts more than a version number.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/bytes.h"

namespace whyso::ldso {

enum class LoaderFamily : std::uint8_t { unknown, glibc, musl };

/// "2.36", or musl's "1.2.3".
struct LoaderVersion {
  std::uint32_t major = 0, minor = 0, patch = 0;

  /// "2.36" or "1.2.3"; nothing for other texts.
  [[nodiscard]] static std::optional<LoaderVersion> parse(std::string_view text);

  /// "2.36", or "1.2.3" where there is a patch level.
  [[nodiscard]] std::string text() const;

  auto operator<=>(const LoaderVersion&) const = default;
};

/// Texts and names that are in the loader or not.
struct LoaderFeatures {
  bool has_glibc_hwcaps = false;          ///< searches glibc-hwcaps (2.33)
  bool has_legacy_hwcaps = false;         ///< searches tls/, haswell/, x86_64/, ... (to 2.36)
  bool checks_isa_level = false;          ///< "CPU ISA level is lower than required" (2.33)
  bool refuses_pie = false;               ///< dlopen of a program is an error (2.30)
  bool checks_relr_marker = false;        ///< wants GLIBC_ABI_DT_RELR beside DT_RELR (2.36)
  bool checks_segment_alignment = false;  ///< "... load command alignment ..." (to 2.34)
  bool stops_at_linked_version = false;   ///< "... with link time reference" (to 2.29)
  bool has_execstack_tunable = false;     ///< glibc.rtld.execstack (2.42, backported)
  bool gives_reasons = false;             ///< LD_DEBUG=libs says why (2.43)
  bool operator==(const LoaderFeatures&) const = default;
};

/// Views live as long as the bytes of the loader.
struct LoaderStrings {
  LoaderFamily family = LoaderFamily::unknown;
  std::optional<LoaderVersion> version;        ///< glibc's own since 2.33; older: libc.so.6 has it
  std::optional<std::string_view> banner;      ///< the line that says it, "ld.so (Debian GLIBC ..."
  std::vector<std::string_view> directories;   ///< the default ones, each begins and ends with "/"
  std::optional<std::string_view> cache_path;  ///< usually "/etc/ld.so.cache"
  std::optional<std::string_view> preload_path;  ///< usually "/etc/ld.so.preload"
  std::optional<std::string_view> lib_token;     ///< the value of $LIB, from the first directory
  LoaderFeatures features;
};

/// `loader`: the whole file that PT_INTERP names. What is not found is absent in the answer; any
/// bytes have one. The directories are the first run of consecutive NUL-terminated texts that begin
/// and end with "/".
[[nodiscard]] LoaderStrings read_loader_strings(Bytes loader);

/// The version that the bytes of a glibc (its ld.so since 2.33, any libc.so.6) say of themselves:
/// the line with "release version". Nothing where there is none.
[[nodiscard]] std::optional<LoaderVersion> find_glibc_version(Bytes library);

}  // namespace whyso::ldso
