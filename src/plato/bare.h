// A program without what its specification says about steps: the code, its assertions and invariants, and what tells initial
// states. No relies, guarantees, contracts, loop invariants, access disciplines, lock orders, abstract threads.
#pragma once

#include "plato/syntax.h"

namespace concord::plato {

Program bare(const Program& program);

}  // namespace concord::plato
