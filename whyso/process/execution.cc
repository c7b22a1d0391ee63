// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/execution.h"

#include <algorithm>
#include <utility>

namespace whyso::process {
namespace {

using python::Outcome;

Outcome outcome_of(const python::ImportHandlers& handlers, Exception exception) {
  if (exception == Exception::os_error) return handlers.os_error;
  return exception == Exception::import_error ? handlers.import_error : handlers.module_not_found;
}

bool is_native(const FoundModule& found) {
  if (found.kind == ModuleKind::extension) return true;
  return found.kind == ModuleKind::standard && found.file && found.file->name().ends_with(".so");
}

const std::string& path_of(const loader::Process& process, Id<loader::Object> object) {
  return process.loader().files().text(process.objects()[object].path);
}

MissingName missing_name(const loader::Process& process, const loader::Request& request) {
  MissingName missing{.name = process.loader().files().text(request.name),
                      .ending = request.ending,
                      .search = request.search};
  if (request.by) missing.requirer = path_of(process, *request.by);
  return missing;
}

}  // namespace

Execution::Execution(ImportGraph& graph, const AssumedModules& assumed, loader::Process process,
                     Certainty extent)
    : graph_(graph), assumed_(assumed), process_(std::move(process)), extent_(extent) {}

std::optional<std::size_t> Execution::import(std::string_view name) {
  for (auto dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', dot + 1)) {
    if (const auto failure = run(graph_.module(name.substr(0, dot)))) return failure;
  }
  return run(graph_.module(name));
}

/// As import does: a module is executed once, and one that failed fails again.
std::optional<Execution::Failure> Execution::run(ModuleId module) {
  auto raised = enter(module);
  while (!stack_.empty()) {
    if (raised && !is_caught(*raised)) return raised;
    raised.reset();
    if (const auto target = next_target()) {
      raised = enter(*target);
    } else {
      stack_.pop_back();
    }
  }
  return raised;
}

std::optional<Execution::Failure> Execution::enter(ModuleId module) {
  State& state = states_[module];
  if (state.is_begun) return state.failure;
  state.is_begun = true;
  const FoundModule& found = graph_.found(module);
  const std::string name = graph_.name_of(module);
  std::optional<Failure> failure;
  if (found.kind == ModuleKind::absent || found.kind == ModuleKind::missing) {
    if (assumed_.contains(name)) return std::nullopt;
    failure = fail({.name = name,
                    .path = found.file ? graph_.search().path().spelled(*found.file) : "",
                    .error = not_found_text(name)},
                   Exception::module_not_found);
  } else if (is_native(found)) {
    failure = load(name, *found.file);
  } else if (found.kind == ModuleKind::source || found.kind == ModuleKind::bytecode) {
    stack_.push_back({.module = module});
  }
  states_[module].failure = failure;
  return failure;
}

/// What the topmost module executes next; nothing at its end.
std::optional<Execution::ModuleId> Execution::next_target() {
  Frame& frame = stack_.back();
  const auto& edges = graph_.edges_of(frame.module);
  if (frame.next == 0) {
    if (const auto& problem = graph_.problem_of(frame.module)) unknown_.push_back(*problem);
  }
  while (frame.next < edges.size()) {
    const auto& edge = edges[frame.next++];
    if (!is_skipped(frame, edge)) return edge.target;
  }
  return std::nullopt;
}

bool Execution::is_skipped(const Frame& frame, const ImportGraph::Edge& edge) const {
  if (edge.certainty > extent_ || frame.given_up == edge.statement) return true;
  const auto& guards = graph_.code_of(frame.module).imports[edge.statement].guards;
  return std::ranges::any_of(guards,
                             [&](const Guard& guard) { return frame.left.contains(guard.block); });
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
  const auto& edge = graph_.edges_of(frame.module)[frame.next - 1];
  frame.given_up = edge.statement;
  for (const auto& guard : graph_.code_of(frame.module).imports[edge.statement].guards) {
    const Outcome outcome = outcome_of(guard.handlers, exceptions_[failure]);
    if (outcome == Outcome::propagates || outcome == Outcome::raised_again) continue;
    frame.left.insert(guard.block);
    failures_[failure].is_handled = outcome == Outcome::swallowed;
    return true;
  }
  return edge.certainty != Certainty::certain;
}

std::optional<Execution::Failure> Execution::load(const std::string& name, const Path& file) {
  const std::string path = graph_.search().path().spelled(file);
  loader::Process trial = process_;
  const auto outcome = trial.open({.name = path});
  if (!outcome.error) {
    add_loads(trial, outcome.mapped);
    process_ = std::move(trial);
    return std::nullopt;
  }
  PredictedFailure failure{.name = name,
                           .path = path,
                           .error = "ImportError: " + outcome.error->text(loader::Speaker::dlopen),
                           .is_crash = outcome.error->ends_process()};
  for (const auto index : outcome.failed) {
    failure.missing.push_back(missing_name(trial, trial.requests()[index]));
  }
  return fail(std::move(failure), Exception::import_error);
}

void Execution::add_loads(const loader::Process& process,
                          const std::vector<Id<loader::Object>>& mapped) {
  for (const auto id : mapped) {
    const auto& object = process.objects()[id];
    PredictedLoad load{
        .path = path_of(process, id), .file = object.file, .likelihood = likelihood()};
    if (object.parent) load.by = path_of(process, *object.parent);
    if (!object.parent) {
      load.by = place();
      load.how = How::extension;
    }
    loads_.push_back(std::move(load));
  }
}

Execution::Failure Execution::fail(PredictedFailure failure, Exception exception) {
  failure.by = place();
  failure.likelihood = likelihood();
  failures_.push_back(std::move(failure));
  exceptions_.push_back(exception);
  return failures_.size() - 1;
}

/// importlib._bootstrap._find_and_load_unlocked.
std::string Execution::not_found_text(std::string_view name) const {
  std::string text = "ModuleNotFoundError: No module named '" + std::string(name) + "'";
  const auto dot = name.rfind('.');
  if (dot == std::string_view::npos) return text;
  const std::string_view parent = name.substr(0, dot);
  const bool is_package = graph_.search().find(parent).is_package;
  return is_package ? text : text + "; '" + std::string(parent) + "' is not a package";
}

/// The statement that is executed.
std::string Execution::place() const {
  if (stack_.empty()) return {};
  const Frame& frame = stack_.back();
  const auto& found = graph_.found(frame.module);
  const auto& edge = graph_.edges_of(frame.module)[frame.next - 1];
  const std::string file =
      found.file ? graph_.search().path().spelled(*found.file) : graph_.name_of(frame.module);
  return file + ":" + std::to_string(edge.line);
}

Likelihood Execution::likelihood() const {
  const bool is_conditional = std::ranges::any_of(stack_, [&](const Frame& frame) {
    return graph_.edges_of(frame.module)[frame.next - 1].certainty == Certainty::conditional;
  });
  return is_conditional ? Likelihood::conditional : Likelihood::certain;
}

}  // namespace whyso::process
