// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/module_hints.h"

#include <algorithm>
#include <set>

#include "whyso/base/text.h"
#include "whyso/process/native_text.h"
#include "whyso/process/source_words.h"
#include "whyso/python/module_name.h"

namespace whyso::process {
namespace {

constexpr std::size_t longest_component = 48;
constexpr std::size_t shortest_sibling = 4;
constexpr std::size_t most_names = 2000;  // of one file

bool is_name_character(char c) { return is_alphanumeric(c) || c == '_'; }

std::string_view name_at_start(std::string_view text) {
  const auto* const end = std::ranges::find_if_not(text, is_name_character);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

void add(std::vector<std::string>& names, std::string name) {
  if (names.size() < most_names && std::ranges::find(names, name) == names.end()) {
    names.push_back(std::move(name));
  }
}

/// "numpy" of "numpy/", "numpy.py" or "numpy.abi3.so"; empty for other files.
std::string_view module_of_entry(const tree::DirectoryEntry& entry) {
  if (entry.facts.kind == tree::FileKind::directory) return entry.name;
  if (const auto source = python::find_source_module(entry.name)) return *source;
  const auto extension = python::find_extension_module(entry.name);
  return extension ? extension->module : std::string_view();
}

std::string_view parent_of(std::string_view name) {
  const auto dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

/// The alias of "import MODULE as ALIAS" somewhere in the text; the module itself without one.
std::string_view alias_of(std::string_view text, std::string_view module) {
  const std::string lead = "import " + std::string(module) + " as ";
  const auto at = find_part(text, lead);
  return at == std::string_view::npos ? module : name_at_start(text.substr(at + lead.size()));
}

/// "libx" of "libx.so.1"
std::string_view stem_of(std::string_view file) { return file.substr(0, file.find(".so")); }

/// Files that are called like libraries and not like modules of a certain Python.
std::vector<Path> plain_libraries(ModuleSearch& search, const std::set<Path>& folders) {
  std::vector<Path> libraries;
  for (const auto& folder : folders) {
    for (const auto& entry : search.entries_of(folder)) {
      const auto at = entry.name.find(".so");
      const bool is_library = at != std::string::npos && at > 0 &&
                              (at + 3 == entry.name.size() || entry.name[at + 3] == '.');
      const bool is_tagged = entry.name.contains(".cpython-") || entry.name.contains(".abi3.");
      if (is_library && !is_tagged) libraries.push_back(folder / entry.name);
    }
  }
  return libraries;
}

/// "stem", 'lib/stem.so', ...
bool names_in_quotes(std::string_view text, std::string_view stem) {
  for (auto at = find_part(text, stem); at != std::string_view::npos;
       at = find_part(text, stem, at + 1)) {
    const std::string_view after = text.substr(at + stem.size(), 3);
    const bool begins = at > 0 && std::string_view("'\"/").contains(text[at - 1]);
    const bool ends = after.starts_with('\'') || after.starts_with('"') || after == ".so";
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

const std::vector<ModuleHint>& ModuleHints::of(Id<ImportGraph::Node> module) {
  const auto known = known_.find(module);
  if (known != known_.end()) return known->second;
  return known_.emplace(module, find(module)).first->second;
}

std::vector<ModuleHint> ModuleHints::find(Id<ImportGraph::Node> module) {
  const FoundModule& found = graph_.found(module);
  const std::string name = graph_.name_of(module);
  const bool is_native = found.kind == ModuleKind::extension;
  std::vector<std::string> names;
  if (is_native) names = of_native(name, *found.file);
  if (found.kind == ModuleKind::source) names = of_source(module);
  std::string twice = name + ".";
  twice += name;
  std::vector<ModuleHint> hints;
  for (auto& each : names) {
    const bool is_kin =
        parent_of(each).empty() || parent_of(each) == parent_of(name) || each == twice;
    const bool is_strong = is_kin && graph_.search().find(each).kind == ModuleKind::extension;
    hints.push_back({std::move(each), is_strong});
  }
  return hints;
}

std::vector<std::string> ModuleHints::of_native(std::string_view name, const Path& file) {
  std::vector<std::string> names;
  const auto content = graph_.search().read(file);
  if (!content.is_present()) return names;
  for_each_native_text(content.value().blob, [&](std::string_view text) {
    add_names(text, names);
    add_siblings(parent_of(name), text, names);
    add_top_level_modules(text, names);
  });
  std::erase(names, name);
  return names;
}

/// "numpy.random" in "…numpy.random.mtrandpandas…": strings may stand without separators.
void ModuleHints::add_names(std::string_view text, std::vector<std::string>& names) {
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    std::size_t begin = dot;
    while (begin > 0 && dot - begin < longest_component && is_name_character(text[begin - 1])) {
      --begin;
    }
    for (; begin < dot; ++begin) {
      const std::string_view top_level = text.substr(begin, dot - begin);
      if (!is_top_level(top_level)) continue;
      std::string found = longest_module(top_level, text.substr(dot));
      if (!found.empty()) add(names, std::move(found));
      break;
    }
  }
}

/// `rest` begins with the dot behind `top_level`; empty where no module of it follows.
std::string ModuleHints::longest_module(std::string_view top_level, std::string_view rest) {
  std::string name(top_level);
  while (rest.starts_with('.')) {
    std::string_view best;
    for (const auto& child : children(name)) {
      if (child.size() > best.size() && rest.substr(1).starts_with(child)) best = child;
    }
    if (best.empty()) break;
    rest.remove_prefix(best.size() + 1);
    name += "." + std::string(best);
  }
  return name.size() == top_level.size() ? std::string() : name;
}

/// `from . import x` leaves only the name "x" in a file.
void ModuleHints::add_siblings(std::string_view package, std::string_view text,
                               std::vector<std::string>& names) {
  if (package.empty()) return;
  for (const auto& child : children(package)) {
    if (child.size() < shortest_sibling) continue;
    std::string name = std::string(package) + "." + child;
    const bool is_native = graph_.search().find(name).kind == ModuleKind::extension;
    if (is_native && find_part(text, child) != std::string_view::npos) add(names, std::move(name));
  }
}

/// "_cffi_backend"
void ModuleHints::add_top_level_modules(std::string_view text, std::vector<std::string>& names) {
  list_top_level();
  for (const auto& name : native_modules_) {
    if (find_part(text, name) != std::string_view::npos) add(names, name);
  }
}

std::vector<std::string> ModuleHints::of_source(Id<ImportGraph::Node> module) {
  std::vector<std::string> names;
  const FoundModule& found = graph_.found(module);
  const std::string& name = graph_.name_of(module);
  const std::string package(found.is_package ? std::string_view(name) : parent_of(name));
  std::vector<std::string> lazy;
  for (const auto& statement : graph_.code_of(module).imports) {
    if (is_lazy(statement.module)) add(lazy, statement.module);
  }
  const auto content = graph_.search().read(*found.file);
  if (!content.is_present()) return names;
  const std::string_view text = content.value().blob.text();
  add_literals(text, package, names);
  // A package that makes its folder a folder of sys.path, to import a module of its own name.
  const std::string own = name + "." + name;
  const bool is_bootstrap = found.is_package && find_tricks(text).changes_path;
  if (is_bootstrap && graph_.search().find(own).kind == ModuleKind::extension) add(names, own);
  for (const auto& each : lazy) add_attributes(text, each, names);
  return names;
}

/// import_module("a.b"), __import__("a.b"), import_module(".b", …)
void ModuleHints::add_literals(std::string_view text, std::string_view package,
                               std::vector<std::string>& names) {
  for (const std::string_view call : {"import_module(", "__import__("}) {
    for (auto at = find_part(text, call); at != std::string_view::npos;
         at = find_part(text, call, at + 1)) {
      const std::string_view rest = trim(text.substr(at + call.size(), 200));
      if (!rest.starts_with('"') && !rest.starts_with('\'')) continue;
      const auto end = rest.find(rest[0], 1);
      if (end == std::string_view::npos) continue;
      std::string name(rest.substr(1, end - 1));
      if (name.starts_with('.')) name.insert(0, package);
      if (graph_.search().find(name).has_code()) add(names, std::move(name));
    }
  }
}

/// "np.random" of a package whose attributes may be modules that are imported on demand.
void ModuleHints::add_attributes(std::string_view text, std::string_view package,
                                 std::vector<std::string>& names) {
  const std::string lead = std::string(alias_of(text, package)) + ".";
  for (auto at = find_part(text, lead); at != std::string_view::npos;
       at = find_part(text, lead, at + 1)) {
    if (at > 0 && (is_name_character(text[at - 1]) || text[at - 1] == '.')) continue;
    const std::string_view attribute = name_at_start(text.substr(at + lead.size(), 100));
    if (std::ranges::find(children(package), attribute) == children(package).end()) continue;
    add(names, std::string(package) + "." + std::string(attribute));
  }
}

const std::vector<std::string>& ModuleHints::children(std::string_view package) {
  const auto known = children_.find(package);
  if (known != children_.end()) return known->second;
  std::vector<std::string> names;
  const FoundModule& found = graph_.search().find(package);
  const bool is_standard = found.kind == ModuleKind::standard;
  for (const auto& folder : is_standard ? std::vector<Path>() : found.portions) {
    for (const auto& entry : graph_.search().entries_of(folder)) {
      const std::string_view name = module_of_entry(entry);
      if (python::is_identifier(name) && name != "__init__") names.emplace_back(name);
    }
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return children_.emplace(std::string(package), std::move(names)).first->second;
}

void ModuleHints::list_top_level() {
  if (!top_levels_.empty()) return;
  top_levels_.emplace("", true);
  const SearchPath& path = graph_.search().path();
  for (const auto& folder : path.folders) {
    const bool is_standard =
        std::ranges::find(path.standard_folders, folder) != path.standard_folders.end();
    if (is_standard) continue;
    for (const auto& entry : graph_.search().entries_of(folder)) {
      const bool is_package = entry.facts.kind != tree::FileKind::regular;
      if (is_package && entry.name.size() > 1) top_levels_.emplace(entry.name, true);
      const auto module = python::find_extension_module(entry.name);
      if (!is_package && module && module->module.size() > shortest_sibling) {
        native_modules_.emplace_back(module->module);
      }
    }
  }
}

/// A package of the environment, not of Python itself.
bool ModuleHints::is_top_level(std::string_view name) {
  list_top_level();
  return top_levels_.contains(name);
}

bool ModuleHints::is_lazy(std::string_view package) {
  const auto known = lazy_.find(package);
  if (known != lazy_.end()) return known->second;
  bool is_lazy = false;
  const FoundModule& found = graph_.search().find(package);
  if (found.kind == ModuleKind::source && found.is_package) {
    const auto content = graph_.search().read(*found.file);
    is_lazy = content.is_present() &&
              find_own_attributes(content.value().blob.text()) < content.value().blob.text().size();
  }
  lazy_.emplace(std::string(package), is_lazy);
  return is_lazy;
}

std::vector<std::string> ModuleHints::native_modules_in(std::string_view package) {
  std::vector<std::string> names;
  for (const auto& child : children(package)) {
    std::string name = std::string(package) + "." + child;
    const bool is_native = graph_.search().find(name).kind == ModuleKind::extension;
    if (is_native && !child.contains("test")) names.push_back(std::move(name));
  }
  return names;
}

bool ModuleHints::mentions(Id<ImportGraph::Node> module, std::string_view name) {
  const FoundModule& found = graph_.found(module);
  if (found.kind != ModuleKind::source) return false;
  const auto content = graph_.search().read(*found.file);
  if (!content.is_present()) return false;
  const std::string_view text = content.value().blob.text();
  for (auto at = find_part(text, name); at != std::string_view::npos;
       at = find_part(text, name, at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string_view after = text.substr(at + name.size(), 1);
    const bool ends = after.empty() || !is_name_character(after[0]);
    if (ends && (before.ends_with("import ") || before.ends_with('.'))) return true;
  }
  return false;
}

std::vector<std::string> ModuleHints::libraries_named_by(
    std::span<const Id<ImportGraph::Node>> modules) {
  std::set<Path> folders;
  for (const auto module : modules) {
    const FoundModule& found = graph_.found(module);
    if (found.kind != ModuleKind::source) continue;
    const Path folder = found.file->parent();
    folders.insert(folder);
    if (graph_.search().is_folder(folder / "lib")) folders.insert(folder / "lib");
  }
  std::vector<std::string> paths;
  for (const auto& library : plain_libraries(graph_.search(), folders)) {
    const std::string_view stem = stem_of(library.name());
    const bool is_named = std::ranges::any_of(modules, [&](Id<ImportGraph::Node> module) {
      const FoundModule& found = graph_.found(module);
      if (found.kind != ModuleKind::source) return false;
      const auto content = graph_.search().read(*found.file);
      return content.is_present() && names_in_quotes(content.value().blob.text(), stem);
    });
    if (is_named) paths.push_back(library.text());
  }
  return paths;
}

}  // namespace whyso::process
