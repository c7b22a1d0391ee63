// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/directory_memory.h"

namespace whyso::loader {

DirectoryMemory::Told DirectoryMemory::follow(const Search& search) {
  Told told;
  for (const SearchedStep& step : search.steps) {
    const PlaceAnswer& answer = searches_.answer(step.answer);
    // The lookup in the cache tells of the path before NODEFLIB drops it.
    if (answer.is_dropped)
      told.tried.push_back(searches_.path_of(answer.candidates[0], search.name));
    if (answer.is_dropped) continue;
    for (const Candidate& candidate : answer.candidates) {
      const std::uint64_t place =
          std::uint64_t{candidate.directory.index} << 16U | candidate.subdirectory;
      if (candidate.is_directory_missing && !missing_.insert(place).second) continue;
      told.error_number = candidate.error_number;
      if (step.step != Step::path_itself) {
        told.tried.push_back(searches_.path_of(candidate, search.name));
      }
    }
  }
  return told;
}

}  // namespace whyso::loader
