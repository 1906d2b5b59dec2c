// cvc5 as a child process, over SMT-LIB text. Debian's cvc5 1.0.3 is under the GPL because of a library, so it is not linked;
// and its library could not be interrupted.
#pragma once

#include <memory>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_cvc5(const Options& options);

}  // namespace concord::smt
