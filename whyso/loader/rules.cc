// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"
#include "whyso/ldso/cache.h"
#include "whyso/loader/error_number.h"

namespace whyso::loader {

struct CacheView {
  Blob blob;
  ldso::Cache cache;
  std::int32_t flags = 0;
  std::uint64_t hwcap = 0;  ///< bits of the old kind that this CPU has
  std::uint32_t isa_level = 1;
  std::vector<std::string> best_first;  ///< names below glibc-hwcaps
  std::vector<std::string> names;       ///< those that entries refer to by index
};

namespace {

constexpr std::string_view hwcaps_prefix = "glibc-hwcaps/";

struct CacheFlags {
  elf::Machine machine;
  elf::ElfClass elf_class;
  std::int32_t flags;
};

constexpr std::array<CacheFlags, 10> cache_flags{{
    {elf::Machine::x86_64, elf::ElfClass::elf64, 0x303},
    {elf::Machine::x86_64, elf::ElfClass::elf32, 0x803},
    {elf::Machine::i386, elf::ElfClass::elf32, 0x3},
    {elf::Machine::aarch64, elf::ElfClass::elf64, 0xa03},
    {elf::Machine::arm, elf::ElfClass::elf32, 0x903},
    {elf::Machine::powerpc64, elf::ElfClass::elf64, 0x503},
    {elf::Machine::s390, elf::ElfClass::elf64, 0x403},
    {elf::Machine::riscv, elf::ElfClass::elf64, 0x1003},
    {elf::Machine::loongarch, elf::ElfClass::elf64, 0x1203},
    {elf::Machine::sparc64, elf::ElfClass::elf64, 0x103},
}};

/// glibc-hwcaps/ names that the CPU supports, the best first.
std::vector<std::string> level_names(const elf::Abi& abi, const Machine& machine) {
  std::vector<std::string> names;
  if (abi.machine != elf::Machine::x86_64) return names;
  for (int level = machine.isa_level; level >= 2; --level) {
    names.push_back("x86-64-v" + std::to_string(level));
  }
  return names;
}

/// AT_PLATFORM of a process. The machine's word is about x86-64, and may be about another machine
/// than the tree is for; a 32-bit program is told that the platform is i686.
std::string platform_of(const elf::Abi& abi, const Machine& machine) {
  const bool is_intel_name = machine.platform == "haswell" || machine.platform == "xeon_phi";
  switch (abi.machine) {
    case elf::Machine::x86_64:
      return machine.platform.empty() ? "x86_64" : machine.platform;
    case elf::Machine::i386:
      return is_intel_name ? machine.platform : "i686";
    case elf::Machine::aarch64:
      return "aarch64";
    default:
      return {};
  }
}

/// All combinations of "tls", the platform and the CPU's capabilities, as _dl_important_hwcaps
/// made them up to 2.36: counting down, the last name being the highest digit.
std::vector<std::string> legacy_names(const elf::Abi& abi, const Machine& machine) {
  std::vector<std::string> parts;
  if (abi.machine == elf::Machine::x86_64) parts.emplace_back("x86_64");
  if (abi.machine == elf::Machine::i386) parts.emplace_back("sse2");
  if (machine.has_avx512_1) parts.emplace_back("avx512_1");
  const std::string platform = platform_of(abi, machine);
  if (!platform.empty()) parts.push_back(platform);
  parts.emplace_back("tls");
  std::vector<std::string> names;
  for (std::size_t chosen = (std::size_t{1} << parts.size()) - 1; chosen > 0; --chosen) {
    std::string name;
    for (std::size_t part = parts.size(); part-- > 0;) {
      if ((chosen >> part & 1U) != 0) name += parts[part] + "/";
    }
    names.push_back(std::move(name));
  }
  return names;
}

/// Bits of <dl-procinfo.h> for x86: the capabilities, the platform, TLS.
std::uint64_t hwcap_bits(const Machine& machine) {
  constexpr std::uint64_t tls = 1ULL << 63U;
  std::uint64_t bits = tls | 3U;
  if (machine.has_avx512_1) bits |= 1U << 2U;
  if (machine.platform == "haswell") bits |= 1ULL << 50U;
  if (machine.platform == "xeon_phi") bits |= 1ULL << 51U;
  return bits;
}

/// Names below glibc-hwcaps/ that are searched, the best first.
std::vector<std::string> level_directories_of(const LoaderRules& rules) {
  std::vector<std::string> levels;
  for (const std::string& name : rules.subdirectories) {
    if (!name.starts_with(hwcaps_prefix)) continue;
    levels.push_back(name.substr(hwcaps_prefix.size(), name.size() - hwcaps_prefix.size() - 1));
  }
  return levels;
}

std::shared_ptr<const CacheView> read_cache(tree::Resolver& resolver, LoaderRules& rules,
                                            const Machine& machine) {
  const tree::Walk walk = resolver.resolve(rules.cache_path);
  rules.cache_error = error_number_of(walk.outcome);
  if (!walk.is_found()) return nullptr;
  const auto content = resolver.tree().read(walk.real);
  if (!content.is_present()) return nullptr;
  const Blob& blob = content.value().blob;
  const auto cache = ldso::Cache::parse(blob.bytes(), rules.cache_path, rules.abi.byte_order);
  if (!cache) return nullptr;
  CacheView view{.blob = blob,
                 .cache = *cache,
                 .flags = cache_flags_of(rules.abi),
                 .hwcap = hwcap_bits(machine),
                 .isa_level = static_cast<std::uint32_t>(machine.isa_level)};
  view.best_first = level_directories_of(rules);
  const auto names = cache->hwcaps_names();
  if (names) view.names.assign(names->begin(), names->end());
  return std::make_shared<const CacheView>(std::move(view));
}

/// How good a glibc-hwcaps entry is, 0 the best; nothing where the CPU cannot use it.
std::optional<std::size_t> rank_of(const ldso::CacheEntry& entry, const CacheView& view) {
  if (entry.isa_level() > view.isa_level || entry.hwcaps_index() >= view.names.size()) {
    return std::nullopt;
  }
  const auto at = std::ranges::find(view.best_first, view.names[entry.hwcaps_index()]);
  if (at == view.best_first.end()) return std::nullopt;
  return static_cast<std::size_t>(at - view.best_first.begin());
}

bool is_acceptable(const ldso::CacheEntry& entry, const CacheView& view, bool has_legacy) {
  return has_legacy ? (entry.hwcap & ~view.hwcap) == 0 : entry.hwcap == 0;
}

/// Before 2.33 only libc.so.6 says its version.
std::optional<ldso::LoaderVersion> version_of_libc(tree::Resolver& resolver,
                                                   const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    const tree::Walk walk = resolver.resolve(directory + "libc.so.6");
    if (!walk.is_found()) continue;
    const auto content = resolver.tree().read(walk.real);
    if (!content.is_present()) continue;
    if (const auto version = ldso::find_glibc_version(content.value().blob.bytes())) return version;
  }
  return std::nullopt;
}

void apply_strings(LoaderRules& rules, const ldso::LoaderStrings& strings,
                   tree::Resolver& resolver) {
  rules.default_directories.assign(strings.directories.begin(), strings.directories.end());
  if (strings.cache_path) rules.cache_path = *strings.cache_path;
  if (strings.preload_path) rules.preload_path = *strings.preload_path;
  if (strings.lib_token) rules.library_token = *strings.lib_token;
  const auto version =
      strings.version ? strings.version : version_of_libc(resolver, rules.default_directories);
  if (version) {
    rules.glibc = {static_cast<int>(version->major), static_cast<int>(version->minor)};
  }
}

Result<LoaderRules> rules_of(tree::Resolver& resolver, const elf::ElfImage& image,
                             const ldso::LoaderStrings& strings) {
  LoaderRules rules;
  rules.abi = elf::abi_of(image.header());
  if (rules.abi.machine == elf::Machine::i386) rules.vdso = "linux-gate.so.1";
  const auto dynamic = TRY(image.dynamic());
  if (dynamic && dynamic->soname) rules.soname = *dynamic->soname;
  apply_strings(rules, strings, resolver);
  return rules;
}

}  // namespace

