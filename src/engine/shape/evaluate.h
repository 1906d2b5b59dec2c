// The value of a formula in a structure (Kleene's semantics, definition 3.2), for all individuals at once.
//
// A formula is compiled once. Its variables get numbers, those that are bound inside after those outside, so that what a quantifier
// speaks of is always the last argument of what it ranges over: one row. The value of a part is a table with a row for each choice
// of all its variables but the last; the connectives combine rows.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "engine/shape/formula.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape {

// The values of something with variables: row by row, the last variable as bits, those before it counted like digits.
struct Table {
  std::vector<int> variables;  // their numbers, ascending
  std::vector<Row> rows;
};

class Evaluation {
 public:
  // `free`: the variables that may be free in it, in the order that is_true and table go by.
  Evaluation(const FormulaPtr& formula, std::vector<Variable> free);
  Evaluation(Evaluation&&) noexcept;
  Evaluation& operator=(Evaluation&&) noexcept;
  ~Evaluation();

  // For individuals in place of the free variables.
  Kleene value(const Structure& structure, const std::vector<int>& individuals = {}) const;
  // Of those free variables that occur.
  Table table(const Structure& structure) const;
  const std::vector<Variable>& free() const { return free_; }

 private:
  struct Node;
  class Compiler;
  static Table value_of(const Node& node, const Structure& structure);
  static void closure(const Node& node, const Table& step, const Structure& structure, Table& out);

  std::vector<Variable> free_;
  std::unique_ptr<const Node> root_;
};

// The entry of the table for these individuals, by number of variable.
Kleene entry(const Table& table, const std::vector<int>& individuals, int size);

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

// The variables that are free in it, in order of first occurrence.
std::vector<Variable> free_variables(const Formula& formula);

}  // namespace concord::engine::shape
