// The abstract threads together: assertions of their nodes, invariants, and the threads that have no abstract thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sequential/watched.h"
#include "simulation/simulation.h"
#include "spec/derived.h"

namespace concord::engine::threads {

struct Composition {
  std::map<std::string, PropertyResult> results;  // by property
  std::vector<std::string> assumptions;
  std::vector<std::string> inferred;  // what the proof rests on
  std::map<std::string, std::int64_t> statistics;
  std::vector<Question> questions;         // only if Settings::keeps_evidence
  std::vector<simulation::Probe> vacuous;  // that nothing ever happens
  std::string trouble;                     // why nothing is known of it; empty: that is not so
  bool internal_error = false;

  bool is_verified() const;
};

// For every number of threads: a proof, or nothing is known. `program` says nothing about steps (plato/bare.h), and threads
// without an abstract thread do nothing but initialise (plato/started.h).
Composition prove_composition(const plato::Program& program, const spec::Derived& derived, const Task& task,
                              Control& control, const sequential::Settings& settings);

// For the given number of threads: the abstract program is explored.
Composition explore_composition(const plato::Program& program, const Task& task, Control& control);

}  // namespace concord::engine::threads
