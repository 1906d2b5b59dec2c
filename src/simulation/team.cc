#include "simulation/team.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace concord::simulation {

Team::Team(const engine::Settings& settings, engine::Control& control, cache::Store* proofs)
    : workers_(std::max(1, settings.jobs)), control_(control) {
  options_.which = settings.solver == engine::SolverChoice::kZ3     ? smt::Which::kZ3
                   : settings.solver == engine::SolverChoice::kCvc5 ? smt::Which::kCvc5
                                                                    : smt::Which::kBoth;
  options_.timeout = settings.solver_timeout;
  options_.seed = settings.solver_seed;
  options_.dump_folder = settings.dump_smt;
  if (options_.which == smt::Which::kZ3) options_.proofs = proofs;
}

void Team::work(const std::string& what, std::size_t count, const Each& each) {
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  const auto worker = [&](std::size_t number) {
    while (true) {
      const std::size_t index = next++;
      if (index >= count) return;
      each(index, number);
      const std::lock_guard lock(mutex_);
      ++done;
      one_more_.notify_one();
    }
  };
  const auto members = std::min<std::size_t>(count, static_cast<std::size_t>(workers_));
  watched_.assign(members, nullptr);
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < members; ++i) threads.emplace_back([&, i] { worker(i); });
  std::unique_lock lock(mutex_);
  while (done < count) {
    one_more_.wait_for(lock, std::chrono::milliseconds(5));
    if (control_.on_progress) control_.on_progress({what, done, count});
    if (!control_.should_stop()) continue;
    for (smt::Solver* solver : watched_) {
      if (solver != nullptr) solver->interrupt();
    }
  }
}

sequential::Settings Team::settings(const std::string& name, std::size_t worker) {
  sequential::Settings out;
  out.should_stop = [this] { return control_.should_stop(); };
  out.watch = [this, worker](smt::Solver* solver) {
    const std::lock_guard lock(mutex_);
    watched_[worker] = solver;
  };
  out.solver = options_;
  out.solver.name = name;
  return out;
}

}  // namespace concord::simulation
