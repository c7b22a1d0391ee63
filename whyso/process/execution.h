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

#include "whyso/base/text_map.h"
#include "whyso/loader/load.h"
#include "whyso/process/habits.h"
#include "whyso/process/import_graph.h"
#include "whyso/process/module_hints.h"
#include "whyso/process/predicted_load.h"

namespace whyso::process {

/// Modules that are taken to be there although no file answers.
using AssumedModules = std::unordered_set<std::string>;

/// Which class of exception.
enum class Exception : std::uint8_t { import_error, module_not_found, os_error };

/// A process that imports one module after the other. Statements that are less sure than `extent`
/// are left out. A value: a copy goes its own way.
class Execution {
 public:
  /// All must outlive it.
  Execution(ImportGraph& graph, const Habits& habits, const AssumedModules& assumed,
            loader::Process process, Certainty extent);

  /// The failure that leaves the import, in `failures`; nothing where it works.
  std::optional<std::size_t> import(std::string_view name);

  /// Imports what the modules from the `first` executed one on may import besides, and opens what
  /// mapped objects open when they are used.
  void import_possible(ModuleHints& hints, std::size_t first);

  /// Modules that failed are executed again when they are imported again.
  void forget_failures();

  [[nodiscard]] const loader::Process& process() const { return process_; }
  /// All so far, in order.
  [[nodiscard]] const std::vector<PredictedLoad>& loads() const { return loads_; }
  [[nodiscard]] const std::vector<PredictedFailure>& failures() const { return failures_; }
  [[nodiscard]] const std::vector<Error>& unknown() const { return unknown_; }
  [[nodiscard]] std::size_t executed() const { return executed_.size(); }

 private:
  using ModuleId = Id<ImportGraph::Node>;
  using Failure = std::size_t;  // in failures_

  struct State {
    bool is_begun = false;
    std::optional<Failure> failure;
  };
  /// A module that is being executed, and its statement.
  struct Frame {
    ModuleId module;
    std::size_t next_edge = 0;
    std::size_t next_opening = 0;
    bool is_opening = false;                      // the statement opens a library
    std::optional<std::uint32_t> given_up = {};   // an import that failed and was caught
    std::unordered_set<std::uint32_t> left = {};  // blocks that were left by an exception
  };
  struct Step {
    std::uint32_t line = 0;
    Certainty certainty = Certainty::certain;
    const std::vector<Guard>* guards = nullptr;
  };

  std::optional<Failure> run(ModuleId module);
  std::optional<Failure> enter(ModuleId module);
  std::optional<Failure> step(bool& is_done);
  bool is_skipped(const Frame& frame, Certainty certainty, const std::vector<Guard>& guards) const;
  [[nodiscard]] Step current(const Frame& frame) const;
  bool is_caught(Failure failure);
  bool catches(Frame& frame, Failure failure);

  std::optional<Failure> load(const std::string& name, const Path& file);
  std::optional<Failure> open(const LibraryOpening& opening);
  std::vector<std::string> choices(const LibraryOpening& opening);
  std::optional<Failure> open_one(const std::string& name, Strictness strictness);
  bool torch_has_words();
  void preload(const PreloadList& list);
  std::optional<std::string> find_preload(const Preload& preload);
  [[nodiscard]] std::string cuda_folder();
  bool is_likely(ModuleId asking, const ModuleHint& hint);
  void import_beside(ModuleHints& hints, std::size_t first, std::size_t last);
  void open_named_libraries(ModuleHints& hints, std::size_t first, std::size_t last);
  void open_first_uses();
  void open_first_use(Id<loader::Object> object, const std::string& name);
  bool map(const loader::OpenRequest& request, How how, std::optional<PredictedFailure>& failure);
  std::string text_of_current();

  Failure fail(PredictedFailure failure, Exception exception);
  void add_loads(const loader::Process& process, const std::vector<Id<loader::Object>>& mapped,
                 How how);
  std::string not_found_text(std::string_view name);
  [[nodiscard]] std::string place() const;
  [[nodiscard]] Likelihood likelihood() const;

  ImportGraph* graph_;
  const Habits* habits_;
  const AssumedModules* assumed_;
  loader::Process process_;
  Certainty extent_;
  bool is_possible_ = false;  // what is executed now is a guess
  bool is_strong_ = false;    // and a good one
  When when_ = When::import;
  std::string asker_;  // what the guess was found in
  std::unordered_map<ModuleId, State> states_;
  std::vector<ModuleId> executed_;
  std::vector<Frame> stack_;
  std::vector<PredictedLoad> loads_;
  std::vector<PredictedFailure> failures_;
  std::vector<Exception> exceptions_;  // of failures_
  std::vector<Error> unknown_;
};

}  // namespace whyso::process
