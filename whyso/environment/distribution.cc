// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/distribution.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/base/text.h"
#include "whyso/python/egg_info.h"
#include "whyso/python/installer.h"
#include "whyso/python/name.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

using python::MetadataForm;
using tree::DirectoryEntry;
using tree::FileKind;

/// A metadata folder or file that was found, before it is read.
struct Found {
  DistributionKind kind = DistributionKind::dist_info;
  Path metadata;
  Path site;
  std::uint64_t weight = 0;  ///< bytes of the largest file, so that long work is begun first
};

/// Reads the files of one metadata folder. What the inventory lists is not asked of the tree again.
class Reader {
 public:
  Reader(const tree::FileTree& tree, const Inventory& inventory, const Found& found,
         const FileScope& scope)
      : tree_(tree),
        folder_(inventory.find_folder(found.metadata.text())),
        knows_all_names_(scope.knows_all_names),
        found_(found),
        scope_(scope) {
    result_.kind = found.kind;
    result_.metadata = found.metadata;
    result_.site = found.site;
  }

  Distribution read() {
    if (found_.kind == DistributionKind::conda) {
      read_conda();
    } else if (found_.kind == DistributionKind::egg_info_file) {
      take_metadata(content_at(found_.metadata));
      complete_names();
    } else {
      read_folder();
    }
    return std::move(result_);
  }

 private:
  /// Absent without a question where the inventory has listed the folder and has no such entry.
  Lookup<Blob> content(std::string_view name) {
    const DirectoryEntry* entry = folder_ == nullptr ? nullptr : find_entry(*folder_, name);
    if (folder_ != nullptr && entry == nullptr && knows_all_names_) return Absent();
    return content_at(found_.metadata / name);
  }

  Lookup<Blob> content_at(const Path& path) {
    auto content = tree_.read(path);
    if (content.is_unreadable() && content.error().kind == ErrorKind::unsupported) {
      tree::Resolver resolver(tree_);
      const tree::Walk walk = resolver.resolve(path.text());
      if (walk.is_found() && walk.real != path) content = tree_.read(walk.real);
    }
    if (content.is_present()) return std::move(content.value().blob);
    if (content.is_absent()) return Absent();
    result_.problems.push_back(content.error());
    return content.error();
  }

  void read_folder() {
    if (folder_ == nullptr &&
        tree_.list(found_.metadata, tree::ListDetail::kinds).is_unreadable()) {
      result_.problems.push_back(tree_.list(found_.metadata, tree::ListDetail::kinds).error());
    }
    const bool is_egg = found_.kind != DistributionKind::dist_info;
    take_metadata(content(is_egg ? "PKG-INFO" : "METADATA"));
    complete_names();
    if (is_egg) {
      read_egg_files();
    } else {
      read_record();
      read_wheel();
    }
    read_origin();
  }

  void take_metadata(Lookup<Blob> text) {
    if (text.is_unreadable()) result_.core = text.error();
    if (!text.is_present()) return;
    result_.core = python::Metadata::parse(std::move(text).value());
    const python::Metadata& core = result_.core.value();
    for (std::string_view text_of_one : core.requires_dist())
      result_.required.emplace_back(text_of_one);
    for (std::string_view extra : core.provides_extra()) result_.extras.emplace_back(extra);
  }

  void read_record() {
    auto text = content("RECORD");
    if (text.is_unreadable()) result_.files = text.error();
    if (!text.is_present()) return;
    const Path source = found_.metadata / "RECORD";
    auto record = python::Record::parse(std::move(text).value(), choice());
    for (const python::RecordFault& fault : record.faults()) {
      result_.problems.push_back(
          {ErrorKind::malformed, source.text() + ":" + std::to_string(fault.line), fault.what});
    }
    if (record.unread_bytes() > 0) {
      result_.problems.push_back(
          {ErrorKind::unsupported, source.text(), "too long: the rest was not looked at"});
    }
    result_.files = FileList(source, found_.site, std::move(record));
  }

