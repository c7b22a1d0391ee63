// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/loader.h"

#include <algorithm>
#include <utility>

namespace whyso::loader {
namespace {

/// --inhibit-rpath compares whole paths as the loader spells them; the program is the empty one.
bool is_inhibited(std::string_view path, const ProcessContext& context) {
  if (!context.inhibit_rpath || context.is_secure) return false;
  std::string_view rest = *context.inhibit_rpath;
  while (true) {
    const auto colon = rest.find(':');
    if (rest.substr(0, colon) == path) return true;
    if (colon == std::string_view::npos || colon + 1 == rest.size()) return false;
    rest.remove_prefix(colon + 1);
  }
}

std::string read_text(tree::Resolver& resolver, std::string_view path) {
  const tree::Walk walk = resolver.resolve(path);
  if (!walk.is_found()) return {};
  const auto content = resolver.tree().read(walk.real);
  return content.is_present() ? std::string(content.value().blob.text()) : std::string();
}

}  // namespace

Loader::Loader(tree::Resolver& resolver, LoaderRules rules, ProcessContext context)
    : context_(std::move(context)),
      files_(resolver, std::move(rules), context_.cwd),
      searches_(files_, !context_.inhibit_cache),
      symbols_(files_),
      preload_file_(read_text(resolver, files_.rules().preload_path)),
      preload_error_(error_number_of(resolver.resolve(files_.rules().preload_path).outcome)) {}

TokenValues Loader::tokens(std::optional<std::string> origin) const {
  return {.origin = std::move(origin),
          .library = rules().library_token,
          .platform = rules().platform,
          .is_secure = context_.is_secure,
          .trusted = rules().default_directories};
}

Loader::OwnPaths Loader::own_paths(const DynamicFacts& dynamic, std::string_view path,
                                   const TokenValues& tokens) {
  if (is_inhibited(path, context_)) return {};
  const auto list_of = [&](const std::optional<std::string>& list) {
    if (!list || list->empty()) return std::optional<Id<DirectoryList>>();
    return searches_.list(directories_of(*list, ":", tokens));
  };
  return {.rpath = list_of(dynamic.rpath), .runpath = list_of(dynamic.runpath)};
}

const Loader::OwnPaths& Loader::own_paths(Id<Opening> id) {
  const auto known = own_paths_.find(id.index);
  if (known != own_paths_.end()) return known->second;
  const Opening& opening = files_.opening(id);
  const DynamicFacts& dynamic = files_.file(*opening.file).object.dynamic;
  const std::string& path = files_.text(opening.path);
  OwnPaths paths;
  if (dynamic.rpath || dynamic.runpath) {
    paths = own_paths(dynamic, path, tokens(origin_of(path, context_.cwd)));
  }
  return own_paths_.emplace(id.index, paths).first->second;
}

NameId Loader::version_file(Id<KnownFile> requirer, std::size_t index) {
  std::vector<NameId>& names = version_files_[requirer.index];
  if (names.empty()) {
    for (const VersionWant& want : files_.file(requirer).object.versions.wants) {
      names.push_back(files_.names().intern(want.file));
    }
  }
  return names[index];
}

const std::vector<MissingVersion>& Loader::missing_versions(Id<KnownFile> requirer,
                                                            std::size_t index,
                                                            Id<KnownFile> provider) {
  const std::uint64_t key = std::uint64_t{requirer.index} << 40U |
                            std::uint64_t{index & 0xffffU} << 24U | (provider.index & 0xffffffU);
  const auto [at, is_new] = missing_versions_.try_emplace(key);
  if (!is_new) return at->second;
  const VersionFacts& defined = files_.file(provider).object.versions;
  for (const WantedVersion& wanted : files_.file(requirer).object.versions.wants[index].versions) {
    const bool is_there = std::ranges::any_of(defined.definitions, [&](const auto& definition) {
      return definition.first == wanted.hash && definition.second == wanted.name;
    });
    if (!is_there) {
      at->second.push_back({wanted.name, wanted.is_weak, !defined.has_definitions});
    }
  }
  return at->second;
}

}  // namespace whyso::loader
