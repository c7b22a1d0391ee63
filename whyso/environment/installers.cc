// SPDX-License-Identifier: Apache-2.0
#include "whyso/environment/installers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "whyso/environment/active_python.h"
#include "whyso/tree/resolve.h"

namespace whyso::environment {
namespace {

/// The most frequent INSTALLER; of equals the first in the alphabet.
std::string majority_of(const Table<Distribution>& distributions) {
  std::map<std::string, std::size_t> counts;
  for (const Distribution& distribution : distributions) {
    const bool counts_here =
        !distribution.installer.empty() && distribution.kind != DistributionKind::conda;
    if (counts_here) ++counts[distribution.installer];
  }
  const auto most = std::ranges::max_element(
      counts, {}, [](const auto& name_and_count) { return name_and_count.second; });
  return most == counts.end() ? std::string() : most->first;
}

std::optional<Path> first_on_path(const tree::FileTree& tree, const ProcessVariables& variables,
                                  std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    if (auto found = find_on_path(tree, variables, name)) return found;
  }
  return std::nullopt;
}

bool has_pip(const Environment& environment) {
  const auto found = environment.find_distributions("pip");
  return std::ranges::any_of(found, [&](Id<Distribution> id) {
    const Path& site = environment.distributions[id].site;
    return environment.inventory.find_folder((site / "pip").text()) != nullptr;
  });
}

bool is_active(const tree::FileTree& tree, const Environment& environment,
               const ProcessVariables& variables) {
  if (!variables.virtual_env || variables.virtual_env->empty()) return false;
  const auto path = variables.working_folder.join(*variables.virtual_env);
  if (!path) return false;
  tree::Resolver resolver(tree);
  const tree::Walk walk = resolver.resolve(path->text());
  return walk.is_found() && walk.real == environment.prefix;
}

/// The environment's own habit first, then whatever is at hand.
Tool choose_tool(const InstallerFacts& facts) {
  if (facts.is_target_folder) {
    if (facts.uv) return Tool::uv;
    return facts.pip ? Tool::pip_outside : Tool::none;
  }
  const bool is_uv_at_hand = facts.uv.has_value() && facts.python.has_value();
  const bool is_uv_first = facts.majority == "uv" || !facts.has_pip_inside;
  if (is_uv_first && is_uv_at_hand) return Tool::uv;
  if (facts.has_pip_inside && facts.python) return Tool::pip_inside;
  if (is_uv_at_hand) return Tool::uv;
  return facts.pip && facts.python ? Tool::pip_outside : Tool::none;
}

std::string python_of(const InstallerFacts& facts) {
  return facts.python ? facts.python->text() : std::string();
}

bool is_pip(Tool tool) { return tool == Tool::pip_inside || tool == Tool::pip_outside; }

std::vector<std::string> pip_words(const InstallerFacts& facts, Tool tool) {
  if (tool == Tool::pip_inside) return {python_of(facts), "-m", "pip"};
  if (facts.is_target_folder) return {std::string(facts.pip->name())};
  return {std::string(facts.pip->name()), "--python", python_of(facts)};
}

void append(std::vector<std::string>& words, std::initializer_list<const char*> more) {
  words.insert(words.end(), more.begin(), more.end());
}

void append_target(std::vector<std::string>& words, const InstallerFacts& facts) {
  if (facts.is_target_folder) append(words, {"--target", facts.prefix.text().c_str()});
}

/// uv takes the active environment by itself.
void append_python(std::vector<std::string>& words, const InstallerFacts& facts) {
  append_target(words, facts);
  if (facts.is_active || facts.is_target_folder) return;
  append(words, {"--python", python_of(facts).c_str()});
}

void append_consent(std::vector<std::string>& words, const InstallerFacts& facts) {
  if (facts.is_externally_managed) append(words, {"--break-system-packages"});
}

/// "nvidia" of nvidia/nccl/lib/libnccl.so.2.
std::set<std::string_view> top_folders_of(const Distribution& distribution) {
  std::set<std::string_view> folders;
  const auto* files = distribution.files.find();
  if (files == nullptr) return folders;
  for (const auto& row : files->rows()) {
    const auto slash = row.path.find('/');
    const std::string_view top = row.path.substr(0, slash);
    const bool is_folder = slash != std::string_view::npos && slash > 0 && top != "..";
    if (is_folder) folders.insert(top);
  }
  return folders;
}

}  // namespace

