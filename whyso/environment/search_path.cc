// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/search_path.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/python/pth_file.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::FileKind;
using tree::Walk;

constexpr std::size_t most_entries = 10'000;

/// "__editable___foo_1_0_finder" of the line that setuptools, "_foo_editable_finder" and the like
/// that other tools write.
std::string editable_finder_of(std::string_view line) {
  std::string_view rest = line.substr(std::string_view("import").size());
  rest = trim(rest);
  const std::string_view module = rest.substr(0, rest.find_first_of(" ;,.\t"));
  const bool is_editable = module.starts_with("__editable__") || module.contains("_editable_") ||
                           module.ends_with("_editable") || module.starts_with("_editable_impl_");
  return is_editable ? std::string(module) : std::string();
}

/// Collects sys.path in order; an entry that is there already is not added again.
class Collector {
 public:
  Collector(const tree::FileTree& tree, const Interpreter& interpreter,
            const ProcessVariables& variables)
      : resolver_(tree), python_(interpreter), variables_(variables) {}

  SearchPath collect() {
    if (python_.form == EnvironmentForm::bare_folder) {
      add_site(python_.prefix, SiteKind::site_packages, false);
      return std::move(found_);
    }
    add_python_path();
    add_standard_library();
    const bool is_environment = python_.form == EnvironmentForm::virtual_environment;
    if (is_environment) add_site_packages(python_.prefix, false);
    if (!is_environment || python_.includes_system_packages) {
      add_user_site();
      if (is_environment) add_debian_packages(python_.prefix, false);
      add_site_packages(python_.base_prefix, is_environment);
    }
    return std::move(found_);
  }

 private:
  enum class Missing : std::uint8_t { is_kept, is_left_out };

  /// Was it added?
  bool add(SiteDirectory directory, Missing missing) {
    const Walk walk = resolver_.resolve(directory.path.text());
    directory.exists = walk.is_found();
    directory.real = walk.is_found() ? walk.real : directory.path;
    if (!directory.exists && missing == Missing::is_left_out) return false;
    if (found_.directories.size() >= most_entries) return false;
    if (!seen_.insert(directory.path.text()).second) return false;
    found_.directories.push_back(std::move(directory));
    return true;
  }

  void add_python_path() {
    if (!variables_.python_path) return;
    for (std::string_view entry : split(*variables_.python_path, ':')) {
      if (entry.empty()) continue;
      const auto path = variables_.working_folder.join(entry);
      if (path) add({.path = *path, .kind = SiteKind::python_path}, Missing::is_kept);
    }
  }

  void add_standard_library() {
    if (!python_.library) return;
    const bool is_environment = python_.form == EnvironmentForm::virtual_environment;
    const Path folder = python_.base_prefix / python_.library_folder;
    std::string digits = replace_all(python_.library->text, ".", "");
    add({.path = folder / (digits + ".zip"), .kind = SiteKind::zip, .is_base = is_environment},
        Missing::is_kept);
    const Path library = python_.standard_library.value_or(folder / python_.library->text);
    add({.path = library, .kind = SiteKind::standard_library, .is_base = is_environment},
        Missing::is_kept);
    if (!python_.lib_dynload) return;
    add({.path = *python_.lib_dynload, .kind = SiteKind::lib_dynload, .is_base = is_environment},
        Missing::is_kept);
  }

  /// site.getsitepackages(): platlibdir first, then lib.
  void add_site_packages(const Path& prefix, bool is_base) {
    if (!python_.library) return;
    for (const char* folder : {"lib64", "lib"}) {
      const bool is_asked = python_.library_folder == folder || folder == std::string_view("lib") ||
                            python_.is_base_missing;
      if (!is_asked) continue;
      add_site(prefix / folder / python_.library->text / "site-packages", SiteKind::site_packages,
               is_base);
    }
    if (prefix == python_.base_prefix) add_debian_packages(prefix, is_base);
  }

