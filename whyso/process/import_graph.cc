// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/import_graph.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/process/source_words.h"

namespace whyso::process {
namespace {

constexpr std::size_t most_modules = 200'000;
constexpr std::size_t largest_source = std::size_t{16} * 1024 * 1024;
constexpr std::size_t most_searched = std::size_t{1024} * 1024 * 1024;  // bytes of one package
constexpr std::size_t most_stars = 50;   // modules asked for one name
constexpr std::size_t most_absent = 64;  // of which it is told why they may be there

Certainty weaker(Certainty a, Certainty b) { return std::max(a, b); }

bool is_nothing(const FoundModule& found) {
  return found.kind == ModuleKind::absent || found.kind == ModuleKind::unknown;
}

/// "a", "a.b", "a.b.c" of "a.b.c".
std::vector<std::string_view> with_parents(std::string_view name) {
  std::vector<std::string_view> names;
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    names.push_back(name.substr(0, dot));
  }
  names.push_back(name);
  return names;
}

std::string_view top_level(std::string_view name) { return name.substr(0, name.find('.')); }

std::string_view last_component(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// The text above a line, the first being 1.
std::string_view above_line(std::string_view text, std::uint32_t line) {
  std::size_t end = 0;
  for (std::uint32_t i = 1; i < line; ++i) {
    end = text.find('\n', end);
    if (end == std::string_view::npos) return text;
    ++end;
  }
  return text.substr(0, end);
}

/// May code of module `by` make the absent module, as far as its words tell?
bool may_provide(const SearchTricks& tricks, std::string_view text, std::string_view by,
                 std::string_view absent) {
  const bool is_top_level = !absent.contains('.');
  if (is_top_level && tricks.changes_path) return true;
  const bool is_kin = !is_top_level && top_level(by) == top_level(absent);
  if (is_kin && (tricks.makes_modules || tricks.changes_package_path)) return true;
  return tricks.makes_modules && has_word_before_quote(text, last_component(absent));
}

}  // namespace

/// One spreading over the graph.
struct ImportGraph::Walk {
  std::vector<Arrival> arrivals;                ///< by node; shorter than the table: not reached
  std::array<std::vector<Id<Node>>, 3> queues;  ///< by certainty
  std::vector<Id<Node>> roots;

  [[nodiscard]] std::optional<Certainty> certainty(Id<Node> id) const {
    if (id.index >= arrivals.size()) return std::nullopt;
    return arrivals[id.index].certainty;
  }

