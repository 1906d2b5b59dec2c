// Two solvers at once. The first definite answer counts, unless the other solver contradicts it; for that it is given twice
// the time the first one took, but at least a second. After a contradiction the query is saved, and an InternalError names
// the file: one of the solvers is wrong, or one of our two translations.
#pragma once

#include <memory>
#include <string>

#include "smt/solver.h"

namespace concord::smt {

struct NamedSolver {
  std::string name;  // "Z3"
  std::unique_ptr<Solver> solver;
};

// Where both have a definite answer, cores and values come from the first.
std::unique_ptr<Solver> make_both(NamedSolver first, NamedSolver second, const Options& options);

}  // namespace concord::smt
