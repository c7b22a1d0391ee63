// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "whyso/base/text.h"
#include "whyso/ldso/preload.h"
#include "whyso/loader/load.h"
#include "whyso/loader/mapping.h"
#include "whyso/loader/relocate.h"
#include "whyso/loader/versions.h"

namespace whyso::loader {
namespace {

constexpr std::size_t longest_preload = 4095;  // SECURE_PATH_LIMIT without its NUL
constexpr std::size_t longest_secure_name = 254;

/// dso_name_valid_for_suid: a set-user-ID program takes no preload by path.
bool is_preload_allowed(std::string_view name, const ProcessContext& context) {
  if (name.empty() || name.size() > longest_preload) return false;
  return !context.is_secure || (name.size() <= longest_secure_name && !name.contains('/'));
}

/// The line is that of glibc 2.36 and differs between releases.
std::string order_assertion_text() {
  return "Inconsistency detected by ld.so: rtld.c: 2060: dl_main: Assertion "
         "`GL(dl_rtld_map).l_prev->l_next == GL(dl_rtld_map).l_next' failed!";
}

/// What dl_main does before the program runs.
class Starter {
 public:
  Starter(ProcessState& state, Mapper& mapper)
      : state_(state), loader_(*state.loader), mapper_(mapper) {}

  /// The program is mapped by the kernel, or by ld.so where that was started with its name.
  std::optional<LoadError> add_program(std::string_view program) {
    const ProcessContext& context = loader_.context();
    Files& files = loader_.files();
    const tree::Walk walk = files.resolve(program);
    const bool knows_path = context.is_started_by_loader ? true : context.has_proc;
    if (context.is_started_by_loader && !loader_.rules().is_at_least(42)) {
      state_.program_origin = origin_of(program, context.cwd);
    } else if (knows_path && walk.is_found()) {
      state_.program_origin = walk.real.parent().text();
    }
    read_library_path();
    if (context.is_started_by_loader) {
      return mapper_.ask(files.names().intern(program), std::nullopt, Asking::program).error;
    }
    const Id<Opening> opening = files.open(program);
    const auto file = files.opening(opening).file;
    if (!file) return LoadError{std::string(program), "cannot open shared object file", 0};
    const NameId none = files.names().intern("");
    mapper_.map({.kind = ObjectKind::program,
                 .path = none,
                 .requested = none,
                 .opening = opening,
                 .file = file},
                files.file(*file).object.dynamic, files.file(*file).soname);
    return std::nullopt;
  }

  /// LD_LIBRARY_PATH is read once; its tokens are those of the program.
  void read_library_path() {
    const ProcessContext& context = loader_.context();
    if (!context.library_path || context.library_path->empty()) return;
    if (context.is_secure && !context.is_library_path_option) return;
    const TokenValues tokens = loader_.tokens(state_.program_origin);
    state_.library_path =
        loader_.searches().list(directories_of(*context.library_path, ":;", tokens));
  }

  void add_loader_and_vdso() {
    const LoaderRules& rules = loader_.rules();
    Names& names = loader_.files().names();
    const NameId path = names.intern(rules.interpreter);
    const Id<Opening> opening = loader_.files().open(rules.interpreter);
    state_.objects.add({.kind = ObjectKind::loader,
                        .path = path,
                        .requested = path,
                        .file = loader_.files().opening(opening).file},
                       names.intern(rules.soname), false);
    const NameId vdso = names.intern(rules.vdso);
    state_.objects.add({.kind = ObjectKind::vdso, .path = vdso, .requested = vdso}, std::nullopt,
                       false);
  }

  /// LD_AUDIT: a module that cannot be had is a warning. One that is found lives in a namespace of
  /// its own and is not followed.
  void try_audit() {
    const ProcessContext& context = loader_.context();
    if (context.is_secure) return;
    for (const std::string_view name : split(context.audit, ':')) {
      if (name.empty()) continue;
      const auto error = mapper_.find_in_new_namespace(loader_.files().names().intern(name));
      if (!error) continue;
      state_.warnings.push_back("ERROR: ld.so: object '" + std::string(name) +
                                "' cannot be loaded as audit interface: " + error->what +
                                "; ignored.");
    }
  }

  void preload_one(std::string_view name, std::string_view source,
                   std::vector<Id<Object>>& loaded) {
    const std::size_t before = state_.objects.table().size();
    const Asked asked =
        mapper_.ask(loader_.files().names().intern(name), program_id, Asking::preload);
    if (asked.error) {
      state_.warnings.push_back("ERROR: ld.so: object '" + std::string(name) + "' from " +
                                std::string(source) + " cannot be preloaded (" + asked.error->what +
                                "): ignored.");
    } else if (state_.objects.table().size() != before) {
      loaded.push_back(*asked.object);
    }
  }

  std::vector<Id<Object>> preload() {
    const ProcessContext& context = loader_.context();
    std::vector<Id<Object>> loaded;
    const auto preload_list = [&](std::string_view list, std::string_view source) {
      for (const std::string_view name : ldso::parse_preload_variable(list)) {
        if (is_preload_allowed(name, context)) preload_one(name, source, loaded);
      }
    };
    preload_list(context.preload, "LD_PRELOAD");
    preload_list(context.preload_option, "--preload");
    for (const std::string& name : ldso::parse_preload_file(loader_.preload_file())) {
      preload_one(name, loader_.rules().preload_path, loaded);
    }
    return loaded;
  }

