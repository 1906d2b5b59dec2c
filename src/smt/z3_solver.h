// Z3 in this process, a context of its own for every solver.
#pragma once

#include <memory>
#include <string>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_z3(const Options& options);
std::string z3_version();        // all that tells this Z3 from others
std::string z3_short_version();  // "4.8.12"

}  // namespace concord::smt
