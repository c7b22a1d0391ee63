// SPDX-License-Identifier: Apache-2.0
// One run of imports through the graph and the loader: what is executed, mapped and raised. How
// sure any of it is comes from comparing runs of different extent: see prediction.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "whyso/loader/load.h"
#include "whyso/process/import_graph.h"
#include "whyso/process/predicted_load.h"
#include "whyso/process/text_map.h"

namespace whyso::process {

/// Modules that are taken to be there although no file answers.
using AssumedModules = std::unordered_set<std::string>;

/// Which class of exception.
enum class Exception : std::uint8_t { import_error, module_not_found, os_error };

/// A process that imports one module after the other. Statements that are less sure than `extent`
/// are left out.
class Execution {
 public:
  /// Both must outlive it.
  Execution(ImportGraph& graph, const AssumedModules& assumed, loader::Process process,
            Certainty extent);

  /// The failure that leaves the import, in `failures`; nothing where it works.
  std::optional<std::size_t> import(std::string_view name);

  [[nodiscard]] const loader::Process& process() const { return process_; }
  /// All so far, in order.
  [[nodiscard]] const std::vector<PredictedLoad>& loads() const { return loads_; }
  [[nodiscard]] const std::vector<PredictedFailure>& failures() const { return failures_; }
  [[nodiscard]] const std::vector<Error>& unknown() const { return unknown_; }

 private:
  using ModuleId = Id<ImportGraph::Node>;
  using Failure = std::size_t;  // in failures_

  struct State {
    bool is_begun = false;
    std::optional<Failure> failure;
  };
  struct Frame {
    ModuleId module;
    std::size_t next = 0;
    std::optional<std::uint32_t> given_up;        // a statement that failed and was caught
    std::unordered_set<std::uint32_t> left = {};  // blocks that were left by an exception
  };

  std::optional<Failure> run(ModuleId module);
  std::optional<Failure> enter(ModuleId module);
  std::optional<Failure> load(const std::string& name, const Path& file);
  std::optional<ModuleId> next_target();
  bool is_skipped(const Frame& frame, const ImportGraph::Edge& edge) const;
  bool is_caught(Failure failure);
  bool catches(Frame& frame, Failure failure);
  Failure fail(PredictedFailure failure, Exception exception);
  void add_loads(const loader::Process& process, const std::vector<Id<loader::Object>>& mapped);
  std::string not_found_text(std::string_view name) const;
  [[nodiscard]] std::string place() const;
  [[nodiscard]] Likelihood likelihood() const;

  ImportGraph& graph_;
  const AssumedModules& assumed_;
  loader::Process process_;
  Certainty extent_;
  std::unordered_map<ModuleId, State> states_;
  std::vector<Frame> stack_;
  std::vector<PredictedLoad> loads_;
  std::vector<PredictedFailure> failures_;
  std::vector<Exception> exceptions_;  // of failures_
  std::vector<Error> unknown_;
};

}  // namespace whyso::process
