// Z3 in this process, a context of its own for every solver.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_z3(const Options& options);

}  // namespace concord::smt
