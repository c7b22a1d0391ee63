// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/references.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace whyso::loader {
namespace {

using elf::RelocationKind;

/// Symbols with greater numbers are looked up each time: a file may name any.
constexpr std::uint32_t most_remembered = 1U << 24U;

bool is_ifunc(const Lead& lead) {
  return lead.found == Found::defined && lead.record.section != elf::section_undefined &&
         elf::type_of(lead.record) == elf::SymbolType::gnu_indirect_function;
}

bool is_protected(const elf::SymbolRecord& record) {
  return elf::visibility_of(record) == elf::SymbolVisibility::not_preemptible;
}

class Reading {
 public:
  Reading(const ProcessState& state, Id<Object> object, const SymbolFile& file, const Scope& scope,
          const ReadingOptions& options)
      : state_(state),
        object_(object),
        is_program_(state.objects[object].kind == ObjectKind::program),
        file_(file),
        scope_(scope),
        options_(options) {}

  ObjectReferences run() {
    if (file_.is_torn()) look_for_missing_pages();
    for (const elf::RelocationRange& range : file_.relocations().at_load) read(range, false);
    read(file_.relocations().plt, true);
    return std::move(result_);
  }

 private:
  struct Remembered {
    Lead lead;
    bool is_known = false;
    bool is_own = false;
    bool is_protected = false;
  };

  /// Relative relocations come first and name no symbol.
  void look_for_missing_pages() {
    for (const elf::RelocationRange& range : file_.relocations().relative) {
      for (std::size_t i = 0; i < range.size(); ++i) {
        if (!file_.is_missing(range.at(i).offset)) continue;
        result_.notes.push_back({.kind = NoteKind::missing_page, .lead = {}});
        return;
      }
    }
  }

  void read(const elf::RelocationRange& range, bool is_plt) {
    const std::size_t count = range.size();
    for (std::size_t i = 0; i < count; ++i) {
      const elf::Relocation relocation = range.at(i);
      const RelocationKind kind = file_.kinds().of(relocation.type);
      if (kind == RelocationKind::relative || kind == RelocationKind::none ||
          kind == RelocationKind::indirect) {
        if (file_.is_torn()) check_place(relocation, kind, is_plt);
        continue;
      }
      take(relocation, kind, is_plt);
    }
  }

  void check_place(const elf::Relocation& relocation, RelocationKind kind, bool is_plt) {
    if (kind == RelocationKind::none || !file_.is_missing(relocation.offset)) return;
    note(NoteKind::missing_page, relocation, kind, is_plt, {});
  }

  void take(const elf::Relocation& relocation, RelocationKind kind, bool is_plt) {
    const bool waits = is_plt && options_.calls != Calls::bind && kind == RelocationKind::call;
    if (waits && options_.calls == Calls::leave) {
      if (file_.is_torn()) check_place(relocation, kind, is_plt);
      return;
    }
    time_ = waits ? BindingTime::at_call : BindingTime::at_load;
    if (kind == RelocationKind::unknown) {
      if (file_.kinds().are_known()) note(NoteKind::bad_type, relocation, kind, is_plt, {});
      return;
    }
    const Remembered& known = look(relocation, kind, is_plt);
    if (known.is_known) tell_effects(relocation, kind, is_plt, known);
    if (file_.is_torn()) check_place(relocation, kind, is_plt);
  }

  const Remembered& look(const elf::Relocation& relocation, RelocationKind kind, bool is_plt) {
    const ReferenceClass reference = class_of(kind);
    const bool is_again = last_symbol_ == relocation.symbol && last_class_ == reference;
    last_symbol_ = relocation.symbol;
    last_class_ = reference;
    const bool is_remembered =
        reference != ReferenceClass::copy && relocation.symbol < most_remembered;
    Remembered& slot = is_remembered ? slot_of(relocation.symbol, reference) : unremembered_;
    if (is_again && slot.is_known) return slot;
    const bool is_first = !is_remembered || !slot.is_known;
    if (is_first) slot = find(relocation.symbol, reference);
    if (slot.is_known && !slot.is_own) {
      tell_lookup(relocation, kind, is_plt, slot, is_first);
    }
    return slot;
  }

  Remembered& slot_of(std::uint32_t symbol, ReferenceClass reference) {
    auto& numbers = reference == ReferenceClass::call ? calls_ : data_;
    if (symbol >= numbers.size()) {
      const std::size_t wanted = std::size_t{symbol} + 1;
      numbers.resize(std::max(wanted, std::min(wanted * 2, std::size_t{most_remembered})), 0);
    }
    if (numbers[symbol] == 0) {
      remembered_.emplace_back();
      numbers[symbol] = static_cast<std::uint32_t>(remembered_.size());
    }
    return remembered_[numbers[symbol] - 1];
  }

