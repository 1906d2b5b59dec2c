// Normal forms of formulas: negations at the atoms, and disjunctions of conjunctions of literals.
#pragma once

#include <vector>

#include "engine/shape/formula.h"

namespace concord::engine::shape {

// An atom, an equation, a closure or a value, or the negation of one.
bool is_literal(const Formula& formula);
// Negations stand before atoms, equations, closures and values only; no conditionals.
FormulaPtr with_inner_negations(const FormulaPtr& formula);

// ∃ variables: literals and other parts, all together.
struct Conjunction {
  std::vector<Variable> bound;
  std::vector<FormulaPtr> parts;
};
// The formula as one, if it is: every part is a literal, or a formula that begins with a quantifier of the other kind.
Conjunction conjunction_of(const FormulaPtr& formula);
// The formula without its quantifiers, as a disjunction of conjunctions of literals. Variables that are bound twice get new names.
std::vector<std::vector<FormulaPtr>> literals_by_disjunct(const FormulaPtr& formula);

}  // namespace concord::engine::shape
