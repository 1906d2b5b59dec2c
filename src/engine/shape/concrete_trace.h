// A concrete run in words: which structure it begins with, which thread moves, and what each step changes. Individuals are u1, u2, …;
// a predicate is the set of those for which it holds, as structures are written.
#pragma once

#include "engine/evidence.h"
#include "engine/shape/concrete.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

// `draws`: with a drawing of each structure.
Trace trace_of(const System& system, const Concrete& concrete, const Concrete::Find& find, bool draws);

}  // namespace concord::engine::shape
