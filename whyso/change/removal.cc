// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/removal.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "whyso/base/text.h"
#include "whyso/python/entry_points.h"
#include "whyso/tree/resolve.h"

namespace whyso::change {
namespace {

using environment::Distribution;
using environment::DistributionKind;
using environment::Environment;
using tree::FileKind;

/// What both installers work on.
class Site {
 public:
  Site(const tree::FileTree& tree, const Environment& environment)
      : environment_(environment), tree_(tree), resolver_(tree), remains_(tree) {}

  [[nodiscard]] const Environment& environment() const { return environment_; }
  Remains& remains() { return remains_; }

  [[nodiscard]] const Distribution& distribution(Id<Distribution> id) const {
    return environment_.distributions[id];
  }

  /// Calls `use(path, row)` for each row of its list.
  template <class Use>
  void each_listed(Id<Distribution> id, Use use) const {
    const auto* files = distribution(id).files.find();
    if (files == nullptr) return;
    const auto count = static_cast<std::uint32_t>(files->rows().size());
    for (std::uint32_t row = 0; row < count; ++row) {
      const auto& file = environment_.ownership.file({id, row});
      use(environment_.ownership.path(file), file);
    }
  }

  /// As os.path.exists(): a link that leads nowhere is not.
  bool exists(const Path& path) {
    const auto facts = remains_.find(path);
    if (!facts || facts->kind != FileKind::symbolic_link) return facts.has_value();
    return resolver_.resolve(path.text()).is_found();
  }

  /// As os.path.isdir(): a link to a folder is one.
  bool leads_to_folder(const Path& path, const tree::FileFacts& facts) {
    if (facts.kind != FileKind::symbolic_link) return facts.kind == FileKind::directory;
    const auto walk = resolver_.resolve(path.text());
    return walk.is_found() && walk.facts.kind == FileKind::directory;
  }

  void take(const Path& path, Taken& taken) {
    if (remains_.is_folder(path)) {
      remains_.take_folder(path, taken);
    } else {
      remains_.take_file(path, taken);
    }
  }

  [[nodiscard]] std::vector<std::string> script_names(const Distribution& distribution) const {
    const auto content = tree_.read(distribution.metadata / "entry_points.txt");
    if (!content.is_present()) return {};
    std::vector<std::string> names;
    for (const auto& entry : python::read_entry_points(content.value().blob.text())) {
      const bool is_script = entry.group == "console_scripts" || entry.group == "gui_scripts";
      const bool is_name = is_script && !entry.name.empty() && !entry.name.contains('/') &&
                           entry.name != "." && entry.name != "..";
      if (is_name) names.emplace_back(entry.name);
    }
    return names;
  }

 private:
  const Environment& environment_;
  const tree::FileTree& tree_;
  tree::Resolver resolver_;
  Remains remains_;
};

/// "cpython-311", as importlib.util.cache_from_source() spells it.
std::string cache_tag_of(const Environment& environment) {
  const auto& library = environment.interpreter.library;
  if (!library) return {};
  const std::string digits = replace_all(library->version, ".", "");
  return (library->implementation == "PyPy" ? "pypy" : "cpython-") + digits;
}

/// pip, as UninstallPathSet of its req_uninstall does it.
class Pip {
 public:
  explicit Pip(Site& site) : site_(site), cache_tag_(cache_tag_of(site.environment())) {}

  void remove(Id<Distribution> id, Taken& taken) {
    paths_.clear();
    collect(id);
    const std::set<Path> folders = whole_folders();
    for (const auto& folder : folders) site_.take(folder, taken);
    for (const auto& path : paths_) site_.take(path, taken);
  }

 private:
  void collect(Id<Distribution> id) {
    site_.each_listed(id, [&](const Path& path, const environment::OwnedFile&) {
      add(path);
      if (!path.name().ends_with(".py")) return;
      add(path.parent() / (std::string(path.name()) + "c"));
      add(path.parent() / (std::string(path.name()) + "o"));
    });
    const Distribution& distribution = site_.distribution(id);
    const Path programs = distribution.site.parent().parent().parent() / "bin";
    for (const auto& name : site_.script_names(distribution)) add(programs / name);
  }

  void add(const Path& path) {
    if (!site_.exists(path) || !is_permitted(path)) return;
    paths_.insert(path);
    const std::string_view name = path.name();
    if (!name.ends_with(".py") || cache_tag_.empty()) return;
    const std::string stem(name.substr(0, name.size() - 3));
    add(path.parent() / "__pycache__" / (stem + "." + cache_tag_ + ".pyc"));
  }

  /// In a virtual environment nothing outside of it; elsewhere everything. pip compares letters.
  [[nodiscard]] bool is_permitted(const Path& path) const {
    const auto& environment = site_.environment();
    const bool is_virtual =
        environment.interpreter.form == environment::EnvironmentForm::virtual_environment;
    return !is_virtual || path.text().starts_with(environment.prefix.text());
  }

