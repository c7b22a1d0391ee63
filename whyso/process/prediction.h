// SPDX-License-Identifier: Apache-2.0
// What one Python process maps while it imports modules, in order, and where an import fails: the
// import graph and the model of the loader together. Whose files these are is not known here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "whyso/base/result.h"
#include "whyso/loader/load.h"
#include "whyso/process/habits.h"
#include "whyso/process/import_graph.h"
#include "whyso/process/predicted_load.h"

namespace whyso::process {

/// One import, in the process that those before it left behind.
struct PredictedImport {
  std::string name;
  bool is_ok = true;  ///< false only where it fails for certain
  std::string error;  ///< what Python would print last; empty where it works
  /// In the order in which they are mapped, the possible ones last; what was mapped before is not
  /// told again. After a failure: what was mapped up to it.
  std::vector<PredictedLoad> loads;
  /// Handled ones, too. Of those that are not, the first is the cause of `error`.
  std::vector<PredictedFailure> failures;
  std::vector<Error> unknown;  ///< why more may be loaded: sources that could not be read
  /// How the process stands afterwards, all but the possible loads mapped.
  loader::Process process;
};

/// The imports of one process, in order. `python` is a process that was started and has imported
/// nothing; its Loader is best set to Failure::go_on, so that all missing names are told. An import
/// that fails leaves the modules behind that had been imported, as in life.
/// `habits`: what frameworks are known to open. Costs: each source is read once for a graph,
/// however often it is asked.
[[nodiscard]] std::vector<PredictedImport> predict(ImportGraph& graph,
                                                   const loader::Process& python,
                                                   std::span<const std::string> names,
                                                   const Habits& habits = {});

}  // namespace whyso::process
