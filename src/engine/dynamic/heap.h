// The objects that are there when threads begin: what static initialisers made, or what stands there from the start.
//
// The initialiser runs alone and without choices, so it is run (explore/machine.h); what it leaves behind is the first state of
// all threads.
#pragma once

#include <memory>

#include "engine/dynamic/code.h"
#include "engine/engine.h"
#include "explore/state.h"

namespace concord::engine::dynamic {

struct FirstStore {
  std::unique_ptr<const plato::Program> program;  // what the store points into
  explore::Store store;
};

// Its value is another one in other runs: `*`, a constant that is not given, and what is worked out from them or begins with them.
bool depends_on_free(const plato::Program& program, const plato::Expr& expr);
// Throws Refusal: it may choose, depends on what is free, goes wrong, or goes on for too long.
FirstStore first_store(const Task& task, Control& control);

}  // namespace concord::engine::dynamic
