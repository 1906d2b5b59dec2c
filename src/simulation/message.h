// A failed obligation in words: which claim it is about, and the values of a counterexample.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "sequential/verify.h"
#include "simulation/simulation.h"

namespace concord::simulation {

// Of an obligation about F: the action that is due at the furthest position; otherwise the claim there is.
const Claim& broken_claim(const Obligation& obligation, const sequential::Outcome& outcome);

// Says in the result of the claim why the obligation failed: related places, and the counterexample.
void explain(const Obligation& obligation, const sequential::Outcome& outcome, const Claim& claim,
             const std::set<std::string>& names, engine::PropertyResult& result);

// The obligations of the check of `part` and what came of them, for a person to look at.
std::vector<engine::Question> questions(const base::SourceMap& sources, const std::string& part,
                                        const Simulation& simulation, const sequential::Verification& verification,
                                        engine::SolverChoice solver);

// Values for which a proof failed, some of those that nobody would try otherwise.
void suggest_ints(const sequential::Verification& verification, const engine::Settings& settings,
                  std::set<std::int64_t>& found);

}  // namespace concord::simulation
