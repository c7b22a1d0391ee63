// SPDX-License-Identifier: Apache-2.0
// "For each index, write slot i": the only shape in which whyso uses threads.
#pragma once

#include <cstddef>
#include <functional>

namespace whyso {

/// Calls `work(i)` once for every i < count, on as many threads as there are cores (this one
/// included). `work` must write only to places that belong to i, and may throw: the exception of
/// the lowest index is thrown here after all threads have ended.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace whyso
