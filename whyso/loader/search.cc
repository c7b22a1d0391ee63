// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/search.h"

#include <cerrno>
#include <utility>

#include "whyso/base/check.h"

namespace whyso::loader {
namespace {

constexpr std::size_t longest_path = 4095;  // PATH_MAX without its NUL

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32U | b; }

/// Errors after which open_path looks into the next directory of the list.
bool is_ordinary(int error_number, const LoaderRules& rules) {
  return error_number == ENOENT || error_number == EACCES ||
         (error_number == ENOTDIR && rules.is_at_least(39));
}

constexpr std::uint32_t set_user_id = 04000;

}  // namespace

/// open_path for one name: goes through the directories and their subdirectories.
class Searches::ListSearch {
 public:
  ListSearch(Searches& searches, NameId name, bool is_secure_preload)
      : searches_(searches),
        rules_(searches.files_->rules()),
        name_(name),
        is_secure_preload_(is_secure_preload) {}

  PlaceAnswer run(const DirectoryList& list) {
    for (const Id<Directory> directory : list.directories) {
      if (search_directory(directory)) break;
    }
    return std::move(answer_);
  }

 private:
  /// True where the list ends with this directory.
  bool search_directory(Id<Directory> directory) {
    bool is_anything_there = false;
    const auto count = static_cast<std::uint16_t>(rules_.subdirectories.size());
    for (std::uint16_t i = 0; i < count; ++i) {
      const Candidate candidate = look(directory, i);
      answer_.candidates.push_back(candidate);
      is_anything_there |= !candidate.is_directory_missing;
      answer_.saw_other_class |= candidate.verdict == Verdict::other_class;
      answer_.is_decided =
          candidate.verdict == Verdict::taken || candidate.verdict == Verdict::refused;
      if (answer_.is_decided) return true;
    }
    const int last_error = answer_.candidates.back().error_number;
    answer_.is_abandoned = is_anything_there && !is_ordinary(last_error, rules_);
    return answer_.is_abandoned;
  }

  Candidate look(Id<Directory> directory, std::uint16_t subdirectory) {
    Candidate candidate{.subdirectory = subdirectory, .directory = directory};
    const std::string& text = searches_.text(directory);
    const Folder& folder = searches_.folder(directory, subdirectory);
    if (folder.error_number != 0) {
      // Relative directories are never asked for: the loader takes them to be there.
      candidate.is_directory_missing = text.starts_with('/');
      candidate.error_number = folder.error_number;
      candidate.verdict = folder.error_number == ENOENT ? Verdict::no_such_directory
                                                        : verdict_of(folder.error_number);
      return candidate;
    }
    const std::string& name = searches_.files_->text(name_);
    const std::string path = searches_.path_of(candidate, name_);
    Answer answer{.verdict = Verdict::name_too_long, .error_number = ENAMETOOLONG};
    if (path.size() <= longest_path) answer = searches_.files_->look(folder.real, name);
    if (answer.verdict == Verdict::taken && is_secure_preload_ && !is_set_user_id(answer)) {
      answer.verdict = Verdict::not_set_user_id;
      answer.error_number = ENOENT;
    }
    candidate.verdict = answer.verdict;
    candidate.error_number = answer.error_number;
    if (answer.file) candidate.opening = searches_.files_->open_as(path, answer);
    return candidate;
  }

  [[nodiscard]] bool is_set_user_id(const Answer& answer) const {
    return (searches_.files_->file(*answer.file).object.facts.mode & set_user_id) != 0;
  }

  Searches& searches_;
  const LoaderRules& rules_;
  NameId name_;
  bool is_secure_preload_;
  PlaceAnswer answer_;
};

Searches::Searches(Files& files, bool uses_cache) : files_(&files), uses_cache_(uses_cache) {
  defaults_ = list(files.rules().default_directories);
  unknown_to_cache_ = keep({});
}

const std::string& Searches::text(Id<Directory> id) const { return directories_[id.index].text; }

std::string Searches::path_of(const Candidate& candidate, NameId name) const {
  if (!candidate.is_from_list) return files_->text(files_->opening(*candidate.opening).path);
  return text(candidate.directory) + files_->rules().subdirectories[candidate.subdirectory] +
         files_->text(name);
}

Id<Directory> Searches::directory(const std::string& text) {
  const Id<Directory> next{static_cast<std::uint32_t>(directories_.size())};
  const auto [at, is_new] = directories_by_text_.emplace(text, next);
  if (is_new) {
    const std::size_t count = files_->rules().subdirectories.size();
    directories_.push_back({text, std::vector<const Folder*>(count, nullptr)});
  }
  return at->second;
}

const Folder& Searches::folder(Id<Directory> id, std::uint16_t subdirectory) {
  Directory& directory = directories_[id.index];
  if (directory.folders[subdirectory] == nullptr) {
    const std::string path = directory.text + files_->rules().subdirectories[subdirectory];
    directory.folders[subdirectory] = &files_->folder(path.empty() ? "." : path);
  }
  return *directory.folders[subdirectory];
}

std::optional<Id<DirectoryList>> Searches::list(const std::vector<std::string>& directories) {
  if (directories.empty()) return std::nullopt;
  DirectoryList made;
  std::vector<std::uint32_t> key;
  for (const std::string& text : directories) {
    made.directories.push_back(directory(text));
    key.push_back(made.directories.back().index);
  }
  const Id<DirectoryList> next{static_cast<std::uint32_t>(lists_.size())};
  const auto [at, is_new] = lists_by_directories_.emplace(std::move(key), next);
  if (is_new) lists_.push_back(std::move(made));
  return at->second;
}

