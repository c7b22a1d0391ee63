// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace whyso {
namespace {

struct Failure {
  std::size_t index = 0;
  std::exception_ptr exception;
};

Failure run_share(std::atomic<std::size_t>& next, std::size_t count,
                  const std::function<void(std::size_t)>& work) {
  for (std::size_t i = next++; i < count; i = next++) {
    try {
      work(i);
    } catch (...) {
      return {i, std::current_exception()};
    }
  }
  return {count, nullptr};
}

}  // namespace

void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t shares = std::min(cores, std::max<std::size_t>(count, 1));
  std::atomic<std::size_t> next = 0;
  std::vector<Failure> failures(shares);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < shares; ++t) {
      threads.emplace_back([&, t] { failures[t] = run_share(next, count, work); });
    }
    failures[0] = run_share(next, count, work);
  }
  const auto first = std::ranges::min_element(failures, {}, [count](const Failure& failure) {
    return failure.exception ? failure.index : count;
  });
  if (first->exception) std::rethrow_exception(first->exception);
}

}  // namespace whyso
