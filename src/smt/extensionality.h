// Arrays that have the same elements are equal. Z3 can be made to consider that for every two arrays that it meets, which
// takes it a hundred times as long on formulas about a heap; so it is told of those pairs only whose difference a formula
// may use.
#pragma once

#include <utility>
#include <vector>

#include "formula/term.h"

namespace concord::smt {

// The equations between arrays, without quantified variables, that the formula may need to be false.
std::vector<std::pair<formula::Term, formula::Term>> array_differences(formula::Term formula);

// Whether arrays may be compared in other ways too: as keys of arrays, arguments of functions, under a quantifier. Then what
// is not contradictory need not have a model.
bool compares_arrays_otherwise(formula::Term formula);

}  // namespace concord::smt
