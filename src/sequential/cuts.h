// Where a long program may be cut besides at its loop heads: blocks where ways meet and that have much behind them since the
// last head that every run to them passes. Whoever makes the program gives them invariants as loop heads have.
#pragma once

#include <set>

#include "sequential/program.h"

namespace concord::sequential {

std::set<int> cuts(const Program& program);

}  // namespace concord::sequential
