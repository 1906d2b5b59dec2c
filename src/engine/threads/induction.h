// Which of many guesses are kept by every step of a loop, and fewest of them that say the same.
//
// Commands are executed one by one on terms. A guess that a model of some step breaks is dropped, with all others that the
// same model breaks (Houdini), until nothing is broken. Nobody needs to trust the result: sequential/verify.h looks at it again.
#pragma once

#include <vector>

#include "sequential/program.h"
#include "sequential/watched.h"

namespace concord::engine::threads {

struct Inductive {
  std::vector<int> kept;   // by number among the invariants of the head
  bool has_claims = true;  // none of them was dropped
};

// Of a program that comes from block 0 to the head of a loop, and from there by one more block back to it. `claims`: those among
// the invariants of the head that matter; `needs_claims`: if one of them is dropped, nothing else does.
Inductive inductive(formula::Pool& pool, const sequential::Program& program, int head, const std::vector<int>& claims,
                    bool needs_claims, const sequential::Settings& settings);

}  // namespace concord::engine::threads
