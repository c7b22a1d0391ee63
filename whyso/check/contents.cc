// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/contents.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "whyso/base/hash.h"
#include "whyso/base/parallel.h"
#include "whyso/check/native.h"

namespace whyso::check {
namespace {

/// Of contested files whose size tells the owner: below this the hash proves it at little cost.
constexpr std::uint64_t largest_to_hash = 64ULL * 1024 * 1024;

using environment::Claim;
using environment::Environment;
using environment::FileState;
using environment::OwnedFile;
using python::RecordRow;

const RecordRow& row_of_claim(const Environment& environment, Claim claim) {
  return row_of(environment.distributions, claim);
}

/// One claim for each name; of two dist-infos of one name the first counts. A conda package is no
/// rival of the dist-info inside it.
std::vector<Claim> one_for_each_name(const Environment& environment, const OwnedFile& file) {
  std::vector<Claim> claims;
  for (const auto& claim : environment.ownership.claims(file)) {
    const auto& distribution = environment.distributions[claim.distribution];
    if (distribution.kind == environment::DistributionKind::conda) continue;
    const auto& name = distribution.normalized;
    const bool is_known = std::ranges::any_of(claims, [&](const Claim& other) {
      return environment.distributions[other.distribution].normalized == name;
    });
    if (!is_known) claims.push_back(claim);
  }
  if (claims.empty()) claims.push_back(environment.ownership.claims(file).front());
  return claims;
}

std::string_view without_padding(std::string_view digest) {
  while (digest.ends_with('=')) digest.remove_suffix(1);
  return digest;
}

/// Two owners that recorded different digests by one algorithm, or different sizes. Digests by
/// different algorithms cannot be compared.
bool contents_differ(const Environment& environment, const std::vector<Claim>& claims) {
  std::map<std::string_view, std::string_view> by_algorithm;
  std::optional<std::uint64_t> size;
  for (const auto& claim : claims) {
    const auto& row = row_of_claim(environment, claim);
    if (row.size && size && *row.size != *size) return true;
    if (row.size) size = row.size;
    if (!row.hash) continue;
    const std::string_view digest = without_padding(row.hash->digest);
    const auto [known, is_new] = by_algorithm.emplace(row.hash->algorithm, digest);
    if (!is_new && known->second != digest) return true;
  }
  return false;
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

/// Digests of one file as RECORD writes them, by each algorithm that was asked for.
struct FileDigests {
  std::map<HashAlgorithm, std::string> digests;
  std::uint64_t bytes = 0;
  std::optional<Error> problem;
  bool is_there = false;  ///< whole and unchanged: the digests are to be trusted
};

std::set<HashAlgorithm> algorithms_of(const Environment& environment,
                                      std::span<const Claim> claims) {
  std::set<HashAlgorithm> algorithms;
  for (const auto& claim : claims) {
    const auto& row = row_of_claim(environment, claim);
    if (!row.hash) continue;
    if (const auto algorithm = find_hash_algorithm(row.hash->algorithm)) {
      algorithms.insert(*algorithm);
    }
  }
  return algorithms;
}

/// Part by part, so that no more than one is in memory. A file that changes meanwhile is said.
FileDigests read_digests(const tree::FileTree& tree, const Path& path,
                         const std::set<HashAlgorithm>& algorithms) {
  constexpr std::size_t part_size = 1024 * 1024;
  FileDigests result;
  std::map<HashAlgorithm, Hasher> hashers;
  for (const auto algorithm : algorithms) hashers.emplace(algorithm, Hasher(algorithm));
  std::optional<tree::FileFacts> facts;
  for (std::size_t read = part_size; read == part_size; result.bytes += read) {
    const auto part = tree.read_part(path, result.bytes, part_size);
    if (part.is_unreadable()) result.problem = part.error();
    if (!part.is_present()) return result;
    for (auto& [algorithm, hasher] : hashers) hasher.update(part.value().blob.bytes());
    read = part.value().blob.size();
    if (!facts) facts = part.value().facts;
  }
  if (const auto same = require_unchanged(tree, path, *facts); !same) {
    result.problem = same.error();
    return result;
  }
  result.is_there = true;
  for (auto& [algorithm, hasher] : hashers) {
    result.digests.emplace(algorithm, base64url(hasher.finish()));
  }
  return result;
}

bool is_recorded(const FileDigests& file, const RecordRow& row) {
  if (!row.hash) return false;
  const auto algorithm = find_hash_algorithm(row.hash->algorithm);
  return algorithm && file.digests.at(*algorithm) == without_padding(row.hash->digest);
}

void prove_by_hash(const tree::FileTree& tree, const Environment& environment, Contest& contest) {
  const Path path = environment.ownership.path(environment.ownership.files()[contest.file]);
  const auto file = read_digests(tree, path, algorithms_of(environment, contest.claims));
  contest.problem = file.problem;
  if (!file.is_there) return;
  contest.holder.reset();
  contest.proof = Proof::hash;
  for (std::size_t i = 0; i < contest.claims.size() && !contest.holder; ++i) {
    if (is_recorded(file, row_of_claim(environment, contest.claims[i]))) contest.holder = i;
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
  auto algorithms = algorithms_of(environment, claims);
  if (algorithms.empty()) return {};
  const auto found = read_digests(tree, environment.ownership.path(file), algorithms);
  Compared compared{.problem = found.problem, .bytes = found.bytes};
  if (!found.is_there) return compared;
  const bool is_as_recorded = std::ranges::any_of(
      claims, [&](Claim claim) { return is_recorded(found, row_of_claim(environment, claim)); });
  // The enumerators stand in the order of their strength.
  if (!is_as_recorded) compared.digest = found.digests.rbegin()->second;
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
    const bool must_hash = !contest.holder || hashing.surely.contains(index) || hashing.is_full ||
                           file.facts.size <= largest_to_hash;
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

Lookup<Id<environment::Distribution>> holder_by_hash(const tree::FileTree& tree,
                                                     const Environment& environment,
                                                     std::uint32_t file) {
  Contest contest{.file = file,
                  .claims = one_for_each_name(environment, environment.ownership.files()[file])};
  prove_by_hash(tree, environment, contest);
  if (contest.problem) return *contest.problem;
  if (!contest.holder) return Absent();
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

LaterFiles written_later(const Environment& environment) {
  constexpr std::uint64_t most_bytes = 64 * 1024 * 1024;
  const auto& files = environment.ownership.files();
  std::vector<std::uint32_t> later;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const bool is_candidate = is_regular_inside(files[i]) && files[i].claim_count == 1 &&
                              is_library_name(files[i].name());
    if (!is_candidate) continue;
    const auto claim = environment.ownership.claims(files[i]).front();
    const auto written = time_of_list(environment, claim.distribution);
    if (written && files[i].facts.modified > *written) later.push_back(i);
  }
  std::ranges::stable_sort(later, {}, [&](std::uint32_t i) { return files[i].facts.size; });
  LaterFiles result;
  std::uint64_t bytes = 0;
  for (const auto i : later) {
    bytes += files[i].facts.size;
    auto& list = bytes > most_bytes ? result.left_out : result.files;
    list.push_back(i);
  }
  return result;
}

}  // namespace whyso::check
