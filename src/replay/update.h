// STEP, LOCK and UNLOCK: what the operations of a step do, one after the other, as values in terms of the state before them.
#pragma once

#include <vector>

#include "replay/meaning.h"

namespace concord::replay {

// What the program claims on the way.
struct Claim {
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange at;
  Term holds = nullptr;
  std::size_t path = 0;  // so many parts of the path condition come before it
};

struct Update {
  std::vector<Term> path;  // the path condition, and what the language guarantees
  std::vector<Claim> claims;
  State state;  // afterwards
  std::vector<Term> locals;
  std::vector<Term> chosen;  // unknown values, in the order in which they come up
};

// The thread `thread` of the class, whose local variables have these values, takes these edges.
Update take(Terms& terms, const ThreadClass& of, Term thread, const State& before, const std::vector<Term>& locals,
            const std::vector<const Edge*>& way);
// Local variables where the thread enters: parameters are what it is given in the first state, others have their defaults.
std::vector<Term> entered_locals(Terms& terms, const ThreadClass& of, Term thread, const State& first);

}  // namespace concord::replay
