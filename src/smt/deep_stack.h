// Z3 recurses over deep Boolean formulas, 250 bytes a level, and would end the process where the stack ends.
#pragma once

#include <functional>

namespace concord::smt {

// Up to here the usual 8 MiB surely suffice.
inline constexpr int kShallow = 4000;
// Beyond this with_deep_stack() is of no help either.
inline constexpr int kTooDeep = 500'000;

// Runs the action on a thread with a large stack and waits; exceptions come through.
void with_deep_stack(const std::function<void()>& action);

}  // namespace concord::smt
