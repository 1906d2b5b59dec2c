// Which local variables a procedure may still look at. What is known of the others is not worth proving.
#pragma once

#include <set>
#include <vector>

#include "plato/flow.h"

namespace concord::engine::modular {

// By node: the slots. Nothing depends on them for soundness: that a call's result is not looked at after an exception is only
// likely.
std::vector<std::set<int>> needed_locals(const plato::Flow& flow);
// Those that are needed after the call, whichever way it ends.
std::set<int> needed_after(const std::vector<std::set<int>>& needed, const plato::FlowEdge& call);

}  // namespace concord::engine::modular
