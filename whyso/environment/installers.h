// SPDX-License-Identifier: Apache-2.0
// Which tool looks after an environment, and how it is told to install exact versions again.
// Values only: what is said to people is known in report/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/table.h"
#include "whyso/environment/environment.h"

namespace whyso::environment {

enum class Tool : std::uint8_t {
  uv,
  pip_inside,   ///< `ENV/bin/python -m pip`
  pip_outside,  ///< another Python's pip with `--python`
  conda,
  apt,  ///< of Debian's own packages
  none,
};

/// Programs that are at hand, and the traces that installers left.
struct InstallerFacts {
  std::string majority;  ///< the INSTALLER that most distributions name; empty: none does
  bool has_pip_inside = false;
  std::optional<Path> uv;     ///< on PATH
  std::optional<Path> pip;    ///< on PATH: pip or pip3
  std::optional<Path> conda;  ///< on PATH: conda, mamba or micromamba
  bool is_active = false;     ///< VIRTUAL_ENV is this environment
  bool is_externally_managed = false;
  bool is_target_folder = false;  ///< packages alone, as `--target` installs them
  Path prefix;
  std::optional<Path> python;  ///< absent: there is none that could be run
  Tool tool = Tool::none;      ///< the one to be used for distributions that pip or uv installed
};

[[nodiscard]] InstallerFacts read_installer_facts(const tree::FileTree& tree,
                                                  const Environment& environment,
                                                  const ProcessVariables& variables);

/// The tool for that distribution: conda or apt for their own packages, else `facts.tool`.
[[nodiscard]] Tool tool_for(const InstallerFacts& facts, const Distribution& distribution);

/// "uv pip install --python ENV/bin/python --reinstall --no-deps", to which NAME==VERSION are
/// added; for conda "conda install -p ENV --force-reinstall --no-deps" and NAME=VERSION. Empty: no
/// tool. In a target folder pip replaces each top-level folder of a package as a whole, so that all
/// who have files in it must be named with it: see swept_along.
[[nodiscard]] std::vector<std::string> reinstall_command(const InstallerFacts& facts, Tool tool);

/// "uv pip uninstall --python ENV/bin/python", to which names are added. Empty: no tool, or one
/// that has to weigh more than a name.
[[nodiscard]] std::vector<std::string> uninstall_command(const InstallerFacts& facts, Tool tool);

/// What else must be installed again with these, because the tool takes it away: none but for pip
/// in a target folder. Sorted.
[[nodiscard]] std::vector<Id<Distribution>> swept_along(
    const InstallerFacts& facts, Tool tool, const Environment& environment,
    const std::vector<Id<Distribution>>& distributions);

/// "torch==2.10.0" or, for conda, "torch=2.10.0".
[[nodiscard]] std::string exact_requirement(const Distribution& distribution);

}  // namespace whyso::environment
