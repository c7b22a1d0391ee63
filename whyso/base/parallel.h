// SPDX-License-Identifier: Apache-2.0
// "For each index, write slot i": the only shape in which whyso uses threads, also where the work
// itself finds more slots.
#pragma once

#include <cstddef>
#include <functional>

namespace whyso {

/// Calls `work(i)` once for every i < count, on as many threads as there are cores (this one
/// included). `work` must write only to places that belong to i, and may throw: the exception of
/// the lowest index is thrown here after all threads have ended.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

/// The same where `work(i)` may add slots behind all there are, and returns how many it added:
/// calls it once for each slot, in no order, until none is left. What throws ends all work.
void for_each_growing(std::size_t count, const std::function<std::size_t(std::size_t)>& work);

}  // namespace whyso
