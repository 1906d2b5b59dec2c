// A leaf: a sequent of first-order logic, shown by a solver.
//
// The solver gets no quantifiers. What is known of all values is said of those that the sequent speaks of, and that laws speak of; what is
// known of some value is said of one with a name of its own. All that follows from the sequent's left side and the negation of its
// right side, so if it is contradictory the sequent is valid.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "replay/terms.h"
#include "smt/solver.h"

namespace concord::replay {

struct Sequent {
  std::vector<Term> left;
  Term right = nullptr;
  std::vector<Term> about;  // numbers that are worth looking at
};

class Leaves {
 public:
  Leaves(Terms& terms, const std::vector<ThreadClass>& classes) : terms_(terms), classes_(classes) {}

  // What is known of all values is said of few: those that the right side speaks of; or of many.
  enum class Effort { kLittle, kMuch };
  // The formulas without quantifiers. If they contradict each other, the sequent is valid.
  std::vector<Term> ground(const Sequent& sequent, const std::set<Law>& used, Effort effort = Effort::kMuch);

 private:
  struct Universal {
    Term when = nullptr;  // only then
    Term formula = nullptr;
    bool is_negated = false;  // it is an `exists` that is known to be false
  };

  Pool& pool() { return terms_.pool(); }
  void know(Term formula, bool is_true, Term when);
  void say(Term formula, Term when);
  Term flat(Term formula, bool is_true);
  void name_value(Term quantifier, bool is_true, Term when);
  void instantiate();
  void find_numbers(Term term);
  void add_number(Term number);
  void find_neighbours();
  std::vector<Term> values_of(formula::Sort sort);
  std::vector<Term> order_laws(const std::set<Law>& used);
  void about(Term application, const std::set<Law>& used, std::vector<Term>& out);

  Terms& terms_;
  const std::vector<ThreadClass>& classes_;
  std::vector<Term> plain_;
  std::vector<Universal> universals_;
  std::set<std::vector<Term>> instances_;
  std::vector<Term> numbers_;
  std::set<Term> named_;
};

}  // namespace concord::replay
