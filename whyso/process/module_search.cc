// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/module_search.h"

#include <algorithm>
#include <utility>

#include "whyso/process/standard_modules.h"

namespace whyso::process {
namespace {

constexpr std::size_t longest_name = 1000;

FoundModule unknown(ErrorKind kind, std::string where, std::string what) {
  return {.kind = ModuleKind::unknown, .problem = Error{kind, std::move(where), std::move(what)}};
}

bool is_component(std::string_view text) {
  return !text.empty() && text != "." && text != ".." && !text.contains('/') &&
         !text.contains('\0');
}

FoundModule without_files(FoundModule package, std::vector<Path> portions) {
  package.kind = ModuleKind::namespace_package;
  package.is_package = true;
  package.portions = std::move(portions);
  return package;
}

}  // namespace

ModuleSearch::ModuleSearch(const tree::FileTree& tree, SearchPath path)
    : resolver_(tree), path_(std::move(path)) {
  for (const auto& suffix : path_.extension_suffixes) {
    suffixes_.push_back({suffix, ModuleKind::extension});
  }
  suffixes_.push_back({".py", ModuleKind::source});
  suffixes_.push_back({".pyc", ModuleKind::bytecode});
  missing_files_.insert(path_.missing_files.begin(), path_.missing_files.end());
}

const FoundModule& ModuleSearch::find(std::string_view name) {
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  FoundModule found = name.size() > longest_name
                          ? unknown(ErrorKind::unsupported, "", "a module's name is too long")
                          : search(name);
  return found_.emplace(std::string(name), std::move(found)).first->second;
}

bool ModuleSearch::is_folder(const Path& folder) {
  const tree::Walk walk = resolver_.resolve(folder.text());
  return walk.is_found() && walk.facts.kind == tree::FileKind::directory;
}

Lookup<tree::FileContent> ModuleSearch::read(const Path& file) {
  const tree::Walk walk = resolver_.resolve(file.text());
  if (!walk.is_found()) return Absent();
  return resolver_.tree().read(walk.real);
}

FoundModule ModuleSearch::search(std::string_view name) {
  const auto dot = name.rfind('.');
  const std::string_view tail = dot == std::string_view::npos ? name : name.substr(dot + 1);
  if (!is_component(tail)) return {};
  if (dot == std::string_view::npos) return search_top_level(name);
  return search_below(find(name.substr(0, dot)), name.substr(0, dot), tail);
}

FoundModule ModuleSearch::search_top_level(std::string_view name) {
  if (is_startup_module(name)) {
    return {.kind = ModuleKind::standard, .is_package = name == "encodings"};
  }
  FoundModule found = search_folders(path_.folders, name);
  const bool is_nowhere = found.kind == ModuleKind::absent || found.kind == ModuleKind::unknown;
  // Compiled in, or left out of this build: its files cannot tell.
  if (is_nowhere && is_standard_module(name, path_.version)) return {.kind = ModuleKind::standard};
  return found;
}

FoundModule ModuleSearch::search_below(const FoundModule& parent, std::string_view parent_name,
                                       std::string_view tail) {
  if (parent.kind == ModuleKind::standard) {
    FoundModule found = search_folders(parent.portions, tail);
    found.kind = ModuleKind::standard;
    return found;
  }
  if (parent.kind == ModuleKind::extension && !parent.is_package) {
    return unknown(ErrorKind::unsupported, parent.file->text(),
                   "native code may make modules below " + std::string(parent_name));
  }
  if (parent.kind == ModuleKind::unknown) return parent;
  return search_folders(parent.portions, tail);
}

FoundModule ModuleSearch::search_folders(const std::vector<Path>& folders, std::string_view tail) {
  FoundModule so_far;
  for (const auto& folder : folders) {
    if (auto found = search_folder(folder, tail, so_far)) {
      if (is_standard_folder(folder)) found->kind = ModuleKind::standard;
      return *std::move(found);
    }
  }
  if (so_far.problem) {
    so_far.kind = ModuleKind::unknown;
    return so_far;
  }
  auto missing = find_missing(folders, tail);
  if (so_far.portions.empty()) return missing ? *std::move(missing) : FoundModule();
  FoundModule package = without_files({}, std::move(so_far.portions));
  if (missing && missing->is_package) package.missing_init = missing->file;
  return package;
}

/// FileFinder.find_spec: a package before a module, extension modules before sources.
std::optional<FoundModule> ModuleSearch::search_folder(const Path& folder, std::string_view tail,
                                                       FoundModule& so_far) {
  if (const auto& problem = list(folder).problem; problem && !so_far.problem) {
    so_far.problem = problem;
  }
  const bool is_folder = kind_of(folder, tail) == tree::FileKind::directory;
  if (is_folder) {
    if (auto package = find_package(folder / tail)) return package;
  }
  for (const auto& suffix : suffixes_) {
    const std::string name = std::string(tail) + suffix.text;
    if (kind_of(folder, name) == tree::FileKind::regular) {
      return FoundModule{.kind = suffix.kind, .file = folder / name};
    }
  }
  if (is_folder) so_far.portions.push_back(folder / tail);
  return std::nullopt;
}

std::optional<FoundModule> ModuleSearch::find_package(const Path& folder) {
  if (const auto& problem = list(folder).problem) {
    return FoundModule{.kind = ModuleKind::unknown, .problem = problem};
  }
  for (const auto& suffix : suffixes_) {
    const std::string name = "__init__" + suffix.text;
    if (kind_of(folder, name) == tree::FileKind::regular) {
      return FoundModule{
          .kind = suffix.kind, .is_package = true, .file = folder / name, .portions = {folder}};
    }
  }
  return std::nullopt;
}

std::optional<FoundModule> ModuleSearch::find_missing(const std::vector<Path>& folders,
                                                      std::string_view tail) {
  if (missing_files_.empty()) return std::nullopt;
  for (const auto& folder : folders) {
    if (auto init = find_missing_file(folder / tail, "__init__")) {
      return FoundModule{.kind = ModuleKind::missing,
                         .is_package = true,
                         .file = std::move(init),
                         .portions = {folder / tail}};
    }
    if (auto file = find_missing_file(folder, tail)) {
      return FoundModule{.kind = ModuleKind::missing, .file = std::move(file)};
    }
  }
  return std::nullopt;
}

std::optional<Path> ModuleSearch::find_missing_file(const Path& folder,
                                                    std::string_view stem) const {
  for (const auto& suffix : suffixes_) {
    Path file = folder / (std::string(stem) + suffix.text);
    if (missing_files_.contains(file)) return file;
  }
  return std::nullopt;
}

const ModuleSearch::Folder& ModuleSearch::list(const Path& folder) {
  const auto known = folders_.find(folder);
  if (known != folders_.end()) return known->second;
  Folder listed;
  const tree::Walk walk = resolver_.resolve(folder.text());
  if (walk.is_found() && walk.facts.kind == tree::FileKind::directory) {
    auto entries = resolver_.tree().list(walk.real, tree::ListDetail::kinds);
    if (entries.is_unreadable()) listed.problem = entries.error();
    if (entries.is_present()) listed.entries = std::move(entries).value();
  } else if (walk.is_found()) {
    listed.problem = {ErrorKind::unsupported, folder.text(), "modules in an archive are not read"};
  } else if (walk.outcome == tree::WalkOutcome::not_permitted) {
    listed.problem = {ErrorKind::not_permitted, folder.text(), "Permission denied"};
  }
  return folders_.emplace(folder, std::move(listed)).first->second;
}

/// Of what the name leads to; nothing where it leads nowhere.
std::optional<tree::FileKind> ModuleSearch::kind_of(const Path& folder, std::string_view name) {
  const auto& entries = list(folder).entries;
  const auto entry = std::ranges::lower_bound(entries, name, {}, &tree::DirectoryEntry::name);
  if (entry == entries.end() || entry->name != name) return std::nullopt;
  if (entry->facts.kind != tree::FileKind::symbolic_link) return entry->facts.kind;
  const tree::Walk walk = resolver_.resolve((folder / name).text());
  if (!walk.is_found()) return std::nullopt;
  return walk.facts.kind;
}

bool ModuleSearch::is_standard_folder(const Path& folder) const {
  return std::ranges::find(path_.standard_folders, folder) != path_.standard_folders.end();
}

}  // namespace whyso::process
