// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/contents.h"

#include <algorithm>
#include <map>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/parallel.h"

namespace whyso::check {
namespace {

using environment::Claim;
using environment::Environment;
using environment::FileState;
using environment::OwnedFile;
using python::RecordRow;

const RecordRow& row_of_claim(const Environment& environment, Claim claim) {
  return row_of(environment.distributions, claim);
}

/// One claim for each name; of two dist-infos of one name the first counts.
std::vector<Claim> one_for_each_name(const Environment& environment, const OwnedFile& file) {
  std::vector<Claim> claims;
  for (const auto& claim : environment.ownership.claims(file)) {
    const auto& name = environment.distributions[claim.distribution].normalized;
    const bool is_known = std::ranges::any_of(claims, [&](const Claim& other) {
      return environment.distributions[other.distribution].normalized == name;
    });
    if (!is_known) claims.push_back(claim);
  }
  return claims;
}

bool contents_differ(const Environment& environment, const std::vector<Claim>& claims) {
  const auto& first = row_of_claim(environment, claims.front());
  return std::ranges::any_of(claims, [&](const Claim& claim) {
    const auto& row = row_of_claim(environment, claim);
    return row.hash && first.hash && row.hash != first.hash;
  });
}

/// The one claim that recorded this size, where all others recorded another.
std::optional<std::size_t> holder_by_size(const Environment& environment, const Contest& contest,
                                          std::uint64_t size) {
  std::optional<std::size_t> holder;
  for (std::size_t i = 0; i < contest.claims.size(); ++i) {
    const auto& row = row_of_claim(environment, contest.claims[i]);
    if (!row.size) return std::nullopt;
    if (*row.size != size) continue;
    if (holder) return std::nullopt;
    holder = i;
  }
  return holder;
}

/// The digest of `bytes` by each algorithm, computed when first asked for.
class Digests {
 public:
  explicit Digests(Bytes bytes) : bytes_(bytes) {}

  const std::string& of(HashAlgorithm algorithm) {
    auto [entry, is_new] = known_.try_emplace(algorithm);
    if (is_new) entry->second = base64url(digest(algorithm, bytes_));
    return entry->second;
  }

 private:
  Bytes bytes_;
  std::map<HashAlgorithm, std::string> known_;
};

bool is_recorded(Digests& digests, const RecordRow& row) {
  if (!row.hash) return false;
  const auto algorithm = find_hash_algorithm(row.hash->algorithm);
  std::string_view recorded = row.hash->digest;
  while (recorded.ends_with('=')) recorded.remove_suffix(1);
  return algorithm && digests.of(*algorithm) == recorded;
}

void prove_by_hash(const tree::FileTree& tree, const Environment& environment, Contest& contest) {
  const Path path = environment.ownership.path(environment.ownership.files()[contest.file]);
  const auto content = tree.read(path);
  if (!content.is_present()) {
    if (content.is_unreadable()) contest.problem = content.error();
    return;
  }
  contest.holder.reset();
  contest.proof = Proof::hash;
  Digests digests(content.value().blob.bytes());
  for (std::size_t i = 0; i < contest.claims.size() && !contest.holder; ++i) {
    if (is_recorded(digests, row_of_claim(environment, contest.claims[i]))) contest.holder = i;
  }
  if (const auto same = require_unchanged(tree, path, content.value().facts); !same) {
    contest.problem = same.error();
  }
}

/// The largest first, so that no core is left alone with it at the end.
void sort_by_size(const Environment& environment, std::vector<std::size_t>& work,
                  const std::vector<Contest>& contests) {
  std::ranges::stable_sort(work, std::greater(), [&](std::size_t i) {
    return environment.ownership.files()[contests[i].file].facts.size;
  });
}

}  // namespace

std::vector<Contest> find_contests(const tree::FileTree& tree, const Environment& environment,
                                   const Listed& listed, const ContestHashing& hashing) {
  std::vector<Contest> contests;
  std::vector<std::size_t> to_hash;
  for (const auto index : listed.shared) {
    const OwnedFile& file = environment.ownership.files()[index];
    Contest contest{.file = index, .claims = one_for_each_name(environment, file)};
    if (file.state != FileState::present || !contents_differ(environment, contest.claims)) continue;
    contest.holder = holder_by_size(environment, contest, file.facts.size);
    contest.proof = contest.holder ? Proof::size : Proof::none;
    const bool must_hash =
        !contest.holder || std::ranges::find(hashing.surely, index) != hashing.surely.end();
    if (must_hash && hashing.is_allowed) to_hash.push_back(contests.size());
    contests.push_back(std::move(contest));
  }
  sort_by_size(environment, to_hash, contests);
  for_each_index(to_hash.size(),
                 [&](std::size_t i) { prove_by_hash(tree, environment, contests[to_hash[i]]); });
  return contests;
}

FullHashing hash_everything(const tree::FileTree& tree, const Environment& environment) {
  const auto& files = environment.ownership.files();
  std::vector<std::uint32_t> work;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const bool is_regular = files[i].state == FileState::present && !files[i].is_outside &&
                            files[i].facts.kind == tree::FileKind::regular;
    if (is_regular) work.push_back(i);
  }
  std::ranges::stable_sort(work, std::greater(),
                           [&](std::uint32_t i) { return files[i].facts.size; });
  struct Slot {
    bool is_altered = false;
    std::string digest;
    std::optional<Error> problem;
    std::uint64_t bytes = 0;
  };
  std::vector<Slot> slots(work.size());
  for_each_index(work.size(), [&](std::size_t i) {
    const auto claims = environment.ownership.claims(files[work[i]]);
    const auto has_hash = [&](Claim claim) {
      return row_of_claim(environment, claim).hash.has_value();
    };
    if (std::ranges::none_of(claims, has_hash)) return;
    const auto content = tree.read(environment.ownership.path(files[work[i]]));
    if (content.is_unreadable()) slots[i].problem = content.error();
    if (!content.is_present()) return;
    Digests digests(content.value().blob.bytes());
    slots[i].bytes = content.value().blob.size();
    slots[i].is_altered = std::ranges::none_of(claims, [&](Claim claim) {
      return is_recorded(digests, row_of_claim(environment, claim));
    });
    if (slots[i].is_altered) slots[i].digest = "sha256=" + digests.of(HashAlgorithm::sha256);
  });
  FullHashing result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    result.bytes += slots[i].bytes;
    if (slots[i].problem) result.problems.push_back(*slots[i].problem);
    if (slots[i].is_altered) result.altered.push_back({work[i], std::move(slots[i].digest)});
  }
  std::ranges::sort(result.altered, {}, &AlteredFile::file);
  return result;
}

}  // namespace whyso::check
