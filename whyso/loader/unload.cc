// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/unload.h"

#include <algorithm>
#include <utility>

#include "whyso/loader/sort.h"

namespace whyso::loader {
namespace {

/// Static TLS that is given back; only one stretch at the end of what is used can be.
class FreedTls {
 public:
  explicit FreedTls(StaticTls& tls) : tls_(tls) {}

  void free(const Object& object) {
    const std::uint64_t begin = object.tls_begin;
    const std::uint64_t end = object.tls_end;
    if (end_ == 0 || end == begin_) {
      begin_ = begin;
      if (end_ == 0) end_ = end;
    } else if (begin == end_) {
      end_ = end;
    } else if (end_ == tls_.used()) {
      tls_.set_used(begin_);
      begin_ = begin;
      end_ = end;
    } else if (end == tls_.used()) {
      tls_.set_used(begin);
    } else if (end_ < end) {
      begin_ = begin;
      end_ = end;
    }
  }

  void finish() {
    if (end_ != 0 && end_ == tls_.used()) tls_.set_used(begin_);
  }

 private:
  StaticTls& tls_;
  std::uint64_t begin_ = 0;
  std::uint64_t end_ = 0;
};

class Unloading {
 public:
  explicit Unloading(ProcessState& state)
      : state_(state), is_used_(state.objects.table().size(), 0) {}

  std::vector<Id<Object>> run(bool is_forced) {
    mark();
    std::vector<Id<Object>> unused;
    for (const Id<Object> id : state_.objects.order()) {
      if (!is_used(id)) unused.push_back(id);
    }
    if (unused.empty()) return unused;
    for (const Id<Object> id : state_.objects.order()) {
      if (is_used(id) && !state_.objects[id].is_from_start) leave(id);
    }
    give_back_tls();
    Object& program = state_.objects[program_id];
    program.search_list = without_unused(program.search_list);
    for (const Id<Object> id : unused) {
      if (is_forced) state_.unique.remove(id);
    }
    state_.objects.unmap(unused);
    return unused;
  }

 private:
  [[nodiscard]] bool is_used(Id<Object> id) const { return is_used_[id.index] != 0; }

  void mark() {
    std::vector<Id<Object>> reached;
    const auto reach = [&](Id<Object> id) {
      if (std::exchange(is_used_[id.index], 1) == 0) reached.push_back(id);
    };
    for (const Id<Object> id : state_.objects.order()) {
      const Object& object = state_.objects[id];
      const bool is_library = object.kind == ObjectKind::library;
      if (!is_library || object.is_from_start || object.is_kept || object.open_count > 0) reach(id);
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const auto needs = needs_of(state_, reached[i]);
      // The first is the object itself; so glibc has it where a circle put another there, too.
      if (!needs.empty()) std::ranges::for_each(needs.subspan(1), reach);
      std::ranges::for_each(state_.lists.of(state_.objects[reached[i]].relocation_needs), reach);
    }
  }

  /// An object that stays does without the scopes of those that go.
  void leave(Id<Object> id) {
    Object& object = state_.objects[id];
    const auto scope = state_.lists.of(object.scope);
    const bool loses_some =
        std::ranges::any_of(scope, [&](Id<Object> root) { return !is_used(root); });
    bool needs_own = object.search_list.is_empty() && !object.needs.is_empty();
    if (loses_some) {
      std::vector<Id<Object>> remaining;
      for (const Id<Object> root : scope) {
        if (is_used(root)) {
          remaining.push_back(root);
        } else if (std::exchange(needs_own, false)) {
          object.search_list = object.needs;
          object.is_opened = true;
          remaining.push_back(id);
        }
      }
      object.scope = state_.lists.add(remaining);
    }
    if (object.parent && !is_used(*object.parent)) object.parent.reset();
  }

  void give_back_tls() {
    FreedTls freed(state_.tls);
    for (const Id<Object> id : sorted(state_, state_.objects.order(), SortFor::close)) {
      const Object& object = state_.objects[id];
      if (!is_used(id) && object.tls_end != 0 && !object.is_tls_dynamic) freed.free(object);
    }
    freed.finish();
  }

  IdList without_unused(IdList list) {
    std::vector<Id<Object>> kept;
    for (const Id<Object> id : state_.lists.of(list)) {
      if (is_used(id)) kept.push_back(id);
    }
    return kept.size() == list.size ? list : state_.lists.add(kept);
  }

  ProcessState& state_;
  std::vector<char> is_used_;
};

}  // namespace

std::vector<Id<Object>> unload_unused(ProcessState& state, bool is_forced) {
  return Unloading(state).run(is_forced);
}

}  // namespace whyso::loader