  /// ld.so leaves the order, and comes back behind its predecessor in the search list if somebody
  /// needs it. It asserts that its neighbours in the list are neighbours in the order, which a
  /// filter or a needed vDSO can undo; not where it traces.
  std::optional<LoadError> place_loader(const std::vector<Id<Object>>& search_list) {
    state_.objects.hide(loader_id);
    const auto at = std::ranges::find(search_list, loader_id);
    if (at == search_list.end() || at == search_list.begin()) return std::nullopt;
    const auto successor = [this](Id<Object> object) {
      const auto& order = state_.objects.order();
      const auto next = std::ranges::find(order, object) + 1;
      return next == order.end() ? std::nullopt : std::optional(*next);
    };
    const auto next = at + 1 == search_list.end() ? std::nullopt : std::optional(*(at + 1));
    Id<Object> before = *(at - 1);
    if (successor(before) == vdso_id && next != vdso_id) before = vdso_id;
    if (successor(before) != next && loader_.context().failure == Failure::stop) {
      return LoadError{.what = order_assertion_text(), .stage = Stage::assertion};
    }
    state_.objects.insert_behind(loader_id, before);
    return std::nullopt;
  }

 private:
  ProcessState& state_;
  Loader& loader_;
  Mapper& mapper_;
};

}  // namespace

/// Every fault of the versions is printed; the first of the worst kind decides.
std::optional<LoadError> Process::check_started() {
  const bool is_tracing = loader().context().failure == Failure::go_on;
  std::optional<LoadError> error;
  for (const VersionFault& fault : check_versions(state_, order(), is_tracing)) {
    if (fault.kind == VersionFaultKind::no_provider) {
      return LoadError{.what = fault.what, .stage = Stage::assertion};
    }
    const std::string& path = path_of(fault.object);
    const std::string object = path.empty() ? program_name() : path;
    if (fault.kind == VersionFaultKind::no_relr_marker) return LoadError{object, fault.what};
    state_.warnings.push_back(program_name() + ": " + object + ": " + fault.what);
    if (fault.is_error() && !error) {
      error = LoadError{.object = object, .what = fault.what, .stage = Stage::versions};
    }
  }
  const auto demanding = error || is_tracing ? std::nullopt : find_isa_fault(state_, order());
  if (!demanding) return error;
  const std::string& path = path_of(*demanding);
  return LoadError{.object = path.empty() ? program_name() : path,
                   .what = "CPU ISA level is lower than required",
                   .stage = Stage::cpu};
}

Outcome Process::start(std::string_view program) {
  const std::string& argv0 = loader().context().argv0;
  state_.program_name = argv0.empty() ? std::string(program) : argv0;
  Outcome outcome;
  Mapper mapper(state_, false);
  Starter starter(state_, mapper);
  outcome.error = starter.add_program(program);
  if (outcome.error) return outcome;
  outcome.root = program_id;
  if (loader().context().is_verified_only) return outcome;
  starter.add_loader_and_vdso();
  std::vector<Id<Object>> list{program_id};
  starter.try_audit();
  for (const Id<Object> preloaded : starter.preload()) list.push_back(preloaded);
  outcome.error = mapper.walk(list);
  outcome.mapped = mapped_since(0);
  outcome.failed = mapper.failed();
  if (outcome.error) return outcome;
  outcome.error = starter.place_loader(list);
  if (outcome.error) return outcome;
  mapper.keep_search_list(program_id, list);
  for (const Id<Object> id : mapped_since(0)) {
    const auto& file = state_.objects[id].file;
    state_.objects[id].is_from_start = true;
    state_.has_executable_stack |=
        file && loader().files().file(*file).object.wants_executable_stack;
  }
  outcome.error = mapper.first_error();
  const auto late_error = check_started();
  if (!outcome.error) outcome.error = late_error;
  if (!outcome.error) outcome.error = relocate_started();
  if (!outcome.error || loader().context().failure == Failure::go_on) initialize(program_id);
  state_.objects[vdso_id].is_initialized = true;
  return outcome;
}

/// ld.so has relocated itself; where somebody needs it, it does so again at the end, with the
/// symbols of the program.
std::optional<LoadError> Process::relocate_started() {
  lay_out_tls(state_);
  for (const Id<Object> id : {loader_id, vdso_id}) state_.objects[id].is_relocated = true;
  const auto list = state_.lists.of(state_.objects[program_id].search_list);
  for (const Id<Object> id : list) state_.objects[id].is_global = true;
  const auto init_order = state_.lists.of(state_.objects[program_id].init_order);
  const std::vector<Id<Object>> order(init_order.begin(), init_order.end());
  auto error = relocate(state_, order, !loader().context().bind_now);
  const bool has_loader = std::ranges::find(order, loader_id) != order.end();
  if (error || !has_loader || loader().context().symbols != SymbolWork::record) return error;
  state_.objects[loader_id].is_relocated = false;
  state_.objects[loader_id].scope = state_.lists.add(std::vector{program_id});
  return relocate(state_, std::vector{loader_id}, false);
}

}  // namespace whyso::loader
