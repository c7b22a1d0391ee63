// SPDX-License-Identifier: Apache-2.0
// SO503: parts of one library that open each other come from two releases of it.
#include <algorithm>
#include <set>

#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"
#include "whyso/check/release.h"

namespace whyso::check {
namespace {

using loader::KnownFile;

/// A part that takes another one from a foreign folder.
struct Mixture {
  const LibraryFamily* family = nullptr;
  std::string name;  ///< as asked for
  Path by;
  Path taken;
  Release release_by;
  Release release_taken;
  bool is_opened = false;
};

const LibraryFamily* common_family(const World& world, std::string_view a, std::string_view b) {
  const auto* one = world.knowledge.family_of(a, FamilyRule::parts);
  const auto* other = world.knowledge.family_of(b, FamilyRule::parts);
  return one != nullptr && other != nullptr && one->name == other->name ? one : nullptr;
}

bool is_told_elsewhere(const Diagnosis& diagnosis, const std::string& name, const Path& taken) {
  return std::ranges::any_of(diagnosis.displaced, [&](const Displaced& displaced) {
    return displaced.name == name && displaced.winner.real == taken;
  });
}

std::optional<Mixture> mixture_of(const World& world, const ServedRequest& request) {
  const auto& search = world.loader->searches().search(request.search);
  const auto& files = world.loader->files();
  if (!search.found || !request.by) return std::nullopt;
  const auto& opening = files.opening(*search.found);
  if (!opening.file) return std::nullopt;
  Mixture mixture{.name = files.text(search.name),
                  .by = files.file(*request.by).object.real,
                  .taken = files.file(*opening.file).object.real};
  mixture.family = common_family(world, mixture.by.name(), mixture.name);
  if (mixture.family == nullptr || mixture.by.parent() == mixture.taken.parent()) {
    return std::nullopt;
  }
  mixture.release_by = release_of(world, mixture.by);
  mixture.release_taken = release_of(world, mixture.taken);
  const bool differ = !mixture.release_by.version.empty() &&
                      !mixture.release_taken.version.empty() &&
                      mixture.release_by.version != mixture.release_taken.version;
  return differ ? std::optional(std::move(mixture)) : std::nullopt;
}

void add(const World& world, const Diagnosis& diagnosis, const ModuleLoad& load, bool is_opened,
         std::vector<Mixture>& mixtures) {
  for (const auto& request : load.served) {
    auto mixture = mixture_of(world, request);
    if (!mixture || is_told_elsewhere(diagnosis, mixture->name, mixture->taken)) continue;
    const bool is_known = std::ranges::any_of(mixtures, [&](const Mixture& other) {
      return other.by == mixture->by && other.taken == mixture->taken;
    });
    if (is_known) continue;
    mixture->is_opened = is_opened;
    mixtures.push_back(*std::move(mixture));
  }
}

DistributionIds owners_of(const World& world, const Path& path) {
  const auto native = world.index.by_path.find(path);
  return native == world.index.by_path.end() ? DistributionIds()
                                             : world.natives[native->second].owners;
}

Finding finding_of(const World& world, const std::vector<const Mixture*>& group) {
  const Mixture& first = *group.front();
  Finding finding{.code = "SO503", .severity = Severity::warning};
  std::vector<std::string> names;
  for (const auto* mixture : group) {
    names.push_back(mixture->name);
    Subject subject{.soname = mixture->name,
                    .path = shown_path(world, mixture->taken),
                    .needed_by = {shown_path(world, mixture->by)},
                    .state = "release " + mixture->release_taken.version};
    finding.subjects.push_back(std::move(subject));
  }
  finding.message = first.family->name + " is of two releases: " + enumerated(names, 3) + " " +
                    first.release_taken.version + " from " +
                    shown_path(world, first.taken.parent()) + ", the rest " +
                    first.release_by.version;
  const auto owners = owners_of(world, first.by);
  const std::string whose =
      owners.empty() ? shown_path(world, first.by.parent()) : title_of(world, owners.front());
  finding.because.push_back(
      {.text = shown_path(world, first.by) + " of " + whose + " opens " + first.name + ", which " +
               shown_path(world, first.by.parent()) + " does not hold; the loader goes on to " +
               first.taken.text(),
       .confidence = first.is_opened ? Confidence::likely : Confidence::certain,
       .reason = first.is_opened ? "the name stands in the file" : ""});
  finding.because.push_back({.text = first.release_taken.version + ": " +
                                     first.release_taken.witness + "; " + first.release_by.version +
                                     ": " + first.release_by.witness});
  finding.breaks.push_back({.kind = "first-use", .name = "the first use of " + first.family->name});
  finding.fixes.push_back(manual_fix(
      "whole-family", "a release of " + whose + " that contains " + enumerated(names, 3)));
  finding.fixes.push_back(manual_fix(
      "remove-other", "remove " + first.taken.text() + ": the part is then missing and said so"));
  return finding;
}

/// A part that needs a symbol which the other parts of its family, as they are here, do not have.
struct Misfit {
  const LibraryFamily* family = nullptr;
  const Opening* opening = nullptr;
  SymbolGap gap;
  Path lacking;
};

std::optional<Misfit> misfit_of(const World& world, const Opening& opening) {
  const auto* family = common_family(world, opening.opener.name(), opening.name);
  if (family == nullptr || !opening.load.error.empty()) return std::nullopt;
  std::set<Id<KnownFile>> parts;
  const auto& files = world.loader->files();
  for (const auto id : opening.load.mapped) {
    const Path& path = files.file(id).object.real;
    if (common_family(world, path.name(), opening.name) != nullptr) parts.insert(id);
  }
  for (const auto& gap : find_symbol_gaps(*world.tree, world.python, opening.load, parts)) {
    const auto* of = common_family(world, gap.requirer.name(), opening.name);
    if (of != nullptr) return Misfit{family, &opening, gap, opening.opener};
  }
  return std::nullopt;
}

Finding misfit_finding(const World& world, const std::vector<Misfit>& misfits) {
  Finding finding{.code = "SO503", .severity = Severity::warning};
  const Misfit& first = misfits.front();
  std::vector<std::string> names;
  for (const auto& misfit : misfits) {
    names.push_back(std::string(misfit.gap.requirer.name()));
    finding.subjects.push_back({.soname = misfit.opening->name,
                                .path = shown_path(world, misfit.gap.requirer),
                                .state = "needs " + misfit.gap.text()});
  }
  const std::string lacking(first.lacking.name());
  finding.message = first.family->name + " is of two releases: " + enumerated(names, 3) +
                    (names.size() == 1 ? " needs " : " need ") + first.gap.text() + ", which " +
                    lacking + " lacks";
  finding.because.push_back({.text = lacking + " opens them when it is used",
                             .confidence = Confidence::likely,
                             .reason = "the names stand in the file"});
  std::set<std::string> titles;
  const auto& ownership = world.environment.ownership;
  DistributionIds owners;
  for (const auto& path : {first.gap.requirer, first.lacking}) {
    const auto* file = ownership.find(path);
    if (file == nullptr) continue;
    const auto of = ownership.owners(*file);
    finding.because.push_back(
        {.text = shown_path(world, path) + " is listed by " + enumerated(titles_of(world, of), 4)});
    owners.insert(owners.end(), of.begin(), of.end());
  }
  finding.breaks.push_back({.kind = "first-use", .name = "the first use of " + first.family->name});
  for (const auto id : owners) titles.insert(title_of(world, id));
  finding.fixes.push_back(manual_fix(
      "one-release", "bring " + enumerated(std::vector(titles.begin(), titles.end()), 4) +
                         " to one release, from one installer"));
  return finding;
}

void add_misfits(const World& world, const Diagnosis& diagnosis, std::vector<Finding>& findings) {
  std::map<std::string, std::vector<Misfit>> misfits;
  for (const auto& opening : diagnosis.openings) {
    if (auto misfit = misfit_of(world, opening)) {
      misfits[misfit->family->name].push_back(*std::move(misfit));
    }
  }
  for (const auto& [family, group] : misfits) findings.push_back(misfit_finding(world, group));
}

}  // namespace

std::vector<Finding> find_family_parts_differ(const World& world, const Diagnosis& diagnosis) {
  std::vector<Mixture> mixtures;
  for (const auto& load : world.modules) add(world, diagnosis, load, false, mixtures);
  for (const auto& load : world.plugins) add(world, diagnosis, load, false, mixtures);
  for (const auto& opening : diagnosis.openings) {
    add(world, diagnosis, opening.load, true, mixtures);
  }
  std::map<std::pair<std::string, Path>, std::vector<const Mixture*>> groups;
  for (const auto& mixture : mixtures) {
    groups[{mixture.family->name, mixture.taken.parent()}].push_back(&mixture);
  }
  std::vector<Finding> findings;
  for (const auto& [key, group] : groups) findings.push_back(finding_of(world, group));
  add_misfits(world, diagnosis, findings);
  return findings;
}

}  // namespace whyso::check
