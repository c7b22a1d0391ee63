// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/relocate.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "whyso/loader/references.h"

namespace whyso::loader {
namespace {

const SymbolFile& file_of(const ProcessState& state, Id<Object> object) {
  return state.loader->symbols().of(*state.objects[object].file);
}

const ObjectFile& facts_of(const ProcessState& state, Id<Object> object) {
  return state.loader->files().file(*state.objects[object].file).object;
}

std::string undefined_text(const SymbolReference& reference) {
  std::string text = "undefined symbol: " + std::string(reference.name);
  if (reference.version != nullptr) text += ", version " + std::string(reference.version->name);
  return text;
}

std::string bad_type_text(const Note& note, bool is_lazy) {
  return fmt::format(
      fmt::runtime(note.type > 0xff ? "{}{:08x}" : "{}{:02x}"),
      note.is_in_plt && is_lazy ? "unexpected PLT reloc type 0x" : "unexpected reloc type 0x",
      note.type);
}

LoadError error_in(std::string object, std::string what) {
  LoadError error{std::move(object), std::move(what)};
  error.stage = Stage::symbols;
  return error;
}

/// The text of a message that ends the process wherever it happens.
LoadError fatal(std::string text) { return {.what = std::move(text), .stage = Stage::assertion}; }

std::string protected_text(bool has_warnings, bool is_copy) {
  if (has_warnings) return "error due to GNU_PROPERTY_1_NEEDED_INDIRECT_EXTERN_ACCESS";
  return is_copy ? "copy relocation against non-copyable protected symbol"
                 : "non-canonical reference to canonical protected function";
}

/// The effects of one object's relocations on the process.
class Relocation {
 public:
  Relocation(ProcessState& state, Id<Object> object, bool is_lazy)
      : state_(state), object_(object), file_(file_of(state, object)), is_lazy_(is_lazy) {}

  std::optional<LoadError> apply(ObjectReferences references) {
    std::optional<LoadError> first;
    for (const Note& note : references.notes) {
      auto error = apply(note, references);
      if (!error) continue;
      if (state_.loader->context().failure == Failure::stop) {
        // What it bound before stays bound, for as long as the object is there.
        references.bound.resize(std::min<std::size_t>(note.bound, references.bound.size()));
        keep(references);
        return error;
      }
      if (!first) first = std::move(error);
    }
    for (const Id<Object> target : references.bound_to) hold(state_, object_, target);
    keep(references);
    return first;
  }

 private:
  void keep(const ObjectReferences& references) {
    state_.bound.insert(state_.bound.end(), references.bound.begin(), references.bound.end());
  }

  std::optional<LoadError> apply(const Note& note, ObjectReferences& references) {
    switch (note.kind) {
      case NoteKind::undefined:
        return undefined(note);
      case NoteKind::not_in_provider:
        return not_in_provider(note);
      case NoteKind::unversioned:
        return unversioned(note);
      case NoteKind::unique:
        unify(note, references);
        return std::nullopt;
      case NoteKind::is_protected:
        return refer_to_protected(note);
      case NoteKind::indirect:
        return call_resolver(note);
      case NoteKind::copy:
        copy(note);
        return std::nullopt;
      case NoteKind::static_tls:
        return make_static(note.lead.at.object);
      case NoteKind::tls_descriptor:
        try_static(note.lead.at.object);
        return std::nullopt;
      case NoteKind::bad_type:
        return error_in(path_of(object_), bad_type_text(note, is_lazy_));
      case NoteKind::missing_page:
        return LoadError{.object = path_of(object_), .what = {}, .is_crash = true};
    }
    return std::nullopt;
  }

  [[nodiscard]] SymbolReference reference_of(const Note& note) const {
    return *file_.reference(note.symbol);
  }
  [[nodiscard]] const std::string& path_of(Id<Object> object) const {
    return state_.loader->files().text(state_.objects[object].path);
  }

