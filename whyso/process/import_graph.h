// SPDX-License-Identifier: Apache-2.0
// Which modules an import reaches, and how surely: read from sources, nothing is executed. What
// native code imports, and what code computes, is not seen here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "whyso/base/blob.h"
#include "whyso/base/path.h"
#include "whyso/base/result.h"
#include "whyso/base/table.h"
#include "whyso/base/text_map.h"
#include "whyso/process/module_code.h"
#include "whyso/process/module_search.h"
#include "whyso/process/search_path.h"
#include "whyso/process/source_shelf.h"
#include "whyso/tree/file_tree.h"

namespace whyso::process {

/// A module that an import comes to. `missing` and `absent` ones are no modules but failures.
struct ReachedModule {
  std::string name;
  FoundModule found;
  Certainty certainty = Certainty::certain;
  std::string importer;               ///< empty: the import that was asked for, or code of a .pth
  std::optional<Path> importer_file;  ///< absent where `importer` is empty
  std::uint32_t line = 0;
};

/// What an import comes to, in the order in which the modules begin to load.
struct Reach {
  std::vector<ReachedModule> modules;
  /// Why more modules may be reached: sources that could not be read, limits.
  std::vector<Error> unknown;

  /// The first module for which the import certainly fails with ModuleNotFoundError, or null.
  [[nodiscard]] const ReachedModule* find_failure() const;
};

/// Reads each source once, when an import first comes to it. Not to be shared between threads.
class ImportGraph {
 public:
  /// `tree` must outlive it.
  ImportGraph(const tree::FileTree& tree, SearchPath path);

  /// All that `import NAME` in a fresh process comes to, with what `.pth` files import at start
  /// (guarded: site.py goes on). An absent name that code may provide is `unknown`, not `absent`.
  Reach reach(std::string_view name);

  /// Is it what is looked for? Asked of no absent module.
  using Target = std::function<bool(std::string_view name, const FoundModule& found)>;

  /// A chain of certain imports from `import NAME` to a target, both included; nothing where there
  /// is none. Reads no more than it needs to.
  std::optional<std::vector<ReachedModule>> find_certain_way(std::string_view name,
                                                             const Target& is_target);

  [[nodiscard]] ModuleSearch& search() { return search_; }

  struct Node;
  /// One module that a statement imports: `import a.b` has two, `a` and `a.b`.
  struct Edge {
    Id<Node> target;
    Certainty certainty = Certainty::certain;
    std::uint32_t line = 0;
    std::uint32_t statement = 0;  ///< in ModuleCode::imports of the importer
  };

  /// A module that was asked for. What it holds is the graph's own matter.
  struct Node {
    std::string name;
    const FoundModule* found = nullptr;  ///< owned by the search
    bool is_read = false;
    bool is_expanded = false;
    std::optional<Blob> text;             ///< kept where a member was asked for
    std::size_t own_attributes_from = 0;  ///< only with `text`
    std::size_t searched = 0;             ///< bytes of `text` that were searched for members
    ModuleCode code;
    std::optional<Error> problem;
    std::vector<Edge> edges;
  };

  /// The module of an absolute name, found or not.
  Id<Node> module(std::string_view name) { return node(name); }
  /// What Python imports before the program: a module without a name.
  Id<Node> startup_module() { return startup_node(); }
  [[nodiscard]] const std::string& name_of(Id<Node> id) const { return nodes_[id].name; }
  [[nodiscard]] const FoundModule& found(Id<Node> id) const { return *nodes_[id].found; }
  /// What its code does when it is executed; reads it. Valid until another module is asked for.
  const std::vector<Edge>& edges_of(Id<Node> id) {
    expand(id);
    return nodes_[id].edges;
  }
  [[nodiscard]] const ModuleCode& code_of(Id<Node> id) const { return nodes_[id].code; }
  [[nodiscard]] const std::optional<Error>& problem_of(Id<Node> id) const {
    return nodes_[id].problem;
  }

 private:
  struct Arrival {
    std::optional<Certainty> certainty;  ///< absent: not reached
    std::optional<Id<Node>> importer;
    std::uint32_t line = 0;
  };
  struct Walk;
  using Visited = std::unordered_set<Id<Node>>;

  Id<Node> node(std::string_view name);
  Id<Node> startup_node();
  void read(Id<Node> id);
  void expand(Id<Node> id);
  void add_edges(Id<Node> from, std::uint32_t index, const ImportStatement& statement,
                 std::vector<Edge>& edges);
  Certainty certainty_of_member(Id<Node> from, const ImportStatement& statement,
                                std::string_view member);
  bool may_have_attribute(Id<Node> package, std::string_view name, std::uint32_t line);
  bool may_give(std::string_view module, std::string_view name, Visited& visited);
  std::optional<std::string_view> text_of(Id<Node> id);
  Walk start(std::string_view name);
  std::optional<Id<Node>> spread(Walk& walk, const Target* is_target);
  std::vector<Id<Node>> in_load_order(const Walk& walk);
  ReachedModule reached(const Walk& walk, Id<Node> id) const;
  bool has_attribute(Id<Node> package, std::string_view name);
  void doubt_absence(const std::vector<Id<Node>>& executed, Reach& reach);

  ModuleSearch search_;
  SourceShelf sources_;
  Table<Node> nodes_;
  TextMap<Id<Node>> ids_;
  TextMap<bool> attributes_;  ///< by "package.name": may the finished package bind it?
  std::optional<Id<Node>> startup_;
};

}  // namespace whyso::process
