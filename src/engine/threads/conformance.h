// Whether the threads of a program conform to their abstract threads.
#pragma once

#include <deque>
#include <memory>
#include <set>
#include <string>

#include "formula/term.h"
#include "sequential/verify.h"
#include "simulation/simulation.h"
#include "simulation/team.h"

namespace concord::engine::threads {

// The check of one declaration of threads.
struct Conformance {
  const plato::Thread* declaration = nullptr;
  std::set<int> bodies;  // the procedures that it runs
  std::unique_ptr<formula::Pool> pool = std::make_unique<formula::Pool>();
  simulation::Simulation simulation;
  sequential::Verification verification;
  double time_ms = 0;
  std::string failure;  // an internal error, or why it cannot run
  bool internal_error = false;
};

// Of a program whose specification says nothing about steps (plato/bare.h).
std::deque<Conformance> check_conformance(const plato::Program& program, const spec::Derived& derived, IntMode ints,
                                          simulation::Defect defect, simulation::Team& team);

}  // namespace concord::engine::threads
