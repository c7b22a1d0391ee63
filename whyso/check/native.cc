// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/native.h"

#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/elf/image.h"
#include "whyso/elf/symbols.h"
#include "whyso/python/module_name.h"

namespace whyso::check {
namespace {

using environment::Environment;
using environment::SiteDirectory;

bool is_version_tail(std::string_view tail) {
  return !tail.empty() && std::ranges::all_of(tail, [](char c) {
    return is_alphanumeric(c) || c == '.' || c == '_';
  });
}

/// The deepest folder of sys.path that holds `path`, or null.
const SiteDirectory* site_of(const Environment& environment, const Path& path) {
  const SiteDirectory* best = nullptr;
  for (const auto& site : environment.search_path.directories) {
    const bool holds = site.exists && !site.real.is_root() && path.is_within(site.real);
    if (!holds) continue;
    if (best == nullptr || site.real.text().size() > best->real.text().size()) best = &site;
  }
  return best;
}

/// "torch._C" for torch/_C.cpython-311-x86_64-linux-gnu.so; nothing where a component is no name.
std::optional<std::string> dotted_name(std::string_view folder_within_site,
                                       std::string_view module) {
  std::string name;
  for (const auto part : split(folder_within_site, '/')) {
    if (part.empty()) continue;
    if (!python::is_identifier(part)) return std::nullopt;
    name += std::string(part) + ".";
  }
  return name + std::string(module);
}

bool is_tag_of(const Environment& environment, std::string_view file_name,
               std::string_view module) {
  const std::string_view suffix = file_name.substr(module.size());
  const auto& suffixes = environment.interpreter.extension_suffixes;
  if (suffixes.empty()) return true;  // no Python is known that could refuse it
  return std::ranges::find(suffixes, suffix) != suffixes.end();
}

NativeObject with_role(const Environment& environment, NativeObject object) {
  const auto* site = site_of(environment, object.path);
  const auto module = python::find_extension_module(object.path.name());
  if (site == nullptr) {
    object.import_path = object.path.text();
    return object;
  }
  const std::string within(object.path.within(site->real));
  object.import_path = site->path.text() + "/" + within;
  if (!module) return object;
  const auto slash = within.rfind('/');
  const auto name = dotted_name(
      slash == std::string::npos ? std::string_view() : std::string_view(within).substr(0, slash),
      module->module);
  if (!name) return object;
  object.module = *name;
  if (site->kind == environment::SiteKind::lib_dynload) {
    object.role = Role::standard_module;
    return object;
  }
  object.role = is_tag_of(environment, object.path.name(), module->module) ? Role::extension_module
                                                                           : Role::foreign_module;
  return object;
}

/// A file called "name.so" is a module only if it has the function that Python calls in it.
bool has_init_function(const tree::FileTree& tree, const NativeObject& object) {
  const auto content = tree.read(object.path);
  if (!content.is_present()) return false;
  const auto image = elf::ElfImage::parse(content.value().blob, object.path.text());
  if (!image) return false;
  const auto memory = image->memory();
  const auto dynamic = image->dynamic();
  if (!memory || !dynamic || !*dynamic) return false;
  const auto symbols = elf::SymbolTable::read(*memory, (*dynamic)->tables, image->header().machine);
  if (!symbols) return false;
  const auto dot = object.module.rfind('.');
  const std::string name =
      "PyInit_" + (dot == std::string::npos ? object.module : object.module.substr(dot + 1));
  const auto found = symbols->find({.name = name});
  return found && *found;
}

bool needs_a_look(const NativeObject& object) {
  const auto module = python::find_extension_module(object.path.name());
  return object.role == Role::extension_module && module &&
         module->tag.kind == python::ExtensionTag::Kind::plain;
}

void add_natives_of(const Environment& environment, const Path& folder,
                    const std::vector<tree::DirectoryEntry>& entries,
                    Table<NativeObject>& natives) {
  for (const auto& entry : entries) {
    const bool is_candidate =
        entry.facts.kind == tree::FileKind::regular && is_library_name(entry.name);
    if (!is_candidate) continue;
    NativeObject object{.path = folder / entry.name, .facts = entry.facts};
    if (const auto* owned = environment.ownership.find(object.path)) {
      object.owners = environment.ownership.owners(*owned);
    }
    natives.add(with_role(environment, std::move(object)));
  }
}

Table<NativeObject> list_natives(const tree::FileTree& tree, const Environment& environment) {
  Table<NativeObject> natives;
  for (const auto& folder : environment.inventory.folders()) {
    add_natives_of(environment, folder.path, folder.entries, natives);
  }
  for (const auto& site : environment.search_path.directories) {
    const bool is_walked = environment.inventory.find_folder(site.real.text()) != nullptr;
    if (site.kind != environment::SiteKind::lib_dynload || is_walked) continue;
    const auto entries = tree.list(site.real, tree::ListDetail::kinds);
    if (entries.is_present()) add_natives_of(environment, site.real, entries.value(), natives);
  }
  std::ranges::sort(natives, {}, &NativeObject::path);
  return natives;
}

}  // namespace

bool is_library_name(std::string_view name) {
  if (!name.contains(".so")) return false;
  const auto at = name.rfind(".so");
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view tail = name.substr(at + 3);
  if (tail.empty()) return true;
  return tail[0] == '.' && tail.size() > 1 && is_digit(tail[1]) && is_version_tail(tail.substr(1));
}

std::string_view library_stem(std::string_view name) {
  const auto at = name.find(".so");
  return at == std::string_view::npos ? std::string_view() : name.substr(0, at);
}

Table<NativeObject> read_natives(const tree::FileTree& tree, const Environment& environment,
                                 loader::Files& files) {
  Table<NativeObject> natives = list_natives(tree, environment);
  std::vector<std::string> paths;
  for (const auto& object : natives) paths.push_back(object.import_path);
  files.prefetch(paths);
  for (auto& object : natives) {
    const auto& opening = files.opening(files.open(object.import_path));
    object.file = opening.file;
    object.verdict = opening.verdict;
    const bool is_plain_library = needs_a_look(object) &&
                                  opening.verdict == loader::Verdict::taken &&
                                  !has_init_function(tree, object);
    if (is_plain_library) object.role = Role::library;
  }
  return natives;
}

}  // namespace whyso::check
