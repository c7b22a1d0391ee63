// SPDX-License-Identifier: Apache-2.0
// Modules that a module may import in ways that its import statements do not tell: native code by
// names that stand in the file, lazy packages by an attribute, code by a literal. All are guesses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "whyso/base/text_map.h"
#include "whyso/process/import_graph.h"
#include "whyso/process/module_search.h"

namespace whyso::process {

/// A module that another may import.
struct ModuleHint {
  std::string name;
  bool is_strong = false;  ///< native code names a native module of its own package
};

/// Reads files when it is asked. Not to be shared between threads.
class ModuleHints {
 public:
  /// Must outlive it.
  explicit ModuleHints(ImportGraph& graph) : graph_(graph) {}

  /// Modules that are there, each once; empty for Python's own modules.
  const std::vector<ModuleHint>& of(Id<ImportGraph::Node> module);

  /// Extension modules of a package, but for those of tests.
  std::vector<std::string> native_modules_in(std::string_view package);

  /// Does the module's source hold "import NAME" or ".NAME", in a function or anywhere else?
  bool mentions(Id<ImportGraph::Node> module, std::string_view name);

  /// Libraries beside the modules of one package that the source of one of them names in quotes.
  /// Not modules that are imported by their names.
  std::vector<std::string> libraries_named_by(std::span<const Id<ImportGraph::Node>> modules);

 private:
  std::vector<ModuleHint> find(Id<ImportGraph::Node> module);
  std::vector<std::string> of_native(std::string_view name, const Path& file);
  std::vector<std::string> of_source(Id<ImportGraph::Node> module);
  void add_names(std::string_view text, std::vector<std::string>& names);
  void add_siblings(std::string_view package, std::string_view text,
                    std::vector<std::string>& names);
  void add_literals(std::string_view text, std::string_view package,
                    std::vector<std::string>& names);
  void add_attributes(std::string_view text, std::string_view package,
                      std::vector<std::string>& names);
  void add_top_level_modules(std::string_view text, std::vector<std::string>& names);
  std::string longest_module(std::string_view top_level, std::string_view rest);
  const std::vector<std::string>& children(std::string_view package);
  bool is_top_level(std::string_view name);
  void list_top_level();
  bool is_lazy(std::string_view package);

  ImportGraph& graph_;
  std::unordered_map<Id<ImportGraph::Node>, std::vector<ModuleHint>> known_;
  TextMap<std::vector<std::string>> children_;
  TextMap<bool> lazy_;
  TextMap<bool> top_levels_;                 ///< filled when first asked
  std::vector<std::string> native_modules_;  ///< the same: of the top level
};

}  // namespace whyso::process
