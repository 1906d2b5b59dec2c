// Virtual calls have one alternative for each class of the receiver. Those that no receiver has, wherever it comes from, are
// dropped here: `new Thread(task).start()` then runs the task, and not perhaps another thread's `run`.
#pragma once

#include <set>

#include "plato/syntax.h"

namespace concord::frontend::java {

// `dispatches`: statements of the program, `if (receiver instanceof C) … else …`, and `assume receiver instanceof C`, which begins the
// block of the last alternative; the program is resolved.
void drop_impossible(plato::Program& program, const std::set<plato::Stmt*>& dispatches);

}  // namespace concord::frontend::java
