// cvc5 as a child process, over SMT-LIB text. Debian's cvc5 1.0.3 is under the GPL because of a library, so it is not linked;
// and its library could not be interrupted.
#pragma once

#include <memory>
#include <string>

#include "smt/solver.h"

namespace concord::smt {

std::unique_ptr<Solver> make_cvc5(const Options& options);

// What cvc5 says of itself: "1.0.3". Empty: it is not installed, or says nothing.
std::string cvc5_version();

}  // namespace concord::smt
