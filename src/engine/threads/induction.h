// Which of many guesses are kept by every step of a loop, and fewest of them that say the same.
//
// Commands are executed one by one on terms. A guess that a model of some step breaks is dropped, with all others that the
// same model breaks (Houdini), until nothing is broken. Nobody needs to trust the result: sequential/verify.h looks at it again.
#pragma once

#include <vector>

#include "sequential/program.h"
#include "sequential/watched.h"

namespace concord::engine::threads {

// Of a program that comes from block 0 to the head of a loop, and from there by one more block back to it. By number among the
// invariants of the head.
std::vector<int> inductive(formula::Pool& pool, const sequential::Program& program, int head,
                           const sequential::Settings& settings);

}  // namespace concord::engine::threads
