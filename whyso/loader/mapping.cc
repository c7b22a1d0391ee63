// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/mapping.h"
#include "whyso/elf/dynamic.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "whyso/loader/directory_memory.h"
#include "whyso/loader/sort.h"

namespace whyso::loader {
namespace {

/// The object whose dlopen or dependency list it is stays the parent only in the latter case.
std::optional<Id<Object>> parent_of(const Request& request) {
  return request.asking == Asking::dlopen ? std::nullopt : request.by;
}

/// Fewer than a stack of 8 MiB holds, more than any system has filters.
constexpr std::size_t most_filtees = 10'000;

bool is_filtee(WantKind kind) { return kind != WantKind::needed; }

Asking asking_of(WantKind kind) {
  if (kind == WantKind::needed) return Asking::needed;
  return kind == WantKind::filter ? Asking::filter : Asking::auxiliary;
}

}  // namespace

/// The search list as it grows; entry i of `is_done` belongs to entry i of `list`.
struct Mapper::Walk {
  std::vector<Id<Object>>& list;
  std::vector<char> is_done;
  std::vector<char> is_listed;    ///< by object
  std::size_t at = 0;             ///< the entry that is handled
  std::size_t self = 0;           ///< where that object is now: filtees go before it
  std::vector<Id<Object>> needs;  ///< of the object that is handled, itself first
  std::size_t filtee_count = 0;

  /// Two that filter each other are put before each other without end, until the stack of the real
  /// loader has run out.
  [[nodiscard]] bool has_overflowed() const { return filtee_count > most_filtees; }

  bool enter(Id<Object> object) {
    if (object.index >= is_listed.size()) is_listed.resize(object.index + 32, 0);
    return std::exchange(is_listed[object.index], 1) == 0;
  }

  void append(Id<Object> object) {
    if (!enter(object)) return;
    list.push_back(object);
    is_done.push_back(0);
  }

  void insert_before_self(Id<Object> object) {
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(self), object);
    is_done.insert(is_done.begin() + static_cast<std::ptrdiff_t>(self), 0);
    ++self;
  }

  void erase(std::size_t index) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    is_done.erase(is_done.begin() + static_cast<std::ptrdiff_t>(index));
  }
};

TokenValues Mapper::tokens_of(Id<Object> id) const {
  if (id == program_id) {
    TokenValues values = loader_.tokens(state_.program_origin);
    values.is_program = true;
    return values;
  }
  const std::string& path = loader_.files().text(objects_[id].path);
  return loader_.tokens(origin_of(path, loader_.context().cwd));
}

Id<Search> Mapper::look_for(NameId name, std::optional<Id<Object>> by, Asking asking) {
  const std::string& text = loader_.files().text(name);
  if (text.contains('/')) {
    const bool has_tokens = by && has_token(text);
    return loader_.searches().open(name, has_tokens ? expand_tokens(text, tokens_of(*by)) : text);
  }
  const auto plan = by ? objects_[*by].plan : std::nullopt;
  const bool is_secure_preload = loader_.context().is_secure && asking == Asking::preload;
  if (plan && !is_secure_preload) return loader_.searches().find(*plan, name);
  SearchPlan special =
      plan ? loader_.searches().plan(*plan) : SearchPlan{.requirer = name, .no_defaults = true};
  special.is_secure_preload = is_secure_preload;
  return loader_.searches().find(loader_.searches().plan(special), name);
}

int Mapper::error_number_of(const Search& search, Asking asking) const {
  for (auto step = search.steps.rbegin(); step != search.steps.rend(); ++step) {
    const PlaceAnswer& answer = loader_.searches().answer(step->answer);
    if (step->step == Step::cache && loader_.rules().cache_error != 0) break;
    if (answer.candidates.empty() || answer.is_dropped) continue;
    // Only where nothing was tried in the last directory do earlier searches matter.
    if (answer.candidates.back().is_directory_missing) break;
    return answer.candidates.back().error_number;
  }
  DirectoryMemory memory(loader_.searches(), loader_.preload_error());
  for (const Request& request : state_.requests) {
    memory.enter(request.asking);
    if (request.search) memory.follow(*request.search);
  }
  memory.enter(asking);
  return memory.follow(search).error_number;
}

LoadError Mapper::error_of(const Search& search, Asking asking) const {
  const Files& files = loader_.files();
  if (search.found) {
    const Opening& opening = files.opening(*search.found);
    const Refusal& refusal = files.file(*opening.file).object.header;
    return {files.text(opening.path), refusal.what, refusal.error_number};
  }
  const std::string& name = files.text(search.name);
  if (search.saw_other_class) {
    const bool is_wide = loader_.rules().abi.elf_class == elf::ElfClass::elf64;
    return {name, is_wide ? "wrong ELF class: ELFCLASS32" : "wrong ELF class: ELFCLASS64"};
  }
  return {name, "cannot open shared object file", error_number_of(search, asking)};
}

