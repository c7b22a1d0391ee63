// SPDX-License-Identifier: Apache-2.0
// What became of the files that distributions list: gone, changed, claimed twice. Compares sizes
// and recorded hashes; bytes are hashed in contents.h.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "whyso/environment/environment.h"

namespace whyso::check {

/// Files of one distribution, without its metadata and compiled caches.
struct ListedCount {
  std::uint32_t files = 0;
  std::uint32_t missing = 0;
  std::uint32_t libraries = 0;
  std::uint32_t missing_libraries = 0;
};

/// Indexes into Ownership::files().
struct Listed {
  std::vector<ListedCount> counts;     ///< by distribution
  std::vector<std::uint32_t> missing;  ///< payload that is not there
  std::vector<std::uint32_t>
      resized;                        ///< libraries of one owner whose size is not the recorded one
  std::vector<std::uint32_t> edited;  ///< other files of which the same is true
  std::vector<std::uint32_t> shared;  ///< payload that distributions of several names list
};

/// Is it neither metadata (X.dist-info/, X.egg-info/) nor a compiled cache (.pyc)?
[[nodiscard]] bool is_payload(std::string_view written_path);

/// One pass over all listed files.
[[nodiscard]] Listed read_listed(const environment::Environment& environment);

/// Is the file listed by some distribution under that size? Nothing recorded counts as yes.
[[nodiscard]] bool has_recorded_size(const environment::Environment& environment,
                                     environment::Claim claim, std::uint64_t size);

}  // namespace whyso::check
