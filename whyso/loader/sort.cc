// SPDX-License-Identifier: Apache-2.0
#include "whyso/loader/sort.h"

#include <algorithm>
#include <utility>

namespace whyso::loader {
namespace {

// The older algorithm moves objects about, which takes the cube of their number.
constexpr std::size_t most_for_moving = 1024;

/// Post-order over dependencies (dfs_traversal), without recursion: chains may be long.
class DepthFirst {
 public:
  DepthFirst(const ProcessState& state, bool takes_relocations)
      : state_(state),
        takes_relocations_(takes_relocations),
        is_visited_(state.objects.table().size(), 0) {}

  void visit_backwards(std::span<const Id<Object>> objects) {
    for (std::size_t i = objects.size(); i-- > 0;) visit(objects[i]);
  }

  /// The last that was left stands first.
  [[nodiscard]] std::vector<Id<Object>> result() && {
    std::ranges::reverse(left_);
    return std::move(left_);
  }
  [[nodiscard]] bool saw_relocations() const { return saw_relocations_; }

 private:
  struct Step {
    Id<Object> object;
    std::size_t next = 0;
  };

  void visit(Id<Object> object) {
    if (std::exchange(is_visited_[object.index], 1) != 0) return;
    std::vector<Step> path{{object}};
    while (!path.empty()) {
      const auto next = next_of(path.back());
      if (next) {
        is_visited_[next->index] = 1;
        path.push_back({*next});
      } else {
        left_.push_back(path.back().object);
        path.pop_back();
      }
    }
  }

  /// The next dependency that was not visited; those by relocation come last, backwards.
  std::optional<Id<Object>> next_of(Step& step) {
    const auto needs = needs_of(state_, step.object);
    const IdList list = state_.objects[step.object].relocation_needs;
    const auto relocations =
        takes_relocations_ ? state_.lists.of(list) : std::span<const Id<Object>>();
    saw_relocations_ |= !relocations.empty();
    while (step.next < needs.size() + relocations.size()) {
      const std::size_t at = step.next++;
      const Id<Object> need =
          at < needs.size() ? needs[at] : relocations[needs.size() + relocations.size() - 1 - at];
      if (is_visited_[need.index] == 0 && need != program_id) return need;
    }
    return std::nullopt;
  }

  const ProcessState& state_;
  bool takes_relocations_;
  bool saw_relocations_ = false;
  std::vector<char> is_visited_;
  std::vector<Id<Object>> left_;
};

std::vector<Id<Object>> depth_first(const ProcessState& state, std::span<const Id<Object>> objects,
                                    SortFor purpose) {
  DepthFirst first(state, purpose == SortFor::close);
  first.visit_backwards(objects);
  const bool goes_again = first.saw_relocations();
  std::vector<Id<Object>> order = std::move(first).result();
  if (!goes_again) return order;
  DepthFirst second(state, false);
  second.visit_backwards(order);
  return std::move(second).result();
}

bool needs(const ProcessState& state, Id<Object> object, Id<Object> other) {
  return std::ranges::find(needs_of(state, object), other) != needs_of(state, object).end();
}

/// _dl_sort_maps_original: an object is moved behind the last one that needs it.
class MovingSort {
 public:
  MovingSort(const ProcessState& state, std::span<Id<Object>> objects, bool for_close)
      : state_(state), objects_(objects), seen_(objects.size(), 0), for_close_(for_close) {}

  void run() {
    std::size_t i = 0;
    while (i < objects_.size()) {
      ++seen_[i];
      const auto behind = last_that_needs(i);
      if (behind && !is_stuck(i)) {
        std::rotate(seen_.begin() + at(i), seen_.begin() + at(i) + 1,
                    seen_.begin() + at(*behind) + 1);
        continue;
      }
      ++i;
      std::fill(seen_.begin() + at(std::min(i, seen_.size())), seen_.end(), 0);
    }
  }

 private:
  static std::ptrdiff_t at(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }

  /// Moves objects_[i] behind the last one that needs it and says where it is now.
  std::optional<std::size_t> last_that_needs(std::size_t i) {
    for (std::size_t k = objects_.size() - 1; k > i; --k) {
      if (!depends(objects_[k], objects_[i])) continue;
      std::rotate(objects_.begin() + at(i), objects_.begin() + at(i) + 1,
                  objects_.begin() + at(k) + 1);
      return k;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool depends(Id<Object> object, Id<Object> other) const {
    if (needs(state_, object, other)) return true;
    if (!for_close_) return false;
    const auto relocations = state_.lists.of(state_.objects[object].relocation_needs);
    return std::ranges::find(relocations, other) != relocations.end() &&
           !needs(state_, other, object);
  }

  [[nodiscard]] bool is_stuck(std::size_t i) const {
    return i + 1 < seen_.size() && seen_[i + 1] > objects_.size() - i;
  }

  const ProcessState& state_;
  std::span<Id<Object>> objects_;
  std::vector<std::size_t> seen_;
  bool for_close_;
};

}  // namespace

std::span<const Id<Object>> needs_of(const ProcessState& state, Id<Object> object) {
  const Object& known = state.objects[object];
  return state.lists.of(known.init_order.is_empty() ? known.needs : known.init_order);
}

std::vector<Id<Object>> sorted(const ProcessState& state, std::span<const Id<Object>> objects,
                               SortFor purpose) {
  const LoaderRules& rules = state.loader->rules();
  if (!rules.is_at_least(35) && objects.size() <= most_for_moving) {
    std::vector<Id<Object>> order(objects.begin(), objects.end());
    if (order.size() > 2) {
      MovingSort(state, std::span(order).subspan(1), purpose == SortFor::close).run();
    }
    return order;
  }
  std::vector<Id<Object>> order = depth_first(state, objects, purpose);
  // New in 2.37, and in the stable branches of 2.35 and 2.36.
  const bool keeps_first = purpose == SortFor::start_or_open;
  if (keeps_first && !order.empty()) {
    const auto first = std::ranges::find(order, objects.front());
    if (first != order.end()) std::rotate(order.begin(), first, first + 1);
  }
  return order;
}

}  // namespace whyso::loader
