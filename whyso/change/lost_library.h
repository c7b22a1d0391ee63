// SPDX-License-Identifier: Apache-2.0
// Libraries that go and that something that stays loads today. Python modules are lost_module.h.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/change/comparison.h"

namespace whyso::change {

/// A library that loads ask for today with success, and afterwards without.
struct LostLibrary {
  std::string name;                 ///< as it is asked for: "libnccl.so.2"
  Path path;                        ///< the file that goes
  std::set<std::string> needed_by;  ///< paths of the objects that ask, as they are shown
  std::set<std::string> modules;    ///< extension modules that no longer load: "torch._C"
  bool is_of_plugins = true;        ///< only libraries that no extension module maps ask for it
};

/// A load that takes another copy of a library afterwards.
struct MovedLibrary {
  std::string name;  ///< the soname, or the file's name
  Path from;
  Path to;
  std::set<std::string> loaded_by;  ///< the modules or libraries that are loaded, as shown
};

/// What becomes of the loads that succeed today.
struct LibraryLosses {
  std::vector<LostLibrary> lost;    ///< sorted by name
  std::vector<MovedLibrary> moved;  ///< sorted by name
};

[[nodiscard]] LibraryLosses find_library_losses(const Comparison& comparison);

/// What Python prints last when it comes to that extension module afterwards; empty where it loads.
[[nodiscard]] std::string import_error(const check::World& after, const std::string& module);

/// Does the file of an extension module that stays map one of the distribution's files today? ->
/// the modules' names.
[[nodiscard]] std::set<std::string> modules_that_map(const Comparison& comparison,
                                                     Id<environment::Distribution> distribution);

}  // namespace whyso::change
