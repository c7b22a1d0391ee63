// SPDX-License-Identifier: Apache-2.0
#include "whyso/change/remains.h"

namespace whyso::change {

using tree::FileFacts;
using tree::FileKind;

const Remains::Entries* Remains::entries(const Path& folder) {
  auto [known, is_new] = folders_.try_emplace(folder);
  if (is_new) {
    const auto listed = tree_->list(folder, tree::ListDetail::facts);
    if (listed.is_present()) {
      Entries entries;
      for (const auto& entry : listed.value()) entries.emplace(entry.name, entry.facts);
      known->second = std::move(entries);
    }
  }
  return known->second ? &*known->second : nullptr;
}

std::optional<FileFacts> Remains::find(const Path& path) {
  if (path.is_root()) return FileFacts{.kind = FileKind::directory};
  const auto* folder = entries(path.parent());
  if (folder == nullptr) return std::nullopt;
  const auto found = folder->find(path.name());
  return found == folder->end() ? std::nullopt : std::optional(found->second);
}

bool Remains::is_folder(const Path& path) {
  const auto facts = find(path);
  return facts && facts->kind == FileKind::directory;
}

bool Remains::is_empty_folder(const Path& path) {
  const auto* inside = is_folder(path) ? entries(path) : nullptr;
  return inside != nullptr && inside->empty();
}

void Remains::forget(const Path& path) {
  auto& folder = folders_.at(path.parent());
  folder->erase(folder->find(path.name()));
}

void Remains::take_file(const Path& path, Taken& taken) {
  const auto facts = find(path);
  if (!facts || facts->kind == FileKind::directory) return;
  if (facts->kind == FileKind::regular) taken.bytes += facts->size;
  taken.files.push_back(path);
  forget(path);
}

void Remains::take_folder(const Path& path, Taken& taken) {
  const std::size_t first = taken.folders.size();
  std::vector<Path> work = {path};
  while (!work.empty()) {
    const Path folder = std::move(work.back());
    work.pop_back();
    if (!is_folder(folder)) continue;
    taken.folders.push_back(folder);
    const auto* inside = entries(folder);
    if (inside == nullptr) continue;
    for (const auto& [name, facts] : *inside) {
      if (facts.kind == FileKind::directory) {
        work.push_back(folder / name);
        continue;
      }
      if (facts.kind == FileKind::regular) taken.bytes += facts.size;
      taken.files.push_back(folder / name);
    }
  }
  if (is_folder(path)) forget(path);
  for (std::size_t i = first; i < taken.folders.size(); ++i) folders_[taken.folders[i]] = Entries();
}

void Remains::prune_upwards(Path folder, Taken& taken) {
  while (!folder.is_root() && is_empty_folder(folder)) {
    forget(folder);
    taken.folders.push_back(folder);
    folder = folder.parent();
  }
}

}  // namespace whyso::change
