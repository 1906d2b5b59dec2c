// Every state that a program really comes to is represented by some configuration that the shape engine comes to. All
// reductions are off, so that there is a configuration for each state.
#pragma once

#include <memory>

#include "judge.h"

namespace concord::agree {

// Gives no verdicts: its error says which state is not represented.
std::unique_ptr<Judge> make_embedding_judge();

}  // namespace concord::agree
