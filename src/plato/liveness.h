// Which local variables a procedure may still look at. The value of the others does not matter any more.
#pragma once

#include <set>
#include <vector>

#include "plato/flow.h"

namespace concord::plato {

// By node: the slots that an operation from there on may look at before it gives them a new value. What the contract says at
// the end counts as looking.
std::vector<std::set<int>> live_locals(const Flow& flow);
// Those that are live after the operation, without what it gives a new value on the way.
std::set<int> live_after(const std::vector<std::set<int>>& live, const FlowEdge& edge);

}  // namespace concord::plato
