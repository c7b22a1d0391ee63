// SPDX-License-Identifier: Apache-2.0
// Which imports a broken module breaks. What an import reaches is known in process/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "whyso/check/requirements.h"
#include "whyso/process/import_graph.h"

namespace whyso::check {

/// How surely an import breaks.
enum class Breakage : std::uint8_t {
  certain,   ///< it comes to the module whatever happens
  possible,  ///< under a condition that is not decided by reading
};

struct BrokenImport {
  std::string name;  ///< "torch"
  Breakage breakage = Breakage::certain;
  std::string module;    ///< the broken module it comes to
  std::size_t hops = 0;  ///< modules on the way, both ends included; 0: not known
};

/// The module that a file is, by the path in which a list of files names it: "torch" for
/// torch/__init__.py, "torch._C" for torch/_C.abi3.so; empty where it is none.
[[nodiscard]] std::string module_of_file(std::string_view written);

/// Reads sources when it must; a cache of what they say.
class Imports {
 public:
  /// Both must outlive it.
  Imports(const tree::FileTree& tree, const environment::Environment& environment);

  /// Imports that come to one of `modules` (dotted names of extension modules, or of modules whose
  /// file is gone): tried are those of the distributions `owners`, the packages of modules that
  /// nobody owns, and those of distributions that require an owner, in this order.
  [[nodiscard]] std::vector<BrokenImport> broken_by(
      const std::set<std::string>& modules,
      const std::vector<Id<environment::Distribution>>& owners);

  /// The same of the public modules one level down ("PIL.Image"), of the owners alone; those that
  /// are nearest to the broken ones. To be asked
  /// only where something is known to be damaged: what is optional may lie there.
  [[nodiscard]] std::vector<BrokenImport> submodules_broken_by(
      const std::set<std::string>& modules,
      const std::vector<Id<environment::Distribution>>& owners);

  /// The names that a user imports of it: top-level packages and modules; of a namespace the
  /// packages in it. Listed files count also where they are gone.
  [[nodiscard]] const std::vector<std::string>& names_of(
      Id<environment::Distribution> distribution);

  [[nodiscard]] const Requirements& requirements();

  [[nodiscard]] process::ImportGraph& graph() { return graph_; }

 private:
  std::vector<std::string> candidates(const std::set<std::string>& modules,
                                      const std::vector<Id<environment::Distribution>>& owners);
  std::optional<BrokenImport> try_name(const std::string& name,
                                       const std::set<std::string>& modules);

  const environment::Environment* environment_;
  process::ImportGraph graph_;
  std::optional<Requirements> requirements_;
  std::map<Id<environment::Distribution>, std::vector<std::string>> names_;
};

}  // namespace whyso::check
