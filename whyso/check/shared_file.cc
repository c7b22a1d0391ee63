// SPDX-License-Identifier: Apache-2.0
// SO202: several distributions list a path with different contents, and the bytes that are there
// are the right ones, or nothing that is loaded.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/registry.h"
#include "whyso/check/rivalry.h"

namespace whyso::check {
namespace {

Subject subject_of(const World& world, const Rivalry& rivalry, const Contest& contest) {
  const auto holder = holder_of(contest);
  const auto& first =
      world.environment
          .distributions[rivalry.keeper.value_or(holder.value_or(rivalry.owners.front()))];
  return {.package = std::string(first.name),
          .version = std::string(first.version),
          .soname = is_library_name(file_name_of(world, contest))
                        ? std::string(file_name_of(world, contest))
                        : std::string(),
          .path = shown_path(world, path_of(world, contest)),
          .content_of = holder ? title_of(world, *holder) : std::string(),
          .state = "listed by " + enumerated(titles_of(world, rivalry.owners), 9)};
}

/// The right bytes are there, but a leftover still claims them.
Finding leftover(const World& world, const Rivalry& rivalry) {
  const auto rivals = rivals_of(rivalry, *rivalry.keeper);
  const std::string others = enumerated(titles_of(world, rivals), 3);
  Finding finding{.code = "SO202", .severity = Severity::warning};
  finding.message = counted(rivalry.libraries.size(), "library") + " of " +
                    title_of(world, *rivalry.keeper) + " would go with an uninstall of " + others;
  for (const auto* contest : rivalry.libraries) {
    finding.subjects.push_back(subject_of(world, rivalry, *contest));
  }
  finding.because.push_back({.text = others +
                                     " lists the same paths; the bytes that are there are " +
                                     title_of(world, *rivalry.keeper) + "'s, " + rivalry.reason});
  finding.fixes.push_back(replace_fix(
      world, rivals, {*rivalry.keeper},
      "in this order: the uninstall deletes the shared files, the reinstall puts them back"));
  return finding;
}

Finding harmless(const World& world, const std::vector<const Rivalry*>& rivalries) {
  Finding finding{.code = "SO202", .severity = Severity::note};
  std::size_t count = 0;
  for (const auto* rivalry : rivalries) {
    count += rivalry->others.size();
    for (const auto* contest : rivalry->others) {
      finding.subjects.push_back(subject_of(world, *rivalry, *contest));
    }
  }
  finding.message = counted(count, "file") + " that no import loads as a library " +
                    (count == 1 ? "is" : "are") +
                    " listed by several packages with different contents";
  return finding;
}

}  // namespace

std::vector<Finding> find_shared_file(const World& world, const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  const auto rivalries = find_rivalries(world, diagnosis);
  std::vector<const Rivalry*> without_libraries;
  for (const auto& rivalry : rivalries) {
    if (rivalry.libraries.empty()) {
      without_libraries.push_back(&rivalry);
    } else if (keeper_holds_all(rivalry)) {
      findings.push_back(leftover(world, rivalry));
    }
  }
  if (!without_libraries.empty()) findings.push_back(harmless(world, without_libraries));
  return findings;
}

}  // namespace whyso::check
