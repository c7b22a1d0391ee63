// SPDX-License-Identifier: Apache-2.0
// Where a name is looked for and what each place answers (_dl_map_object, open_path). Every
// question is asked once and remembered for all processes. Knows no process: requirers have been
// turned into plans.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "whyso/loader/files.h"
#include "whyso/loader/verdict.h"

namespace whyso::loader {

/// A directory as it is written, with a final '/' or empty for the current one.
struct Directory {
  std::string text;
  std::vector<const Folder*> folders;  ///< of each subdirectory, null where not yet asked
};

/// The directories of one RPATH, RUNPATH or LD_LIBRARY_PATH, or the default ones.
struct DirectoryList {
  std::vector<Id<Directory>> directories;
};

/// One path that is tried.
struct Candidate {
  Verdict verdict = Verdict::no_such_file;
  bool is_directory_missing = false;  ///< the loader remembers that and does not try there again
  bool is_from_list = true;           ///< false: the path is that of `opening`
  std::uint16_t subdirectory = 0;     ///< index in LoaderRules::subdirectories
  int error_number = 0;               ///< errno afterwards, where the directory was not known
  Id<Directory> directory;
  std::optional<Id<Opening>> opening;  ///< nothing where the directory is missing
};

/// What one place says of a name: the candidates in order, and how it ended. A cache that does not
/// know the name has no candidate.
struct PlaceAnswer {
  std::vector<Candidate> candidates;
  bool is_abandoned = false;  ///< an odd error ended the step before its list was through
  bool is_dropped = false;    ///< the cache named a default directory that NODEFLIB forbids
  bool saw_other_class = false;
  bool is_decided = false;  ///< its last candidate was taken or refused
};

/// One step of a search that was carried out.
struct SearchedStep {
  Step step = Step::defaults;
  NameId owner;                           ///< path of the object whose RPATH or RUNPATH it is
  std::optional<Id<DirectoryList>> list;  ///< nothing for path_itself and cache
  Id<PlaceAnswer> answer;
};

/// RPATH lists in the order of the search: an object's own, then those of its loaders.
struct RpathChain;

/// How one requirer searches; the same for all that have the same paths.
struct SearchPlan {
  std::optional<Id<RpathChain>> rpath;  ///< nothing also where the requirer has a RUNPATH
  std::optional<Id<DirectoryList>> library_path;
  std::optional<Id<DirectoryList>> runpath;
  NameId requirer;           ///< its path, "" for the program
  bool has_runpath = false;  ///< also an empty one, which cuts the RPATHs
  bool no_defaults = false;  ///< DF_1_NODEFLIB
  bool is_secure_preload = false;
  auto operator<=>(const SearchPlan&) const = default;
};

struct RpathChain {
  Id<DirectoryList> list;
  NameId owner;
  std::optional<Id<RpathChain>> next;
  auto operator<=>(const RpathChain&) const = default;
};

/// The whole answer to "where is NAME, asked with this plan?".
struct Search {
  NameId name;
  std::optional<Id<SearchPlan>> plan;  ///< nothing for a name with a '/'
  std::vector<SearchedStep> steps;     ///< those that were reached, in order
  std::optional<Id<Opening>> found;    ///< taken or refused
  bool saw_other_class = false;

  /// The step that decided; only where something was found.
  [[nodiscard]] const SearchedStep& decided() const { return steps.back(); }
};

/// The memory of all searches in one world. Not to be shared between threads; ids and references
/// stay valid as long as it lives.
class Searches {
 public:
  /// `files` must outlive it.
  Searches(Files& files, bool uses_cache);

  [[nodiscard]] Files& files() const { return *files_; }

  /// The same list gets the same id; nothing where it is empty.
  std::optional<Id<DirectoryList>> list(const std::vector<std::string>& directories);
  Id<RpathChain> chain(const RpathChain& chain);
  Id<SearchPlan> plan(const SearchPlan& plan);

  Id<Search> find(Id<SearchPlan> plan, NameId name);
  /// A name with a '/': `path` is the name with its tokens expanded.
  Id<Search> open(NameId name, std::string_view path);

  [[nodiscard]] const Search& search(Id<Search> id) const { return searches_[id.index]; }
  [[nodiscard]] const SearchPlan& plan(Id<SearchPlan> id) const { return plans_[id.index]; }
  [[nodiscard]] const RpathChain& chain(Id<RpathChain> id) const { return chains_[id.index]; }
  [[nodiscard]] const DirectoryList& list(Id<DirectoryList> id) const { return lists_[id.index]; }
  [[nodiscard]] const PlaceAnswer& answer(Id<PlaceAnswer> id) const { return answers_[id.index]; }
  [[nodiscard]] const std::string& text(Id<Directory> id) const;
  [[nodiscard]] const std::optional<Id<DirectoryList>>& defaults() const { return defaults_; }
  [[nodiscard]] bool uses_cache() const { return uses_cache_; }

  /// The path of a candidate in a search for `name`.
  [[nodiscard]] std::string path_of(const Candidate& candidate, NameId name) const;

 private:
  class ListSearch;

  Id<Directory> directory(const std::string& text);
  const Folder& folder(Id<Directory> directory, std::uint16_t subdirectory);
  Id<PlaceAnswer> ask_list(Id<DirectoryList> list, NameId name, bool is_secure_preload);
  Id<PlaceAnswer> ask_cache(const SearchPlan& plan, NameId name);
  Id<PlaceAnswer> keep(PlaceAnswer answer);
  bool try_step(Search& search, SearchedStep step);
  Search search_anew(Id<SearchPlan> plan, NameId name);

  Files* files_;
  bool uses_cache_;
  std::optional<Id<DirectoryList>> defaults_;
  Id<PlaceAnswer> unknown_to_cache_;
  std::deque<Directory> directories_;
  std::deque<DirectoryList> lists_;
  std::deque<RpathChain> chains_;
  std::deque<SearchPlan> plans_;
  std::deque<PlaceAnswer> answers_;
  std::deque<Search> searches_;
  std::unordered_map<std::string, Id<Directory>> directories_by_text_;
  std::map<std::vector<std::uint32_t>, Id<DirectoryList>> lists_by_directories_;
  std::map<RpathChain, Id<RpathChain>> chain_ids_;
  std::map<SearchPlan, Id<SearchPlan>> plan_ids_;
  std::unordered_map<std::uint64_t, Id<PlaceAnswer>> list_answers_;
  std::unordered_map<std::uint64_t, Id<Search>> plan_searches_;
  std::unordered_map<std::uint64_t, Id<Search>> path_searches_;
};

}  // namespace whyso::loader
