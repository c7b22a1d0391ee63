// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/owner_story.h"

#include <span>

#include "whyso/environment/system_packages.h"

namespace whyso::check {
namespace {

constexpr std::uint64_t largest_to_hash = 512ULL * 1024 * 1024;

/// Whose recorded contents the bytes are, among those that list the path.
void add_content(const World& world, const environment::OwnedFile& file, Ownership& story) {
  const auto index = static_cast<std::uint32_t>(&file - world.environment.ownership.files().data());
  if (file.state != environment::FileState::present) {
    story.content_state = "absent";
    return;
  }
  if (file.facts.size > largest_to_hash) {
    story.content_state = "not looked at: larger than 512 MiB";
    return;
  }
  const auto owner = holder_by_hash(*world.tree, world.environment, index);
  if (owner.is_present()) {
    story.content_of = title_of(world, owner.value());
    story.content_state = "as recorded";
  } else if (owner.is_unreadable()) {
    story.content_state = "could not be read: " + owner.error().what;
  } else {
    story.content_state =
        has_recorded_hash(world.environment, index) ? "not as recorded" : "not recorded";
  }
}

}  // namespace

Ownership ownership_of(const World& world, const Path& path) {
  Ownership story;
  const auto* file = world.environment.ownership.find(path);
  if (file == nullptr) {
    const auto found = environment::find_system_packages(*world.tree, std::span(&path, 1));
    if (found.is_present()) {
      for (const auto& package : found.value().front()) story.listed_by.push_back(package.title());
    }
    story.content_state = "not recorded";
    return story;
  }
  story.listed_by = titles_of(world, world.environment.ownership.owners(*file));
  add_content(world, *file, story);
  return story;
}

std::string system_package(const World& world, const Path& path) {
  const auto found = environment::find_system_packages(*world.tree, std::span(&path, 1));
  if (!found.is_present() || found.value().front().empty()) return {};
  return found.value().front().front().name;
}

std::string owner_of(const World& world, const Path& path) {
  const auto native = world.index.by_path.find(path);
  return native == world.index.by_path.end() ? std::string()
                                             : owner_title(world, world.natives[native->second]);
}

std::string told_copy(const World& world, const Path& path) {
  const std::string owner = owner_of(world, path);
  return shown_path(world, path) + (owner.empty() ? "" : " of " + owner);
}

}  // namespace whyso::check
