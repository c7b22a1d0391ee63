// SPDX-License-Identifier: Apache-2.0
// Whose bytes lie on the disk, where several distributions list a path or a size is not as
// recorded. The only part of the rules that reads whole files.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "whyso/check/listed.h"
#include "whyso/tree/file_tree.h"

namespace whyso::check {

enum class Proof : std::uint8_t {
  hash,  ///< the recorded digest is that of the bytes
  size,  ///< only one owner recorded this size
  none,
};

/// One path that distributions of several names list with different contents.
struct Contest {
  std::uint32_t file = 0;                  ///< in Ownership::files()
  std::vector<environment::Claim> claims;  ///< one for each distribution
  std::optional<std::size_t> holder;       ///< the claim whose bytes are there; nothing: nobody's
  Proof proof = Proof::none;               ///< of the holder, or that there is none
  std::optional<Error> problem;            ///< why it could not be read
};

struct ContestHashing {
  bool is_allowed = true;
  bool is_full = false;  ///< every contested file
  /// Files whose owner must be proven by hash, even where the size would tell.
  std::set<std::uint32_t> surely;
};

/// The shared paths whose recorded hashes differ. Hashes what must be hashed, on all cores.
[[nodiscard]] std::vector<Contest> find_contests(const tree::FileTree& tree,
                                                 const environment::Environment& environment,
                                                 const Listed& listed,
                                                 const ContestHashing& hashing);

/// A listed file whose bytes are not those of any owner.
struct AlteredFile {
  std::uint32_t file = 0;
  std::string digest;  ///< what was found, by the recorded algorithm, as RECORD would write it
};

/// Listed files whose bytes were compared with what was recorded.
struct Comparison {
  std::vector<AlteredFile> altered;
  std::vector<Error> problems;
  std::uint64_t bytes = 0;
};

/// Hashes these listed files, where a hash was recorded, on all cores.
[[nodiscard]] Comparison compare_contents(const tree::FileTree& tree,
                                          const environment::Environment& environment,
                                          std::vector<std::uint32_t> files);

/// The distribution whose recorded hash of this file is that of its bytes; absent where it is
/// nobody's, unreadable where the file could not be read whole.
[[nodiscard]] Lookup<Id<environment::Distribution>> holder_by_hash(
    const tree::FileTree& tree, const environment::Environment& environment, std::uint32_t file);

[[nodiscard]] bool has_recorded_hash(const environment::Environment& environment,
                                     std::uint32_t file);

/// All listed files that are there.
[[nodiscard]] std::vector<std::uint32_t> all_present(const environment::Environment& environment);

/// Libraries of one owner that were written later than the list that names them, which installers
/// write last: somebody else wrote them.
struct LaterFiles {
  std::vector<std::uint32_t> files;     ///< the smallest, up to 64 MiB together
  std::vector<std::uint32_t> left_out;  ///< the rest: too much to be hashed unasked
};

[[nodiscard]] LaterFiles written_later(const environment::Environment& environment);

}  // namespace whyso::check
