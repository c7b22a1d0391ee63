// SPDX-License-Identifier: Apache-2.0
// The model of glibc's loader: starting a program, dlopen(), dlsym(), dlclose(). Knows which file
// is loaded, by which step, in which order, with which error; and, as far as
// ProcessContext::symbols asks for it, what is bound to what. Code is not run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "whyso/loader/loader.h"
#include "whyso/loader/object.h"
#include "whyso/loader/state.h"

namespace whyso::loader {

/// Flags of dlopen(3).
struct OpenFlags {
  bool now = false;
  bool lazy = false;
  bool global = false;
  bool no_delete = false;
  bool no_load = false;
  bool deep_bind = false;
};

struct OpenRequest {
  std::string name;
  OpenFlags flags{.now = true};
  std::optional<Id<Object>> caller;  ///< the object that calls; the program where not given
};

/// What a start or a dlopen did.
struct Outcome {
  std::optional<LoadError> error;  ///< the first one: at it the loader stops
  std::optional<Id<Object>> root;  ///< what was asked for, where it could be had
  /// Objects that were mapped, in order; after a failed dlopen they are unmapped again.
  std::vector<Id<Object>> mapped;
  /// Under Failure::go_on: every request that failed, by its index in Process::requests().
  std::vector<std::size_t> failed;
};

/// What dlsym() gave.
struct SymbolAnswer {
  std::optional<LoadError> error;
  std::optional<Id<Object>> object;  ///< where the symbol is defined
};

/// One process: a value, cheap to copy, so that several continuations can be tried.
class Process {
 public:
  /// `loader` must outlive it. The program has not been started.
  explicit Process(Loader& loader) : state_{.loader = &loader} {}

  /// What ld.so does until the program runs: `program` is the path as typed, which execve(2) must
  /// accept (launch.h). Where it fails, what was mapped before is still to be seen.
  Outcome start(std::string_view program);

  /// As dlopen(3), after a start that worked.
  Outcome open(const OpenRequest& request);

  /// As dlclose(3) of what a dlopen gave: what nothing needs any more is unmapped and returned.
  /// That objects hold each other by symbols alone is known where symbols are bound.
  std::vector<Id<Object>> close(Id<Object> root);

  /// As dlsym(3) on what a dlopen gave, or on RTLD_DEFAULT, called by the program.
  SymbolAnswer symbol(std::string_view name, std::optional<Id<Object>> root);

  /// Code of this object has run: its TLS may have been used, if it can be at all.
  void run_code_of(Id<Object> object);

  /// What these objects refer to and nothing in their scopes defines as things stand now, one entry
  /// a symbol of an object; unresolved.h says how to use it.
  [[nodiscard]] std::vector<Unresolved> unresolved(std::span<const Id<Object>> objects) const;

  /// Where the symbols of an object are looked for, in order.
  [[nodiscard]] std::vector<Id<Object>> scope_of(Id<Object> object) const;

  /// Objects whose constructors have run, in order.
  [[nodiscard]] const std::vector<Id<Object>>& initialized() const { return state_.initialized; }
  /// All bindings in order, under SymbolWork::record.
  [[nodiscard]] const std::vector<Bound>& bound() const { return state_.bound; }

  [[nodiscard]] Loader& loader() const { return *state_.loader; }
  /// All that were ever mapped.
  [[nodiscard]] const Table<Object>& objects() const { return state_.objects.table(); }
  /// Those that are mapped, in the loader's order (as ldd lists them), the program first.
  [[nodiscard]] const std::vector<Id<Object>>& order() const { return state_.objects.order(); }
  /// All that was asked for, in order.
  [[nodiscard]] const std::vector<Request>& requests() const { return state_.requests; }
  /// What ld.so prints on stderr besides an error that stops it: preloads that fail, versions that
  /// are missing.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return state_.warnings; }
  /// The object that `name` would match without a search, if any.
  [[nodiscard]] std::optional<Id<Object>> find(NameId name) const {
    return state_.objects.find(name);
  }
  /// The program's name in messages.
  [[nodiscard]] const std::string& program_name() const { return state_.program_name; }

 private:
  [[nodiscard]] std::vector<Id<Object>> mapped_since(std::size_t first) const;
  [[nodiscard]] std::optional<LoadError> check_started();
  [[nodiscard]] std::optional<LoadError> check_opened(std::span<const Id<Object>> list,
                                                      const std::vector<Id<Object>>& mapped) const;
  Outcome open_new_root(const OpenRequest& request, Id<Object> root, std::size_t first);
  std::optional<LoadError> relocate_started();
  void initialize(Id<Object> root);
  void add_to_global_scope(Id<Object> root);
  void keep_marked();

  [[nodiscard]] const std::string& path_of(Id<Object> object) const {
    return state_.loader->files().text(state_.objects[object].path);
  }

  ProcessState state_;
};

}  // namespace whyso::loader