  /// resolve_map and _dl_lookup_symbol_x.
  Remembered find(std::uint32_t symbol, ReferenceClass reference) const {
    Remembered found;
    const auto known = file_.reference(symbol);
    if (!known) return found;
    found.is_known = true;
    found.is_protected = is_protected(known->record);
    if (known->is_own()) {
      found.is_own = true;
      found.lead = own_lead(symbol, known->record);
      return found;
    }
    SymbolWanted wanted{.name = known->name,
                        .hash = known->hash,
                        .version = known->version,
                        .reference = reference,
                        .provider = provider_of(state_, known->version)};
    found.lead = look_up(scope_, wanted, options_.lookup);
    const bool may_be_kept = found.lead.found == Found::defined && found.is_protected;
    if (!may_be_kept || found.lead.at.object == object_) return found;
    if (reference != ReferenceClass::call) {
      wanted.reference = ReferenceClass::call;
      const Lead called = look_up(scope_, wanted, options_.lookup);
      if (called.found != Found::defined || called.at.object == object_) return found;
    }
    found.lead = own_lead(symbol, known->record);
    return found;
  }

  Lead own_lead(std::uint32_t symbol, const elf::SymbolRecord& record) const {
    return {.found = Found::defined, .at = {object_, symbol}, .record = record, .file = &file_};
  }

  /// What happens each time a symbol is looked up.
  void tell_lookup(const elf::Relocation& relocation, RelocationKind kind, bool is_plt,
                   const Remembered& known, bool is_first) {
    const Lead& lead = known.lead;
    if (lead.found == Found::nowhere && is_first) {
      note(NoteKind::undefined, relocation, kind, is_plt, lead);
    }
    if (lead.found == Found::not_in_provider && is_first) {
      note(NoteKind::not_in_provider, relocation, kind, is_plt, lead);
    }
    if (lead.found != Found::defined) return;
    if (lead.is_unversioned) note(NoteKind::unversioned, relocation, kind, is_plt, lead);
    if (is_program_ && lead.at.object != object_ && is_protected(lead.record)) {
      note(NoteKind::is_protected, relocation, kind, is_plt, lead);
    }
    if (!is_first) return;
    if (lead.is_unique()) note(NoteKind::unique, relocation, kind, is_plt, lead);
    if (options_.keeps_bound) {
      result_.bound.push_back({.from = object_,
                               .to = lead.at.object,
                               .symbol = relocation.symbol,
                               .is_protected = known.is_protected});
    }
    if (lead.at.object != object_ && !lead.is_unique()) add_target(lead.at.object);
  }

  void add_target(Id<Object> target) {
    if (target.index >= is_target_.size()) is_target_.resize(std::size_t{target.index} + 1, 0);
    if (std::exchange(is_target_[target.index], 1) == 0) result_.bound_to.push_back(target);
  }

  /// elf_machine_rela with the symbol found.
  void tell_effects(const elf::Relocation& relocation, RelocationKind kind, bool is_plt,
                    const Remembered& known) {
    const Lead& lead = known.lead;
    if (lead.found != Found::defined) return;
    if (is_ifunc(lead) && lead.at.object != object_) {
      note(NoteKind::indirect, relocation, kind, is_plt, lead);
    }
    if (kind == RelocationKind::copy) note(NoteKind::copy, relocation, kind, is_plt, lead);
    if (kind == RelocationKind::tls_static) {
      note(NoteKind::static_tls, relocation, kind, is_plt, lead);
    }
    if (kind == RelocationKind::tls_descriptor) {
      note(NoteKind::tls_descriptor, relocation, kind, is_plt, lead);
    }
  }

  void note(NoteKind what, const elf::Relocation& relocation, RelocationKind kind, bool is_plt,
            const Lead& lead) {
    result_.notes.push_back({.kind = what,
                             .time = time_,
                             .relocation = kind,
                             .type = relocation.type,
                             .symbol = relocation.symbol,
                             .is_in_plt = is_plt,
                             .lead = lead,
                             .bound = static_cast<std::uint32_t>(result_.bound.size())});
  }

  const ProcessState& state_;
  Id<Object> object_;
  bool is_program_;
  const SymbolFile& file_;
  const Scope& scope_;
  const ReadingOptions& options_;
  ObjectReferences result_;
  BindingTime time_ = BindingTime::at_load;
  std::uint32_t last_symbol_ = 0;
  std::optional<ReferenceClass> last_class_;
  std::vector<std::uint32_t> data_;   // by symbol: 1 + index in remembered_
  std::vector<std::uint32_t> calls_;  // the same for the other class
  std::vector<Remembered> remembered_;
  Remembered unremembered_;
  std::vector<char> is_target_;
};

}  // namespace

ObjectReferences read_references(const ProcessState& state, Id<Object> object,
                                 const SymbolFile& file, const Scope& scope,
                                 const ReadingOptions& options) {
  return Reading(state, object, file, scope, options).run();
}

}  // namespace whyso::loader
