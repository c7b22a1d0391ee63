// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/files.h"

#include <cerrno>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/loader/tokens.h"

namespace whyso::loader {
namespace {

/// open(2) and read(2) of what a walk arrived at. The error number is that of open, 0 if it worked.
std::pair<int, ObjectFile> read_object(const tree::FileTree& tree, const tree::Walk& walk,
                                       const LoaderRules& rules) {
  if (walk.facts.kind != tree::FileKind::regular) {
    return {0, judge(walk.real, walk.facts, FileBytes(), rules)};
  }
  const auto pieces = tree.read_in_pieces(walk.real);
  if (pieces.is_present()) {
    const auto& [bytes, facts] = pieces.value();
    ObjectFile object = judge(walk.real, facts, bytes, rules);
    if (bytes.is_whole() || !object.is_damaged) return {0, std::move(object)};
  }
  const auto content = tree.read(walk.real);
  if (content.is_present()) {
    const auto& [blob, facts] = content.value();
    return {0, judge(walk.real, facts, FileBytes(blob), rules)};
  }
  if (content.is_absent()) return {ENOENT, {}};
  return {content.error().kind == ErrorKind::not_permitted ? EACCES : EIO, {}};
}

}  // namespace

Verdict verdict_of(int error_number) {
  switch (error_number) {
    case ENOENT:
      return Verdict::no_such_file;
    case ENOTDIR:
      return Verdict::not_a_directory;
    case EACCES:
      return Verdict::permission_denied;
    case ELOOP:
      return Verdict::loop;
    case ENAMETOOLONG:
      return Verdict::name_too_long;
    default:
      return Verdict::failed;
  }
}

tree::Walk Files::resolve(std::string_view path) {
  if (path.starts_with('/')) return resolver_->resolve(path);
  if (path.empty()) return {};
  return resolver_->resolve((cwd_.ends_with('/') ? cwd_ : cwd_ + "/") + std::string(path));
}

std::optional<Id<KnownFile>> Files::known(const tree::FileId& id) const {
  const auto found = files_by_id_.find(id);
  if (found == files_by_id_.end()) return std::nullopt;
  return found->second;
}

Id<KnownFile> Files::add(ObjectFile object) {
  if (const auto id = known(object.facts.id)) return *id;
  KnownFile file{.object = std::move(object)};
  const DynamicFacts& dynamic = file.object.dynamic;
  if (dynamic.soname) file.soname = names_.intern(*dynamic.soname);
  for (const Want& want : dynamic.wants) {
    file.wants.push_back({names_.intern(want.name), want.kind, has_token(want.name)});
  }
  const Id<KnownFile> id{static_cast<std::uint32_t>(files_.size())};
  files_by_id_.emplace(file.object.facts.id, id);
  files_.push_back(std::move(file));
  return id;
}

Answer Files::answer(const tree::Walk& walk) {
  const auto failed = [](int number) {
    return Answer{.verdict = verdict_of(number), .error_number = number};
  };
  if (!walk.is_found()) return failed(error_number_of(walk.outcome));
  auto id = known(walk.facts.id);
  if (!id) {
    auto [error_number, object] = read_object(resolver_->tree(), walk, rules_);
    if (error_number != 0) return failed(error_number);
    id = add(std::move(object));
  }
  Answer answer{.verdict = files_[id->index].object.verdict, .file = id};
  // A file that is passed over leaves ENOENT, as if it were not there (open_verify).
  if (!answer.is_final()) answer.error_number = ENOENT;
  return answer;
}

Answer Files::look(const Path& real_folder, std::string_view name) {
  std::string path = real_folder.is_root() ? "/" : real_folder.text() + "/";
  path += name;
  const auto known_answer = answers_.find(path);
  if (known_answer != answers_.end()) return known_answer->second;
  const Answer result = answer(resolver_->resolve(path));
  answers_.emplace(std::move(path), result);
  return result;
}

const Folder& Files::folder(std::string_view path) {
  std::string key(path);
  const auto known_folder = folders_.find(key);
  if (known_folder != folders_.end()) return known_folder->second;
  tree::Walk walk = resolve(path);
  Folder result{.error_number = error_number_of(walk.outcome), .real = std::move(walk.real)};
  if (walk.is_found() && walk.facts.kind != tree::FileKind::directory) {
    result.error_number = ENOTDIR;
  }
  return folders_.emplace(std::move(key), std::move(result)).first->second;
}

Id<Opening> Files::open_as(std::string_view path, const Answer& answer) {
  const NameId name = names_.intern(path);
  const Id<Opening> id{static_cast<std::uint32_t>(openings_.size())};
  const auto [at, is_new] = openings_by_path_.emplace(name.index, id);
  if (is_new) openings_.push_back({answer, name});
  return at->second;
}

Id<Opening> Files::open(std::string_view path) {
  const auto known_opening = openings_by_path_.find(names_.intern(path).index);
  if (known_opening != openings_by_path_.end()) return known_opening->second;
  return open_as(path, answer(resolve(path)));
}

void Files::prefetch(std::span<const std::string> paths) {
  std::vector<tree::Walk> walks;
  for (const std::string& path : paths) {
    tree::Walk walk = resolve(path);
    if (walk.is_found() && !known(walk.facts.id)) walks.push_back(std::move(walk));
  }
  std::vector<std::pair<int, ObjectFile>> objects(walks.size());
  for_each_index(walks.size(), [&](std::size_t index) {
    objects[index] = read_object(resolver_->tree(), walks[index], rules_);
  });
  for (auto& [error_number, object] : objects) {
    if (error_number == 0) add(std::move(object));
  }
}

}  // namespace whyso::loader
