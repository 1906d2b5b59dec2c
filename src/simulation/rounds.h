// Rounds: a thread that does one of several things again and again, as clients of a library do, is checked one thing at a
// time. Whatever was done before, a round begins in a state that satisfies the invariants, and that is all it knows.
#pragma once

#include <vector>

#include "plato/flow.h"

namespace concord::simulation {

// A part of a procedure that is checked by itself: from one node to the head of its loop, or to its end.
struct Round {
  int from = 0;
  int head = -1;                      // -1: the whole procedure
  const plato::Stmt* what = nullptr;  // null: what is before the loop, or its end
};

// What a procedure comes to that ends with `while (*) { choose { … } or { … } }` and carries no local variable from one round
// to the next: each of these things, what is before the loop, and its end. Any other is one part.
std::vector<Round> rounds(const plato::Procedure& procedure);

}  // namespace concord::simulation