std::optional<LoadError> Mapper::refusal_of(const Request& request, const KnownFile& file) const {
  const bool is_program = request.asking == Asking::program;
  const Refusal& refusal = is_program ? file.object.mapping_as_program : file.object.mapping;
  const std::string& name = loader_.files().text(request.name);
  if (refusal.is_set())
    return LoadError{.object = name, .what = refusal.what, .is_crash = refusal.is_crash};
  if (is_dlopen_ && (file.object.dynamic.flags_1 & elf::flag_1_noopen) != 0) {
    return LoadError{name, "shared object cannot be dlopen()ed"};
  }
  const bool needs_stack = file.object.wants_executable_stack && !state_.has_executable_stack;
  if (is_dlopen_ && needs_stack && loader_.rules().is_at_least(41)) {
    return LoadError{name, "cannot enable executable stack as shared object requires", EINVAL};
  }
  return std::nullopt;
}

Id<Object> Mapper::map(Object object, const DynamicFacts& dynamic, std::optional<NameId> soname) {
  const bool is_program = object.kind == ObjectKind::program;
  Loader::OwnPaths paths;
  if (is_program) {
    object.path = loader_.files().names().intern("");
    TokenValues tokens = loader_.tokens(state_.program_origin);
    tokens.is_program = true;
    paths = loader_.own_paths(dynamic, "", tokens);
  } else {
    paths = loader_.own_paths(*object.opening);
    object.rpath = objects_[object.parent.value_or(program_id)].rpath;
  }
  Searches& searches = loader_.searches();
  if (paths.rpath) object.rpath = searches.chain({*paths.rpath, object.path, object.rpath});
  const bool has_runpath = dynamic.runpath.has_value();
  object.is_to_be_kept = (dynamic.flags_1 & elf::flag_1_nodelete) != 0;
  object.plan = searches.plan({.rpath = has_runpath ? std::nullopt : object.rpath,
                               .library_path = state_.library_path,
                               .runpath = paths.runpath,
                               .requirer = object.path,
                               .has_runpath = has_runpath,
                               .no_defaults = (dynamic.flags_1 & elf::flag_1_nodeflib) != 0});
  // execve(2) maps the program, so the loader does not know its inode (S4); ld.so maps it itself.
  const bool is_found_by_file = !is_program || loader_.context().is_started_by_loader;
  const Id<Object> id = objects_.add(object, soname, is_found_by_file);
  set_scope(objects_[id], dynamic, id);
  return id;
}

/// _dl_new_object: first the global scope, then that of the load's root; RTLD_DEEPBIND turns them
/// round and makes DT_SYMBOLIC mean nothing.
void Mapper::set_scope(Object& object, const DynamicFacts& dynamic, Id<Object> self) {
  Id<Object> root = self;
  while (objects_[root].parent) root = *objects_[root].parent;
  std::vector<Id<Object>> scope{program_id};
  if (root != program_id) scope.insert(deep_bind_ ? scope.begin() : scope.end(), root);
  object.scope = state_.lists.add(scope);
  object.is_symbolic = dynamic.is_symbolic && !deep_bind_ && self != program_id;
}

void Mapper::keep_search_list(Id<Object> root, const std::vector<Id<Object>>& list) {
  objects_[root].search_list = state_.lists.add(list);
  // Filtees stand before the root; it is sorted as the first (_dl_map_object_deps).
  std::vector<Id<Object>> unsorted = list;
  const auto at = std::ranges::find(unsorted, root);
  std::rotate(unsorted.begin(), at, at + 1);
  objects_[root].init_order = state_.lists.add(sorted(state_, unsorted, SortFor::start_or_open));
  objects_[root].is_opened = true;
}

/// _dl_map_object_from_fd for what a search has found.
std::optional<LoadError> Mapper::serve(Request& request, bool no_load) {
  const Search& search = loader_.searches().search(*request.search);
  const bool is_taken =
      search.found && loader_.files().opening(*search.found).verdict != Verdict::refused;
  request.ending = search.found ? Ending::refused : Ending::missing;
  if (!is_taken) return error_of(search, request.asking);
  const Opening& opening = loader_.files().opening(*search.found);
  request.object = objects_.find(*opening.file);
  if (request.object) {
    request.ending = Ending::matched_file;
    objects_.add_name(*request.object, request.name);
    return std::nullopt;
  }
  request.ending = Ending::not_loaded;
  if (no_load) return std::nullopt;
  request.ending = Ending::refused;
  const KnownFile& file = loader_.files().file(*opening.file);
  auto refusal = refusal_of(request, file);
  if (refusal) return refusal;
  request.ending = Ending::mapped;
  Object object{.path = opening.path,
                .requested = request.name,
                .opening = search.found,
                .file = opening.file,
                .parent = parent_of(request)};
  if (request.asking == Asking::program) object.kind = ObjectKind::program;
  request.object = map(object, file.object.dynamic, file.soname);
  return std::nullopt;
}

