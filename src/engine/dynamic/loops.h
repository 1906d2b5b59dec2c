// Loops that come to an end, as far as the code shows: each round counts a local variable up to a bound that stays, or down to one.
//
// The paper's loops are atomic, and the sequential calculus shows that they end. Here loops are interrupted; but a local variable is nobody
// else's, so a counter ends the round whatever others do. Of nested loops the outer ones are looked at first: what is passed only finitely often is taken
// away, and the rest must come to an end as well.
#pragma once

#include <optional>

#include "engine/dynamic/atomicity.h"
#include "engine/engine.h"

namespace concord::engine::dynamic {

// A place in a loop that may go on for ever; nothing: each comes to an end.
std::optional<base::SourceRange> endless_loop(const Code& code, const Atomicity& atomicity, IntMode ints);

}  // namespace concord::engine::dynamic