std::int32_t cache_flags_of(const elf::Abi& abi) {
  for (const CacheFlags& known : cache_flags) {
    if (known.machine == abi.machine && known.elf_class == abi.elf_class) return known.flags;
  }
  return 0;
}

std::optional<GlibcVersion> find_release(std::string_view word) {
  constexpr std::string_view prefix = "glibc-2.";
  if (!word.starts_with(prefix)) return std::nullopt;
  const auto minor = parse_decimal(word.substr(prefix.size()));
  if (!minor || *minor < 17 || *minor > 42) return std::nullopt;
  return GlibcVersion{2, static_cast<int>(*minor)};
}

LoaderRules under_release(LoaderRules rules, GlibcVersion release, const Machine& machine) {
  rules.glibc = release;
  ldso::LoaderFeatures features;
  features.has_glibc_hwcaps = rules.is_at_least(33);
  features.has_legacy_hwcaps = !rules.is_at_least(37);
  rules.subdirectories = subdirectories_of(features, rules.abi, machine, {});
  rules.has_legacy_hwcaps = features.has_legacy_hwcaps;
  if (rules.cache) {
    CacheView view = *rules.cache;
    view.best_first = level_directories_of(rules);
    rules.cache = std::make_shared<const CacheView>(std::move(view));
  }
  return rules;
}

