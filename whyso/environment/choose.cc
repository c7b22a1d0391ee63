// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/choose.h"

#include <utility>

#include "whyso/base/text.h"
#include "whyso/environment/active_python.h"
#include "whyso/environment/recognize.h"
#include "whyso/environment/search_below.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

using tree::FileKind;
using tree::LastLink;
using tree::Resolver;
using tree::Walk;

/// "no such file or directory; did you mean .venv?"
Error not_found(const tree::FileTree& tree, const Path& path, const std::string& typed) {
  Path at = path;
  while (!at.is_root() && !tree.stat(at.parent()).is_present()) at = at.parent();
  std::vector<std::string> known;
  const auto entries = tree.list(at.parent(), tree::ListDetail::kinds);
  if (entries.is_present()) {
    for (const auto& entry : entries.value()) known.push_back(entry.name);
  }
  std::string what = "no such file or directory";
  const auto near = closest(at.name(), known);
  if (!near.empty()) what += "; did you mean " + (at.parent() / near.front()).text() + "?";
  return {ErrorKind::io, typed, what};
}

std::optional<EnvironmentPlace> place_of_program(Resolver& resolver, const Path& path) {
  const Walk walk = resolver.resolve(path.text(), LastLink::keep);
  const bool is_file = walk.is_found() && walk.facts.kind != FileKind::directory;
  if (!is_file || !is_python_name(path.name())) return std::nullopt;
  const Path folder = path.parent();
  const Path prefix = folder.name() == "bin" ? folder.parent() : folder;
  return EnvironmentPlace{.prefix = prefix, .executable = path};
}

Choice one(EnvironmentPlace place, std::string named, std::string reason) {
  place.named = std::move(named);
  return {.places = {std::move(place)}, .reason = std::move(reason)};
}

/// As the user wrote the folder, with what lies below it.
std::string name_below(const std::string& typed, const Path& folder, const Path& prefix) {
  const std::string_view rest = prefix.within(folder);
  if (rest.empty()) return typed;
  return typed.ends_with('/') ? typed + std::string(rest) : typed + "/" + std::string(rest);
}

Result<Choice> choose_named(const tree::FileTree& tree, const ProcessVariables& variables,
                            const std::string& target) {
  const std::string reason = "the argument";
  const auto path = variables.working_folder.join(target);
  if (!path || target.empty()) {
    return failure(ErrorKind::io, target, "this is no path");
  }
  Resolver resolver(tree);
  if (auto program = place_of_program(resolver, *path)) {
    return one(*std::move(program), target, reason);
  }
  const Walk walk = resolver.resolve(path->text());
  if (walk.outcome == tree::WalkOutcome::not_permitted) {
    return failure(ErrorKind::not_permitted, target, "Permission denied");
  }
  if (!walk.is_found()) return std::unexpected(not_found(tree, *path, target));
  const bool is_folder = walk.facts.kind == FileKind::directory;
  const FolderKind kind =
      is_folder && !path->is_root() ? recognize(resolver, *path) : FolderKind::other;
  if (kind == FolderKind::environment) return one({.prefix = *path}, target, reason);
  if (auto enclosing = find_enclosing(resolver, walk.real)) {
    const Path prefix = enclosing->prefix;
    return one(*std::move(enclosing), prefix == walk.real ? target : prefix.text(), reason);
  }
  if (kind == FolderKind::prefix) return one({.prefix = *path}, target, reason);
  FoundBelow below = is_folder ? search_below(tree, walk.real) : FoundBelow();
  if (below.places.empty()) {
    return failure(ErrorKind::io, target, "no Python environment is there or below it");
  }
  for (EnvironmentPlace& place : below.places) {
    place.named = name_below(target, walk.real, place.prefix);
  }
  return Choice{std::move(below.places), reason, std::move(below.problems)};
}

/// A variable that says which environment is active.
Result<Choice> choose_by_variable(const tree::FileTree& tree, const ProcessVariables& variables,
                                  const std::string& value, const std::string& name) {
  const auto path = variables.working_folder.join(value);
  Resolver resolver(tree);
  const Walk walk = path ? resolver.resolve(path->text()) : Walk();
  if (!walk.is_found() || walk.facts.kind != FileKind::directory) {
    return failure(ErrorKind::io, value, "no such directory, but " + name + " names it");
  }
  const std::string_view below =
      path->is_within(variables.working_folder) ? path->within(variables.working_folder) : "";
  return one({.prefix = *path}, below.empty() ? path->text() : std::string(below), name);
}

}  // namespace

Result<Choice> choose_environment(const tree::FileTree& tree, const ProcessVariables& variables,
                                  const std::optional<std::string>& target) {
  if (target) return choose_named(tree, variables, *target);
  if (variables.virtual_env && !variables.virtual_env->empty()) {
    return choose_by_variable(tree, variables, *variables.virtual_env, "VIRTUAL_ENV");
  }
  if (variables.conda_prefix && !variables.conda_prefix->empty()) {
    return choose_by_variable(tree, variables, *variables.conda_prefix, "CONDA_PREFIX");
  }
  Resolver resolver(tree);
  const Path local = variables.working_folder / ".venv";
  if (recognize(resolver, local) == FolderKind::environment) {
    return one({.prefix = local}, ".venv", "./.venv");
  }
  const auto program = find_python_on_path(tree, variables);
  if (!program) {
    return failure(
        ErrorKind::io, "",
        "no environment is active: neither VIRTUAL_ENV nor CONDA_PREFIX is set, there is "
        "no ./.venv and no python3 on PATH");
  }
  auto place = place_of_program(resolver, *program);
  if (!place) return failure(ErrorKind::io, program->text(), "this is no Python");
  return one(*std::move(place), program->text(), std::string(program->name()) + " on PATH");
}

}  // namespace whyso::environment