Asked Mapper::ask(NameId name, std::optional<Id<Object>> by, Asking asking, bool no_load) {
  Request request{.name = name,
                  .by = by,
                  .asking = asking,
                  .ending = Ending::matched_name,
                  .object = objects_.find(name)};
  std::optional<LoadError> error;
  if (request.object) {
    objects_.note_asked_for(*request.object, name);
  } else {
    request.search = look_for(name, by, asking);
    error = serve(request, no_load);
  }
  state_.requests.push_back(request);
  return {request.object, std::move(error)};
}

std::optional<LoadError> Mapper::find_in_new_namespace(NameId name) {
  Request request{.name = name, .by = loader_id, .asking = Asking::audit};
  request.search = look_for(name, program_id, Asking::audit);
  const Search& search = loader_.searches().search(*request.search);
  const bool is_taken =
      search.found && loader_.files().opening(*search.found).verdict == Verdict::taken;
  request.ending = is_taken ? Ending::not_loaded : search.found ? Ending::refused : Ending::missing;
  state_.requests.push_back(request);
  if (is_taken) return std::nullopt;
  return error_of(search, Asking::audit);
}

/// Under Failure::go_on the error is kept and the walk goes on.
std::optional<LoadError> Mapper::note(std::optional<LoadError> error) {
  if (!error || loader_.context().failure == Failure::stop) return error;
  failed_.push_back(state_.requests.size() - 1);
  if (!first_error_) first_error_ = std::move(error);
  return std::nullopt;
}

/// expand_dst, then the request itself.
std::optional<LoadError> Mapper::want(Walk& walk, Id<Object> by, const WantedName& wanted) {
  NameId name = wanted.name;
  Files& files = loader_.files();
  const Asking asking = asking_of(wanted.kind);
  if (wanted.has_token) {
    if (loader_.context().is_secure) {
      state_.requests.push_back({name, by, asking, Ending::refused, {}, {}});
      return note(LoadError{files.text(name), "DST not allowed in SUID/SGID programs"});
    }
    const std::string text = expand_tokens(files.text(name), tokens_of(by));
    // glibc has the two cases the wrong way round: only DT_AUXILIARY is fatal here.
    if (text.empty() && wanted.kind != WantKind::auxiliary) return std::nullopt;
    if (text.empty()) {
      state_.requests.push_back({name, by, asking, Ending::refused, {}, {}});
      return note(LoadError{files.text(name), "empty dynamic string token substitution"});
    }
    name = files.names().intern(text);
  }
  Asked asked = ask(name, by, asking);
  if (asked.error) {
    return wanted.kind == WantKind::auxiliary ? std::nullopt : note(std::move(asked.error));
  }
  walk.needs.push_back(*asked.object);
  if (is_filtee(wanted.kind)) {
    add_filtee(walk, *asked.object);
    if (walk.has_overflowed()) {
      return LoadError{.object = files.text(name), .is_crash = true, .is_overflow = true};
    }
  } else {
    walk.append(*asked.object);
  }
  return std::nullopt;
}

/// A filtee goes before its filter, in the search list and in the loader's order.
void Mapper::add_filtee(Walk& walk, Id<Object> filtee) {
  const Id<Object> filter = walk.list[walk.self];
  if (!walk.enter(filtee)) {
    const auto late = std::find(walk.list.begin() + static_cast<std::ptrdiff_t>(walk.self) + 1,
                                walk.list.end(), filtee);
    if (late == walk.list.end()) return;
    walk.erase(static_cast<std::size_t>(late - walk.list.begin()));
  }
  ++walk.filtee_count;
  walk.insert_before_self(filtee);
  objects_.move_before(filtee, filter);
}

std::optional<LoadError> Mapper::walk(std::vector<Id<Object>>& list) {
  Walk walk{.list = list, .is_done = std::vector<char>(list.size(), 0)};
  for (const Id<Object> object : list) walk.enter(object);
  const Id<Object> root = list.front();
  while (walk.at < list.size()) {
    walk.is_done[walk.at] = 1;
    walk.self = walk.at;
    const Id<Object> object = list[walk.at];
    const auto file = objects_[object].file;
    walk.needs.assign(1, object);
    if (file) {
      for (const WantedName& wanted : loader_.files().file(*file).wants) {
        auto error = want(walk, object, wanted);
        if (error) return error;
      }
    }
    Object& known = objects_[object];
    if (object != root && !known.is_opened && known.needs.is_empty()) {
      known.needs = state_.lists.add(walk.needs);
    }
    while (walk.at < list.size() && walk.is_done[walk.at] != 0) ++walk.at;
  }
  return std::nullopt;
}

}  // namespace whyso::loader