  void read_wheel() {
    auto text = content("WHEEL");
    if (text.is_unreadable()) result_.wheel = text.error();
    if (text.is_present()) result_.wheel = python::Wheel::parse(std::move(text).value());
  }

  void read_egg_files() {
    const auto listed = content("installed-files.txt");
    if (listed.is_present()) {
      auto files = FileList::of_installed_files(found_.metadata / "installed-files.txt",
                                                found_.metadata, listed.value());
      files.keep(choice());
      result_.files = std::move(files);
    }
    if (!result_.required.empty()) return;
    const auto needed = content("requires.txt");
    if (needed.is_present()) result_.required = python::read_requires_txt(needed.value().text());
  }

  void read_origin() {
    const auto installer = content("INSTALLER");
    if (installer.is_present()) {
      result_.installer = python::read_installer(installer.value().text()).text;
    }
    result_.is_requested = content("REQUESTED").is_present();
    const auto text = content("direct_url.json");
    if (!text.is_present()) return;
    auto url =
        python::read_direct_url(text.value().text(), (found_.metadata / "direct_url.json").text());
    if (!url) {
      result_.problems.push_back(std::move(url).error());
      return;
    }
    result_.is_editable = url->is_editable();
    result_.direct_url = *std::move(url);
  }

  void read_conda() {
    result_.installer = "conda";
    const auto text = content_at(found_.metadata);
    if (text.is_unreadable()) result_.files = text.error();
    if (!text.is_present()) return complete_names();
    auto package = python::read_conda_meta(text.value().text(), found_.metadata.text());
    if (!package) {
      complete_names();
      result_.files = package.error();
      result_.problems.push_back(std::move(package).error());
      return;
    }
    result_.name = package->name;
    result_.version = package->version;
    complete_names();
    auto files = FileList::of_conda(found_.metadata, found_.site, *package);
    files.keep(choice());
    result_.files = std::move(files);
  }

  /// METADATA is believed; where it is silent, the folder's name speaks.
  void complete_names() {
    const auto* core = result_.core.find();
    if (core != nullptr && core->name()) result_.name = *core->name();
    if (core != nullptr && core->version()) result_.version = *core->version();
    const Path& named = found_.kind == DistributionKind::egg ? found_.site : found_.metadata;
    const auto folder = python::find_metadata_folder_name(named.name());
    if (result_.name.empty() && folder) result_.name = folder->name;
    if (result_.version.empty() && folder && folder->version) result_.version = *folder->version;
    if (result_.name.empty()) result_.name = std::string(named.name());
    result_.normalized = python::normalized_name(result_.name);
    if (found_.kind == DistributionKind::egg_link) result_.is_editable = true;
  }

  /// Of its rows; its name must be known.
  [[nodiscard]] python::RowChoice choice() const {
    const bool is_whole = scope_.is_everything() || result_.normalized == scope_.distribution;
    return is_whole ? python::RowChoice() : scope_.choice;
  }

  const tree::FileTree& tree_;
  const InventoryFolder* folder_;
  bool knows_all_names_;
  const Found& found_;
  const FileScope& scope_;
  Distribution result_;
};

std::uint64_t largest_file(const InventoryFolder* folder) {
  std::uint64_t largest = 0;
  if (folder == nullptr) return largest;
  for (const DirectoryEntry& entry : folder->entries) {
    largest = std::max(largest, entry.facts.size);
  }
  return largest;
}

/// Finds metadata folders in the entries of sys.path.
class Finder {
 public:
  Finder(const tree::FileTree& tree, const Inventory& inventory)
      : tree_(tree), resolver_(tree), inventory_(inventory) {}

  void look_in(const Path& site) {
    if (std::ranges::find(sites_, site) != sites_.end()) return;
    sites_.push_back(site);
    if (site.name().ends_with(".egg")) add_egg(site);
    const InventoryFolder* folder = inventory_.find_folder(site.text());
    if (folder == nullptr) return;
    for (const DirectoryEntry& entry : folder->entries) look_at(site, entry);
  }

