// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/recognize.h"

#include <algorithm>
#include <string>
#include <vector>

#include "whyso/base/text.h"
#include "whyso/environment/library_name.h"
#include "whyso/python/name.h"

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::FileKind;
using tree::LastLink;

std::vector<DirectoryEntry> entries_of(tree::Resolver& resolver, const Path& folder) {
  const tree::Walk walk = resolver.resolve(folder.text());
  if (!walk.is_found()) return {};
  auto entries = resolver.tree().list(walk.real, tree::ListDetail::kinds);
  return entries.is_present() ? std::move(entries).value() : std::vector<DirectoryEntry>();
}

bool exists(tree::Resolver& resolver, const Path& path) {
  return resolver.resolve(path.text(), LastLink::keep).is_found();
}

bool has_python(tree::Resolver& resolver, const Path& prefix) {
  return std::ranges::any_of(entries_of(resolver, prefix / "bin"), [](const DirectoryEntry& entry) {
    return is_python_name(entry.name) && entry.facts.kind != FileKind::directory;
  });
}

struct Libraries {
  bool any = false;
  bool with_packages = false;
};

Libraries libraries_of(tree::Resolver& resolver, const Path& prefix) {
  Libraries found;
  for (std::string_view folder : {"lib", "lib64"}) {
    for (const DirectoryEntry& entry : entries_of(resolver, prefix / folder)) {
      if (!find_library_name(entry.name) || entry.facts.kind == FileKind::regular) continue;
      found.any = true;
      found.with_packages =
          found.with_packages || exists(resolver, prefix / folder / entry.name / "site-packages");
    }
  }
  return found;
}

bool is_packages_name(std::string_view name) {
  return name == "site-packages" || name == "dist-packages";
}

bool holds_metadata(const std::vector<DirectoryEntry>& entries) {
  return std::ranges::any_of(entries, [](const DirectoryEntry& entry) {
    const auto name = python::find_metadata_folder_name(entry.name);
    return name && name->form == python::MetadataForm::dist_info;
  });
}

bool has_entry(const std::vector<DirectoryEntry>& entries, std::string_view name) {
  return std::ranges::any_of(entries,
                             [name](const DirectoryEntry& entry) { return entry.name == name; });
}

/// Does all below the prefix belong to it?
bool is_exclusive(tree::Resolver& resolver, const Path& prefix) {
  return exists(resolver, prefix / "pyvenv.cfg") || exists(resolver, prefix / "conda-meta");
}

bool is_own_part(std::string_view within) {
  return within.starts_with("lib/python") || within.starts_with("lib64/python") ||
         within.starts_with("lib/pypy") || within.starts_with("local/lib/python") ||
         within == "bin" || within.starts_with("bin/");
}

}  // namespace

bool is_python_name(std::string_view file_name) {
  std::string_view rest = file_name;
  if (rest.starts_with("python")) {
    rest.remove_prefix(6);
  } else if (rest.starts_with("pypy")) {
    rest.remove_prefix(4);
  } else {
    return false;
  }
  if (rest.ends_with('t')) rest.remove_suffix(1);
  return std::ranges::all_of(rest, [](char c) { return is_digit(c) || c == '.'; });
}

FolderKind recognize(tree::Resolver& resolver, const Path& folder) {
  const auto entries = entries_of(resolver, folder);
  if (has_entry(entries, "pyvenv.cfg") || has_entry(entries, "conda-meta")) {
    return FolderKind::environment;
  }
  const bool may_be_prefix = has_entry(entries, "lib") || has_entry(entries, "lib64");
  const Libraries libraries = may_be_prefix ? libraries_of(resolver, folder) : Libraries();
  if (libraries.any && has_python(resolver, folder)) return FolderKind::environment;
  if (libraries.with_packages) return FolderKind::prefix;
  const bool is_packages = is_packages_name(folder.name()) || holds_metadata(entries);
  return is_packages ? FolderKind::packages : FolderKind::other;
}

std::optional<EnvironmentPlace> find_enclosing(tree::Resolver& resolver, const Path& path) {
  std::optional<Path> packages;
  for (Path at = path; !at.is_root(); at = at.parent()) {
    const FolderKind kind = recognize(resolver, at);
    if (kind == FolderKind::packages && !packages) packages = at;
    const bool is_prefix = kind == FolderKind::environment;
    if (!is_prefix) continue;
    if (at == path || is_own_part(path.within(at)) || is_exclusive(resolver, at)) {
      return EnvironmentPlace{.prefix = at};
    }
  }
  if (!packages) return std::nullopt;
  return EnvironmentPlace{.prefix = *packages, .is_bare_folder = true};
}

}  // namespace whyso::environment
