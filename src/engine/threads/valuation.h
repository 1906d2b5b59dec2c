// What a formula is worth in the model that a solver has found. Of a model, many formulas are asked that have most parts in
// common: connectives and arithmetic are worked out here, each part once, and the solver is asked for the rest.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "formula/term.h"
#include "smt/solver.h"

namespace concord::engine::threads {

class Valuation {
 public:
  // After kSat, and until the solver is asked again.
  explicit Valuation(smt::Solver& solver) : solver_(solver) {}
  bool holds(formula::Term formula);

 private:
  std::int64_t number(formula::Term term);
  bool work_out(formula::Term formula);

  smt::Solver& solver_;
  std::unordered_map<formula::Term, bool> truths_;
  std::unordered_map<formula::Term, std::int64_t> numbers_;
};

}  // namespace concord::engine::threads
