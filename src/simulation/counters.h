// Counters of a loop: local variables that only grow in it, or only shrink, by constants. What they are compared with limits
// them; so what holds of them at every round can be guessed. It is a guess: not all that changes a variable is looked at.
#pragma once

#include <vector>

#include "plato/flow.h"

namespace concord::simulation {

struct Counter {
  int slot = -1;
  bool grows = true;
  struct Limit {
    const plato::Expr* value = nullptr;  // does not change in the loop, unless it is a field
    bool is_field = false;               // read anew every time round
    int beyond = 0;                      // the counter may go so far beyond it
  };
  std::vector<Limit> limits;
};

std::vector<Counter> counters(const plato::Flow& flow, int head);

}  // namespace concord::simulation
