// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/active_python.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

using tree::FileKind;
using tree::Resolver;
using tree::Walk;

constexpr std::uint32_t any_execute_bit = 0111;

std::vector<Path> folders_of_path(const ProcessVariables& variables) {
  std::vector<Path> folders;
  if (!variables.path) return folders;
  for (std::string_view folder : split(*variables.path, ':')) {
    // An empty element means the working folder.
    const auto path = variables.working_folder.join(folder);
    if (path) folders.push_back(*path);
  }
  return folders;
}

bool is_program(Resolver& resolver, const Path& path) {
  const Walk walk = resolver.resolve(path.text());
  return walk.is_found() && walk.facts.kind == FileKind::regular &&
         (walk.facts.mode & any_execute_bit) != 0;
}

std::string read_text(Resolver& resolver, const Path& path) {
  const Walk walk = resolver.resolve(path.text());
  if (!walk.is_found()) return {};
  const auto content = resolver.tree().read(walk.real);
  return content.is_present() ? std::string(content.value().blob.text()) : std::string();
}

bool is_pyenv_shim(Resolver& resolver, const Path& path) {
  constexpr std::size_t longest_shim = 4096;
  const Walk walk = resolver.resolve(path.text());
  if (path.parent().name() != "shims" || !walk.is_found()) return false;
  if (walk.facts.size > longest_shim) return false;
  const std::string text = read_text(resolver, path);
  return text.starts_with("#!") && text.contains("pyenv");
}

/// PYENV_VERSION, the nearest .python-version above the working folder, the global version.
std::string chosen_versions(Resolver& resolver, const ProcessVariables& variables,
                            const Path& pyenv_root) {
  if (variables.pyenv_version && !variables.pyenv_version->empty()) {
    return replace_all(*variables.pyenv_version, ":", "\n");
  }
  for (Path at = variables.working_folder;; at = at.parent()) {
    std::string text = read_text(resolver, at / ".python-version");
    if (!trim(text).empty()) return text;
    if (at.is_root()) break;
  }
  return read_text(resolver, pyenv_root / "version");
}

/// "3.11" means the newest 3.11.x that is installed.
std::optional<Path> installed_version(Resolver& resolver, const Path& versions,
                                      std::string_view name) {
  const auto entries = resolver.tree().list(versions, tree::ListDetail::kinds);
  if (!entries.is_present()) return std::nullopt;
  std::optional<Path> newest;
  std::uint64_t newest_patch = 0;
  const std::string lead = std::string(name) + ".";
  for (const tree::DirectoryEntry& entry : entries.value()) {
    if (entry.name == name) return versions / entry.name;
    if (!entry.name.starts_with(lead)) continue;
    const auto patch = parse_decimal(std::string_view(entry.name).substr(lead.size()));
    if (!patch || (newest && *patch < newest_patch)) continue;
    newest = versions / entry.name;
    newest_patch = *patch;
  }
  return newest;
}

std::optional<Path> behind_shim(Resolver& resolver, const ProcessVariables& variables,
                                const Path& shim) {
  const Path root = shim.parent().parent();
  const std::string chosen = chosen_versions(resolver, variables, root);
  for (std::string_view line : lines_of(chosen)) {
    const std::string_view name = trim(line);
    if (name.empty() || name.starts_with('#') || name.contains('/')) continue;
    const auto version = installed_version(resolver, root / "versions", name);
    if (!version) continue;
    Path program = *version / "bin" / shim.name();
    if (is_program(resolver, program)) return program;
  }
  return std::nullopt;  // "system": the folders of PATH that follow
}

}  // namespace

std::optional<Path> find_on_path(const tree::FileTree& tree, const ProcessVariables& variables,
                                 std::string_view name) {
  Resolver resolver(tree);
  for (const Path& folder : folders_of_path(variables)) {
    if (is_program(resolver, folder / name)) return folder / name;
  }
  return std::nullopt;
}

std::optional<Path> find_python_on_path(const tree::FileTree& tree,
                                        const ProcessVariables& variables) {
  Resolver resolver(tree);
  for (std::string_view name : {"python3", "python"}) {
    for (const Path& folder : folders_of_path(variables)) {
      Path program = folder / name;
      if (!is_program(resolver, program)) continue;
      if (!is_pyenv_shim(resolver, program)) return program;
      if (const auto real = behind_shim(resolver, variables, program)) return real;
    }
  }
  return std::nullopt;
}

}  // namespace whyso::environment
