// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/execution.h"

#include <algorithm>
#include <map>
#include <utility>

namespace whyso::process {
namespace {

using python::Outcome;

constexpr std::size_t most_executed = 50'000;

Outcome outcome_of(const python::ImportHandlers& handlers, Exception exception) {
  if (exception == Exception::os_error) return handlers.os_error;
  return exception == Exception::import_error ? handlers.import_error : handlers.module_not_found;
}

bool is_native(const FoundModule& found) {
  if (found.kind == ModuleKind::extension) return true;
  return found.kind == ModuleKind::standard && found.file && found.file->name().ends_with(".so");
}

}  // namespace

Execution::Execution(ImportGraph& graph, const Habits& habits, const AssumedModules& assumed,
                     loader::Process process, Certainty extent)
    : graph_(&graph),
      habits_(&habits),
      assumed_(&assumed),
      process_(std::move(process)),
      extent_(extent) {}

std::optional<std::size_t> Execution::import(std::string_view name) {
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (const auto failure = run(graph_->module(name.substr(0, dot)))) return failure;
  }
  return run(graph_->module(name));
}

void Execution::import_possible(ModuleHints& hints, std::size_t first) {
  is_possible_ = true;
  const std::size_t surely = executed_.size();
  for (std::size_t i = first; i < executed_.size() && executed_.size() < most_executed; ++i) {
    const auto& found = graph_->found(executed_[i]);
    // Guesses are not heaped upon guesses, but for native code, which gives little else to go by.
    if (i >= surely && found.kind != ModuleKind::extension) continue;
    asker_ = found.file ? graph_->search().path().spelled(*found.file) : std::string();
    const auto asking = executed_[i];
    for (const auto& hint : hints.of(asking)) {
      if (!is_likely(asking, hint)) continue;
      is_strong_ = hint.is_strong;
      import(hint.name);
      is_strong_ = false;
    }
  }
  import_beside(hints, first, surely);
  open_named_libraries(hints, first, surely);
  when_ = When::first_use;
  open_first_uses();
  when_ = When::import;
  is_possible_ = false;
  asker_.clear();
}

/// The last guess: extension modules beside sources that are executed and speak of them.
void Execution::import_beside(ModuleHints& hints, std::size_t first, std::size_t last) {
  std::map<std::string, std::vector<ModuleId>> packages;
  for (std::size_t i = first; i < last; ++i) {
    const FoundModule& found = graph_->found(executed_[i]);
    if (found.kind != ModuleKind::source) continue;
    const std::string& name = graph_->name_of(executed_[i]);
    const auto dot = name.rfind('.');
    if (found.is_package) packages[name].push_back(executed_[i]);
    if (dot != std::string::npos) packages[name.substr(0, dot)].push_back(executed_[i]);
  }
  for (const auto& [package, modules] : packages) {
    for (const auto& name : hints.native_modules_in(package)) {
      if (states_[graph_->module(name)].is_begun) continue;
      const auto asking = std::ranges::find_if(modules, [&](ModuleId module) {
        return hints.mentions(module, std::string_view(name).substr(package.size() + 1));
      });
      if (asking == modules.end()) continue;
      asker_ = graph_->search().path().spelled(*graph_->found(*asking).file);
      import(name);
    }
  }
}

/// Native code speaks of other packages also where it only refers to them.
bool Execution::is_likely(ModuleId asking, const ModuleHint& hint) {
  const auto top_level = [](std::string_view name) { return name.substr(0, name.find('.')); };
  const std::string_view other = top_level(hint.name);
  const bool is_own = other == top_level(graph_->name_of(asking));
  // import_array() imports numpy whether or not Python code does.
  if (is_own || other == hint.name || other == "numpy") return true;
  const auto state = states_.find(graph_->module(other));
  return state != states_.end() && state->second.is_begun;
}

/// Package by package.
void Execution::open_named_libraries(ModuleHints& hints, std::size_t first, std::size_t last) {
  std::map<std::string, std::vector<ModuleId>> packages;
  for (std::size_t i = first; i < last; ++i) {
    const std::string& name = graph_->name_of(executed_[i]);
    const bool is_ours = graph_->found(executed_[i]).kind == ModuleKind::source;
    if (is_ours) packages[name.substr(0, name.find('.'))].push_back(executed_[i]);
  }
  for (const auto& [package, modules] : packages) {
    asker_ = graph_->search().path().spelled(*graph_->found(modules.front()).file);
    for (const auto& path : hints.libraries_named_by(modules)) {
      std::optional<PredictedFailure> failure;
      (void)map({.name = graph_->search().path().spelled(*Path::parse(path))}, How::ctypes,
                failure);
    }
  }
}

void Execution::forget_failures() {
  std::erase_if(states_, [](const auto& entry) { return entry.second.failure.has_value(); });
}

/// As import does: a module is executed once, and one that failed fails again.
std::optional<Execution::Failure> Execution::run(ModuleId module) {
  auto raised = enter(module);
  while (!stack_.empty()) {
    if (raised && !is_caught(*raised)) return raised;
    bool is_done = false;
    raised = step(is_done);
    if (is_done) stack_.pop_back();
  }
  return raised;
}

