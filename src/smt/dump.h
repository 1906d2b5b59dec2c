// Writes every check of another solver as a stand-alone script: before the check, so that it is there even if that never
// ends, and its answer as a comment after it.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_dumping(std::unique_ptr<Solver> solver, const Options& options);

}  // namespace concord::smt
