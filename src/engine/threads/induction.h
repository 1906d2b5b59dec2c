// Which of many guesses are needed to prove claims about a loop by induction.
//
// Commands are executed one by one on terms. A step that may break a claim begins in a state; a guess that does not hold there is
// needed, and must be kept by every step as well. Where there is none, what the step breaks is dropped, and what needed it is
// looked at again. So a claim is dropped only if it is not in the largest set of guesses that every step keeps (what Houdini finds,
// looking at every guess): with hundreds of guesses and a dozen that matter, this is much faster, and says why a claim holds.
// Nobody needs to trust the result: sequential/verify.h looks at it again.
#pragma once

#include <vector>

#include "sequential/program.h"
#include "sequential/watched.h"

namespace concord::engine::threads {

// Of a program that comes from block 0 to the head of a loop, and from there by one more block back to it. `claims`: those among
// the invariants of the head that matter. Those of them that are kept, and what they need, by number among the invariants.
std::vector<int> inductive(formula::Pool& pool, const sequential::Program& program, int head,
                           const std::vector<int>& claims, const sequential::Settings& settings);

}  // namespace concord::engine::threads
