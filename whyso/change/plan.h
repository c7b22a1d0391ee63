// SPDX-License-Identifier: Apache-2.0
// What a change of an environment would do, as values. How it is found out is plan_uninstall.h, how
// it looks is known in report/.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "whyso/base/path.h"
#include "whyso/change/installer.h"
#include "whyso/check/finding.h"

namespace whyso::change {

/// Does something that stays load a file of a package?
enum class Burden : std::uint8_t {
  load_bearing,  ///< some import loads one
  optional,      ///< some import may, under a condition that reading cannot decide, or that of a
                 ///< module which no import of a top-level one comes to
  inert,         ///< none does, as far as sources and native objects tell
  not_known,     ///< loading could not be judged
};

/// One package that would go.
struct PlannedPackage {
  std::string name;
  std::string version;
  Burden burden = Burden::inert;
  bool is_missed = false;                ///< some finding of a warning's weight is about it
  std::vector<std::string> loaded_by;    ///< imports: "torch"; extension modules where none is
  std::vector<std::string> required_by;  ///< "torch 2.10.0", of what stays, not under an extra
  std::vector<std::string> shares_with;  ///< what stays and lists files that go with it
  std::size_t shared_files = 0;          ///< of `files`, those that others list
  std::vector<Path> files;               ///< all that goes and is no folder, also links; sorted
  std::vector<Path> folders;             ///< sorted
  std::uint64_t bytes = 0;               ///< of regular files
};

/// One package that the installer would leave alone.
struct LeftAlone {
  std::string package;  ///< "torch 2.10.0"
  std::string reason;
};

struct Plan {
  check::Report report;  ///< its findings are what would break; sorted
  Installer installer = Installer::pip;
  std::vector<PlannedPackage> packages;  ///< in the order of the uninstalls
  std::vector<LeftAlone> left_alone;
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

}  // namespace whyso::change