Id<RpathChain> Searches::chain(const RpathChain& chain) {
  const Id<RpathChain> next{static_cast<std::uint32_t>(chains_.size())};
  const auto [at, is_new] = chain_ids_.emplace(chain, next);
  if (is_new) chains_.push_back(chain);
  return at->second;
}

Id<SearchPlan> Searches::plan(const SearchPlan& plan) {
  const Id<SearchPlan> next{static_cast<std::uint32_t>(plans_.size())};
  const auto [at, is_new] = plan_ids_.emplace(plan, next);
  if (is_new) plans_.push_back(plan);
  return at->second;
}

Id<PlaceAnswer> Searches::keep(PlaceAnswer answer) {
  answers_.push_back(std::move(answer));
  return {static_cast<std::uint32_t>(answers_.size() - 1)};
}

Id<PlaceAnswer> Searches::ask_list(Id<DirectoryList> list, NameId name, bool is_secure_preload) {
  const std::uint64_t key = key_of(list.index << 1U | (is_secure_preload ? 1U : 0U), name.index);
  const auto known = list_answers_.find(key);
  if (known != list_answers_.end()) return known->second;
  const auto id = keep(ListSearch(*this, name, is_secure_preload).run(lists_[list.index]));
  list_answers_.emplace(key, id);
  return id;
}

Id<PlaceAnswer> Searches::ask_cache(const SearchPlan& plan, NameId name) {
  const auto path = files_->rules().find_in_cache(files_->text(name));
  if (!path) return unknown_to_cache_;
  PlaceAnswer answer;
  Candidate candidate{.is_from_list = false, .opening = files_->open(*path)};
  const Opening& opening = files_->opening(*candidate.opening);
  candidate.verdict = opening.verdict;
  candidate.error_number = opening.error_number;
  if (plan.no_defaults) {
    for (const std::string& folder : files_->rules().default_directories) {
      answer.is_dropped |= path->starts_with(folder);
    }
  }
  answer.candidates.push_back(candidate);
  answer.saw_other_class = !answer.is_dropped && opening.verdict == Verdict::other_class;
  answer.is_decided = !answer.is_dropped && opening.is_final();
  return keep(std::move(answer));
}

/// Adds the step to the search; true where it decided.
bool Searches::try_step(Search& search, SearchedStep step) {
  const PlaceAnswer& answer = answers_[step.answer.index];
  search.saw_other_class |= answer.saw_other_class;
  if (answer.is_decided) search.found = answer.candidates.back().opening;
  search.steps.push_back(step);
  return answer.is_decided;
}

Search Searches::search_anew(Id<SearchPlan> plan_id, NameId name) {
  const SearchPlan plan = plans_[plan_id.index];
  Search search{.name = name, .plan = plan_id};
  const auto try_list = [&](Step step, NameId owner, Id<DirectoryList> list) {
    return try_step(search, {step, owner, list, ask_list(list, name, plan.is_secure_preload)});
  };
  for (auto chain = plan.rpath; chain; chain = chains_[chain->index].next) {
    const RpathChain& link = chains_[chain->index];
    if (try_list(Step::rpath, link.owner, link.list)) return search;
  }
  const NameId none = files_->names().intern("");
  if (plan.library_path && try_list(Step::ld_library_path, none, *plan.library_path)) return search;
  if (plan.runpath && try_list(Step::runpath, plan.requirer, *plan.runpath)) return search;
  if (uses_cache_ && !plan.is_secure_preload) {
    if (try_step(search, {Step::cache, none, std::nullopt, ask_cache(plan, name)})) return search;
  }
  if (defaults_ && !plan.no_defaults) try_list(Step::defaults, none, *defaults_);
  return search;
}

Id<Search> Searches::find(Id<SearchPlan> plan, NameId name) {
  const std::uint64_t key = key_of(plan.index, name.index);
  const auto known = plan_searches_.find(key);
  if (known != plan_searches_.end()) return known->second;
  searches_.push_back(search_anew(plan, name));
  const Id<Search> id{static_cast<std::uint32_t>(searches_.size() - 1)};
  plan_searches_.emplace(key, id);
  return id;
}

Id<Search> Searches::open(NameId name, std::string_view path) {
  const Id<Opening> opening_id = files_->open(path);
  const Id<Search> next{static_cast<std::uint32_t>(searches_.size())};
  const auto [at, is_new] = path_searches_.emplace(key_of(opening_id.index, name.index), next);
  if (!is_new) return at->second;
  const Opening& opening = files_->opening(opening_id);
  PlaceAnswer answer{.saw_other_class = opening.verdict == Verdict::other_class,
                     .is_decided = opening.is_final()};
  answer.candidates.push_back({.verdict = opening.verdict,
                               .is_from_list = false,
                               .error_number = opening.error_number,
                               .opening = opening_id});
  Search search{.name = name};
  try_step(search,
           {Step::path_itself, files_->names().intern(""), std::nullopt, keep(std::move(answer))});
  searches_.push_back(std::move(search));
  return next;
}

}  // namespace whyso::loader
