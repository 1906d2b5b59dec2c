// A solver that tells who watches it when it begins and when it ends to exist.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "smt/solver.h"

namespace concord::sequential {

struct Settings {
  smt::Options solver;
  int probes = 0;                           // how many
  std::size_t most_at_once = 4'000;         // a program with more formulas and claims is checked window by window
  std::function<bool()> should_stop;        // polled between checks
  std::function<void(smt::Solver*)> watch;  // told which solver is working (null: none), to interrupt it
  std::function<void(int tag)> on_failure;  // told which obligation is not proved; may be empty
  std::function<bool(int tag)>
      is_pointless;  // whether nobody needs to know if the obligation can be proved; may be empty
};

// Whether what is proved is kept for later runs: not where most questions have models, which are not.
enum class Remembers { kNo, kYes };

class Watched {
 public:
  // The purpose goes into the names of dumped files: different ones for the solvers of one job.
  Watched(const Settings& settings, const std::string& purpose, Remembers remembers = Remembers::kNo)
      : settings_(settings) {
    smt::Options options = settings.solver;
    options.name += "-" + purpose;
    if (remembers == Remembers::kNo) options.proofs = nullptr;
    solver_ = smt::make_solver(options);
    if (settings_.watch) settings_.watch(solver_.get());
  }
  ~Watched() {
    if (settings_.watch) settings_.watch(nullptr);
  }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  smt::Solver* operator->() const { return solver_.get(); }
  smt::Solver& operator*() const { return *solver_; }

 private:
  const Settings& settings_;
  std::unique_ptr<smt::Solver> solver_;
};

}  // namespace concord::sequential
