// SPDX-License-Identifier: Apache-2.0
// How one request is served and how dependencies are walked, for one process. Used by load.cc and
// start.cc; others use load.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "whyso/loader/loader.h"
#include "whyso/loader/object.h"
#include "whyso/loader/state.h"
#include "whyso/loader/tokens.h"

namespace whyso::loader {

/// How one request came out: an object, an error, or neither (RTLD_NOLOAD).
struct Asked {
  std::optional<Id<Object>> object;
  std::optional<LoadError> error;
};

class Mapper {
 public:
  /// In a dlopen objects with DF_1_NOOPEN are refused.
  Mapper(ProcessState& state, bool is_dlopen)
      : state_(state), loader_(*state.loader), objects_(state.objects), is_dlopen_(is_dlopen) {}

  /// _dl_map_object. The requirer is the parent of a new object unless it called dlopen.
  Asked ask(NameId name, std::optional<Id<Object>> by, Asking asking, bool no_load = false);

  /// What ld.so itself would say of a name where nothing is loaded yet; maps nothing.
  std::optional<LoadError> find_in_new_namespace(NameId name);

  /// _dl_map_object_deps: loads what `list` and its dependencies want, breadth first; `list` holds
  /// the root and the preloads and becomes the search list. Under Failure::stop it ends at the
  /// first error.
  std::optional<LoadError> walk(std::vector<Id<Object>>& list);

  /// Keeps what a walk made of `list` as what belongs to its root.
  void keep_search_list(Id<Object> root, const std::vector<Id<Object>>& list);

  /// RTLD_DEEPBIND: new objects look into their own load first.
  void set_deep_bind(bool deep_bind) { deep_bind_ = deep_bind; }

  /// Requests that failed, by index.
  [[nodiscard]] const std::vector<std::size_t>& failed() const { return failed_; }
  /// The first error, where the walk went on nevertheless.
  [[nodiscard]] const std::optional<LoadError>& first_error() const { return first_error_; }

  /// Adds an object with its search plan; the program's path becomes the empty text.
  Id<Object> map(Object object, const DynamicFacts& dynamic, std::optional<NameId> soname);

  [[nodiscard]] TokenValues tokens_of(Id<Object> object) const;

 private:
  struct Walk;

  Id<Search> look_for(NameId name, std::optional<Id<Object>> by, Asking asking);
  std::optional<LoadError> serve(Request& request, bool no_load);
  std::optional<LoadError> refusal_of(const Request& request, const KnownFile& file) const;
  LoadError error_of(const Search& search, Asking asking) const;
  int error_number_of(const Search& search, Asking asking) const;
  std::optional<LoadError> want(Walk& walk, Id<Object> by, const WantedName& wanted);
  void add_filtee(Walk& walk, Id<Object> filtee);
  void set_scope(Object& object, const DynamicFacts& dynamic, Id<Object> self);
  std::optional<LoadError> note(std::optional<LoadError> error);

  ProcessState& state_;
  Loader& loader_;
  ObjectList& objects_;
  bool is_dlopen_;
  bool deep_bind_ = false;
  std::vector<std::size_t> failed_;
  std::optional<LoadError> first_error_;
};

}  // namespace whyso::loader