  std::optional<LoadError> undefined(const Note& note) const {
    const SymbolReference reference = reference_of(note);
    if (reference.is_weak()) return std::nullopt;
    LoadError error = error_in(message_name(state_, object_), undefined_text(reference));
    error.occasion = "symbol lookup error";
    return error;
  }

  std::optional<LoadError> not_in_provider(const Note& note) const {
    const SymbolReference reference = reference_of(note);
    const bool has_comma = !state_.loader->rules().is_at_least(27);
    LoadError error = error_in(
        message_name(state_, object_),
        fmt::format("symbol {}{} version {} not defined in file {} with link time reference",
                    reference.name, has_comma ? "," : "", reference.version->name,
                    reference.version->file));
    error.occasion = "relocation error";
    return error;
  }

  /// Up to glibc 2.40 a library must not lose its versions while others ask it for one.
  std::optional<LoadError> unversioned(const Note& note) {
    const auto* version = reference_of(note).version;
    const int line = assertion_lines_of(state_.loader->rules().glibc).unversioned;
    if (line == 0 || version->file.empty()) return std::nullopt;
    const NameId name = state_.loader->files().names().intern(version->file);
    if (!state_.objects.bears(note.lead.at.object, name)) return std::nullopt;
    return fatal("Inconsistency detected by ld.so: dl-lookup.c: " + std::to_string(line) +
                 ": check_match: Assertion `version->filename == NULL || ! _dl_name_match_p "
                 "(version->filename, map)' failed!");
  }

  /// do_lookup_unique.
  void unify(const Note& note, ObjectReferences& references) {
    const SymbolReference reference = reference_of(note);
    Definition definition = note.lead.at;
    if (const auto known = state_.unique.find(reference.name)) {
      definition = *known;
    } else if (note.relocation == elf::RelocationKind::copy) {
      state_.unique.add(reference.name, {object_, note.symbol});
    } else {
      state_.unique.add(reference.name, definition);
      Object& owner = state_.objects[definition.object];
      if (!owner.is_from_start) owner.is_to_be_kept = true;
    }
    if (note.bound < references.bound.size()) references.bound[note.bound].to = definition.object;
    hold(state_, object_, definition.object);
  }

  /// _dl_check_protected_symbol, new in glibc 2.35, with warnings since 2.36.
  std::optional<LoadError> refer_to_protected(const Note& note) {
    if (!state_.loader->rules().is_at_least(35)) return std::nullopt;
    const SymbolReference reference = reference_of(note);
    const Id<Object> owner = note.lead.at.object;
    const bool is_copy = note.relocation == elf::RelocationKind::copy;
    const bool is_pointer = class_of(note.relocation) == ReferenceClass::call &&
                            reference.record.value != 0 && reference.is_undefined();
    if (!is_copy && !is_pointer) return std::nullopt;
    const bool has_warnings = state_.loader->rules().is_at_least(36);
    const std::string where = std::string(reference.name) + "' in `" + path_of(owner) + "'";
    if (has_warnings && is_copy) {
      state_.warnings.push_back("warning: copy relocation against non-copyable protected symbol `" +
                                where);
    } else if (has_warnings) {
      state_.warnings.push_back("warning: direct reference to protected function `" + where +
                                " may break pointer equality");
    }
    const bool is_exempt = !has_warnings && facts_of(state_, object_).needs_indirect_access;
    if (is_exempt || !facts_of(state_, owner).needs_indirect_access) return std::nullopt;
    LoadError error = error_in(path_of(owner), protected_text(has_warnings, is_copy));
    error.occasion = reference.name;
    return error;
  }

