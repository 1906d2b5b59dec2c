// E* may be replaced by E only if E is reflexive and transitive. This finds out, and where it is not, which conjuncts may be
// kept: those that are reflexive and, together, transitive. Leaving out the others assumes less of other threads, which is
// always sound.
#pragma once

#include <vector>

#include "engine/modular/simulation.h"
#include "sequential/verify.h"

namespace concord::engine::modular {

Closure closure_of(const plato::Program& program, const spec::Specification& specification, IntMode ints,
                   const sequential::Settings& settings);

// Which actions of a procedure a step that changes nothing may perform.
std::vector<bool> stuttering_actions(const plato::Program& program, const spec::Specification& specification,
                                     IntMode ints, int procedure, const sequential::Settings& settings);

}  // namespace concord::engine::modular
