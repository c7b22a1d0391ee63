// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/provider_fix.h"

#include <algorithm>
#include <map>
#include <optional>

#include "whyso/base/text.h"
#include "whyso/environment/system_packages.h"
#include "whyso/python/name.h"

namespace whyso::check {
namespace {

/// Present libraries with the stem of `name` and another version.
std::vector<NativeId> other_generations(const World& world, std::string_view name) {
  const std::string lead = std::string(library_stem(name)) + ".so.";
  std::vector<NativeId> found;
  for (auto at = world.index.by_name.lower_bound(lead);
       at != world.index.by_name.end() && at->first.starts_with(lead); ++at) {
    found.insert(found.end(), at->second.begin(), at->second.end());
  }
  return found;
}

std::string name_in_use(const World& world, NativeId id) {
  const auto& files = world.loader->files();
  const auto& file = files.file(*world.natives[id].file);
  return std::string(file.soname ? files.text(*file.soname)
                                 : std::string(world.natives[id].path.name()));
}

/// The CUDA generation of the requirers, by the runtime that their files need or that is there.
std::string cuda_generation(const World& world, const DistributionIds& requirers) {
  for (const auto& [name, needing] : world.index.needing) {
    if (!name.starts_with("libcudart.so.")) continue;
    const bool is_theirs = std::ranges::any_of(needing, [&](NativeId id) {
      return std::ranges::any_of(world.natives[id].owners, [&](auto owner) {
        return std::ranges::find(requirers, owner) != requirers.end();
      });
    });
    if (!is_theirs) continue;
    const std::string version = name.substr(name.find(".so.") + 4);
    return version.substr(0, version.find('.'));
  }
  return {};
}

/// A requirement of a requirer for a package that is known to ship the library, also one that
/// counts only under an extra.
const RequiredBy* find_requirement(const World& world, const std::string& package,
                                   const DistributionIds& requirers) {
  const auto& requirements = world.imports->requirements();
  const auto found = requirements.find(python::normalized_name(package));
  if (found == requirements.end()) return nullptr;
  for (const auto& required : found->second) {
    if (std::ranges::find(requirers, required.requirer) != requirers.end()) return &required;
  }
  return nullptr;
}

/// "nvidia-cudnn-cu13==9.15.1.9" of 'nvidia-cudnn-cu13==9.15.1.9; extra == "cuda130"'.
std::string without_marker(const std::string& requirement) {
  return std::string(trim(std::string_view(requirement).substr(0, requirement.find(';'))));
}

/// The system packages that list this library in a folder that the loader searches by itself: its
/// file was removed.
std::vector<std::string> gutted_system_packages(const World& world, const std::string& name) {
  std::vector<Path> paths;
  for (const auto& directory : world.loader->rules().default_directories) {
    if (const auto path = Path::parse(directory + name)) paths.push_back(*path);
  }
  std::vector<std::string> packages;
  const auto found = environment::find_system_packages(*world.tree, paths);
  if (!found.is_present()) return packages;
  for (const auto& owners : found.value()) {
    for (const auto& owner : owners) packages.push_back(owner.name);
  }
  return packages;
}

/// Lines to say and things to install, for all names together.
struct Advice {
  std::vector<Cause> causes;
  std::vector<std::string> pypi;  ///< requirements
  std::vector<std::string> deb;
  std::vector<std::string> gutted_deb;    ///< installed, and their file is gone
  std::vector<std::string> other_builds;  ///< "libcudart.so.12 of nvidia-cuda-runtime-cu12 12.8.90"
};

void add_once(std::vector<std::string>& list, std::string text) {
  if (std::ranges::find(list, text) == list.end()) list.push_back(std::move(text));
}

void add_requirement_cause(const World& world, const RequiredBy& required, Advice& advice) {
  std::string text = title_of(world, required.requirer) + " asks for " +
                     std::string(without_marker(required.text));
  text += required.extra.empty() ? ", which is not installed"
                                 : " only under its extra \"" + std::string(required.extra) + "\"";
  advice.causes.push_back(
      {.text = std::move(text),
       .evidence = {{.kind = "METADATA", .detail = std::string(required.text)}}});
}

void advise_installed(const World& world, const KnownProvider& known, const std::string& name,
                      Advice& advice) {
  for (const auto id : world.environment.find_distributions(known.package)) {
    advice.causes.push_back({.text = title_of(world, id) + " does not ship " + std::string(name) +
                                     ", another version does",
                             .confidence = Confidence::likely,
                             .reason = "known from " + known.source});
  }
}

void advise_package(const World& world, const KnownProvider& known, const std::string& name,
                    const DistributionIds& requirers, Advice& advice) {
  if (known.kind == "deb") return add_once(advice.deb, known.package);
  if (known.kind != "pypi") return;
  const std::string cuda = cuda_generation(world, requirers);
  if (!known.cuda.empty() && !cuda.empty() && known.cuda != cuda) return;
  advise_installed(world, known, name, advice);
  if (const auto* required = find_requirement(world, known.package, requirers)) {
    const bool is_new =
        std::ranges::find(advice.pypi, without_marker(required->text)) == advice.pypi.end();
    if (is_new) add_requirement_cause(world, *required, advice);
    const bool is_met = known.versions.empty();
    return add_once(advice.pypi,
                    is_met ? without_marker(required->text) : known.package + known.versions);
  }
  add_once(advice.pypi, known.package + known.versions);
}

void advise_generation(const World& world, const std::string& name, Advice& advice) {
  for (const auto id : other_generations(world, name)) {
    const std::string owner = owner_title(world, world.natives[id]);
    add_once(advice.other_builds,
             name_in_use(world, id) + (owner.empty() ? std::string() : " of " + owner));
  }
}

void add_build_fix(const World& world, const DistributionIds& requirers, const Advice& advice,
                   Finding& finding) {
  std::set<std::string> names;
  for (const auto id : requirers) {
    names.insert(std::string(world.environment.distributions[id].name));
  }
  const std::vector<std::string> list(names.begin(), names.end());
  finding.because.push_back(
      {.text = "another generation is installed: " + enumerated(advice.other_builds, 4)});
  finding.fixes.push_back(manual_fix(
      "other-build", "a build of " + (list.empty() ? "it" : enumerated(list, 3)) +
                         " for what is installed: " + enumerated(advice.other_builds, 2)));
}

void add_system_reinstall(const Advice& advice, Finding& finding) {
  finding.because.push_back({.text = "the system's package " + enumerated(advice.gutted_deb, 3) +
                                     " lists it, and the file is gone"});
  Command command = {"apt-get", "install", "--reinstall"};
  command.insert(command.end(), advice.gutted_deb.begin(), advice.gutted_deb.end());
  finding.fixes.push_back({.id = "reinstall-system-package",
                           .applicability = Applicability::safe,
                           .commands = {std::move(command)},
                           .summary = "as root: puts back the files of the package"});
}

void add_package_fixes(const World& world, const Advice& advice, Finding& finding) {
  if (!advice.pypi.empty()) {
    const bool is_choice = advice.pypi.size() > finding.subjects.size();
    if (is_choice) {
      finding.fixes.push_back(
          manual_fix("choose-provider",
                     "install one of " + enumerated(advice.pypi, 5) + " (known to ship it)"));
    } else {
      finding.fixes.push_back(install_fix(world, advice.pypi, "known to ship what is missing"));
    }
  }
  if (advice.deb.empty() || !advice.gutted_deb.empty()) return;
  Command command = {"apt-get", "install"};
  command.insert(command.end(), advice.deb.begin(), advice.deb.end());
  finding.fixes.push_back({.id = "system-package",
                           .applicability = Applicability::unsafe,
                           .commands = {std::move(command)},
                           .summary = "as root; the names are Debian's"});
}

}  // namespace

void add_provider_facts(const World& world, const std::set<std::string>& names,
                        const DistributionIds& requirers, Finding& finding) {
  Advice advice;
  for (const auto& name : names) {
    for (auto& package : gutted_system_packages(world, name)) {
      add_once(advice.gutted_deb, std::move(package));
    }
    advise_generation(world, name, advice);
    for (const auto& known : world.knowledge.providers_of(name)) {
      advise_package(world, known, name, requirers, advice);
    }
  }
  for (auto& cause : advice.causes) finding.because.push_back(std::move(cause));
  if (!advice.gutted_deb.empty()) return add_system_reinstall(advice, finding);
  if (!advice.other_builds.empty()) return add_build_fix(world, requirers, advice, finding);
  add_package_fixes(world, advice, finding);
  if (finding.fixes.empty()) {
    finding.fixes.push_back(manual_fix("find-provider", "whyso does not know who ships it"));
  }
}

}  // namespace whyso::check
