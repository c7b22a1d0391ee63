// SPDX-License-Identifier: Apache-2.0
#include "whyso/ldso/loader_strings.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::ldso {
namespace {

constexpr auto none = std::string_view::npos;
constexpr std::size_t shortest_directory = 5;  // "/lib/"; shorter matches are machine code

struct FeatureText {
  bool LoaderFeatures::* feature;
  std::string_view text;
};

constexpr std::array<FeatureText, 9> feature_texts = {{
    {&LoaderFeatures::has_glibc_hwcaps, "glibc-hwcaps"},
    {&LoaderFeatures::has_legacy_hwcaps, std::string_view("\0tls\0", 5)},
    {&LoaderFeatures::checks_isa_level, "CPU ISA level is lower than required"},
    {&LoaderFeatures::refuses_pie, "cannot dynamically load position-independent executable"},
    {&LoaderFeatures::checks_relr_marker, "DT_RELR without GLIBC_ABI_DT_RELR dependency"},
    {&LoaderFeatures::checks_segment_alignment, "ELF load command alignment not page-aligned"},
    {&LoaderFeatures::stops_at_linked_version, "with link time reference"},
    {&LoaderFeatures::has_execstack_tunable, "glibc.rtld.execstack"},
    {&LoaderFeatures::gives_reasons, "(no such file)"},
}};

bool is_text(char c) { return c >= ' ' && c <= '~'; }

// The NUL-terminated text of which the byte at `at` is one, without what is no text before it.
std::optional<std::string_view> text_around(std::string_view bytes, std::size_t at) {
  if (at == none) return std::nullopt;
  std::size_t start = at;
  while (start > 0 && is_text(bytes[start - 1])) --start;
  const std::size_t end = bytes.find('\0', at);
  if (end == none) return std::nullopt;
  return bytes.substr(start, end - start);
}

std::optional<std::string_view> directory_at(std::string_view bytes, std::size_t at) {
  std::size_t end = at;
  while (end < bytes.size() && is_text(bytes[end])) ++end;
  if (end == bytes.size() || bytes[end] != '\0' || end - at < shortest_directory)
    return std::nullopt;
  const std::string_view text = bytes.substr(at, end - at);
  if (text.front() != '/' || text.back() != '/') return std::nullopt;
  return text;
}

std::vector<std::string_view> default_directories(std::string_view bytes) {
  std::vector<std::string_view> directories;
  for (std::size_t at = bytes.find('/'); at != none; at = bytes.find('/', at + 1)) {
    if (at > 0 && is_text(bytes[at - 1])) continue;
    while (const auto directory = directory_at(bytes, at)) {
      directories.push_back(*directory);
      at += directory->size() + 1;
    }
    if (!directories.empty()) break;
  }
  return directories;
}

// "/lib/x86_64-linux-gnu/" gives "lib/x86_64-linux-gnu", "/usr/lib64/" gives "lib64": what follows
// the prefix that glibc was configured for.
std::optional<std::string_view> lib_token_of(std::string_view directory) {
  const std::size_t at = directory.rfind("/lib");
  if (at == none) return std::nullopt;
  return directory.substr(at + 1, directory.size() - at - 2);
}

// The banner ends in "release version 2.36." behind which another sentence may stand.
std::optional<LoaderVersion> version_in(std::string_view banner) {
  constexpr std::string_view before = "release version ";
  const std::size_t at = banner.find(before);
  if (at == none) return std::nullopt;
  const std::string_view rest = banner.substr(at + before.size());
  std::string_view number = rest.substr(0, rest.find_first_not_of("0123456789."));
  while (number.ends_with('.')) number.remove_suffix(1);
  return LoaderVersion::parse(number);
}

std::size_t find_banner(std::string_view bytes) {
  for (std::size_t at = bytes.find(" release version "); at != none;
       at = bytes.find(" release version ", at + 1)) {
    if (version_in(bytes.substr(at, 64))) return at;
  }
  return none;
}

std::optional<LoaderVersion> musl_version(std::string_view bytes) {
  // "musl libc (ARCH)\nVersion %s\n": the number is a text of its own, usually just before or
  // after.
  constexpr std::size_t distance = 4096;
  const std::size_t banner = bytes.find("musl libc (");
  if (banner == none) return std::nullopt;
  const std::size_t start = banner > distance ? banner - distance : 0;
  for (const std::string_view text : split(bytes.substr(start, 2 * distance), '\0')) {
    const auto version = LoaderVersion::parse(text);
    if (version && version->major == 1 && std::count(text.begin(), text.end(), '.') == 2) {
      return version;
    }
  }
  return std::nullopt;
}

void read_glibc(LoaderStrings& strings, std::string_view bytes) {
  strings.family = LoaderFamily::glibc;
  const std::size_t banner = find_banner(bytes);
  strings.banner = text_around(bytes, banner);
  if (strings.banner) strings.version = version_in(*strings.banner);
  strings.directories = default_directories(bytes);
  if (!strings.directories.empty()) strings.lib_token = lib_token_of(strings.directories.front());
  strings.cache_path = text_around(bytes, bytes.find("/ld.so.cache"));
  strings.preload_path = text_around(bytes, bytes.find("/ld.so.preload"));
  for (const FeatureText& each : feature_texts) {
    strings.features.*each.feature = bytes.find(each.text) != none;
  }
}

}  // namespace

LoaderStrings read_loader_strings(Bytes loader) {
  const std::string_view bytes = text_of(loader);
  LoaderStrings strings;
  if (const std::size_t at = bytes.find("musl libc ("); at != none) {
    strings.family = LoaderFamily::musl;
    strings.version = musl_version(bytes);
    return strings;
  }
  if (bytes.find("LD_LIBRARY_PATH") != none || bytes.find("/ld.so.cache") != none) {
    read_glibc(strings, bytes);
  }
  return strings;
}

std::optional<LoaderVersion> find_glibc_version(Bytes library) {
  const std::string_view bytes = text_of(library);
  const auto banner = text_around(bytes, find_banner(bytes));
  return banner ? version_in(*banner) : std::nullopt;
}

std::optional<LoaderVersion> LoaderVersion::parse(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  LoaderVersion version;
  constexpr std::array<std::uint32_t LoaderVersion::*, 3> places = {
      &LoaderVersion::major, &LoaderVersion::minor, &LoaderVersion::patch};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_decimal(parts[i]);
    if (!number || *number > 9999) return std::nullopt;
    version.*places[i] = static_cast<std::uint32_t>(*number);
  }
  return version;
}

std::string LoaderVersion::text() const {
  return patch == 0 ? fmt::format("{}.{}", major, minor)
                    : fmt::format("{}.{}.{}", major, minor, patch);
}

}  // namespace whyso::ldso
