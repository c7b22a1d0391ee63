// SPDX-License-Identifier: Apache-2.0
// SO304: one process holds two majors of a library that is meant to be there once.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"
#include "whyso/check/rival_copies.h"

namespace whyso::check {
namespace {

/// By family: name that is opened and found -> the file.
using Found = std::map<std::string, std::map<std::string, std::string>>;

Found found_by(const World& world, const Diagnosis& diagnosis, const Path& opener) {
  Found found;
  for (const auto& opening : diagnosis.openings) {
    if (opening.opener != opener || !opening.load.error.empty()) continue;
    const auto* family = world.knowledge.family_of(opening.name, FamilyRule::one_major);
    if (family == nullptr || opening.load.served.empty()) continue;
    const auto& search = world.loader->searches().search(opening.load.served.front().search);
    const auto& files = world.loader->files();
    const auto& file = files.opening(*search.found).file;
    if (file) found[family->name][opening.name] = shown_path(world, files.file(*file).object.real);
  }
  return found;
}

/// One file asks for both: some do so to find out which is there, and refuse to go on with two.
Finding opened_note(const World& world, const Path& opener, const std::string& family,
                    const std::map<std::string, std::string>& names) {
  Finding finding{.code = "SO304", .severity = Severity::note, .confidence = Confidence::likely};
  std::vector<std::string> words;
  for (const auto& [name, path] : names) {
    words.push_back(name);
    finding.subjects.push_back({.soname = name, .path = path});
  }
  const auto native = world.index.by_path.find(opener);
  const std::string owner = native == world.index.by_path.end()
                                ? std::string()
                                : owner_title(world, world.natives[native->second]);
  finding.message = std::string(opener.name()) + (owner.empty() ? "" : " of " + owner) + " opens " +
                    enumerated(words, 4) + ", and finds them all: two majors of " + family +
                    " in one process";
  for (const auto& [name, path] : names) {
    std::string text = name;
    text.append(" is taken from ").append(path);
    finding.because.push_back({.text = std::move(text)});
  }
  finding.fixes.push_back(manual_fix(
      "one-major", "leave the folder of one of them out of LD_LIBRARY_PATH, where it is named"));
  return finding;
}

/// Certain loads of a family in one import: name -> path.
std::map<std::string, std::string> majors_in(const World& world,
                                             const process::PredictedImport& import,
                                             const std::string& family) {
  std::map<std::string, std::string> names;
  const auto& files = world.loader->files();
  for (const auto& load : import.loads) {
    if (load.likelihood != process::Likelihood::certain || !load.file) continue;
    const auto& file = files.file(*load.file);
    const std::string name =
        file.soname ? files.text(*file.soname) : std::string(file.object.real.name());
    const auto* of = world.knowledge.family_of(name, FamilyRule::one_major);
    if (of != nullptr && of->name == family) names[name] = shown_path(world, file.object.real);
  }
  return names;
}

/// Who asks for each of them: the packages of the natives that load it.
std::string users_text(const World& world, const std::set<NativeId>& natives) {
  std::set<std::string> titles;
  for (const auto id : natives) {
    const std::string owner = owner_title(world, world.natives[id]);
    titles.insert(owner.empty() ? shown_path(world, world.natives[id].path) : owner);
  }
  return enumerated(std::vector(titles.begin(), titles.end()), 3);
}

Finding import_finding(const World& world, const std::string& family, const TakenMajors& users,
                       const std::map<std::string, std::string>& names) {
  Finding finding{.code = "SO304", .severity = Severity::warning};
  std::vector<std::string> words;
  for (const auto& [name, path] : names) {
    words.push_back(name);
    finding.subjects.push_back({.soname = name, .path = path});
    const auto found = users.find(name);
    std::string text = name;
    text.append(" is loaded from ").append(path);
    if (found != users.end()) text.append(", for ").append(users_text(world, found->second));
    finding.because.push_back({.text = std::move(text)});
  }
  finding.message = "one process holds " + enumerated(words, 4) + ": two majors of " + family;
  for (const auto& [name, natives] : users) {
    const std::string who = users_text(world, natives);
    finding.fixes.push_back(
        manual_fix("one-generation", "a build of " + who + " for the other generation"));
  }
  return finding;
}

std::vector<Finding> import_findings(const World& world) {
  std::vector<Finding> findings;
  for (const auto& [family, users] : rival_majors(world)) {
    std::set<NativeId> natives;
    for (const auto& [name, of_one] : users) natives.insert(of_one.begin(), of_one.end());
    std::optional<Finding> finding;
    for (const auto& import : predict_each(world, imports_of(world, natives))) {
      const auto names = majors_in(world, import, family);
      if (names.size() < 2) continue;
      if (!finding) finding = import_finding(world, family, users, names);
      finding->remarks.push_back("import " + import.name + " loads both");
    }
    if (finding) findings.push_back(*std::move(finding));
  }
  return findings;
}

}  // namespace

std::vector<Finding> find_two_majors(const World& world, const Diagnosis& diagnosis) {
  std::set<Path> openers;
  for (const auto& opening : diagnosis.openings) openers.insert(opening.opener);
  if (!world.loader) return {};
  std::vector<Finding> findings = import_findings(world);
  for (const auto& opener : openers) {
    for (const auto& [family, names] : found_by(world, diagnosis, opener)) {
      if (names.size() > 1) findings.push_back(opened_note(world, opener, family, names));
    }
  }
  return findings;
}

}  // namespace whyso::check
