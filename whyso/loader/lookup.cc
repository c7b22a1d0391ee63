// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/lookup.h"

#include <algorithm>
#include <utility>

namespace whyso::loader {
namespace {

elf::SymbolRequest request_of(const SymbolWanted& wanted, const LookupRules& rules) {
  elf::SymbolRequest request{.name = wanted.name};
  request.name_hash = wanted.hash;
  request.takes_newest = wanted.takes_newest;
  request.takes_undefined = wanted.reference != ReferenceClass::call;
  request.prefers_exact = rules.prefers_exact_version;
  if (wanted.version != nullptr) {
    request.version = wanted.version->name;
    request.version_hash = wanted.version->hash;
    request.version_is_hidden = wanted.version->is_hidden;
  }
  return request;
}

/// What one file says.
Lead ask(const Scope::Entry& entry, const elf::SymbolRequest& request) {
  Lead lead;
  const auto index = entry.file->symbols().find_index(request);
  if (!index) lead.found = Found::unclear;
  if (!index || !*index) return lead;
  const auto record = entry.file->symbols().record(**index);
  if (!record) return lead;
  lead.found = Found::defined;
  lead.at = {entry.object, static_cast<std::uint32_t>(**index)};
  lead.record = *record;
  lead.file = entry.file;
  lead.is_unversioned = request.version && !entry.file->symbols().versions().has_any();
  return lead;
}

}  // namespace

ReferenceClass class_of(elf::RelocationKind kind) {
  switch (kind) {
    case elf::RelocationKind::call:
    case elf::RelocationKind::tls_module:
    case elf::RelocationKind::tls_offset:
    case elf::RelocationKind::tls_static:
    case elf::RelocationKind::tls_descriptor:
      return ReferenceClass::call;
    case elf::RelocationKind::copy:
      return ReferenceClass::copy;
    default:
      return ReferenceClass::data;
  }
}

LookupRules lookup_rules_of(const Loader& loader) {
  return {.prefers_exact_version = loader.rules().is_at_least(42),
          .weak_is_weaker = loader.context().weak_is_weaker};
}

Lead look_up(const Scope& scope, const SymbolWanted& wanted, const LookupRules& rules) {
  const elf::SymbolRequest request = request_of(wanted, rules);
  Lead weak;
  for (const Scope::Entry& entry : scope.entries) {
    if (wanted.reference == ReferenceClass::copy && entry.is_program) continue;
    if (entry.file->damage()) return {.found = Found::unclear, .at = {}, .record = {}};
    const bool may_be_here = entry.file->symbols().may_define(wanted.hash);
    const Lead lead = may_be_here ? ask(entry, request) : Lead();
    const bool ends_here = lead.found == Found::nowhere && entry.object == wanted.provider;
    if (ends_here) return {.found = Found::not_in_provider, .at = {entry.object}, .record = {}};
    if (lead.found == Found::nowhere) continue;
    const bool waits = rules.weak_is_weaker && lead.found == Found::defined &&
                       elf::binding_of(lead.record) == elf::SymbolBinding::weak;
    if (!waits) return lead;
    if (weak.found == Found::nowhere) weak = lead;
  }
  return weak;
}

std::optional<Id<Object>> provider_of(const ProcessState& state,
                                      const elf::NumberedVersion* version) {
  if (state.loader->rules().is_at_least(30)) return std::nullopt;
  if (version == nullptr || version->file.empty()) return std::nullopt;
  const auto name = state.loader->files().names().find(version->file);
  return name ? state.objects.find_asked_for(*name) : std::nullopt;
}

std::vector<Id<Object>> scope_of(const ProcessState& state, Id<Object> object) {
  std::vector<Id<Object>> order;
  std::vector<char> is_there(state.objects.table().size(), 0);
  const auto add = [&](Id<Object> id) {
    if (state.objects[id].is_unmapped || std::exchange(is_there[id.index], 1) != 0) return;
    order.push_back(id);
  };
  if (state.objects[object].is_symbolic) add(object);
  for (const Id<Object> root : state.lists.of(state.objects[object].scope)) {
    for (const Id<Object> id : state.lists.of(state.objects[root].search_list)) add(id);
  }
  return order;
}

void extend_scopes(ProcessState& state, Id<Object> root) {
  const auto list = state.lists.of(state.objects[root].search_list);
  for (const Id<Object> id : std::vector(list.begin(), list.end())) {
    Object& object = state.objects[id];
    if (!object.is_initialized || object.is_from_start) continue;
    const auto scope = state.lists.of(object.scope);
    if (std::ranges::find(scope, root) != scope.end()) continue;
    object.scope = state.lists.appended(object.scope, root);
  }
}

Scope scope_over(const ProcessState& state, std::span<const Id<Object>> objects) {
  Scope scope;
  for (const Id<Object> id : objects) {
    const Object& object = state.objects[id];
    if (!object.file || object.is_unmapped) continue;
    scope.entries.push_back(
        {id, &state.loader->symbols().of(*object.file), object.kind == ObjectKind::program});
  }
  return scope;
}

Scope scope_of_handle(const ProcessState& state, Id<Object> root) {
  return scope_over(state, state.lists.of(state.objects[root].search_list));
}

}  // namespace whyso::loader
