// SPDX-License-Identifier: Apache-2.0
// What pip and uv take away when they uninstall, file by file. What that breaks is plan.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/base/table.h"
#include "whyso/change/installer.h"
#include "whyso/change/remains.h"
#include "whyso/environment/environment.h"
#include "whyso/tree/file_tree.h"

namespace whyso::change {

/// One distribution that goes, with what goes with it. A file that several of them list goes with
/// the first.
struct RemovedDistribution {
  Id<environment::Distribution> distribution;
  Taken taken;
};

/// One that the installer would leave alone, or whose uninstall is not modelled.
struct RefusedDistribution {
  Id<environment::Distribution> distribution;
  std::string reason;  ///< "its metadata is an egg-info, which has no RECORD"
};

/// What uninstalls take away, in the order in which they happen.
struct Removal {
  Installer installer = Installer::pip;
  std::vector<RemovedDistribution> removed;
  std::vector<RefusedDistribution> refused;

  [[nodiscard]] std::vector<Path> paths() const;  ///< files and folders, sorted
  [[nodiscard]] std::size_t file_count() const;
  [[nodiscard]] std::uint64_t bytes() const;
};

/// Uninstalls one after the other, as `pip uninstall -y A B` (pip 20.3 to 26) or `uv pip uninstall
/// A B` (uv 0.5 to 0.13) do: every file of a RECORD goes, whoever else lists it. pip also takes the
/// byte code of its Python, and folders in which nothing else lies; uv each `__pycache__` beside a
/// file that went, and folders that became empty. Neither leaves the environment.
[[nodiscard]] Removal uninstall(const tree::FileTree& tree,
                                const environment::Environment& environment,
                                const std::vector<Id<environment::Distribution>>& distributions,
                                Installer installer);

}  // namespace whyso::change
