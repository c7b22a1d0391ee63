// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/load.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "whyso/elf/dynamic.h"
#include "whyso/loader/lookup.h"
#include "whyso/loader/mapping.h"
#include "whyso/loader/relocate.h"
#include "whyso/loader/unload.h"
#include "whyso/loader/versions.h"

namespace whyso::loader {

std::vector<Id<Object>> Process::mapped_since(std::size_t first) const {
  std::vector<Id<Object>> mapped;
  for (std::size_t i = first; i < objects().size(); ++i) mapped.push_back(objects().id(i));
  return mapped;
}

std::optional<LoadError> Process::check_opened(std::span<const Id<Object>> list,
                                               const std::vector<Id<Object>>& mapped) const {
  std::vector<Id<Object>> added;
  for (const Id<Object> id : list) {
    if (std::ranges::binary_search(mapped, id)) added.push_back(id);
  }
  const bool may_lack = loader().context().failure == Failure::go_on;
  for (const VersionFault& fault : check_versions(state_, added, may_lack)) {
    if (fault.kind == VersionFaultKind::no_provider) {
      return LoadError{.what = fault.what, .stage = Stage::assertion};
    }
    if (fault.is_error()) {
      return LoadError{
          .object = path_of(fault.object), .what = fault.what, .stage = Stage::versions};
    }
  }
  const auto demanding = find_isa_fault(state_, std::vector(list.begin(), list.end()));
  if (!demanding) return std::nullopt;
  return LoadError{.object = path_of(*demanding),
                   .what = "CPU ISA level is lower than required",
                   .stage = Stage::cpu};
}

/// Under Failure::go_on a file that is missing hides what comes after it, as it does in life.
Outcome Process::open_new_root(const OpenRequest& request, Id<Object> root, std::size_t first) {
  Outcome outcome;
  Mapper mapper(state_, true);
  mapper.set_deep_bind(request.flags.deep_bind);
  state_.objects[root].is_to_be_kept |= request.flags.no_delete;
  std::vector<Id<Object>> list{root};
  outcome.error = mapper.walk(list);
  mapper.keep_search_list(root, list);
  outcome.failed = mapper.failed();
  if (!outcome.error) outcome.error = mapper.first_error();
  if (!outcome.error) outcome.error = check_opened(list, mapped_since(first));
  if (!outcome.error) {
    const bool is_lazy = request.flags.lazy && !loader().context().bind_now;
    const auto order = state_.lists.of(state_.objects[root].init_order);
    outcome.error = relocate(state_, std::vector(order.begin(), order.end()), is_lazy);
  }
  return outcome;
}

Outcome Process::open(const OpenRequest& request) {
  Outcome outcome;
  if (!request.flags.now && !request.flags.lazy) {
    outcome.error = LoadError{request.name, "invalid mode for dlopen()", EINVAL};
    return outcome;
  }
  const std::size_t first = objects().size();
  Mapper mapper(state_, true);
  mapper.set_deep_bind(request.flags.deep_bind);
  const std::optional<Id<Object>> caller = request.caller.value_or(program_id);
  const Asked asked = mapper.ask(loader().files().names().intern(request.name), caller,
                                 Asking::dlopen, request.flags.no_load);
  outcome.error = asked.error;
  if (!asked.object) return outcome;
  const Id<Object> root = *asked.object;
  ++state_.objects[root].open_count;
  const bool is_new_root = !state_.objects[root].is_opened;
  if (is_new_root) outcome = open_new_root(request, root, first);
  outcome.mapped = mapped_since(first);
  if (outcome.error && loader().context().failure == Failure::stop) {
    --state_.objects[root].open_count;
    if (!state_.objects[root].is_from_start) unload_unused(state_, true);
    return outcome;
  }
  outcome.root = root;
  state_.objects[root].is_kept |= request.flags.no_delete;
  if (is_new_root) {
    keep_marked();
    extend_scopes(state_, root);
    initialize(root);
  }
  if (request.flags.global) add_to_global_scope(root);
  return outcome;
}

void Process::keep_marked() {
  for (const Id<Object> id : order()) {
    Object& object = state_.objects[id];
    object.is_kept |= std::exchange(object.is_to_be_kept, false);
  }
}

/// _dl_init.
void Process::initialize(Id<Object> root) {
  const auto list = state_.lists.of(state_.objects[root].init_order);
  std::vector<Id<Object>> order(list.rbegin(), list.rend());
  const auto is_first = [&](Id<Object> id) {
    const Object& object = state_.objects[id];
    if (!object.file || object.is_initialized) return false;
    return (loader().files().file(*object.file).object.dynamic.flags_1 & elf::flag_1_initfirst) !=
           0;
  };
  // The last one that was mapped with that mark goes before all others.
  std::optional<Id<Object>> first;
  for (const Id<Object> id : order) {
    if (is_first(id) && (!first || first->index < id.index)) first = id;
  }
  if (first) order.insert(order.begin(), *first);
  for (const Id<Object> id : order) {
    Object& object = state_.objects[id];
    if (std::exchange(object.is_initialized, true)) continue;
    if (object.kind != ObjectKind::program) state_.initialized.push_back(id);
  }
}

void Process::add_to_global_scope(Id<Object> root) {
  const auto global = state_.lists.of(state_.objects[program_id].search_list);
  std::vector<Id<Object>> extended(global.begin(), global.end());
  for (const Id<Object> id : state_.lists.of(state_.objects[root].search_list)) {
    if (!std::exchange(state_.objects[id].is_global, true)) extended.push_back(id);
  }
  if (extended.size() == global.size()) return;
  state_.objects[program_id].search_list = state_.lists.add(extended);
}

std::vector<Id<Object>> Process::close(Id<Object> root) {
  Object& object = state_.objects[root];
  if (object.is_kept) return {};
  if (object.open_count > 0) --object.open_count;
  if (object.open_count > 0 || object.is_from_start) return {};
  return unload_unused(state_, false);
}

SymbolAnswer Process::symbol(std::string_view name, std::optional<Id<Object>> root) {
  const Id<Object> asking = root.value_or(program_id);
  const Scope scope = root ? scope_of_handle(state_, *root)
                           : scope_over(state_, loader::scope_of(state_, program_id));
  const SymbolWanted wanted{.name = name, .hash = elf::gnu_hash(name), .takes_newest = true};
  const Lead lead = look_up(scope, wanted, lookup_rules_of(loader()));
  if (lead.found == Found::defined) {
    Id<Object> owner = lead.at.object;
    if (lead.is_unique()) {
      const auto known = state_.unique.find(name);
      if (known) owner = known->object;
      if (!known) state_.unique.add(name, lead.at);
      if (!known && !state_.objects[owner].is_from_start) state_.objects[owner].is_kept = true;
    }
    return {.error = {}, .object = owner};
  }
  LoadError error{message_name(state_, asking), "undefined symbol: " + std::string(name)};
  error.stage = Stage::symbols;
  if (lead.found == Found::unclear) return {};
  return {.error = std::move(error), .object = {}};
}

void Process::run_code_of(Id<Object> id) {
  Object& object = state_.objects[id];
  const bool has_tls = object.file && loader().files().file(*object.file).object.tls;
  if (has_tls && object.tls_end == 0) object.is_tls_dynamic = true;
}

std::vector<Unresolved> Process::unresolved(std::span<const Id<Object>> objects) const {
  return find_unresolved(state_, objects);
}

std::vector<Id<Object>> Process::scope_of(Id<Object> object) const {
  return loader::scope_of(state_, object);
}

}  // namespace whyso::loader
