// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/search_story.h"

#include <algorithm>
#include <array>

#include "whyso/base/text.h"

namespace whyso::check {
namespace {

using loader::Candidate;
using loader::Ending;
using loader::Search;
using loader::SearchedStep;
using loader::SearchPlan;
using loader::Step;
using loader::Verdict;

std::string shown_name(const World& world, loader::NameId name) {
  const std::string& text = world.loader->files().text(name);
  if (text.empty()) return "the program";
  return std::string(text.substr(text.rfind('/') + 1));
}

std::string name_of(const World& world, const SearchedStep& step) {
  switch (step.step) {
    case Step::path_itself:
      return "the path itself";
    case Step::rpath:
      return "DT_RPATH of " + shown_name(world, step.owner);
    case Step::ld_library_path:
      return "LD_LIBRARY_PATH";
    case Step::runpath:
      return "DT_RUNPATH of " + shown_name(world, step.owner);
    case Step::cache:
      return "loader cache";
    case Step::defaults:
      break;
  }
  return "default directories";
}

/// Folders without the file are told once, as long as nothing in them was odd.
SearchStep told(const World& world, const Search& search, const SearchedStep& step) {
  const auto& searches = world.loader->searches();
  const auto& answer = searches.answer(step.answer);
  SearchStep story{.name = name_of(world, step)};
  std::set<std::string> seen;
  for (const Candidate& candidate : answer.candidates) {
    const bool is_hwcap = candidate.is_from_list && candidate.verdict != Verdict::taken &&
                          candidate.subdirectory + 1U < world.loader->rules().subdirectories.size();
    if (is_hwcap) continue;  // subdirectories for special processors say nothing to people
    std::string path = std::string(searches.path_of(candidate, search.name));
    if (!seen.insert(path).second) continue;
    story.tried.push_back({.path = std::move(path),
                           .verdict = std::string(words_of(candidate.verdict)),
                           .taken = candidate.verdict == Verdict::taken});
  }
  story.decided = answer.is_decided;
  const bool has_folders = step.list.has_value();
  if (has_folders) {
    story.summary = counted(searches.list(*step.list).directories.size(), "folder");
  } else if (story.tried.empty()) {
    story.summary = "does not know the name";
  }
  return story;
}

bool was_reached(const Search& search, Step step) {
  return std::ranges::any_of(search.steps,
                             [&](const SearchedStep& done) { return done.step == step; });
}

/// Why a step that the loader knows was left out.
std::string absence_of(const SearchPlan& plan, Step step, bool is_decided) {
  switch (step) {
    case Step::rpath:
      if (plan.has_runpath) return "not used: the object that asks has a RUNPATH";
      if (!plan.rpath) return "none";
      break;
    case Step::ld_library_path:
      if (!plan.library_path) return "not set";
      break;
    case Step::runpath:
      if (!plan.runpath) return plan.rpath ? "none (RPATH is used)" : "none";
      break;
    case Step::defaults:
      if (plan.no_defaults) return "not used: DF_1_NODEFLIB";
      break;
    default:
      break;
  }
  return is_decided ? "not reached" : "not used";
}

std::string plain_name(const World& world, const SearchPlan& plan, Step step) {
  switch (step) {
    case Step::rpath:
      return "DT_RPATH of " + shown_name(world, plan.requirer);
    case Step::ld_library_path:
      return "LD_LIBRARY_PATH";
    case Step::runpath:
      return "DT_RUNPATH of " + shown_name(world, plan.requirer);
    case Step::cache:
      return "loader cache";
    default:
      return "default directories";
  }
}

constexpr std::array<Step, 5> all_steps = {Step::rpath, Step::ld_library_path, Step::runpath,
                                           Step::cache, Step::defaults};

std::vector<SearchStep> told_search(const World& world, const Search& search) {
  std::vector<SearchStep> steps;
  if (!search.plan) {
    for (const auto& step : search.steps) steps.push_back(told(world, search, step));
    return steps;
  }
  const SearchPlan& plan = world.loader->searches().plan(*search.plan);
  for (const Step step : all_steps) {
    if (!was_reached(search, step)) {
      steps.push_back({.name = plain_name(world, plan, step),
                       .summary = absence_of(plan, step, search.found.has_value())});
      continue;
    }
    for (const auto& done : search.steps) {
      if (done.step == step) steps.push_back(told(world, search, done));
    }
  }
  return steps;
}

/// Folders of a list, where they really are.
bool holds_folder(const World& world, Id<loader::DirectoryList> list, const Path& folder) {
  auto& searches = world.loader->searches();
  return std::ranges::any_of(searches.list(list).directories, [&](Id<loader::Directory> id) {
    const auto& found = world.loader->files().folder(searches.text(id));
    return found.error_number == 0 && found.real == folder;
  });
}

}  // namespace

std::vector<SearchStep> search_story(const World& world, const loader::Process& process,
                                     const loader::Request& request) {
  SearchStep first{.name = "already loaded under that name", .summary = "no"};
  if (request.ending == Ending::matched_name) {
    first.decided = true;
    const auto& object = process.objects()[*request.object];
    first.summary = "yes: " + shown_path(world, world.loader->files().text(object.path));
  }
  std::vector<SearchStep> steps = {std::move(first)};
  if (!request.search) return steps;
  const auto& search = world.loader->searches().search(*request.search);
  for (auto& step : told_search(world, search)) steps.push_back(std::move(step));
  return steps;
}

std::string why_not_taken(const World& world, const loader::Request& request,
                          const NativeObject& copy) {
  if (!request.search) return "an object with that name was loaded before";
  auto& searches = world.loader->searches();
  const auto& search = searches.search(*request.search);
  if (!search.plan) return "the file was asked for by its path";
  const SearchPlan& plan = searches.plan(*search.plan);
  const Path folder = copy.path.parent();
  for (auto chain = plan.rpath; chain; chain = searches.chain(*chain).next) {
    if (holds_folder(world, searches.chain(*chain).list, folder)) return "its folder comes later";
  }
  for (const auto& list : {plan.library_path, plan.runpath, searches.defaults()}) {
    if (list && holds_folder(world, *list, folder)) return "its folder comes later in the search";
  }
  return "no folder that is searched holds it: " + shown_path(world, folder) + " is not among them";
}

}  // namespace whyso::check
