// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/contents.h"

#include <algorithm>
#include <map>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/parallel.h"
#include "whyso/check/native.h"

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

struct Compared {
  std::string digest;  ///< empty: as recorded, or nothing was recorded
  std::optional<Error> problem;
  std::uint64_t bytes = 0;
};

Compared compare_one(const tree::FileTree& tree, const Environment& environment,
                     const OwnedFile& file) {
  const auto claims = environment.ownership.claims(file);
  const auto has_hash = [&](Claim claim) {
    return row_of_claim(environment, claim).hash.has_value();
  };
  if (std::ranges::none_of(claims, has_hash)) return {};
  const Path path = environment.ownership.path(file);
  const auto content = tree.read(path);
  if (content.is_unreadable()) return {.problem = content.error()};
  if (content.is_absent()) return {};
  Compared compared{.bytes = content.value().blob.size()};
  Digests digests(content.value().blob.bytes());
  const bool is_as_recorded = std::ranges::any_of(
      claims, [&](Claim claim) { return is_recorded(digests, row_of_claim(environment, claim)); });
  if (!is_as_recorded) compared.digest = "sha256=" + digests.of(HashAlgorithm::sha256);
  if (const auto same = require_unchanged(tree, path, content.value().facts); !same) {
    compared.problem = same.error();
  }
  return compared;
}

bool is_regular_inside(const OwnedFile& file) {
  return file.state == FileState::present && !file.is_outside &&
         file.facts.kind == tree::FileKind::regular;
}

/// When the list of a distribution was written; nothing where the walk did not see it.
std::optional<std::int64_t> time_of_list(const Environment& environment,
                                         Id<environment::Distribution> id) {
  const auto* files = environment.distributions[id].files.find();
  if (files == nullptr) return std::nullopt;
  const auto facts = environment.inventory.find(files->source());
  if (!facts || !facts->is_present()) return std::nullopt;
  return facts->value().modified;
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

Comparison compare_contents(const tree::FileTree& tree, const Environment& environment,
                            std::vector<std::uint32_t> files) {
  const auto& owned = environment.ownership.files();
  std::ranges::stable_sort(files, std::greater(),
                           [&](std::uint32_t i) { return owned[i].facts.size; });
  std::vector<Compared> slots(files.size());
  for_each_index(files.size(), [&](std::size_t i) {
    slots[i] = compare_one(tree, environment, owned[files[i]]);
  });
  Comparison result;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    result.bytes += slots[i].bytes;
    if (slots[i].problem) result.problems.push_back(*slots[i].problem);
    if (!slots[i].digest.empty()) {
      result.altered.push_back({files[i], std::move(slots[i].digest)});
    }
  }
  std::ranges::sort(result.altered, {}, &AlteredFile::file);
  return result;
}

std::optional<Id<environment::Distribution>> holder_by_hash(const tree::FileTree& tree,
                                                            const Environment& environment,
                                                            std::uint32_t file) {
  Contest contest{.file = file,
                  .claims = one_for_each_name(environment, environment.ownership.files()[file])};
  prove_by_hash(tree, environment, contest);
  if (!contest.holder) return std::nullopt;
  return contest.claims[*contest.holder].distribution;
}

bool has_recorded_hash(const Environment& environment, std::uint32_t file) {
  const auto claims = environment.ownership.claims(environment.ownership.files()[file]);
  return std::ranges::any_of(
      claims, [&](Claim claim) { return row_of_claim(environment, claim).hash.has_value(); });
}

std::vector<std::uint32_t> all_present(const Environment& environment) {
  const auto& files = environment.ownership.files();
  std::vector<std::uint32_t> present;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (is_regular_inside(files[i])) present.push_back(i);
  }
  return present;
}

std::vector<std::uint32_t> written_later(const Environment& environment) {
  constexpr std::uint64_t most_bytes = 64 * 1024 * 1024;
  const auto& files = environment.ownership.files();
  std::vector<std::uint32_t> later;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const bool is_candidate =
        is_regular_inside(files[i]) && files[i].claim_count == 1 &&
        is_library_name(files[i].relative.substr(files[i].relative.rfind('/') + 1));
    if (!is_candidate) continue;
    const auto claim = environment.ownership.claims(files[i]).front();
    const auto written = time_of_list(environment, claim.distribution);
    if (written && files[i].facts.modified > *written) later.push_back(i);
  }
  std::ranges::stable_sort(later, {}, [&](std::uint32_t i) { return files[i].facts.size; });
  std::uint64_t bytes = 0;
  std::erase_if(later,
                [&](std::uint32_t i) { return (bytes += files[i].facts.size) > most_bytes; });
  return later;
}

}  // namespace whyso::check
