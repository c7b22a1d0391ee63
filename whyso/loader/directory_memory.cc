// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/directory_memory.h"

#include <utility>

namespace whyso::loader {
namespace {

/// A file that was read is refused with the errno of reading it.
int error_number_after(const Candidate& candidate, const Files& files) {
  if (candidate.verdict != Verdict::refused) return candidate.error_number;
  const Opening& opening = files.opening(*candidate.opening);
  return files.file(*opening.file).object.header.error_number;
}

}  // namespace

void DirectoryMemory::enter(Asking asking) {
  const bool is_dependency =
      asking == Asking::needed || asking == Asking::auxiliary || asking == Asking::filter;
  // rtld looks for /etc/ld.so.preload behind what LD_PRELOAD names.
  if ((is_dependency || asking == Asking::dlopen) && preload_error_ != 0) {
    error_number_ = std::exchange(preload_error_, 0);
  }
  if (is_dependency && !is_in_walk_) set_aside_ = std::exchange(error_number_, 0);
  if (!is_dependency && is_in_walk_ && error_number_ == 0) error_number_ = set_aside_;
  is_in_walk_ = is_dependency;
}

DirectoryMemory::Told DirectoryMemory::follow(const Search& search) {
  Told told;
  for (const SearchedStep& step : search.steps) {
    if (step.step == Step::cache && !std::exchange(has_asked_cache_, true)) {
      const int cache_error = searches_.files().rules().cache_error;
      if (cache_error != 0) error_number_ = cache_error;
    }
    const PlaceAnswer& answer = searches_.answer(step.answer);
    // The lookup in the cache tells of the path before NODEFLIB drops it.
    if (answer.is_dropped)
      told.tried.push_back(searches_.path_of(answer.candidates[0], search.name));
    if (answer.is_dropped) continue;
    for (const Candidate& candidate : answer.candidates) {
      const std::uint64_t place =
          std::uint64_t{candidate.directory.index} << 16U | candidate.subdirectory;
      if (candidate.is_directory_missing && !missing_.insert(place).second) continue;
      error_number_ = error_number_after(candidate, searches_.files());
      if (step.step != Step::path_itself) {
        told.tried.push_back(searches_.path_of(candidate, search.name));
      }
    }
  }
  told.error_number = error_number_;
  return told;
}

}  // namespace whyso::loader