InstallerFacts read_installer_facts(const tree::FileTree& tree, const Environment& environment,
                                    const ProcessVariables& variables) {
  InstallerFacts facts;
  facts.majority = majority_of(environment.distributions);
  facts.has_pip_inside = has_pip(environment);
  facts.uv = find_on_path(tree, variables, "uv");
  facts.pip = first_on_path(tree, variables, {"pip", "pip3"});
  facts.conda = first_on_path(tree, variables, {"conda", "mamba", "micromamba"});
  facts.is_active = is_active(tree, environment, variables);
  facts.is_externally_managed = environment.interpreter.externally_managed.has_value();
  facts.is_target_folder = environment.place.is_bare_folder;
  facts.prefix = environment.prefix;
  if (environment.interpreter.real_executable) facts.python = environment.interpreter.executable;
  facts.tool = choose_tool(facts);
  return facts;
}

Tool tool_for(const InstallerFacts& facts, const Distribution& distribution) {
  if (distribution.kind == DistributionKind::conda || distribution.installer == "conda") {
    return facts.conda ? Tool::conda : Tool::none;
  }
  // Only apt installs there (Debian Python Policy); pip takes /usr/local.
  const bool is_of_debian = distribution.site.text().ends_with("/lib/python3/dist-packages");
  return is_of_debian ? Tool::apt : facts.tool;
}

std::vector<std::string> reinstall_command(const InstallerFacts& facts, Tool tool) {
  std::vector<std::string> words;
  if (tool == Tool::apt) words = {"apt-get", "install", "--reinstall"};
  if (tool == Tool::conda) {
    words = {std::string(facts.conda->name()), "install", "-p", facts.prefix.text()};
    append(words, {"--force-reinstall", "--no-deps"});
  }
  if (tool == Tool::uv) {
    words = {"uv", "pip", "install"};
    append_python(words, facts);
    append_consent(words, facts);
    append(words, {"--reinstall", "--no-deps"});
  }
  if (is_pip(tool)) {
    words = pip_words(facts, tool);
    append(words, {"install"});
    append_target(words, facts);
    if (facts.is_target_folder) append(words, {"--upgrade"});
    append_consent(words, facts);
    append(words, {"--force-reinstall", "--no-deps"});
  }
  return words;
}

std::vector<std::string> uninstall_command(const InstallerFacts& facts, Tool tool) {
  std::vector<std::string> words;
  if (tool == Tool::conda) {
    words = {std::string(facts.conda->name()), "remove", "-p", facts.prefix.text(), "--force"};
  }
  if (tool == Tool::uv) {
    words = {"uv", "pip", "uninstall"};
    append_python(words, facts);
    append_consent(words, facts);
  }
  // pip cannot uninstall from a target folder.
  if (is_pip(tool) && !facts.is_target_folder) {
    words = pip_words(facts, tool);
    append(words, {"uninstall", "-y"});
    append_consent(words, facts);
  }
  return words;
}

std::vector<Id<Distribution>> swept_along(const InstallerFacts& facts, Tool tool,
                                          const Environment& environment,
                                          const std::vector<Id<Distribution>>& distributions) {
  std::vector<Id<Distribution>> swept;
  if (!facts.is_target_folder || !is_pip(tool)) return swept;
  std::set<std::string_view> folders;
  std::set<Id<Distribution>> known(distributions.begin(), distributions.end());
  for (const auto id : distributions) folders.merge(top_folders_of(environment.distributions[id]));
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::size_t i = 0; i < environment.distributions.size(); ++i) {
      const auto id = environment.distributions.id(i);
      auto own = top_folders_of(environment.distributions[id]);
      const bool is_swept =
          !known.contains(id) && std::ranges::any_of(own, [&](std::string_view folder) {
            return folders.contains(folder);
          });
      if (!is_swept) continue;
      known.insert(id);
      swept.push_back(id);
      folders.merge(own);
      has_grown = true;
    }
  }
  std::ranges::sort(swept);
  return swept;
}

std::string exact_requirement(const Distribution& distribution) {
  const bool is_conda = distribution.kind == DistributionKind::conda;
  return distribution.name + (is_conda ? "=" : "==") + distribution.version;
}

}  // namespace whyso::environment
