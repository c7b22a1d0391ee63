// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/python_version.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "whyso/base/text.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

std::string read_text(const tree::FileTree& tree, const std::string& path) {
  tree::Resolver resolver(tree);
  const tree::Walk walk = resolver.resolve(path);
  if (!walk.is_found()) return {};
  const auto content = tree.read(walk.real);
  return content.is_present() ? std::string(content.value().blob.text()) : std::string();
}

/// memmem is several times faster than string_view::find, and binaries have megabytes.
std::size_t find_bytes(std::string_view bytes, std::string_view pattern, std::size_t from) {
  if (from > bytes.size()) return std::string_view::npos;
  const void* at =
      ::memmem(bytes.data() + from, bytes.size() - from, pattern.data(), pattern.size());
  if (at == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(at) - bytes.data());
}

/// "7" or "0rc1+" of "3.11.7" or "3.14.0rc1+".
bool is_release_after(std::string_view version, std::size_t begin) {
  if (version.size() <= begin || !is_digit(version[begin])) return false;
  return std::ranges::all_of(version.substr(begin),
                             [](char c) { return is_alphanumeric(c) || c == '.' || c == '+'; });
}

/// A binary is looked at in place, since it has some megabytes.
std::optional<std::string> find_in_file(const tree::FileTree& tree, const std::string& path,
                                        std::string_view short_version) {
  tree::Resolver resolver(tree);
  const tree::Walk walk = resolver.resolve(path);
  if (!walk.is_found()) return std::nullopt;
  const auto content = tree.read(walk.real);
  if (!content.is_present()) return std::nullopt;
  return find_version_in_binary(content.value().blob.text(), short_version);
}

}  // namespace

std::optional<std::string> find_version_in_header(std::string_view text) {
  constexpr std::string_view macro = "#define PY_VERSION";
  for (std::string_view line : lines_of(text)) {
    if (!line.starts_with(macro)) continue;
    const auto first = line.find('"');
    const auto last = line.rfind('"');
    const bool is_macro = line.size() > macro.size() && !is_alphanumeric(line[macro.size()]) &&
                          line[macro.size()] != '_';
    if (!is_macro || first == std::string_view::npos || last == first) continue;
    return std::string(line.substr(first + 1, last - first - 1));
  }
  return std::nullopt;
}

std::optional<std::string> find_version_in_binary(std::string_view bytes,
                                                  std::string_view short_version) {
  constexpr std::size_t longest = 24;
  const std::string pattern = std::string(short_version) + '.';
  for (auto at = find_bytes(bytes, pattern, 0); at != std::string_view::npos;
       at = find_bytes(bytes, pattern, at + 1)) {
    const bool is_start = at > 0 && bytes[at - 1] == '\0';
    const std::string_view rest = bytes.substr(at, longest);
    const std::string_view found = rest.substr(0, rest.find('\0'));
    if (is_start && found.size() < rest.size() && is_release_after(found, pattern.size())) {
      return std::string(found);
    }
  }
  return std::nullopt;
}

FoundVersion find_version(const tree::FileTree& tree, const Path& base_prefix,
                          const LibraryName& library, const std::optional<Path>& executable) {
  const std::string base = base_prefix.is_root() ? "" : base_prefix.text();
  // Up to 3.7 the folder of the headers has an ABI flag behind its name.
  for (const char* flag : {"", "m"}) {
    const std::string headers = base + "/include/" + library.text + flag;
    const auto header = find_version_in_header(read_text(tree, headers + "/patchlevel.h"));
    if (header) return {*header, VersionSource::patchlevel_header};
  }
  const std::array<std::string, 3> binaries = {
      executable ? executable->text() : base + "/bin/" + library.text,
      base + "/lib/lib" + library.text + ".so.1.0",
      base + "/lib64/lib" + library.text + ".so.1.0",
  };
  for (const std::string& binary : binaries) {
    if (auto found = find_in_file(tree, binary, library.version)) {
      return {*std::move(found), VersionSource::binary};
    }
  }
  return {library.version, VersionSource::folder};
}

}  // namespace whyso::environment
