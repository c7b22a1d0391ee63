// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/row_placer.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace whyso::environment {
namespace {

using tree::DirectoryEntry;
using tree::Walk;
using tree::WalkOutcome;

/// Is it canonical as it stands? May say no of one that is: such paths only take the longer way.
bool is_plain(std::string_view written) {
  if (written.empty() || written.front() == '/' || written.front() == '.') return false;
  if (written.back() == '/' || written.contains('\0')) return false;
  for (auto slash = written.find('/'); slash != std::string_view::npos;
       slash = written.find('/', slash + 1)) {
    const char next = written[slash + 1];
    if (next == '/' || next == '.') return false;
  }
  return true;
}

FileState state_of(WalkOutcome outcome) {
  if (outcome == WalkOutcome::found) return FileState::present;
  const bool is_refused = outcome == WalkOutcome::not_permitted || outcome == WalkOutcome::failed;
  return is_refused ? FileState::unreadable : FileState::absent;
}

/// "/env" of "/env/lib/python3.11/site-packages": where its programs and data are installed. Of any
/// other folder itself.
Path scope_of(const Path& list_base) {
  for (Path at = list_base; !at.is_root(); at = at.parent()) {
    if (at.name() != "site-packages" && at.name() != "dist-packages") continue;
    const Path prefix = at.parent().parent().parent();
    return prefix.is_root() ? at : prefix;
  }
  return list_base;
}

}  // namespace

std::size_t path_hash(std::uint32_t base, std::string_view relative) {
  constexpr std::size_t golden = 0x9e3779b97f4a7c15;
  return std::hash<std::string_view>()(relative) ^ (base * golden);
}

SplitPath split_path(const std::vector<Path>& bases, const Path& path) {
  std::uint32_t deepest = 0;
  for (std::uint32_t i = 1; i < bases.size(); ++i) {
    const bool is_deeper = bases[i].text().size() > bases[deepest].text().size();
    if (is_deeper && path.is_within(bases[i])) deepest = i;
  }
  return {deepest, path.within(bases[deepest])};
}

RowPlacer::RowPlacer(const Surroundings& around, const Path& list_base)
    : around_(around),
      list_base_(list_base),
      scope_(scope_of(list_base)),
      arena_(std::make_shared<std::deque<std::string>>()),
      resolver_(around.tree) {
  for (std::uint32_t i = 0; i < around.bases.size(); ++i) {
    const Path& base = around.bases[i];
    if (base == list_base) {
      home_ = i;
    } else if (base.is_within(list_base)) {
      nested_.push_back({i, std::string(base.within(list_base)) + "/"});
    }
  }
  // The deepest first, for a row belongs to the deepest base above it.
  std::ranges::stable_sort(nested_, std::ranges::greater(),
                           [](const Nested& nested) { return nested.lead.size(); });
}

PlacedRow RowPlacer::place(std::string_view written) {
  if (home_ && is_plain(written)) return place_plain(written);
  const auto path = list_base_.join(written);
  // Record refuses paths with a NUL, so that nothing is left here but to call it absent.
  return path ? place_path(*path) : at(0, written, nullptr);
}

PlacedRow RowPlacer::place_plain(std::string_view written) {
  std::uint32_t base = *home_;
  std::string_view relative = written;
  const auto nested = std::ranges::find_if(
      nested_, [written](const Nested& one) { return written.starts_with(one.lead); });
  if (nested != nested_.end()) {
    base = nested->base;
    relative.remove_prefix(nested->lead.size());
  }
  const auto slash = relative.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view() : relative.substr(0, slash);
  if (!enter_folder(base, folder)) return place_behind(base, relative, written);
  const std::string_view name = relative.substr(folder.empty() ? 0 : slash + 1);
  const DirectoryEntry* entry = entry_named(name);
  if (entry == nullptr && !around_.inventory.knows_name(name)) {
    return place_path(*list_base_.join(written));
  }
  return at(base, relative, entry == nullptr ? nullptr : &entry->facts);
}

/// The folder was not listed: it is mostly gone, and the row needs no text of its own then.
PlacedRow RowPlacer::place_behind(std::uint32_t base, std::string_view relative,
                                  std::string_view written) {
  const Path path = *list_base_.join(written);
  const auto known = around_.inventory.find(path);
  const bool is_absent = known && known->is_absent();
  return is_absent ? at(base, relative, nullptr) : place_path(path);
}

PlacedRow RowPlacer::place_path(const Path& path) {
  const auto known = around_.inventory.find(path);
  if (!known || known->is_unreadable()) return resolved(path);
  const SplitPath split = split_path(around_.bases, path);
  const std::string& kept = arena_->emplace_back(split.relative);
  return at(split.base, kept, known->find());
}

/// Through the tree, link by link: for what lies elsewhere, or behind a link to a folder.
PlacedRow RowPlacer::resolved(const Path& path) {
  const Walk walk = resolver_.resolve(path.text(), tree::LastLink::keep);
  const Path& real = walk.is_found() ? walk.real : path;
  const SplitPath split = split_path(around_.bases, real);
  const std::string& kept = arena_->emplace_back(split.relative);
  PlacedRow row = at(split.base, kept, walk.is_found() ? &walk.facts : nullptr);
  row.state = state_of(walk.outcome);
  return row;
}

PlacedRow RowPlacer::at(std::uint32_t base, std::string_view relative,
                        const tree::FileFacts* facts) {
  PlacedRow row{.base = base, .hash = path_hash(base, relative), .relative = relative};
  row.is_outside = base == 0 && !is_in_scope(relative);
  if (facts != nullptr) {
    row.state = FileState::present;
    row.facts = *facts;
  }
  return row;
}

/// `relative` is seen from the root.
bool RowPlacer::is_in_scope(std::string_view relative) const {
  if (around_.prefix.is_root()) return true;
  const std::string_view scope = std::string_view(scope_.text()).substr(1);
  return relative.starts_with(scope) &&
         (relative.size() == scope.size() || relative[scope.size()] == '/');
}

bool RowPlacer::enter_folder(std::uint32_t base, std::string_view folder) {
  if (has_folder_ && base == folder_base_ && folder == folder_relative_) return folder_ != nullptr;
  const std::string& base_text = around_.bases[base].text();
  buffer_.assign(base_text);
  if (!folder.empty()) buffer_.append(base_text.size() > 1 ? "/" : "").append(folder);
  folder_ = around_.inventory.find_folder(buffer_);
  folder_base_ = base;
  folder_relative_ = folder;
  has_folder_ = true;
  next_entry_ = 0;
  return folder_ != nullptr;
}

const DirectoryEntry* RowPlacer::entry_named(std::string_view name) {
  const auto& entries = folder_->entries;
  if (next_entry_ < entries.size() && entries[next_entry_].name == name) {
    return &entries[next_entry_++];
  }
  const DirectoryEntry* entry = find_entry(*folder_, name);
  if (entry != nullptr) next_entry_ = static_cast<std::size_t>(entry - entries.data()) + 1;
  return entry;
}

}  // namespace whyso::environment
