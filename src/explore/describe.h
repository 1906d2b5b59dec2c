// States in the user's words: values by type, and what changed in a step.
#pragma once

#include <string>
#include <vector>

#include "engine/evidence.h"
#include "explore/machine.h"

namespace concord::explore {

std::string describe(const Machine& machine, const State& state, const plato::Type& type, const Value& value);
// The shared variables and the program's symbolic constants in an initial state.
engine::Changes describe_initial(const Machine& machine, const State& state);
// What the step of `self` changed: shared locations first, then its locals.
engine::Changes describe_changes(const Machine& machine, const State& before, const State& after, Scalar self);

// "m", "Node@1.lock", "forks[2]", "Node@1's monitor"
std::string describe_lock(const Machine& machine, const State& state, const Lock& lock);

// Everything, between two steps; of locks those in `locks`.
engine::Situation describe_situation(const Machine& machine, const State& state, const std::vector<Lock>& locks);

}  // namespace concord::explore
