// What may be invariant: the formula that the paper's user has to find, by patterns.
//
// - The final condition, of the threads that have passed a position in place of all threads: sums and counts over those, what is said of each
//   thread of those only.
// - Accumulation and counting: a variable that each thread adds something to, which depends on the thread alone, is its first value and
//   what those have added that have passed.
// - Appending: an entry of a map that is filled where such a counter stands holds what the thread put there that was next.
// - The invariants that the user wrote.
//
// Nobody needs to trust any of it: what is not kept by every step is dropped (invariant.h).
#pragma once

#include <string>
#include <vector>

#include "engine/dynamic/system.h"

namespace concord::engine::dynamic {

struct Proposal {
  Claim claim;
  std::string text;  // for people
  const plato::Clause* clause =
      nullptr;  // what it comes from: an invariant of the user, or a final condition; else null
};

std::vector<Proposal> propose(System& system);

// What may be known of the local variables of a thread at a stop, by class and stop: the conditions on its way there, and what they were
// given, in terms of the state and of the local variables.
using Facts = std::vector<std::vector<std::vector<Term>>>;
Facts propose_facts(System& system);

}  // namespace concord::engine::dynamic
