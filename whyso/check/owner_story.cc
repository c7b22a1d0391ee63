// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/owner_story.h"

#include <algorithm>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

constexpr std::uint64_t largest_to_hash = 512ULL * 1024 * 1024;

const Path& dpkg_folder() {
  static const Path folder = *Path::parse("/var/lib/dpkg/info");
  return folder;
}

/// Debian lists files under the names that they had before /usr was merged.
std::vector<std::string> spellings(const Path& path) {
  std::vector<std::string> names = {path.text()};
  if (path.text().starts_with("/usr/")) names.push_back(path.text().substr(4));
  return names;
}

bool lists(std::string_view text, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [&](const std::string& name) {
    for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
      const bool begins = at == 0 || text[at - 1] == '\n';
      const bool ends = at + name.size() == text.size() || text[at + name.size()] == '\n';
      if (begins && ends) return true;
    }
    return false;
  });
}

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
  if (owner) {
    story.content_of = title_of(world, *owner);
    story.content_state = "as recorded";
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
    const std::string package = system_package(world, path);
    if (!package.empty()) story.listed_by.push_back("deb " + package);
    story.content_state = "not recorded";
    return story;
  }
  story.listed_by = titles_of(world, world.environment.ownership.owners(*file));
  add_content(world, *file, story);
  return story;
}

std::string system_package(const World& world, const Path& path) {
  const auto entries = world.tree->list(dpkg_folder(), tree::ListDetail::kinds);
  if (!entries.is_present()) return {};
  const auto names = spellings(path);
  for (const auto& entry : entries.value()) {
    if (!entry.name.ends_with(".list")) continue;
    const auto content = world.tree->read(dpkg_folder() / entry.name);
    if (!content.is_present() || !lists(content.value().blob.text(), names)) continue;
    const std::string_view package = std::string_view(entry.name).substr(0, entry.name.size() - 5);
    return std::string(package.substr(0, package.find(':')));
  }
  return {};
}

}  // namespace whyso::check
