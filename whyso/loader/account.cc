// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/account.h"

namespace whyso::loader {
Narrator::Narrator(const Process& process)
    : process_(process), searches_(process.loader().searches()), memory_(searches_) {
  const NameId none = process.loader().files().names().intern("");
  name_list(searches_.defaults(), Step::defaults, none);
  if (process.objects().empty()) return;
  const auto plan_id = process.objects()[program_id].plan;
  if (!plan_id) return;
  const SearchPlan& plan = searches_.plan(*plan_id);
  name_list(plan.runpath, Step::runpath, none);
  if (plan.rpath) name_list(searches_.chain(*plan.rpath).list, Step::rpath, none);
  name_list(plan.library_path, Step::ld_library_path, none);
}

void Narrator::name_list(std::optional<Id<DirectoryList>> list, Step step, NameId owner) {
  if (!list) return;
  for (const Id<Directory> directory : searches_.list(*list).directories) {
    labels_.emplace(directory.index, Label{step, owner});
  }
}

std::string display_name(const Process& process, NameId path) {
  const std::string& text = process.loader().files().text(path);
  return text.empty() ? process.program_name() : text;
}

std::string Narrator::words_of(const Label& label) const {
  const std::string owner = display_name(process_, label.owner);
  switch (label.step) {
    case Step::rpath:
      return "RPATH from file " + owner;
    case Step::runpath:
      return "RUNPATH from file " + owner;
    case Step::ld_library_path:
      return process_.loader().context().is_library_path_option ? "--library-path"
                                                                : "LD_LIBRARY_PATH";
    case Step::cache:
      return "cache " + process_.loader().rules().cache_path;
    case Step::path_itself:
      return "the name itself";
    case Step::defaults:
      return "system search path";
  }
  return {};
}

/// A list is announced once, with the words of its first directory, and again where a directory is
/// of another kind (open_path, print_search_path).
std::string Narrator::via_of(const SearchedStep& step, const PlaceAnswer& answer) const {
  if (!step.list) return words_of({step.step, step.owner});
  Label announced;
  bool is_announced = false;
  for (const Candidate& candidate : answer.candidates) {
    const Label& label = labels_.at(candidate.directory.index);
    if (!is_announced || label.step != announced.step) announced = label;
    is_announced = true;
  }
  return words_of(announced);
}

Account Narrator::tell(const Request& request) {
  const Files& files = process_.loader().files();
  Account account{.name = files.text(request.name)};
  if (request.by) account.by = display_name(process_, process_.objects()[*request.by].path);
  if (!request.search) return account;
  const Search& search = searches_.search(*request.search);
  account.tried = memory_.follow(search).tried;
  for (const SearchedStep& step : search.steps) name_list(step.list, step.step, step.owner);
  if (!search.found) return account;
  account.got = files.text(files.opening(*search.found).path);
  const SearchedStep& last = search.steps.back();
  account.via = via_of(last, searches_.answer(last.answer));
  return account;
}

}  // namespace whyso::loader
