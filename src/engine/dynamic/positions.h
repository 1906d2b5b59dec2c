// Positions (section 2.0.6): where a thread may stand when others move.
//
// The paper numbers the statements and lets each thread visit each of them exactly once, in order, doing nothing where its way through
// the code does not lead. Here a thread stands at stops: the beginning, the end, and wherever a step that may be looked at as one
// (atomicity.h) is over. Stops that lead to each other, as in a loop, are one position; positions are numbered so that a thread never comes back
// to one that it has passed. A step that leads from position i to position k passes i, …, k - 1 at once: those in between are the
// ones in the wrong branch. So each thread passes each position once, whatever its way, and in a loop as well.
#pragma once

#include <vector>

#include "engine/dynamic/atomicity.h"

namespace concord::engine::dynamic {

// One way from a stop to the next, as one step.
struct Way {
  int from = 0;  // stops
  int to = 0;
  std::vector<const CodeEdge*> edges;
  bool may_end_behind_write = false;  // then a state that it comes to is none of those before and after it
};

struct Positions {
  std::vector<int> stops;  // nodes; the first is the entry, the second the end
  std::vector<Way> ways;
  std::vector<int> position;  // by stop; of the end: `count`
  int count = 0;              // of positions, without the end
  bool has_loop = false;      // some stop leads back to itself

  static constexpr int kEntry = 0;
  static constexpr int kEnd = 1;
};

// Throws Refusal.
Positions find_positions(const Code& code, std::size_t number, const Atomicity& atomicity);

}  // namespace concord::engine::dynamic
