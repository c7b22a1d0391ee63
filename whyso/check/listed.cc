// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/listed.h"

#include <algorithm>

#include "whyso/check/native.h"

namespace whyso::check {
namespace {

using environment::Claim;
using environment::Environment;
using environment::FileState;
using environment::OwnedFile;

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// A conda package and the dist-info inside it are one package that is listed twice.
bool is_shared(const Environment& environment, std::span<const Claim> claims) {
  std::string_view first;
  for (const auto& claim : claims) {
    const auto& distribution = environment.distributions[claim.distribution];
    if (distribution.kind == environment::DistributionKind::conda) continue;
    if (!first.empty() && distribution.normalized != first) return true;
    first = distribution.normalized;
  }
  return false;
}

/// Scripts are written by the installer, which may not record what it wrote.
bool is_script(const OwnedFile& file) {
  return file.relative.starts_with("bin/") || file.relative.contains("/bin/");
}

void count(Listed& listed, const Claim& claim, bool is_missing, bool is_library) {
  ListedCount& counts = listed.counts[claim.distribution.index];
  counts.files += 1;
  counts.missing += is_missing ? 1 : 0;
  counts.libraries += is_library ? 1 : 0;
  counts.missing_libraries += is_missing && is_library ? 1 : 0;
}

bool is_resized(const Environment& environment, const OwnedFile& file,
                std::span<const Claim> claims) {
  const bool is_regular = file.state == FileState::present && !file.is_outside &&
                          file.facts.kind == tree::FileKind::regular;
  return is_regular && std::ranges::none_of(claims, [&](const Claim& claim) {
           return has_recorded_size(environment, claim, file.facts.size);
         });
}

void add(Listed& listed, const Environment& environment, std::uint32_t index) {
  const OwnedFile& file = environment.ownership.files()[index];
  const auto claims = environment.ownership.claims(file);
  if (!is_payload(row_of(environment.distributions, claims.front()).path)) return;
  const bool is_missing = file.state == FileState::absent;
  const bool is_library = is_library_name(name_of(file.relative));
  for (const auto& claim : claims) count(listed, claim, is_missing, is_library);
  if (is_missing) listed.missing.push_back(index);
  const bool several = is_shared(environment, claims);
  if (several) listed.shared.push_back(index);
  if (several || is_script(file) || !is_resized(environment, file, claims)) return;
  (is_library ? listed.resized : listed.edited).push_back(index);
}

}  // namespace

bool is_payload(std::string_view path) {
  if (path.ends_with(".pyc") || path.contains("__pycache__/")) return false;
  const std::string_view top = path.substr(0, path.find('/'));
  return !top.ends_with(".dist-info") && !top.ends_with(".egg-info");
}

bool has_recorded_size(const Environment& environment, Claim claim, std::uint64_t size) {
  const auto& row = row_of(environment.distributions, claim);
  return !row.size || *row.size == size;
}

Listed read_listed(const Environment& environment) {
  Listed listed;
  listed.counts.resize(environment.distributions.size());
  const auto count = static_cast<std::uint32_t>(environment.ownership.files().size());
  for (std::uint32_t i = 0; i < count; ++i) add(listed, environment, i);
  return listed;
}

}  // namespace whyso::check
