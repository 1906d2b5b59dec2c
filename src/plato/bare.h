// Programs without parts of their specification.
#pragma once

#include "plato/syntax.h"

namespace concord::plato {

// No relies, guarantees, abstractions of procedures, access disciplines, lock orders, final states.
Program without_step_clauses(const Program& program);
// The code, its assertions and invariants, and what tells initial states: besides those no contracts, loop invariants and
// abstract threads either.
Program bare(const Program& program);

}  // namespace concord::plato
