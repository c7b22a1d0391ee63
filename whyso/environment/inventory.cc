// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/inventory.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "whyso/base/parallel.h"

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::FileKind;

struct PendingFolder {
  Path path;
  std::size_t depth = 0;
  bool is_in_source_folder = false;
};

/// The outcome of listing one folder: entries, or why not.
struct ListedFolder {
  PendingFolder place;
  Lookup<std::vector<DirectoryEntry>> entries = Absent();
};

std::vector<InventoryRoot> without_nested(std::vector<InventoryRoot> roots) {
  std::ranges::sort(roots, [](const InventoryRoot& a, const InventoryRoot& b) {
    return std::pair(a.path, a.is_source_folder) < std::pair(b.path, b.is_source_folder);
  });
  std::vector<InventoryRoot> kept;
  for (InventoryRoot& root : roots) {
    const auto holds = [&root](const InventoryRoot& outer) {
      // A site folder below a source folder may be one of the parts that are left out there.
      return root.path.is_within(outer.path) &&
             (root.path == outer.path || root.is_source_folder || !outer.is_source_folder);
    };
    if (std::ranges::none_of(kept, holds)) kept.push_back(std::move(root));
  }
  return kept;
}

bool is_environment_folder(const std::vector<DirectoryEntry>& entries) {
  return std::ranges::any_of(
      entries, [](const DirectoryEntry& entry) { return entry.name == "pyvenv.cfg"; });
}

bool is_left_out_of_sources(std::string_view name) {
  return name.starts_with('.') || name == "node_modules";
}

/// In no order as long as the limits are not reached, else level by level: the outcome never
/// depends on threads.
class Walker {
 public:
  Walker(const tree::FileTree& tree, const WalkLimits& limits, const FileScope& scope)
      : tree_(tree), limits_(limits), scope_(scope) {}

  void run(const std::vector<InventoryRoot>& roots) {
    std::vector<PendingFolder> level;
    level.reserve(roots.size());
    for (const InventoryRoot& root : roots) level.push_back({root.path, 0, root.is_source_folder});
    for (const InventoryRoot& root : roots) roots_.insert(root.path.text());
    if (walk_freely(level)) return;
    problems.clear();
    site_.used = source_.used = 0;
    site_.is_exceeded = source_.is_exceeded = false;
    while (!level.empty()) level = next_level(list(std::move(level)));
  }

  std::vector<ListedFolder> listed;
  std::vector<Error> problems;

 private:
  /// Each folder as soon as a core is free; false where there are more files than may be looked at.
  bool walk_freely(const std::vector<PendingFolder>& roots) {
    std::mutex mutex;
    std::deque<ListedFolder> slots;
    for (const PendingFolder& root : roots) slots.push_back({.place = root});
    bool has_room_left = true;
    for_each_growing(slots.size(), [&](std::size_t i) -> std::size_t {
      std::unique_lock lock(mutex);
      if (!has_room_left) return 0;
      ListedFolder& slot = slots[i];
      lock.unlock();
      slot.entries = entries_of(slot.place);
      lock.lock();
      has_room_left = has_room_left && has_room(slot);
      if (!has_room_left) return 0;
      std::vector<PendingFolder> children;
      add_children(slot, children);
      for (PendingFolder& child : children) slots.push_back({.place = std::move(child)});
      return children.size();
    });
    if (!has_room_left) return false;
    listed.assign(std::move_iterator(slots.begin()), std::move_iterator(slots.end()));
    std::ranges::sort(problems, {}, &Error::where);
    return true;
  }

  [[nodiscard]] std::vector<ListedFolder> list(std::vector<PendingFolder> level) const {
    std::vector<ListedFolder> outcome(level.size());
    for_each_index(level.size(), [&](std::size_t i) {
      outcome[i].place = std::move(level[i]);
      outcome[i].entries = entries_of(outcome[i].place);
    });
    return outcome;
  }

  [[nodiscard]] Lookup<std::vector<DirectoryEntry>> entries_of(const PendingFolder& folder) const {
    if (scope_.is_everything()) return tree_.list(folder.path, tree::ListDetail::facts);
    const bool is_root = folder.depth == 0;
    auto entries =
        tree_.list_chosen(folder.path, [this, is_root](std::string_view name, FileKind kind) {
          return kind != FileKind::regular || is_root || scope_.knows_name(name);
        });
    if (!entries.is_present()) return entries;
    for (DirectoryEntry& entry : entries.value()) {
      if (entry.facts.kind == FileKind::directory || !scope_.choice.wants(entry.name)) continue;
      const auto facts = tree_.stat(folder.path / entry.name);
      if (facts.is_present()) entry.facts = facts.value();
    }
    return entries;
  }

  std::vector<PendingFolder> next_level(std::vector<ListedFolder> level) {
    std::vector<PendingFolder> next;
    for (ListedFolder& folder : level) {
      if (!has_room(folder)) continue;
      add_children(folder, next);
      listed.push_back(std::move(folder));
    }
    return next;
  }