AssertionLines assertion_lines_of(GlibcVersion glibc) {
  // elf/dl-version.c and elf/dl-lookup.c of glibc 2.17 to 2.40; since 2.41 the second is gone.
  constexpr std::array<int, 24> lookup_lines{167, 166, 166, 127, 127, 127, 127, 127,
                                             127, 127, 110, 111, 111, 111, 111, 105,
                                             105, 105, 106, 107, 107, 107, 106, 106};
  AssertionLines lines;
  lines.version_provider = glibc.minor >= 35 ? 204 : glibc.minor >= 27 ? 205 : 224;
  const int index = glibc.minor - 17;
  if (index >= 0 && index < static_cast<int>(lookup_lines.size())) {
    lines.unversioned = lookup_lines.at(static_cast<std::size_t>(index));
  }
  return lines;
}

bool LoaderRules::assumes_executable_stack() const {
  return abi.machine != elf::Machine::aarch64 && abi.machine != elf::Machine::riscv &&
         abi.machine != elf::Machine::powerpc64 && abi.machine != elf::Machine::loongarch;
}

std::vector<std::string> subdirectories_of(const ldso::LoaderFeatures& features,
                                           const elf::Abi& abi, const Machine& machine,
                                           const HwcapsOptions& hwcaps) {
  std::vector<std::string> names;
  const auto add_level = [&](const std::string& name) {
    names.push_back(std::string(hwcaps_prefix) + name + "/");
  };
  if (features.has_glibc_hwcaps) {
    for (const std::string& name : hwcaps.prepend) add_level(name);
    for (const std::string& name : level_names(abi, machine)) {
      const bool is_allowed =
          !hwcaps.mask || std::ranges::find(*hwcaps.mask, name) != hwcaps.mask->end();
      if (is_allowed) add_level(name);
    }
  }
  if (features.has_legacy_hwcaps) {
    for (std::string& name : legacy_names(abi, machine)) names.push_back(std::move(name));
  }
  names.emplace_back();
  return names;
}

std::optional<std::string> LoaderRules::find_in_cache(std::string_view name) const {
  if (!cache) return std::nullopt;
  const auto entries = cache->cache.find(name);
  if (!entries) return std::nullopt;
  std::optional<std::size_t> best;
  std::string_view found;
  for (const ldso::CacheEntry& entry : *entries) {
    if (entry.flags != cache->flags && !(cache->flags == 3 && entry.flags == 1)) continue;
    if (entry.is_hwcaps_extension()) {
      const auto rank = rank_of(entry, *cache);
      if (!rank || (best && *best <= *rank)) continue;
      best = rank;
      found = entry.value;
    } else if (best || is_acceptable(entry, *cache, has_legacy_hwcaps)) {
      return std::string(best ? found : entry.value);
    }
  }
  return best ? std::optional<std::string>(found) : std::nullopt;
}

Lookup<LoaderRules> read_rules(tree::Resolver& resolver, std::string_view interpreter,
                               const Machine& machine, const HwcapsOptions& hwcaps) {
  const tree::Walk walk = resolver.resolve(interpreter);
  if (!walk.is_found()) return Absent();
  const auto content = resolver.tree().read(walk.real);
  if (content.is_absent()) return Absent();
  if (content.is_unreadable()) return content.error();
  const Blob& blob = content.value().blob;
  const auto image = elf::ElfImage::parse(blob, walk.real.text());
  if (!image) return image.error();
  const ldso::LoaderStrings strings = ldso::read_loader_strings(blob.bytes());
  if (strings.family != ldso::LoaderFamily::glibc) {
    const bool is_musl = strings.family == ldso::LoaderFamily::musl;
    return Error{ErrorKind::unsupported, walk.real.text(),
                 is_musl ? "the loader of musl is not modelled" : "not the loader of glibc"};
  }
  auto rules = rules_of(resolver, *image, strings);
  if (!rules) return rules.error();
  rules->interpreter = interpreter;
  rules->platform = platform_of(rules->abi, machine);
  rules->page_size = machine.page_size;
  rules->isa_level = machine.isa_level;
  // A text that the loader contains counts more than its version: distributions backport.
  rules->subdirectories = subdirectories_of(strings.features, rules->abi, machine, hwcaps);
  rules->has_legacy_hwcaps = strings.features.has_legacy_hwcaps;
  rules->cache = read_cache(resolver, *rules, machine);
  return *std::move(rules);
}

}  // namespace whyso::loader
