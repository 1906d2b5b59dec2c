// E* may be replaced by E only if E is reflexive and transitive. This finds out, and where it is not, which conjuncts may be
// kept: those that are reflexive and, together, transitive. Leaving out the others assumes less of other threads, which is
// always sound.
#pragma once

#include <vector>

#include "sequential/verify.h"
#include "simulation/simulation.h"

namespace concord::simulation {

Closure closure_of(const plato::Program& program, const spec::Specification& specification, engine::IntMode ints,
                   const sequential::Settings& settings);

// Which actions of a procedure a step that changes nothing may perform.
std::vector<bool> stuttering_actions(const plato::Program& program, const spec::Specification& specification,
                                     engine::IntMode ints, int procedure, const sequential::Settings& settings);
// Which edges of an abstract thread a step that changes nothing may take.
std::vector<bool> stuttering_edges(const plato::Program& program, const spec::Specification& specification,
                                   engine::IntMode ints, const plato::AbstractThread& machine,
                                   const sequential::Settings& settings);

}  // namespace concord::simulation
