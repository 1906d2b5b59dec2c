// A solver that asks another one only what is not known from an earlier run.
//
// The key of a check is a hash of all formulas that hold and of the assumptions, as they are given to the solver, and of what
// else the answer depends on. Only kUnsat is remembered, with its core. Formulas are passed on when the first check asks for
// it, so that nothing is built for what is known.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_remembering(const Options& options);

}  // namespace concord::smt