  void add_children(const ListedFolder& folder, std::vector<PendingFolder>& next) {
    const auto* entries = folder.entries.find();
    if (entries == nullptr) return;
    const bool is_source = folder.place.is_in_source_folder;
    if (is_source && folder.place.depth > 0 && is_environment_folder(*entries)) return;
    for (const DirectoryEntry& entry : *entries) {
      if (entry.facts.kind != FileKind::directory) continue;
      if (is_source && is_left_out_of_sources(entry.name)) continue;
      PendingFolder child{folder.place.path / entry.name, folder.place.depth + 1, is_source};
      if (child.depth > limits_.deepest) {
        problems.push_back({ErrorKind::unsupported, child.path.text(),
                            "the folder lies too deep to be looked into"});
      } else if (!roots_.contains(child.path.text())) {
        next.push_back(std::move(child));
      }
    }
  }

  /// Counts the folder's entries; says once that the walk ends here.
  bool has_room(const ListedFolder& folder) {
    const auto* entries = folder.entries.find();
    if (entries == nullptr) return true;
    Budget& budget = folder.place.is_in_source_folder ? source_ : site_;
    budget.used += entries->size();
    if (budget.used <= budget.most) return true;
    if (!std::exchange(budget.is_exceeded, true)) {
      problems.push_back({ErrorKind::unsupported, folder.place.path.text(),
                          "too many files: the rest was not looked at"});
    }
    return false;
  }

  struct Budget {
    std::size_t most = 0;
    std::size_t used = 0;
    bool is_exceeded = false;
  };

  const tree::FileTree& tree_;
  const WalkLimits& limits_;
  const FileScope& scope_;
  std::unordered_set<std::string> roots_;
  Budget site_{.most = limits_.most_entries};
  Budget source_{.most = limits_.most_in_source_folders};
};

}  // namespace

const DirectoryEntry* find_entry(const InventoryFolder& folder, std::string_view name) {
  const auto at = std::ranges::lower_bound(folder.entries, name, {}, &DirectoryEntry::name);
  return at != folder.entries.end() && at->name == name ? &*at : nullptr;
}

Inventory Inventory::walk(const tree::FileTree& tree, std::vector<InventoryRoot> roots,
                          const WalkLimits& limits, const FileScope& scope) {
  roots = without_nested(std::move(roots));
  Walker walker(tree, limits, scope);
  walker.run(roots);
  Inventory inventory;
  inventory.scope_ = scope;
  for (const InventoryRoot& root : roots) inventory.roots_.push_back(root.path);
  inventory.problems_ = std::move(walker.problems);
  std::ranges::sort(walker.listed, {},
                    [](const ListedFolder& folder) -> const Path& { return folder.place.path; });
  for (ListedFolder& folder : walker.listed) {
    if (folder.entries.is_unreadable()) {
      inventory.problems_.push_back(folder.entries.error());
      inventory.unreadable_.emplace(folder.place.path.text(), folder.entries.error());
    }
    if (!folder.entries.is_present()) continue;
    const auto index = static_cast<std::uint32_t>(inventory.folders_.size());
    inventory.index_.emplace(folder.place.path.text(), index);
    inventory.folders_.push_back({folder.place.path, std::move(folder.entries).value()});
    inventory.file_count_ += static_cast<std::size_t>(std::ranges::count_if(
        inventory.folders_.back().entries,
        [](const DirectoryEntry& entry) { return entry.facts.kind != FileKind::directory; }));
  }
  return inventory;
}

const InventoryFolder* Inventory::find_folder(std::string_view path) const {
  const auto at = index_.find(path);
  return at == index_.end() ? nullptr : &folders_[at->second];
}

std::optional<Lookup<tree::FileFacts>> Inventory::find(const Path& path) const {
  using Facts = Lookup<tree::FileFacts>;
  // From the nearest listed folder above: what is not in it is absent with all below it.
  for (Path at = path; !at.is_root(); at = at.parent()) {
    const std::string_view text = at.text();
    const std::string_view parent = text.substr(0, text.rfind('/'));
    if (const auto refused = unreadable_.find(parent); refused != unreadable_.end()) {
      return Facts(refused->second);
    }
    const InventoryFolder* folder = find_folder(parent);
    if (folder == nullptr) continue;
    const DirectoryEntry* entry = find_entry(*folder, at.name());
    const bool is_known = at != path || knows_name(at.name());
    if (entry == nullptr) return is_known ? std::optional(Facts(Absent())) : std::nullopt;
    if (at == path) return Facts(entry->facts);
    // What is no plain file may turn out to hold more when it is asked.
    const bool may_hold_more = entry->facts.kind != FileKind::regular;
    return may_hold_more ? std::nullopt : std::optional(Facts(Absent()));
  }
  return std::nullopt;
}

}  // namespace whyso::environment
