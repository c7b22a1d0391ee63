// SPDX-License-Identifier: Apache-2.0
#include "whyso/check/mend.h"

#include <algorithm>
#include <map>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/check/owner_story.h"

namespace whyso::check {
namespace {

using environment::Tool;

std::map<Tool, DistributionIds> by_tool(const World& world, const DistributionIds& distributions) {
  std::map<Tool, DistributionIds> groups;
  for (const auto id : distributions) {
    groups[tool_for(world.installers, world.environment.distributions[id])].push_back(id);
  }
  return groups;
}

/// A distribution that came from an address is put back from there, not from an index.
std::string requirement_of(const World& world, Id<environment::Distribution> id) {
  const auto& distribution = world.environment.distributions[id];
  if (tool_for(world.installers, distribution) == Tool::apt) {
    return system_package(world, distribution.metadata);
  }
  if (!distribution.direct_url) return exact_requirement(distribution);
  return distribution.name + " @ " + distribution.direct_url->url;
}

bool add_reinstall(const World& world, const DistributionIds& distributions, Fix& fix) {
  for (const auto& [tool, ids] : by_tool(world, distributions)) {
    Command command = reinstall_command(world.installers, tool);
    if (command.empty()) return false;
    for (const auto id : ids) command.push_back(requirement_of(world, id));
    for (const auto id : swept_along(world.installers, tool, world.environment, ids)) {
      command.push_back(requirement_of(world, id));
    }
    fix.commands.push_back(std::move(command));
  }
  return true;
}

bool add_uninstall(const World& world, const DistributionIds& distributions, Fix& fix) {
  for (const auto& [tool, ids] : by_tool(world, distributions)) {
    Command command = uninstall_command(world.installers, tool);
    if (command.empty()) return false;
    for (const auto id : ids) command.push_back(world.environment.distributions[id].name);
    fix.commands.push_back(std::move(command));
  }
  return true;
}

/// Without an installer the words must do.
Fix without_tool(Fix fix, const std::string& what) {
  fix.commands.clear();
  fix.applicability = Applicability::manual;
  fix.summary = what + "; no installer for it was found on PATH or in the environment";
  return fix;
}

std::string id_of(std::string_view verb, std::size_t count) {
  return std::string(verb) + "-" + std::to_string(count);
}

}  // namespace

Fix reinstall_fix(const World& world, const DistributionIds& distributions, std::string summary) {
  Fix fix{.id = id_of("reinstall", distributions.size()),
          .applicability = Applicability::safe,
          .summary = std::move(summary)};
  if (add_reinstall(world, distributions, fix)) return fix;
  return without_tool(std::move(fix),
                      "reinstall " + enumerated(titles_of(world, distributions), 99));
}

Fix replace_fix(const World& world, const DistributionIds& removed, const DistributionIds& kept,
                std::string summary) {
  Fix fix{.id = id_of("replace", kept.size()),
          .applicability = Applicability::safe,
          .summary = std::move(summary)};
  if (add_uninstall(world, removed, fix) && add_reinstall(world, kept, fix)) return fix;
  return without_tool(std::move(fix), "uninstall " + enumerated(titles_of(world, removed), 99) +
                                          ", then reinstall " +
                                          enumerated(titles_of(world, kept), 99));
}

Fix install_fix(const World& world, const std::vector<std::string>& requirements,
                std::string summary) {
  Fix fix{.id = id_of("install", requirements.size()),
          .applicability = Applicability::unsafe,
          .summary = std::move(summary)};
  Command command = reinstall_command(world.installers, world.installers.tool);
  std::erase_if(command, [](const std::string& word) {
    // In a target folder pip would replace the folders of others.
    return word == "--reinstall" || word == "--force-reinstall" || word == "--no-deps" ||
           word == "--upgrade";
  });
  if (command.empty()) return without_tool(std::move(fix), "install " + join(requirements, " "));
  command.insert(command.end(), requirements.begin(), requirements.end());
  fix.commands.push_back(std::move(command));
  return fix;
}

Fix manual_fix(std::string id, std::string summary) {
  return {
      .id = std::move(id), .applicability = Applicability::manual, .summary = std::move(summary)};
}

}  // namespace whyso::check
