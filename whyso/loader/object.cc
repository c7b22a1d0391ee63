// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/object.h"

#include <algorithm>

namespace whyso::loader {
namespace {

constexpr std::int32_t nobody = -1;

/// The slot of `index`, made if need be.
std::int32_t& slot(std::vector<std::int32_t>& slots, std::uint32_t index) {
  if (index >= slots.size()) slots.resize(index + index / 2 + 64, nobody);
  return slots[index];
}

void set_if_free(std::vector<std::int32_t>& slots, std::uint32_t index, Id<Object> object) {
  std::int32_t& at = slot(slots, index);
  if (at == nobody) at = static_cast<std::int32_t>(object.index);
}

std::optional<Id<Object>> object_at(const std::vector<std::int32_t>& slots, std::uint32_t index) {
  if (index >= slots.size() || slots[index] == nobody) return std::nullopt;
  return Id<Object>{static_cast<std::uint32_t>(slots[index])};
}

}  // namespace

Id<Object> ObjectList::add(const Object& object, std::optional<NameId> soname,
                           bool is_found_by_file) {
  const Id<Object> id = table_.add(object);
  order_.push_back(id);
  add_name(id, object.path);
  if (object.requested != object.path) add_name(id, object.requested);
  if (soname) {
    sonames_.emplace_back(id, *soname);
    set_if_free(by_name_, soname->index, id);
  }
  if (object.file && is_found_by_file) {
    files_.emplace_back(id, *object.file);
    set_if_free(by_file_, object.file->index, id);
  }
  return id;
}

void ObjectList::add_name(Id<Object> object, NameId name) {
  names_.emplace_back(object, name);
  set_if_free(by_asked_name_, name.index, object);
  set_if_free(by_name_, name.index, object);
}

void ObjectList::note_asked_for(Id<Object> object, NameId name) {
  const auto first = find_asked_for(name);
  if (first && (*first == object || bears(object, name))) return;
  add_name(object, name);
  if (first) index();  // a filtee may stand before who was asked for by that name
}

std::optional<Id<Object>> ObjectList::find(NameId name) const {
  return object_at(by_name_, name.index);
}

std::optional<Id<Object>> ObjectList::find(Id<KnownFile> file) const {
  return object_at(by_file_, file.index);
}

std::optional<Id<Object>> ObjectList::find_asked_for(NameId name) const {
  return object_at(by_asked_name_, name.index);
}

bool ObjectList::bears(Id<Object> object, NameId name) const {
  return std::ranges::find(names_, BorneName{object, name}) != names_.end();
}

void ObjectList::index() {
  std::vector<std::int32_t> positions(table_.size(), nobody);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    positions[order_[i].index] = static_cast<std::int32_t>(i);
  }
  const auto enter = [&](std::vector<std::int32_t>& slots, std::uint32_t key, Id<Object> owner) {
    if (positions[owner.index] == nobody) return;
    std::int32_t& at = slot(slots, key);
    if (at == nobody || positions[owner.index] < positions[static_cast<std::size_t>(at)]) {
      at = static_cast<std::int32_t>(owner.index);
    }
  };
  std::fill(by_name_.begin(), by_name_.end(), nobody);
  std::fill(by_asked_name_.begin(), by_asked_name_.end(), nobody);
  std::fill(by_file_.begin(), by_file_.end(), nobody);
  for (const auto& [owner, name] : names_) {
    enter(by_name_, name.index, owner);
    enter(by_asked_name_, name.index, owner);
  }
  for (const auto& [owner, name] : sonames_) enter(by_name_, name.index, owner);
  for (const auto& [owner, file] : files_) enter(by_file_, file.index, owner);
}

void ObjectList::unmap(const std::vector<Id<Object>>& objects) {
  if (objects.empty()) return;
  for (const Id<Object> object : objects) table_[object].is_unmapped = true;
  std::erase_if(order_, [this](Id<Object> id) { return table_[id].is_unmapped; });
  index();
}

void ObjectList::unmap_from(std::size_t first) {
  std::vector<Id<Object>> objects;
  for (std::size_t i = first; i < table_.size(); ++i) objects.push_back(table_.id(i));
  unmap(objects);
}

void ObjectList::hide(Id<Object> object) {
  std::erase(order_, object);
  index();
}

void ObjectList::move_before(Id<Object> object, Id<Object> other) {
  std::erase(order_, object);
  order_.insert(std::ranges::find(order_, other), object);
  index();
}

void ObjectList::insert_behind(Id<Object> object, Id<Object> other) {
  const auto at = std::ranges::find(order_, other);
  order_.insert(at == order_.end() ? at : at + 1, object);
  index();
}

}  // namespace whyso::loader