  /// Takes those folders out of `paths_`, and what lies in them, that hold nothing else.
  std::set<Path> whole_folders() {
    std::unordered_set<Path> parents;
    for (const auto& path : paths_) parents.insert(path.parent());
    std::vector<Path> folders(parents.begin(), parents.end());
    std::ranges::sort(folders, {}, [](const Path& folder) { return folder.text().size(); });
    std::set<Path> whole;
    for (const auto& folder : folders) {
      if (is_below(folder, whole) || whole.contains(folder)) continue;
      std::vector<Path> inside;
      if (!holds_only_these(folder, inside)) continue;
      for (const auto& path : inside) paths_.erase(path);
      whole.insert(folder);
    }
    std::erase_if(paths_, [&](const Path& path) { return is_below(path, whole); });
    return whole;
  }

  static bool is_below(const Path& path, const std::set<Path>& folders) {
    for (Path at = path; !at.is_root() && !folders.empty();) {
      at = at.parent();
      if (folders.contains(at)) return true;
    }
    return false;
  }

  /// As os.walk() sees it, to which a link to a folder is a folder that it does not enter.
  bool holds_only_these(const Path& folder, std::vector<Path>& inside) {
    std::vector<Path> work = {folder};
    while (!work.empty()) {
      const Path at = std::move(work.back());
      work.pop_back();
      const auto* entries = site_.remains().entries(at);
      if (entries == nullptr) continue;
      for (const auto& [name, facts] : *entries) {
        Path path = at / name;
        if (facts.kind == FileKind::directory) {
          work.push_back(std::move(path));
        } else if (paths_.contains(path)) {
          inside.push_back(std::move(path));
        } else if (!site_.leads_to_folder(path, facts)) {
          return false;
        }
      }
    }
    return true;
  }

  Site& site_;
  std::string cache_tag_;
  std::set<Path> paths_;
};

/// uv, as uninstall_wheel of its crate uv-install-wheel does it.
class Uv {
 public:
  explicit Uv(Site& site) : site_(site) {}

  void remove(Id<Distribution> id, Taken& taken) {
    std::set<Path> visited;
    site_.each_listed(id, [&](const Path& path, const environment::OwnedFile& file) {
      if (file.is_outside) return;
      const std::size_t files = taken.files.size();
      site_.take(path, taken);
      if (taken.files.size() > files) visited.insert(path.parent());
    });
    const Path& top = site_.distribution(id).site;
    for (auto folder = visited.rbegin(); folder != visited.rend(); ++folder) {
      if (folder->is_within(top)) prune(*folder, top, taken);
    }
  }

 private:
  void prune(Path folder, const Path& top, Taken& taken) {
    while (folder != top && site_.remains().is_folder(folder)) {
      site_.remains().take_folder(folder / "__pycache__", taken);
      if (!site_.remains().is_empty_folder(folder)) return;
      site_.remains().take_folder(folder, taken);
      folder = folder.parent();
    }
  }

  Site& site_;
};

std::string why_not(const Environment& environment, const Distribution& distribution) {
  if (distribution.kind == DistributionKind::conda || distribution.installer == "conda") {
    return "conda installed it";
  }
  if (distribution.site.text().ends_with("/lib/python3/dist-packages")) {
    return "it is a package of the operating system";
  }
  if (distribution.kind != DistributionKind::dist_info) {
    return "its metadata is no dist-info, and how it would go is not known";
  }
  if (!distribution.files.is_present()) return "it has no RECORD that could be read";
  const auto form = environment.interpreter.form;
  if (form == environment::EnvironmentForm::bare_folder) return "no Python owns that folder";
  const bool is_virtual = form == environment::EnvironmentForm::virtual_environment;
  const bool is_foreign = is_virtual && !distribution.site.is_within(environment.prefix);
  return is_foreign ? "it lies outside of the environment" : std::string();
}

void sort(Taken& taken) {
  std::ranges::sort(taken.files);
  std::ranges::sort(taken.folders);
}

}  // namespace

std::vector<Path> Removal::paths() const {
  std::vector<Path> all;
  for (const auto& [distribution, taken] : removed) {
    all.insert(all.end(), taken.files.begin(), taken.files.end());
    all.insert(all.end(), taken.folders.begin(), taken.folders.end());
  }
  std::ranges::sort(all);
  return all;
}

std::size_t Removal::file_count() const {
  std::size_t count = 0;
  for (const auto& each : removed) count += each.taken.files.size();
  return count;
}

std::uint64_t Removal::bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& each : removed) bytes += each.taken.bytes;
  return bytes;
}

Removal uninstall(const tree::FileTree& tree, const Environment& environment,
                  const std::vector<Id<Distribution>>& distributions, Installer installer) {
  Removal removal{.installer = installer};
  Site site(tree, environment);
  Pip pip(site);
  Uv uv(site);
  for (const auto id : distributions) {
    if (auto reason = why_not(environment, environment.distributions[id]); !reason.empty()) {
      removal.refused.push_back({id, std::move(reason)});
      continue;
    }
    RemovedDistribution removed{.distribution = id};
    if (installer == Installer::pip) pip.remove(id, removed.taken);
    if (installer == Installer::uv) uv.remove(id, removed.taken);
    sort(removed.taken);
    removal.removed.push_back(std::move(removed));
  }
  return removal;
}

}  // namespace whyso::change
