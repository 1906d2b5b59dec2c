// Proofs worked on in parallel: each worker has a solver, and whoever waits for them interrupts it when time is up.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sequential/watched.h"
#include "smt/solver.h"

namespace concord::cache {
class Store;
}

namespace concord::simulation {

class Team {
 public:
  // `proofs`: where what is proved is looked up and kept; may be null.
  Team(const engine::Settings& settings, engine::Control& control, cache::Store* proofs = nullptr);

  // Calls `each` for every number below `count`, on some worker.
  using Each = std::function<void(std::size_t number, std::size_t worker)>;
  void work(const std::string& what, std::size_t count, const Each& each);
  // For the solvers of one job.
  sequential::Settings settings(const std::string& name, std::size_t worker);

 private:
  const int workers_;
  engine::Control& control_;
  smt::Options options_;
  std::mutex mutex_;  // of the rest
  std::condition_variable one_more_;
  std::vector<smt::Solver*> watched_;  // by worker
};

}  // namespace concord::simulation
