#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace concord::base {

void in_parallel(std::size_t jobs, std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::exception_ptr> trouble(std::min(jobs, count));
  const auto worker = [&](std::size_t number) {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) { trouble[number] = std::current_exception(); }
  };
  if (trouble.empty()) return;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < trouble.size(); ++i) threads.emplace_back(worker, i);
    worker(0);
  }
  for (const std::exception_ptr& it : trouble) {
    if (it) std::rethrow_exception(it);
  }
}

}  // namespace concord::base