  std::optional<LoadError> call_resolver(const Note& note) {
    const Object& owner = state_.objects[note.lead.at.object];
    const bool is_traced = state_.loader->context().failure == Failure::go_on;
    if (owner.is_relocated || note.time == BindingTime::at_call || is_traced) return std::nullopt;
    const std::string symbol(reference_of(note).name);
    if (owner.kind == ObjectKind::program) {
      return fatal(state_.program_name + ": IFUNC symbol '" + symbol + "' referenced in '" +
                   path_of(object_) +
                   "' is defined in the executable and creates an unsatisfiable circular "
                   "dependency.");
    }
    state_.warnings.push_back(state_.program_name + ": Relink `" + path_of(object_) + "' with `" +
                              path_of(note.lead.at.object) + "' for IFUNC symbol `" + symbol + "'");
    return std::nullopt;
  }

  void copy(const Note& note) {
    const SymbolReference reference = reference_of(note);
    if (note.lead.record.size <= reference.record.size) return;
    state_.warnings.push_back(state_.program_name + ": Symbol `" + std::string(reference.name) +
                              "' has different size in shared object, consider re-linking");
  }

  bool take_tls(Id<Object> owner, bool is_optional) {
    Object& object = state_.objects[owner];
    const auto& tls = facts_of(state_, owner).tls;
    if (!tls) return true;
    const std::uint64_t before = state_.tls.used();
    const auto end = state_.tls.take(*tls, is_optional);
    if (!end) return false;
    object.tls_end = *end;
    object.tls_begin = state_.tls.grows_down() ? *end - tls->size : before;
    return true;
  }

  /// CHECK_STATIC_TLS.
  std::optional<LoadError> make_static(Id<Object> owner) {
    const Object& object = state_.objects[owner];
    if (object.tls_end != 0 && !object.is_tls_dynamic) return std::nullopt;
    if (!object.is_tls_dynamic && take_tls(owner, false)) return std::nullopt;
    return error_in(path_of(owner), "cannot allocate memory in static TLS block");
  }

  /// TRY_STATIC_TLS.
  void try_static(Id<Object> owner) {
    const Object& object = state_.objects[owner];
    if (object.tls_end == 0 && !object.is_tls_dynamic) take_tls(owner, true);
  }

  ProcessState& state_;
  Id<Object> object_;
  const SymbolFile& file_;
  bool is_lazy_;
};

}  // namespace

const std::string& message_name(const ProcessState& state, Id<Object> object) {
  const std::string& path = state.loader->files().text(state.objects[object].path);
  return path.empty() ? state.program_name : path;
}

void hold(ProcessState& state, Id<Object> from, Id<Object> to) {
  const auto is_kept = [](const Object& object) { return object.is_kept || object.is_to_be_kept; };
  Object& target = state.objects[to];
  if (from == to || target.is_from_start || is_kept(target)) return;
  Object& holder = state.objects[from];
  const auto needs =
      state.lists.of(holder.init_order.is_empty() ? holder.needs : holder.init_order);
  const auto held = state.lists.of(holder.relocation_needs);
  if (std::ranges::find(needs, to) != needs.end()) return;
  if (std::ranges::find(held, to) != held.end()) return;
  if (holder.is_from_start) {
    target.is_to_be_kept = true;
  } else {
    holder.relocation_needs = state.lists.appended(holder.relocation_needs, to);
  }
}

void lay_out_tls(ProcessState& state) {
  std::vector<TlsSegment> blocks;
  for (const Id<Object> id : state.objects.order()) {
    if (!state.objects[id].file || !facts_of(state, id).tls) continue;
    blocks.push_back(*facts_of(state, id).tls);
    state.objects[id].tls_end = 1;
  }
  const ProcessContext& context = state.loader->context();
  state.tls = StaticTls::lay_out(blocks, state.loader->rules(),
                                 context.is_secure ? std::string_view() : context.tunables);
}

std::optional<LoadError> apply_references(ProcessState& state, Id<Object> object,
                                          ObjectReferences references) {
  return Relocation(state, object, state.objects[object].binds_lazily).apply(std::move(references));
}

}  // namespace whyso::loader
