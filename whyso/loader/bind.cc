// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "whyso/base/parallel.h"
#include "whyso/loader/references.h"
#include "whyso/loader/relocate.h"

namespace whyso::loader {
namespace {

/// Scopes that several objects share are put together once.
class Scopes {
 public:
  explicit Scopes(const ProcessState& state) : state_(state) {}

  const Scope& of(Id<Object> object) {
    const auto roots = state_.lists.of(state_.objects[object].scope);
    const auto self = state_.objects[object].is_symbolic ? std::optional(object) : std::nullopt;
    for (const auto& known : known_) {
      if (known->self == self && std::ranges::equal(known->roots, roots)) return known->scope;
    }
    known_.push_back(std::make_unique<Known>(
        Known{{roots.begin(), roots.end()}, self, scope_over(state_, scope_of(state_, object))}));
    return known_.back()->scope;
  }

 private:
  struct Known {
    std::vector<Id<Object>> roots;
    std::optional<Id<Object>> self;
    Scope scope;
  };

  const ProcessState& state_;
  std::vector<std::unique_ptr<Known>> known_;
};

const SymbolFile& file_of(const ProcessState& state, Id<Object> object) {
  return state.loader->symbols().of(*state.objects[object].file);
}

const ObjectFile& facts_of(const ProcessState& state, Id<Object> object) {
  return state.loader->files().file(*state.objects[object].file).object;
}

void prepare(const ProcessState& state, std::span<const Id<Object>> objects) {
  std::vector<Id<KnownFile>> files;
  std::vector<char> is_there(state.objects.table().size(), 0);
  for (const Id<Object> object : objects) {
    for (const Id<Object> other : scope_of(state, object)) {
      if (std::exchange(is_there[other.index], 1) != 0 || !state.objects[other].file) continue;
      files.push_back(*state.objects[other].file);
    }
  }
  state.loader->symbols().prepare(files);
}

SymbolWanted wanted_of(const SymbolReference& reference) {
  return {.name = reference.name, .hash = reference.hash, .version = reference.version};
}

/// Nothing that is surely undefined, and nothing else that could stop the load: the tables of
/// relocations need not be read.
bool is_clearly_sound(const ProcessState& state, Id<Object> object, const Scope& scope) {
  const Object& known = state.objects[object];
  const SymbolFile& file = file_of(state, object);
  const bool is_plain = known.kind == ObjectKind::library && !file.is_torn() &&
                        !facts_of(state, object).dynamic.has_static_tls;
  if (!is_plain || file.damage()) return false;
  const LookupRules rules = lookup_rules_of(*state.loader);
  const auto& undefined = state.loader->symbols().undefined(*known.file);
  return std::ranges::all_of(undefined, [&](const UndefinedSymbol& symbol) {
    const auto reference = file.reference(symbol.symbol);
    if (!reference || reference->is_own()) return true;
    SymbolWanted wanted = wanted_of(*reference);
    wanted.provider = provider_of(state, reference->version);
    const Lead lead = look_up(scope, wanted, rules);
    if (lead.is_unversioned || lead.found == Found::not_in_provider) return false;
    return lead.found != Found::nowhere || reference->is_weak();
  });
}

ReadingOptions options_for(const ProcessState& state, Calls calls) {
  return {.calls = calls,
          .keeps_bound = state.loader->context().symbols == SymbolWork::record,
          .lookup = lookup_rules_of(*state.loader)};
}

/// Reads all objects on all cores.
std::vector<ObjectReferences> read_all(const ProcessState& state,
                                       std::span<const Id<Object>> objects,
                                       std::span<const Scope* const> scopes) {
  std::vector<ObjectReferences> references(objects.size());
  std::vector<const SymbolFile*> files;
  for (const Id<Object> object : objects) files.push_back(&file_of(state, object));
  for_each_index(objects.size(), [&](std::size_t i) {
    const Object& object = state.objects[objects[i]];
    const Calls calls = object.binds_lazily ? Calls::leave : Calls::bind;
    references[i] =
        read_references(state, objects[i], *files[i], *scopes[i], options_for(state, calls));
  });
  return references;
}

std::vector<Id<Object>> unrelocated(const ProcessState& state,
                                    std::span<const Id<Object>> init_order) {
  std::vector<Id<Object>> objects;
  for (std::size_t i = init_order.size(); i-- > 0;) {
    const Object& object = state.objects[init_order[i]];
    if (!object.is_relocated && object.file) objects.push_back(init_order[i]);
  }
  return objects;
}

Unresolved unresolved_of(const ProcessState& state, Id<Object> object, const Note& note) {
  const SymbolReference reference = *file_of(state, object).reference(note.symbol);
  Unresolved unresolved{.object = object,
                        .symbol = std::string(reference.name),
                        .version = {},
                        .version_file = {},
                        .kind = note.relocation,
                        .time = note.time,
                        .is_weak = reference.is_weak()};
  if (reference.version != nullptr) {
    unresolved.version = reference.version->name;
    unresolved.version_file = reference.version->file;
  }
  return unresolved;
}

/// What one object lacks: one entry a symbol; a reference at load goes before one at a call.
std::vector<Unresolved> unresolved_in(const ProcessState& state, Id<Object> object,
                                      const ObjectReferences& references) {
  std::vector<Unresolved> unresolved;
  std::unordered_map<std::uint32_t, std::size_t> by_symbol;
  for (const Note& note : references.notes) {
    const bool is_missing =
        note.kind == NoteKind::undefined || note.kind == NoteKind::not_in_provider;
    if (!is_missing) continue;
    const auto [known, is_new] = by_symbol.emplace(note.symbol, unresolved.size());
    if (is_new) {
      unresolved.push_back(unresolved_of(state, object, note));
    } else if (note.time == BindingTime::at_load) {
      unresolved[known->second].time = note.time;
    }
  }
  return unresolved;
}

}  // namespace

std::optional<LoadError> relocate(ProcessState& state, std::span<const Id<Object>> init_order,
                                  bool binds_lazily) {
  const std::vector<Id<Object>> objects = unrelocated(state, init_order);
  for (const Id<Object> id : objects) {
    state.objects[id].binds_lazily = binds_lazily && !facts_of(state, id).dynamic.binds_now;
  }
  const ProcessContext& context = state.loader->context();
  std::vector<Id<Object>> to_read;
  std::vector<const Scope*> scopes;
  Scopes all_scopes(state);
  if (context.symbols != SymbolWork::none) {
    prepare(state, objects);
    for (const Id<Object> id : objects) {
      const Scope& scope = all_scopes.of(id);
      const bool is_sound =
          context.symbols == SymbolWork::missing && is_clearly_sound(state, id, scope);
      if (is_sound) continue;
      to_read.push_back(id);
      scopes.push_back(&scope);
    }
  }
  std::vector<ObjectReferences> references = read_all(state, to_read, scopes);
  std::optional<LoadError> first;
  std::size_t next = 0;
  for (const Id<Object> id : objects) {
    if (next < to_read.size() && to_read[next] == id) {
      auto error = apply_references(state, id, std::move(references[next++]));
      if (error && context.failure == Failure::stop) return error;
      if (!first) first = std::move(error);
    }
    state.objects[id].is_relocated = true;
  }
  return first;
}

std::vector<Unresolved> find_unresolved(const ProcessState& state,
                                        std::span<const Id<Object>> objects) {
  std::vector<Unresolved> unresolved;
  prepare(state, objects);
  Scopes scopes(state);
  for (const Id<Object> id : objects) {
    const Object& object = state.objects[id];
    if (!object.file || object.is_unmapped || object.kind == ObjectKind::loader) continue;
    const Scope& scope = scopes.of(id);
    if (is_clearly_sound(state, id, scope)) continue;
    const Calls calls = object.binds_lazily ? Calls::probe : Calls::bind;
    const auto references =
        read_references(state, id, file_of(state, id), scope, options_for(state, calls));
    for (Unresolved& one : unresolved_in(state, id, references)) {
      unresolved.push_back(std::move(one));
    }
  }
  return unresolved;
}

}  // namespace whyso::loader
