// SPDX-License-Identifier: Apache-2.0
// Libraries that are found, but in another copy than the one that whoever asks was built for: which
// copy wins, by which rule, and what it lacks. Words are the rules' matter.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/check/embedded_version.h"
#include "whyso/check/opening.h"
#include "whyso/check/symbol_gap.h"
#include "whyso/check/world.h"

namespace whyso::check {

/// What made the other copy win.
enum class Displacer : std::uint8_t {
  variable,  ///< LD_LIBRARY_PATH: without it the meant copy is found
  system,    ///< the loader's cache or its default folders: no search reaches the meant copy
  own_path,  ///< an RPATH or RUNPATH that leads out of the environment
};

/// A file as it was found.
struct Copy {
  Id<loader::KnownFile> file;
  Path real;
};

/// One library that is taken from elsewhere than meant.
struct Displaced {
  Displacer by = Displacer::variable;
  std::string name;  ///< as asked for
  Copy winner;
  Copy meant;
  std::optional<loader::Step> meant_step;  ///< of the search that would find it, nothing: none
  Path requirer;
  bool is_opened = false;         ///< by a name in its bytes, when it is used
  std::set<std::string> modules;  ///< extension modules whose import comes to it
  std::vector<SymbolGap> gaps;    ///< symbols that the winner lacks and the meant copy has
  VersionDifference versions;     ///< of the winner against the meant copy
  bool is_of_family = false;      ///< it and the requirer are parts that must be of one release

  /// Something fails, or may: a symbol is missing, or the winner is of another release where that
  /// matters.
  [[nodiscard]] bool matters() const {
    return !gaps.empty() || versions.age == Age::older ||
           (is_of_family && versions.age == Age::newer);
  }
};

/// Sorted by what made them win, then by name. Copies of equal bytes are none.
[[nodiscard]] std::vector<Displaced> find_displaced(const World& world,
                                                    const std::vector<Opening>& openings);

/// Is it below the prefix or a folder of packages?
[[nodiscard]] bool is_in_environment(const World& world, const Path& path);

}  // namespace whyso::check
