// A failed obligation in words: which claim it is about, and the values of a counterexample.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "engine/evidence.h"
#include "sequential/verify.h"
#include "simulation/simulation.h"

namespace concord::simulation {

// Of an obligation about F: the action that is due at the furthest position; otherwise the claim there is.
const Claim& broken_claim(const Obligation& obligation, const sequential::Outcome& outcome);

std::vector<engine::Related> explanation(const Obligation& obligation, const sequential::Outcome& outcome,
                                         const Claim& claim, const std::set<std::string>& names);

}  // namespace concord::simulation