  void look_for_egg_links() {
    for (const auto& [link, target] : egg_links_) {
      if (std::ranges::find(sites_, target) == sites_.end()) look_behind(target);
    }
  }

  void look_for_conda(const Path& prefix) {
    const auto entries = tree_.list(prefix / "conda-meta", tree::ListDetail::facts);
    if (!entries.is_present()) return;
    for (const DirectoryEntry& entry : entries.value()) {
      if (!entry.name.ends_with(".json")) continue;
      found.push_back({.kind = DistributionKind::conda,
                       .metadata = prefix / "conda-meta" / entry.name,
                       .site = prefix,
                       .weight = entry.facts.size});
    }
  }

  std::vector<Found> found;

 private:
  void look_at(const Path& site, const DirectoryEntry& entry) {
    if (entry.name.ends_with(".egg-link")) return note_egg_link(site / entry.name);
    const auto name = python::find_metadata_folder_name(entry.name);
    if (!name || name->form == MetadataForm::egg) return;
    Found one{.metadata = site / entry.name, .site = site};
    const bool is_folder =
        entry.facts.kind == FileKind::directory || leads_to_folder(one.metadata, entry);
    if (name->form == MetadataForm::dist_info && !is_folder) return;
    if (name->form == MetadataForm::egg_info) {
      one.kind = is_folder ? DistributionKind::egg_info_folder : DistributionKind::egg_info_file;
    }
    one.weight = largest_file(inventory_.find_folder(one.metadata.text()));
    found.push_back(std::move(one));
  }

  bool leads_to_folder(const Path& path, const DirectoryEntry& entry) {
    if (entry.facts.kind != FileKind::symbolic_link) return false;
    const tree::Walk walk = resolver_.resolve(path.text());
    return walk.is_found() && walk.facts.kind == FileKind::directory;
  }

  void add_egg(const Path& egg) {
    const tree::Walk walk = resolver_.resolve((egg / "EGG-INFO").text());
    if (!walk.is_found() || walk.facts.kind != FileKind::directory) return;
    found.push_back({.kind = DistributionKind::egg, .metadata = walk.real, .site = egg});
  }

  void note_egg_link(const Path& link) {
    const auto content = tree_.read(link);
    if (!content.is_present()) return;
    const auto read = python::read_egg_link(content.value().blob.text());
    const auto target = read ? link.parent().join(read->folder) : std::nullopt;
    if (target) egg_links_.emplace_back(link, *target);
  }

  /// A development install that no `.pth` file names.
  void look_behind(const Path& target) {
    const auto entries = tree_.list(target, tree::ListDetail::kinds);
    if (!entries.is_present()) return;
    for (const DirectoryEntry& entry : entries.value()) {
      if (!entry.name.ends_with(".egg-info") || entry.facts.kind != FileKind::directory) continue;
      found.push_back(
          {.kind = DistributionKind::egg_link, .metadata = target / entry.name, .site = target});
    }
  }

  const tree::FileTree& tree_;
  tree::Resolver resolver_;
  const Inventory& inventory_;
  std::vector<Path> sites_;
  std::vector<std::pair<Path, Path>> egg_links_;
};

}  // namespace

std::vector<Distribution> read_distributions(const tree::FileTree& tree,
                                             const SearchPath& search_path,
                                             const Inventory& inventory, const Path& prefix,
                                             const FileScope& scope) {
  Finder finder(tree, inventory);
  for (const SiteDirectory& directory : search_path.directories) {
    if (directory.exists && may_hold_distributions(directory.kind)) finder.look_in(directory.real);
  }
  finder.look_for_egg_links();
  finder.look_for_conda(prefix);
  std::vector<std::size_t> order(finder.found.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return finder.found[i].weight; });
  std::vector<Distribution> distributions(finder.found.size());
  for_each_index(order.size(), [&](std::size_t i) {
    distributions[order[i]] = Reader(tree, inventory, finder.found[order[i]], scope).read();
  });
  return distributions;
}

}  // namespace whyso::environment
