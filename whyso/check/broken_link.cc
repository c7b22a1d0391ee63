// SPDX-License-Identifier: Apache-2.0
// SO104: a link that leads nowhere: the environment's python, or a library's name.
#include <algorithm>

#include "whyso/base/text.h"
#include "whyso/check/mend.h"
#include "whyso/check/registry.h"

namespace whyso::check {
namespace {

/// What the last link that was followed says.
std::string target_of(const tree::Walk& walk) {
  return walk.links.empty() ? walk.real.text() : walk.links.back().target;
}

/// A virtual environment whose bin/ holds no python at all.
std::optional<Finding> absent_python(const World& world) {
  const auto& interpreter = world.environment.interpreter;
  const bool is_absent = interpreter.form == environment::EnvironmentForm::virtual_environment &&
                         !interpreter.executable;
  if (!is_absent) return std::nullopt;
  Finding finding{.code = "SO104", .severity = Severity::error};
  finding.message = "there is no python in bin/: nothing in this environment can be started";
  finding.subjects.push_back({.path = "bin/python", .state = "absent"});
  finding.breaks.push_back({.kind = "start", .name = "python"});
  finding.fixes.push_back(manual_fix("recreate", "make the environment anew with its packages"));
  return finding;
}

std::optional<Finding> broken_python(const World& world) {
  const auto& interpreter = world.environment.interpreter;
  if (!interpreter.executable || interpreter.real_executable) return std::nullopt;
  const auto walk = world.resolver->resolve(interpreter.executable->text());
  if (walk.is_found()) return std::nullopt;
  const std::string python = shown_path(world, *interpreter.executable);
  const std::string target = target_of(walk);
  Finding finding{.code = "SO104", .severity = Severity::error};
  finding.message = python + " leads to " + target + ", which is not there: nothing in this " +
                    "environment can be started";
  finding.subjects.push_back({.path = python, .state = "leads to " + target});
  finding.because.push_back(
      {.text = "the Python that this environment was made from was removed or replaced",
       .confidence = Confidence::likely,
       .reason = "its link is left"});
  finding.breaks.push_back({.kind = "start", .name = "python"});
  finding.fixes.push_back(manual_fix(
      "recreate",
      "make the environment anew, or install " +
          (interpreter.title().empty() ? std::string("that Python") : interpreter.title()) +
          " at " + std::string(interpreter.base_prefix.text()) + " again"));
  return finding;
}

/// Links called like libraries whose target is gone.
std::vector<Path> dangling_links(const World& world) {
  std::vector<Path> links;
  for (const auto& folder : world.environment.inventory.folders()) {
    for (const auto& entry : folder.entries) {
      const bool is_candidate =
          entry.facts.kind == tree::FileKind::symbolic_link && is_library_name(entry.name);
      if (!is_candidate) continue;
      const Path path = folder.path / entry.name;
      if (!world.resolver->resolve(path.text()).is_found()) links.push_back(path);
    }
  }
  return links;
}

Finding dangling_note(const World& world, const std::vector<Path>& links) {
  Finding finding{.code = "SO104", .severity = Severity::note};
  for (const auto& link : links) {
    const auto walk = world.resolver->resolve(link.text());
    finding.subjects.push_back({.soname = std::string(link.name()),
                                .path = shown_path(world, link),
                                .state = walk.outcome == tree::WalkOutcome::loop
                                             ? std::string("leads back to itself")
                                             : "leads to " + target_of(walk)});
  }
  finding.message = counted(links.size(), "link") + " to " +
                    (links.size() == 1 ? "a library leads" : "libraries lead") +
                    " nowhere: " + finding.subjects.front().path;
  return finding;
}

}  // namespace

std::vector<Finding> find_broken_link(const World& world, const Diagnosis& /*diagnosis*/) {
  std::vector<Finding> findings;
  if (auto python = broken_python(world)) findings.push_back(*std::move(python));
  if (auto python = absent_python(world)) findings.push_back(*std::move(python));
  const auto links = dangling_links(world);
  if (!links.empty()) findings.push_back(dangling_note(world, links));
  return findings;
}

}  // namespace whyso::check
