// SPDX-License-Identifier: Apache-2.0
// Why each load that fails does so: every failed request gets the one cause that explains it, so
// that rules can tell one story each. Words are the rules' matter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "whyso/check/displaced.h"
#include "whyso/check/opening.h"
#include "whyso/check/symbol_gap.h"
#include "whyso/check/world.h"

namespace whyso::check {

enum class CauseKind : std::uint8_t {
  elsewhere,  ///< another folder of the environment has it: it loads after another import
  gutted,     ///< an installed distribution lists it, and its file is gone
  contested,  ///< the file that asks holds another owner's bytes
  foreign,    ///< a file of that name is there, for another machine
  damaged,    ///< a file of that name is there, and the loader stops at it
  driver,     ///< it comes with NVIDIA's driver
  unreached,  ///< a file of that name is listed and there, outside the folders of packages, or is
              ///< named by LD_LIBRARY_PATH in place of its folder
  absent,     ///< nothing installed has or lists it
};

/// One request that failed, explained.
struct Explained {
  FailedRequest request;
  CauseKind cause = CauseKind::absent;
  std::optional<NativeId> requirer;   ///< the object of the environment that asks
  std::optional<std::uint32_t> file;  ///< gutted, contested: in Ownership::files()
  std::optional<NativeId> native;     ///< foreign, damaged: the file that was found
};

/// A load that fails.
struct Broken {
  const ModuleLoad* load = nullptr;
  bool is_plugin = false;  ///< no extension module maps it
  std::vector<Explained> reasons;
};

struct Diagnosis {
  std::vector<Broken> broken;

  /// Of extension modules that load, but in which symbols are missing because of a file whose
  /// bytes are in doubt.
  struct Doubted {
    const ModuleLoad* load = nullptr;
    std::vector<SymbolGap> gaps;
    std::vector<NativeId> suspects;
  };
  std::vector<Doubted> doubted;

  std::vector<Opening> openings;
  std::vector<Displaced> displaced;
};

[[nodiscard]] Diagnosis diagnose(const World& world);

/// Names of the modules among `broken` for which `test` holds of some reason.
template <class Test>
std::set<std::string> modules_where(const World& world, const Diagnosis& diagnosis, Test test) {
  std::set<std::string> modules;
  for (const auto& broken : diagnosis.broken) {
    if (broken.is_plugin) continue;
    for (const auto& reason : broken.reasons) {
      if (test(broken, reason)) modules.insert(world.natives[broken.load->module].module);
    }
  }
  return modules;
}

}  // namespace whyso::check
