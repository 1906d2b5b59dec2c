// Products, quotients and remainders that solvers are slow with: of two unknowns, or by a large number. Most proofs need no
// more of them than their bounds. So each gets a name, and what it is stands aside until a proof fails without.
#pragma once

#include <unordered_map>
#include <vector>

#include "sequential/passive.h"

namespace concord::sequential {

struct Arithmetic {
  struct Named {
    Term bounds;  // what is known of it at once; may be true
    Term definition;
    std::vector<Term> needs;  // other names in them
  };
  std::unordered_map<Term, Named> named;  // by name

  std::vector<Term> names_in(Term formula) const;
};

// Takes it out of the formulas and claims.
Arithmetic set_aside(formula::Pool& pool, Passive& passive);

}  // namespace concord::sequential
