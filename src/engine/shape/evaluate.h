// The value of a formula in a structure (Kleene's semantics, definition 3.2), for all individuals at once.
//
// A formula is compiled once: its variables get numbers. A value is always a row: for all individuals in place of one variable, while the
// others stand for given ones. So the connectives are operations on words, and a quantifier looks at one row for each individual in
// place of the variable that its own row goes over. Nothing is allocated on the way.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "engine/shape/formula.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape {

// Thrown if a formula has more variables inside one another than there are places for.
struct TooManyVariables {};

class Evaluation {
 public:
  // `free`: the variables that may be free in it, in the order that value and row go by.
  Evaluation(const FormulaPtr& formula, std::vector<Variable> free);
  Evaluation(Evaluation&&) noexcept;
  Evaluation& operator=(Evaluation&&) noexcept;
  ~Evaluation();

  // For individuals in place of the free variables.
  Kleene value(const Structure& structure, const std::vector<int>& individuals = {}) const;
  // For these in place of the free variables but the last, and each individual in place of that.
  Row row(const Structure& structure, const std::vector<int>& individuals = {}) const;
  const std::vector<Variable>& free() const { return free_; }
  // The predicates that it reads; `sm` if it compares individuals.
  const std::vector<int>& predicates() const { return predicates_; }
  bool compares() const { return compares_; }

 private:
  struct Node;
  class Compiler;
  class Run;

  std::vector<Variable> free_;
  std::unique_ptr<const Node> root_;
  std::vector<int> predicates_;
  bool compares_ = false;
};

// Calls visit(individuals) for each choice of so many individuals of a structure of that size, as long as it returns true.
template <class Visit>
void for_each_choice(std::size_t count, int size, Visit&& visit) {
  if (count > 0 && size == 0) return;
  std::vector<int> choice(count, 0);
  while (visit(std::as_const(choice))) {
    std::size_t digit = count;
    while (digit > 0 && ++choice[digit - 1] == size) choice[--digit] = 0;
    if (digit == 0) return;
  }
}

// Calls visit(individual) for each bit.
template <class Visit>
void for_each_bit(Bits bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(__builtin_ctzll(bits));
}

// The variables that are free in it, in order of first occurrence.
std::vector<Variable> free_variables(const Formula& formula);

}  // namespace concord::engine::shape
