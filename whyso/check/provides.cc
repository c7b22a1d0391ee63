// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/provides.h"

#include <algorithm>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/meant.h"
#include "whyso/check/owner_story.h"

namespace whyso::check {
namespace {

using environment::FileState;
using environment::OwnedFile;

/// The whole path, its end behind a '/', or the file's name.
bool is_meant(const OwnedFile& file, std::string_view query) {
  const std::string_view path = file.relative;
  if (!path.ends_with(query)) return false;
  return path.size() == query.size() || path[path.size() - query.size() - 1] == '/';
}

std::string soname_of(const World& world, const Path& path) {
  const auto native = world.index.by_path.find(path);
  if (native == world.index.by_path.end() || !world.natives[native->second].file) return {};
  const auto& file = world.loader->files().file(*world.natives[native->second].file);
  return file.soname ? std::string(world.loader->files().text(*file.soname)) : std::string();
}

void add_listed(const World& world, std::string_view query, Provides& provides) {
  const auto& ownership = world.environment.ownership;
  for (const auto& file : ownership.files()) {
    if (!is_meant(file, query)) continue;
    const Path path = ownership.path(file);
    provides.providers.push_back(
        {.path = shown_path(world, path),
         .soname = soname_of(world, path),
         .provider = enumerated(titles_of(world, ownership.owners(file)), 9),
         .state = file.state == FileState::present ? "installed here" : "listed, absent on disk"});
  }
}

/// Files whose soname it is, under another name; and those that nobody lists.
void add_natives(const World& world, std::string_view query, Provides& provides) {
  const auto named = world.index.by_name.find(query);
  if (named == world.index.by_name.end()) return;
  for (const auto id : named->second) {
    const NativeObject& object = world.natives[id];
    const bool is_listed = !object.owners.empty();
    const bool is_told = is_listed && object.path.name() == query;
    if (is_told) continue;
    provides.providers.push_back({.path = shown_path(world, object.path),
                                  .soname = soname_of(world, object.path),
                                  .provider = is_listed ? std::string(owner_title(world, object))
                                                        : std::string("no package"),
                                  .state = "installed here"});
  }
}

void add_path(const World& world, std::string_view query, Provides& provides) {
  const auto walk = world.resolver->resolve(query);
  if (!walk.is_found()) return;
  const auto* file = world.environment.ownership.find(walk.real);
  if (file == nullptr) return;
  provides.providers.push_back(
      {.path = shown_path(world, walk.real),
       .soname = soname_of(world, walk.real),
       .provider = enumerated(titles_of(world, world.environment.ownership.owners(*file)), 9),
       .state = "installed here"});
}

/// Copies of the operating system's, where the loader looks by itself.
void add_system_copies(const World& world, std::string_view query, Provides& provides) {
  if (query.contains('/')) return;
  std::set<Path> seen;
  for (const auto& directory : world.loader->rules().default_directories) {
    const auto walk = world.resolver->resolve(directory + std::string(query));
    if (!walk.is_found() || !seen.insert(walk.real).second) continue;
    const auto owner = ownership_of(world, walk.real);
    provides.providers.push_back(
        {.path = walk.real.text(),
         .soname = std::string(query),
         .provider = owner.listed_by.empty() ? std::string("no package") : owner.listed_by.front(),
         .state = "installed here"});
  }
}

void add_knowledge(const World& world, std::string_view query, Provides& provides) {
  for (const auto& known : world.knowledge.providers_of(query)) {
    std::string provider = known.kind + " " + known.package + known.versions;
    if (!known.cuda.empty()) provider += " (CUDA " + known.cuda + ")";
    if (!known.words.empty()) provider += " (" + known.words + ")";
    provides.providers.push_back({.soname = std::string(query),
                                  .provider = std::move(provider),
                                  .state = "known",
                                  .source = known.source + ", " + known.date,
                                  .is_knowledge = true});
  }
}

}  // namespace

Provides answer_provides(const World& world, std::string_view query) {
  Provides provides{.query = std::string(query)};
  if (query.starts_with('/')) {
    add_path(world, query, provides);
  } else {
    add_listed(world, query.starts_with("./") ? query.substr(2) : query, provides);
    if (world.loader) add_natives(world, query, provides);
    if (world.loader) add_system_copies(world, query, provides);
  }
  const bool is_here = std::ranges::any_of(provides.providers, [](const Provider& provider) {
    return provider.state == "installed here";
  });
  if (!is_here) add_knowledge(world, query, provides);
  if (!provides.providers.empty()) return provides;
  provides.did_you_mean = libraries_of_stem(world, query);
  if (!provides.did_you_mean.empty()) return provides;
  std::vector<std::string> known;
  for (const auto& [name, natives] : world.index.by_name) known.push_back(name);
  for (const auto& provider : world.knowledge.providers) known.push_back(provider.pattern);
  provides.did_you_mean = closest(query, known);
  return provides;
}

}  // namespace whyso::check