std::optional<Execution::Failure> Execution::enter(ModuleId module) {
  State& state = states_[module];
  if (state.is_begun) return state.failure;
  state.is_begun = true;
  const FoundModule& found = graph_->found(module);
  const std::string name = graph_->name_of(module);
  std::optional<Failure> failure;
  if (found.kind == ModuleKind::absent || found.kind == ModuleKind::missing) {
    if (assumed_->contains(name)) return std::nullopt;
    failure = fail({.name = name,
                    .path = found.file ? graph_->search().path().spelled(*found.file) : "",
                    .error = not_found_text(name)},
                   Exception::module_not_found);
  } else if (is_native(found)) {
    executed_.push_back(module);
    failure = load(name, *found.file);
  } else if (found.kind == ModuleKind::source || found.kind == ModuleKind::bytecode) {
    executed_.push_back(module);
    stack_.push_back({.module = module});
    // So that a problem of the source is known.
    (void)graph_->edges_of(module);
    if (const auto& problem = graph_->problem_of(module)) unknown_.push_back(*problem);
  }
  states_[module].failure = failure;
  return failure;
}

/// Executes the next statement of the topmost module.
std::optional<Execution::Failure> Execution::step(bool& is_done) {
  Frame& frame = stack_.back();
  const auto& edges = graph_->edges_of(frame.module);
  const auto& openings = graph_->code_of(frame.module).openings;
  while (frame.next_edge < edges.size() || frame.next_opening < openings.size()) {
    const bool has_edge = frame.next_edge < edges.size();
    frame.is_opening =
        frame.next_opening < openings.size() &&
        (!has_edge || openings[frame.next_opening].line < edges[frame.next_edge].line);
    if (frame.is_opening) {
      const LibraryOpening& opening = openings[frame.next_opening++];
      if (!is_skipped(frame, opening.certainty, opening.guards)) return open(opening);
      continue;
    }
    const auto edge = edges[frame.next_edge++];
    const auto& guards = graph_->code_of(frame.module).imports[edge.statement].guards;
    const bool is_left = frame.given_up == edge.statement;
    if (!is_left && !is_skipped(frame, edge.certainty, guards)) return enter(edge.target);
  }
  is_done = true;
  return std::nullopt;
}

bool Execution::is_skipped(const Frame& frame, Certainty certainty,
                           const std::vector<Guard>& guards) const {
  return certainty > extent_ || std::ranges::any_of(guards, [&](const Guard& guard) {
           return frame.left.contains(guard.block);
         });
}

/// The statement that a module is at.
Execution::Step Execution::current(const Frame& frame) const {
  const ModuleCode& code = graph_->code_of(frame.module);
  if (frame.is_opening) {
    const LibraryOpening& opening = code.openings[frame.next_opening - 1];
    return {opening.line, opening.certainty, &opening.guards};
  }
  const auto& edge = graph_->edges_of(frame.module)[frame.next_edge - 1];
  return {edge.line, edge.certainty, &code.imports[edge.statement].guards};
}

/// Leaves modules until one of them catches it.
bool Execution::is_caught(Failure failure) {
  while (!stack_.empty()) {
    if (catches(stack_.back(), failure)) return true;
    states_[stack_.back().module].failure = failure;
    stack_.pop_back();
  }
  return false;
}

bool Execution::catches(Frame& frame, Failure failure) {
  const Step at = current(frame);
  if (!frame.is_opening) {
    frame.given_up = graph_->edges_of(frame.module)[frame.next_edge - 1].statement;
  }
  for (const auto& guard : *at.guards) {
    const Outcome outcome = outcome_of(guard.handlers, exceptions_[failure]);
    if (outcome == Outcome::propagates || outcome == Outcome::raised_again) continue;
    frame.left.insert(guard.block);
    failures_[failure].is_handled = outcome == Outcome::swallowed;
    return true;
  }
  return at.certainty != Certainty::certain;
}

Execution::Failure Execution::fail(PredictedFailure failure, Exception exception) {
  failure.by = place();
  failure.likelihood = likelihood();
  failures_.push_back(std::move(failure));
  exceptions_.push_back(exception);
  return failures_.size() - 1;
}

/// importlib._bootstrap._find_and_load_unlocked.
std::string Execution::not_found_text(std::string_view name) {
  std::string text = "ModuleNotFoundError: No module named '" + std::string(name) + "'";
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return text;
  const std::string_view parent = name.substr(0, dot);
  const bool is_package = graph_->search().find(parent).is_package;
  return is_package ? text : text + "; '" + std::string(parent) + "' is not a package";
}

/// The statement that is executed.
std::string Execution::place() const {
  if (stack_.empty()) return asker_;
  const Frame& frame = stack_.back();
  const auto& found = graph_->found(frame.module);
  const std::string file =
      found.file ? graph_->search().path().spelled(*found.file) : graph_->name_of(frame.module);
  return file + ":" + std::to_string(current(frame).line);
}

Likelihood Execution::likelihood() const {
  if (is_strong_ && stack_.empty()) return Likelihood::conditional;
  if (is_possible_) return Likelihood::possible;
  const bool is_conditional = std::ranges::any_of(stack_, [&](const Frame& frame) {
    return current(frame).certainty == Certainty::conditional;
  });
  return is_conditional ? Likelihood::conditional : Likelihood::certain;
}

}  // namespace whyso::process
