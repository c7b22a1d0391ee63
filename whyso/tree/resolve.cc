// SPDX-License-Identifier: Apache-2.0
#include "whyso/tree/resolve.h"

#include <utility>

namespace whyso::tree {
namespace {

constexpr int most_links = 40;              // MAXSYMLINKS of Linux
constexpr std::size_t longest_path = 4095;  // PATH_MAX without its NUL
constexpr std::size_t longest_name = 255;   // NAME_MAX of the usual file systems

WalkOutcome outcome_of(const Error& error) {
  return error.kind == ErrorKind::not_permitted ? WalkOutcome::not_permitted : WalkOutcome::failed;
}

std::string_view without_trailing_slashes(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path;
}

}  // namespace

Walk Resolver::resolve(std::string_view path, LastLink last) {
  if (path.empty() || path.contains('\0')) return {};
  if (path.size() > longest_path) return {.outcome = WalkOutcome::name_too_long};
  return walk(path, last, most_links);
}

Walk Resolver::walk(std::string_view path, LastLink last, int links_left) {
  const std::string_view bare = without_trailing_slashes(path);
  const bool must_be_folder = bare.size() != path.size();
  const auto slash = bare.rfind('/');
  const Folder parent = folder(slash == 0 ? "/" : bare.substr(0, slash), links_left);
  if (parent.outcome != WalkOutcome::found) return {.outcome = parent.outcome, .real = parent.real};
  Walk walk = enter(parent.real, bare.substr(slash + 1), must_be_folder ? LastLink::follow : last,
                    links_left);
  if (must_be_folder && walk.is_found() && walk.facts.kind != FileKind::directory) {
    walk.outcome = WalkOutcome::not_a_directory;
  }
  return walk;
}

Resolver::Folder Resolver::folder(std::string_view path, int links_left) {
  if (path == "/") return {WalkOutcome::found, Path()};
  const auto known = folders_.find(std::string(path));
  if (known != folders_.end()) return known->second;
  const Walk walked = walk(path, LastLink::follow, links_left);
  Folder result{walked.outcome, walked.real};
  if (walked.is_found() && walked.facts.kind != FileKind::directory) {
    result.outcome = WalkOutcome::not_a_directory;
  }
  // A loop depends on how many links were followed before; it is rare enough to be walked again.
  if (result.outcome != WalkOutcome::loop) folders_.emplace(path, result);
  return result;
}

Walk Resolver::enter(const Path& folder, std::string_view name, LastLink last, int links_left) {
  if (name.size() > longest_name) return {.outcome = WalkOutcome::name_too_long, .real = folder};
  const bool is_special = name.empty() || name == "." || name == "..";
  const Path at = name == ".." ? folder.parent() : is_special ? folder : folder / name;
  const auto facts = tree_->stat(at);
  if (facts.is_absent()) return {.outcome = WalkOutcome::absent, .real = at};
  if (facts.is_unreadable()) return {.outcome = outcome_of(facts.error()), .real = at};
  Walk walk{.outcome = WalkOutcome::found, .real = at, .facts = facts.value()};
  const bool is_link = walk.facts.kind == FileKind::symbolic_link && last == LastLink::follow;
  return is_link ? follow(folder, std::move(walk), links_left) : walk;
}

Walk Resolver::follow(const Path& folder, Walk at_link, int links_left) {
  at_link.outcome = WalkOutcome::loop;
  if (links_left == 0) return at_link;
  auto target = tree_->read_link(at_link.real);
  if (!target.is_present()) {
    at_link.outcome = target.is_absent() ? WalkOutcome::absent : outcome_of(target.error());
    return at_link;
  }
  const std::string& text = target.value();
  const std::string path = text.starts_with('/') ? text : folder.text() + "/" + text;
  Walk behind = text.empty() || path.size() > longest_path
                    ? Walk{.outcome = WalkOutcome::absent, .real = at_link.real}
                    : walk(path, LastLink::follow, links_left - 1);
  behind.links.insert(behind.links.begin(), FollowedLink{at_link.real, text});
  return behind;
}

}  // namespace whyso::tree
