// SPDX-License-Identifier: Apache-2.0
#include "whyso/process/prediction.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "whyso/process/execution.h"

namespace whyso::process {
namespace {

constexpr int most_assumed = 64;

/// The imports up to one of them, in runs of several extents.
class Predictor {
 public:
  Predictor(ImportGraph& graph, const loader::Process& python, const Habits& habits,
            AssumedModules assumed)
      : graph_(graph),
        python_(python),
        habits_(habits),
        hints_(graph),
        assumed_(std::move(assumed)),
        sure_(graph, habits, assumed_, python, Certainty::guarded),
        full_(graph, habits, assumed_, python, Certainty::conditional) {}
  Predictor(const Predictor&) = delete;
  Predictor& operator=(const Predictor&) = delete;

  /// `names` up to and with the last one, those before it having been predicted.
  PredictedImport predict(std::span<const std::string> names) {
    const std::string& name = names.back();
    const std::size_t first_executed = full_.executed();
    const std::size_t first_load = full_.loads().size();
    const std::size_t first_failure = full_.failures().size();
    const std::size_t first_unknown = full_.unknown().size();
    const auto failure = full_.import(name);
    sure_.import(name);
    PredictedImport made{.name = name, .process = full_.process()};
    append(full_.loads(), first_load, made.loads);
    append(full_.failures(), first_failure, made.failures);
    append(full_.unknown(), first_unknown, made.unknown);
    judge_loads(made);
    Execution possible = full_;
    possible.import_possible(hints_, first_executed);
    append(possible.loads(), full_.loads().size(), made.loads);
    if (failure && fails_in_any_case(names) && fails_again(std::move(possible), name)) {
      made.is_ok = false;
      made.error = full_.failures()[*failure].error;
      put_first(made, full_.failures()[*failure]);
    }
    return made;
  }

 private:
  /// Certain is what is mapped also where nothing is executed that may be left out.
  void judge_loads(PredictedImport& made) {
    for (; judged_ < sure_.loads().size(); ++judged_) surely_.insert(sure_.loads()[judged_].path);
    for (auto& load : made.loads) {
      load.likelihood = surely_.contains(load.path) ? Likelihood::certain : Likelihood::conditional;
    }
  }

  /// Less that is executed may map less, but may also let something else be found.
  bool fails_in_any_case(std::span<const std::string> names) {
    return std::ranges::all_of(
        std::initializer_list<Certainty>{Certainty::certain, Certainty::guarded},
        [&](Certainty extent) {
          Execution execution(graph_, habits_, assumed_, python_, extent);
          for (const auto& name : names.first(names.size() - 1)) execution.import(name);
          return execution.import(names.back()).has_value();
        });
  }

  /// Also where everything is mapped that may be?
  static bool fails_again(Execution execution, const std::string& name) {
    execution.forget_failures();
    return execution.import(name).has_value();
  }

  template <class T>
  static void append(const std::vector<T>& from, std::size_t first, std::vector<T>& to) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
  }

  static void put_first(PredictedImport& made, const PredictedFailure& cause) {
    const auto at = std::ranges::find_if(made.failures, [&](const PredictedFailure& failure) {
      return failure.name == cause.name && failure.error == cause.error;
    });
    if (at == made.failures.end()) {
      made.failures.insert(made.failures.begin(), cause);
    } else {
      std::rotate(made.failures.begin(), at, at + 1);
    }
  }

  ImportGraph& graph_;
  const loader::Process& python_;
  const Habits& habits_;
  ModuleHints hints_;
  AssumedModules assumed_;
  Execution sure_;
  Execution full_;
  std::unordered_set<std::string> surely_;
  std::size_t judged_ = 0;  // loads of `sure_` that are in `surely_`
};

/// May code provide the module whose absence lets the import fail?
std::optional<std::string> find_doubt(ImportGraph& graph, const PredictedImport& import) {
  if (import.is_ok || !import.error.starts_with("ModuleNotFoundError")) return std::nullopt;
  const std::string& name = import.failures.front().name;
  for (const auto& module : graph.reach(import.name).modules) {
    if (module.name != name) continue;
    if (module.found.kind == ModuleKind::unknown) return name;
  }
  return std::nullopt;
}

}  // namespace

std::vector<PredictedImport> predict(ImportGraph& graph, const loader::Process& python,
                                     std::span<const std::string> names, const Habits& habits) {
  AssumedModules assumed;
  for (int attempt = 0;; ++attempt) {
    Predictor predictor(graph, python, habits, assumed);
    std::vector<PredictedImport> imports;
    std::optional<std::string> doubt;
    for (std::size_t i = 0; i < names.size() && !doubt; ++i) {
      imports.push_back(predictor.predict(names.first(i + 1)));
      if (attempt < most_assumed) doubt = find_doubt(graph, imports.back());
    }
    if (!doubt) return imports;
    assumed.insert(*std::move(doubt));
  }
}

}  // namespace whyso::process
