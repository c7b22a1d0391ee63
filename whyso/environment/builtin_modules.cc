// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/builtin_modules.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "whyso/base/text.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

/// Those four have no PyInit function (Modules/config.c.in).
constexpr std::array<std::string_view, 4> without_initialiser = {"_warnings", "builtins", "marshal",
                                                                 "sys"};

/// The identifier at `at` up to its NUL; nothing where it is none or no NUL follows.
std::optional<std::string_view> identifier_at(std::string_view bytes, std::size_t at) {
  std::size_t end = at;
  while (end < bytes.size() && (is_alphanumeric(bytes[end]) || bytes[end] == '_')) ++end;
  if (end == at || end == bytes.size() || bytes[end] != '\0') return std::nullopt;
  return bytes.substr(at, end - at);
}

}  // namespace

std::vector<std::string> initialisers_in(std::string_view bytes) {
  constexpr std::string_view pattern = "PyInit_";
  std::vector<std::string> names;
  std::size_t from = 0;
  while (const void* found =
             ::memmem(bytes.data() + from, bytes.size() - from, pattern.data(), pattern.size())) {
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    from = at + pattern.size();
    const auto name = identifier_at(bytes, from);
    if (name && at > 0 && bytes[at - 1] == '\0') names.emplace_back(*name);
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

Lookup<std::vector<std::string>> read_builtin_modules(const tree::FileTree& tree,
                                                      const Interpreter& interpreter) {
  if (!interpreter.library) return Absent();
  const Path& base = interpreter.base_prefix;
  const std::string shared = "lib" + interpreter.library->text + ".so.1.0";
  std::vector<Path> binaries;
  if (interpreter.real_executable) binaries.push_back(*interpreter.real_executable);
  binaries.push_back(base / "lib" / shared);
  binaries.push_back(base / "lib64" / shared);
  tree::Resolver resolver(tree);
  for (const Path& binary : binaries) {
    const tree::Walk walk = resolver.resolve(binary.text());
    if (!walk.is_found()) continue;
    const auto content = tree.read(walk.real);
    if (content.is_unreadable()) return content.error();
    if (!content.is_present()) continue;
    auto names = initialisers_in(content.value().blob.text());
    if (names.empty()) continue;
    names.insert(names.end(), without_initialiser.begin(), without_initialiser.end());
    std::ranges::sort(names);
    return names;
  }
  return Absent();
}

}  // namespace whyso::environment
