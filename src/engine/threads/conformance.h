// Whether the threads of a program conform to their abstract threads.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "formula/term.h"
#include "sequential/verify.h"
#include "simulation/simulation.h"
#include "simulation/team.h"

namespace concord::engine::threads {

// The check of the threads of one declaration, or of those that are started at one procedure.
struct Conformance {
  const plato::Abstracted* claim = nullptr;  // null: none is made, the code alone is looked at
  int entry = -1;
  std::set<int> bodies;  // the procedures that it runs
  std::unique_ptr<formula::Pool> pool = std::make_unique<formula::Pool>();
  simulation::Simulation simulation;
  sequential::Verification verification;
  double time_ms = 0;
  std::string failure;  // an internal error, or why it cannot run
  bool internal_error = false;

  bool is_proved() const;
};

// Of a program whose specification says nothing about steps (plato/bare.h). One member of the team does something else meanwhile.
std::deque<Conformance> check_conformance(const plato::Program& program, const spec::Derived& derived, IntMode ints,
                                          simulation::Defect defect, simulation::Team& team,
                                          const std::function<void(std::size_t worker)>& meanwhile);

// The threads without an abstract thread: what their code claims, whatever others do.
std::deque<Conformance> check_bystanders(const plato::Program& program, const spec::Derived& derived, IntMode ints,
                                         simulation::Defect defect, simulation::Team& team);

}  // namespace concord::engine::threads
