// SPDX-License-Identifier: Apache-2.0
#include "whyso/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
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

namespace {

/// Hands out slots until all are done and no call can add more.
class GrowingWork {
 public:
  GrowingWork(std::size_t count, const std::function<std::size_t(std::size_t)>& work)
      : count_(count), work_(work) {}

  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return next_ < count_ || busy_ == 0; });
      if (next_ >= count_) return;
      const std::size_t slot = next_++;
      ++busy_;
      lock.unlock();
      const std::size_t added = added_by(slot);
      lock.lock();
      --busy_;
      count_ = failed_ ? 0 : count_ + added;
      if (added > 0 || busy_ == 0) changed_.notify_all();
    }
  }

  void rethrow() const {
    if (failed_) std::rethrow_exception(failed_);
  }

 private:
  std::size_t added_by(std::size_t slot) {
    try {
      return work_(slot);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failed_ = std::current_exception();
      return 0;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_;
  std::size_t next_ = 0;
  std::size_t busy_ = 0;
  std::exception_ptr failed_;
  const std::function<std::size_t(std::size_t)>& work_;
};

}  // namespace

void for_each_growing(std::size_t count, const std::function<std::size_t(std::size_t)>& work) {
  GrowingWork all(count, work);
  {
    std::vector<std::jthread> threads;
    for (std::size_t t = 1; t < std::max(1U, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back([&all] { all.run(); });
    }
    all.run();
  }
  all.rethrow();
}

}  // namespace whyso