  /// Debian's site.py looks here instead; elsewhere these folders do not exist.
  void add_debian_packages(const Path& prefix, bool is_base) {
    if (!python_.library) return;
    const std::string_view name = python_.library->text;
    add_site(prefix / "local" / "lib" / name / "dist-packages", SiteKind::dist_packages, is_base);
    add_site(prefix / "lib" / "python3" / "dist-packages", SiteKind::dist_packages, is_base);
    add_site(prefix / "lib" / name / "dist-packages", SiteKind::dist_packages, is_base);
  }

  void add_user_site() {
    const bool is_off = variables_.python_no_user_site && !variables_.python_no_user_site->empty();
    if (is_off || !python_.library) return;
    std::optional<Path> base;
    if (variables_.python_user_base && !variables_.python_user_base->empty()) {
      base = variables_.working_folder.join(*variables_.python_user_base);
    } else if (variables_.home && variables_.home->starts_with('/')) {
      base = Path::parse(*variables_.home + "/.local");
    }
    if (!base) return;
    add_site(*base / "lib" / python_.library->text / "site-packages", SiteKind::user, false);
  }

  /// site.addsitedir(): the folder, then what its `.pth` files say in sorted order.
  void add_site(const Path& path, SiteKind kind, bool is_base) {
    const Walk walk = resolver_.resolve(path.text());
    if (walk.outcome == tree::WalkOutcome::not_permitted) {
      found_.problems.push_back({ErrorKind::not_permitted, path.text(), "Permission denied"});
    }
    if (!walk.is_found() || walk.facts.kind != FileKind::directory) return;
    if (is_same_folder_seen(walk.real, kind)) return;
    add({.path = path, .kind = kind, .is_base = is_base}, Missing::is_left_out);
    const auto entries = resolver_.tree().list(walk.real, tree::ListDetail::kinds);
    if (!entries.is_present()) return;  // the inventory says why
    for (const DirectoryEntry& entry : entries.value()) {
      const bool is_pth = entry.name.ends_with(".pth") && !entry.name.starts_with('.');
      if (is_pth) read_pth_file(walk.real, entry.name, is_base);
    }
  }

  /// lib64 is often a link to lib: one folder of packages, though Python would list both names.
  bool is_same_folder_seen(const Path& real, SiteKind kind) const {
    return std::ranges::any_of(found_.directories, [&](const SiteDirectory& directory) {
      return directory.real == real && directory.kind == kind;
    });
  }

  void read_pth_file(const Path& site, std::string_view name, bool is_base) {
    const Walk walk = resolver_.resolve((site / name).text());
    if (!walk.is_found()) return;
    const auto content = resolver_.tree().read(walk.real);
    if (content.is_unreadable()) found_.problems.push_back(content.error());
    if (!content.is_present()) return;
    const python::PthFile file = python::read_pth(content.value().blob.text());
    for (const python::PthLine& line : file.lines) {
      if (line.kind == python::PthLineKind::import_line) {
        found_.executed.push_back(
            {site / name, line.line, std::string(line.text), editable_finder_of(line.text)});
        continue;
      }
      const auto path = site.join(line.text);
      if (!path) continue;
      add({.path = *path,
           .kind = SiteKind::pth,
           .from = (site / name).text() + ":" + std::to_string(line.line),
           .is_base = is_base},
          Missing::is_left_out);
    }
  }

  tree::Resolver resolver_;
  const Interpreter& python_;
  const ProcessVariables& variables_;
  std::unordered_set<std::string> seen_;
  SearchPath found_;
};

}  // namespace

bool is_site_folder(SiteKind kind) {
  return kind == SiteKind::site_packages || kind == SiteKind::dist_packages ||
         kind == SiteKind::user;
}

bool may_hold_distributions(SiteKind kind) {
  return is_site_folder(kind) || kind == SiteKind::pth || kind == SiteKind::python_path;
}

SearchPath read_search_path(const tree::FileTree& tree, const Interpreter& interpreter,
                            const ProcessVariables& variables) {
  return Collector(tree, interpreter, variables).collect();
}

}  // namespace whyso::environment