  /// Is it reached more surely than before?
  bool arrive(Id<Node> id, const Arrival& arrival) {
    if (id.index >= arrivals.size()) arrivals.resize(id.index + std::size_t{1});
    Arrival& best = arrivals[id.index];
    if (best.certainty && *best.certainty <= *arrival.certainty) return false;
    best = arrival;
    queues.at(static_cast<std::size_t>(*arrival.certainty)).push_back(id);
    return true;
  }
};

const ReachedModule* Reach::find_failure() const {
  const auto failed = std::ranges::find_if(modules, [](const ReachedModule& module) {
    return module.certainty == Certainty::certain &&
           (module.found.kind == ModuleKind::absent || module.found.kind == ModuleKind::missing);
  });
  return failed == modules.end() ? nullptr : &*failed;
}

ImportGraph::ImportGraph(const tree::FileTree& tree, SearchPath path)
    : search_(tree, std::move(path)) {}

Id<ImportGraph::Node> ImportGraph::node(std::string_view name) {
  const auto known = ids_.find(name);
  if (known != ids_.end()) return known->second;
  const Id<Node> id = nodes_.add({.name = std::string(name), .found = &search_.find(name)});
  ids_.emplace(std::string(name), id);
  return id;
}

/// A module without a name: what site.py runs before the program.
Id<ImportGraph::Node> ImportGraph::startup_node() {
  if (startup_) return *startup_;
  static const FoundModule nowhere{.kind = ModuleKind::standard};
  Node made{.found = &nowhere, .is_read = true};
  for (const auto& line : search_.path().startup_code) {
    auto code = read_module_code(line, {.version = search_.path().version});
    std::ranges::move(code.imports, std::back_inserter(made.code.imports));
  }
  for (const auto* name : {"sitecustomize", "usercustomize"}) {
    if (search_.find(name).has_code()) made.code.imports.push_back({.module = name});
  }
  startup_ = nodes_.add(std::move(made));
  return *startup_;
}

void ImportGraph::read(Id<Node> id) {
  Node& at = nodes_[id];
  if (at.is_read) return;
  at.is_read = true;
  const FoundModule& found = *at.found;
  if (found.kind == ModuleKind::unknown) at.problem = found.problem;
  if (found.kind == ModuleKind::bytecode) {
    at.problem = {ErrorKind::unsupported, found.file->text(), "bytecode without its source"};
  }
  if (found.kind != ModuleKind::source) return;
  const auto content = search_.read(*found.file);
  if (content.is_unreadable()) at.problem = content.error();
  if (!content.is_present()) return;
  if (content.value().blob.size() > largest_source) {
    at.problem = {ErrorKind::unsupported, found.file->text(), "a source too large to be read"};
    return;
  }
  const std::string file = search_.path().spelled(*found.file);
  at.code = read_module_code(
      content.value().blob.text(),
      {.name = at.name,
       .is_package = found.is_package,
       .version = search_.path().version,
       .file = file,
       .find_source = [this](std::string_view module) { return sources_.find(search_, module); }});
  if (at.code.is_cut_off) {
    at.problem = {ErrorKind::malformed, found.file->text(), "ends inside a bracket or a string"};
  }
}

void ImportGraph::expand(Id<Node> id) {
  if (nodes_[id].is_expanded) return;
  nodes_[id].is_expanded = true;
  read(id);
  if (nodes_.size() > most_modules) {
    nodes_[id].problem = {ErrorKind::unsupported, nodes_[id].name, "too many modules"};
    return;
  }
  const std::vector<ImportStatement> imports = nodes_[id].code.imports;
  std::vector<Edge> edges;
  for (std::uint32_t i = 0; i < imports.size(); ++i) add_edges(id, i, imports[i], edges);
  nodes_[id].edges = std::move(edges);
}

void ImportGraph::add_edges(Id<Node> from, std::uint32_t index, const ImportStatement& statement,
                            std::vector<Edge>& edges) {
  if (nodes_.size() > most_modules) return;
  for (const auto name : with_parents(statement.module)) {
    const Id<Node> target = node(name);
    edges.push_back({target, statement.certainty, statement.line, index});
    if (is_nothing(*nodes_[target].found)) return;
  }
  if (!search_.find(statement.module).is_package) return;
  for (const auto& member : statement.members) {
    const std::string name = statement.module + "." + member;
    const FoundModule& found = search_.find(name);
    const bool is_submodule =
        !is_nothing(found) && (found.kind != ModuleKind::standard || found.file);
    if (!is_submodule) continue;
    edges.push_back(
        {node(name), certainty_of_member(from, statement, member), statement.line, index});
  }
}

/// `from a import b` imports a.b only where the module a has no attribute b
/// (importlib._bootstrap._handle_fromlist).
Certainty ImportGraph::certainty_of_member(Id<Node> from, const ImportStatement& statement,
                                           std::string_view member) {
  const Id<Node> package = node(statement.module);
  const bool may_have = package == from ? may_have_attribute(package, member, statement.line)
                                        : has_attribute(package, member);
  return may_have ? Certainty::conditional : statement.certainty;
}

/// The same of a package whose code has run to its end.
bool ImportGraph::has_attribute(Id<Node> package, std::string_view name) {
  const std::string key = nodes_[package].name + "." + std::string(name);
  const auto known = attributes_.find(key);
  if (known != attributes_.end()) return known->second;
  const bool may_have =
      may_have_attribute(package, name, std::numeric_limits<std::uint32_t>::max());
  attributes_.emplace(key, may_have);
  return may_have;
}

/// May code above a line of the package give it an attribute of that name?
bool ImportGraph::may_have_attribute(Id<Node> package, std::string_view name, std::uint32_t line) {
  const ModuleKind kind = nodes_[package].found->kind;
  if (kind == ModuleKind::namespace_package) return false;
  const auto text = text_of(package);
  if (!text || nodes_[package].problem) return true;
  nodes_[package].searched += text->size();
  if (nodes_[package].searched > most_searched) return true;
  const std::string_view above = above_line(*text, line);
  if (nodes_[package].own_attributes_from < above.size()) return true;
  if (may_bind(above, name)) return true;
  Visited visited{package};
  const std::vector<ImportStatement> imports = nodes_[package].code.imports;
  return std::ranges::any_of(imports, [&](const ImportStatement& statement) {
    return statement.takes_all && statement.line < line &&
           may_give(statement.module, name, visited);
  });
}

/// May `from MODULE import *` bind the name?
bool ImportGraph::may_give(std::string_view module, std::string_view name, Visited& visited) {
  const FoundModule& found = search_.find(module);
  if (found.kind == ModuleKind::namespace_package || found.kind == ModuleKind::absent) return false;
  if (visited.size() > most_stars) return true;
  const Id<Node> id = node(module);
  if (!visited.insert(id).second) return false;
  const auto text = text_of(id);
  if (!text || nodes_[id].problem || has_word(*text, name)) return true;
  const std::vector<ImportStatement> imports = nodes_[id].code.imports;
  return std::ranges::any_of(imports, [&](const ImportStatement& statement) {
    return statement.takes_all && may_give(statement.module, name, visited);
  });
}

/// The source, kept from now on; nothing where it has none.
std::optional<std::string_view> ImportGraph::text_of(Id<Node> id) {
  read(id);
  Node& at = nodes_[id];
  if (!at.text) {
    if (at.found->kind != ModuleKind::source) return std::nullopt;
    const auto content = search_.read(*at.found->file);
    if (!content.is_present()) return std::nullopt;
    at.text = content.value().blob;
    at.own_attributes_from = find_own_attributes(at.text->text());
  }
  return at.text->text();
}

ImportGraph::Walk ImportGraph::start(std::string_view name) {
  Walk walk;
  for (const auto each : with_parents(name)) {
    const Id<Node> id = node(each);
    walk.roots.push_back(id);
    walk.arrive(id, {.certainty = Certainty::certain});
    if (is_nothing(*nodes_[id].found)) break;
  }
  return walk;
}

/// Fills the walk, the surest first; with a target ends at the first certain one.
std::optional<Id<ImportGraph::Node>> ImportGraph::spread(Walk& walk, const Target* is_target) {
  const std::size_t levels = is_target == nullptr ? walk.queues.size() : 1;
  for (std::size_t level = 0; level < levels; ++level) {
    const auto so_far = static_cast<Certainty>(level);
    for (std::size_t i = 0; i < walk.queues.at(level).size(); ++i) {
      const Id<Node> id = walk.queues.at(level)[i];
      if (walk.certainty(id) != so_far) continue;
      const Node& at = nodes_[id];
      if (is_target != nullptr && !is_nothing(*at.found) && (*is_target)(at.name, *at.found)) {
        return id;
      }
      expand(id);
      for (const Edge& edge : nodes_[id].edges) {
        walk.arrive(edge.target, {weaker(so_far, edge.certainty), id, edge.line});
      }
    }
  }
  return std::nullopt;
}

std::vector<Id<ImportGraph::Node>> ImportGraph::in_load_order(const Walk& walk) {
  struct Frame {
    Id<Node> id;
    std::size_t next = 0;
  };
  std::vector<Id<Node>> order;
  std::vector<bool> is_done(nodes_.size());
  std::vector<Frame> stack;
  const auto enter = [&](Id<Node> id) {
    if (is_done[id.index] || !walk.certainty(id)) return;
    is_done[id.index] = true;
    order.push_back(id);
    stack.push_back({id});
  };
  for (const Id<Node> root : walk.roots) {
    enter(root);
    while (!stack.empty()) {
      const auto& edges = nodes_[stack.back().id].edges;
      const std::size_t next = stack.back().next++;
      if (next < edges.size()) {
        enter(edges[next].target);
      } else {
        stack.pop_back();
      }
    }
  }
  return order;
}

ReachedModule ImportGraph::reached(const Walk& walk, Id<Node> id) const {
  const Arrival& arrival = walk.arrivals[id.index];
  ReachedModule module{.name = nodes_[id].name,
                       .found = *nodes_[id].found,
                       .certainty = *arrival.certainty,
                       .line = arrival.line};
  if (arrival.importer) {
    module.importer = nodes_[*arrival.importer].name;
    module.importer_file = nodes_[*arrival.importer].found->file;
  }
  return module;
}

/// An absent module may be there after all: code that is executed may make it.
void ImportGraph::doubt_absence(const std::vector<Id<Node>>& executed, Reach& reach) {
  std::vector<ReachedModule*> absent;
  for (auto& module : reach.modules) {
    const bool fails = module.certainty == Certainty::certain;
    if (fails && module.found.kind == ModuleKind::absent) absent.push_back(&module);
  }
  if (absent.empty()) return;
  for (std::size_t i = most_absent; i < absent.size(); ++i) {
    absent[i]->found.kind = ModuleKind::unknown;
  }
  absent.resize(std::min(absent.size(), most_absent));
  for (const Id<Node> id : executed) {
    const Node& at = nodes_[id];
    if (at.found->kind != ModuleKind::source) continue;
    const auto content = search_.read(*at.found->file);
    if (!content.is_present()) continue;
    const std::string_view text = content.value().blob.text();
    const SearchTricks tricks = find_tricks(text);
    for (auto* module : absent) {
      if (module->found.problem || !may_provide(tricks, text, at.name, module->name)) continue;
      module->found.kind = ModuleKind::unknown;
      module->found.problem = {ErrorKind::unsupported, at.found->file->text(),
                               "may provide module " + module->name + " by code"};
    }
  }
}

Reach ImportGraph::reach(std::string_view name) {
  Walk walk = start(name);
  const Id<Node> startup = startup_node();
  walk.roots.insert(walk.roots.begin(), startup);
  walk.arrive(startup, {.certainty = Certainty::guarded});
  spread(walk, nullptr);
  const std::vector<Id<Node>> order = in_load_order(walk);
  Reach reach;
  for (const Id<Node> id : order) {
    if (id == startup) continue;
    if (nodes_[id].problem) reach.unknown.push_back(*nodes_[id].problem);
    reach.modules.push_back(reached(walk, id));
  }
  doubt_absence(order, reach);
  return reach;
}

std::optional<std::vector<ReachedModule>> ImportGraph::find_certain_way(std::string_view name,
                                                                        const Target& is_target) {
  Walk walk = start(name);
  const auto found = spread(walk, &is_target);
  if (!found) return std::nullopt;
  std::vector<ReachedModule> way;
  for (std::optional<Id<Node>> at = found; at; at = walk.arrivals[at->index].importer) {
    way.push_back(reached(walk, *at));
  }
  std::ranges::reverse(way);
  return way;
}

}  // namespace whyso::process
