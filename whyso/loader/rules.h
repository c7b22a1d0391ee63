// SPDX-License-Identifier: Apache-2.0
// Which loader is modelled: all that differs between glibc versions, distributions and
// architectures. Does not know the process: see context.h.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/elf/abi.h"
#include "whyso/ldso/loader_strings.h"
#include "whyso/loader/machine.h"
#include "whyso/tree/resolve.h"

namespace whyso::loader {

struct GlibcVersion {
  int major = 2;
  int minor = 36;
  auto operator<=>(const GlibcVersion&) const = default;
};

/// What of /etc/ld.so.cache this loader and CPU accept, over the bytes of the file.
struct CacheView;

/// One ld.so with the files that it always reads.
struct LoaderRules {
  GlibcVersion glibc;
  elf::Abi abi;             ///< other files are passed over
  std::string interpreter;  ///< path of ld.so as PT_INTERP has it
  std::string soname;       ///< its DT_SONAME
  std::string vdso = "linux-vdso.so.1";
  std::vector<std::string> default_directories;  ///< in order, each with a final '/'
  std::string library_token;                     ///< $LIB
  std::string platform;                          ///< $PLATFORM
  /// Tried in this order below every directory; each but the last, which is empty, ends in '/'.
  std::vector<std::string> subdirectories;
  std::string cache_path = "/etc/ld.so.cache";
  std::string preload_path = "/etc/ld.so.preload";
  bool has_legacy_hwcaps = true;  ///< tls/, platform and capabilities: up to 2.36
  std::uint64_t page_size = 4096;
  int isa_level = 1;

  std::shared_ptr<const CacheView> cache;  ///< null where there is none, or none that it can use
  int cache_error = 0;                     ///< errno of open(2) where the cache cannot be opened

  /// The path that the cache gives for a name; absent also where there is no usable cache.
  [[nodiscard]] std::optional<std::string> find_in_cache(std::string_view name) const;

  /// Is a stack executable where PT_GNU_STACK is absent? (DEFAULT_STACK_PERMS)
  [[nodiscard]] bool assumes_executable_stack() const;

  [[nodiscard]] bool is_at_least(int minor) const { return glibc >= GlibcVersion{2, minor}; }
};

/// Names before, or a limit on, those of glibc-hwcaps/: ld.so's --glibc-hwcaps-prepend and -mask.
struct HwcapsOptions {
  std::vector<std::string> prepend;
  std::optional<std::vector<std::string>> mask;
};

/// The rules of the ld.so at `interpreter` in the tree, from its own strings where they tell.
/// Absent where there is no such file; unsupported where it is no glibc loader (musl, ...).
[[nodiscard]] Lookup<LoaderRules> read_rules(tree::Resolver& resolver, std::string_view interpreter,
                                             const Machine& machine,
                                             const HwcapsOptions& hwcaps = {});

/// The release of glibc that a word such as "glibc-2.31" names; nothing for another word, or where
/// the release is not one of those that are modelled (2.17 to 2.42).
[[nodiscard]] std::optional<GlibcVersion> find_release(std::string_view word);

/// The same files under another release of glibc: what follows from the release changes (which
/// subdirectories are searched, what is refused, the words of messages), what distributions decide
/// (default directories, $LIB) stays.
[[nodiscard]] LoaderRules under_release(LoaderRules rules, GlibcVersion release,
                                        const Machine& machine);

/// The lines of glibc's source that its failed assertions tell (each release has its own).
struct AssertionLines {
  int version_provider = 0;  ///< dl-version.c, _dl_check_map_versions
  int unversioned = 0;       ///< dl-lookup.c, check_match; 0 where there is no such assertion
};
[[nodiscard]] AssertionLines assertion_lines_of(GlibcVersion glibc);

/// Below which names of each directory a loader with these features looks (S14), in order; the last
/// one is empty.
[[nodiscard]] std::vector<std::string> subdirectories_of(const ldso::LoaderFeatures& features,
                                                         const elf::Abi& abi,
                                                         const Machine& machine,
                                                         const HwcapsOptions& hwcaps);

/// The flags of cache entries for an architecture, as <ldconfig.h> numbers them.
[[nodiscard]] std::int32_t cache_flags_of(const elf::Abi& abi);

}  // namespace whyso::loader
