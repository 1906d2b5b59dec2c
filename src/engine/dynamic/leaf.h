// First-order leaves: a sequent without programs and updates, shown by a solver.
//
// Quantifiers are taken out before a solver sees it, so that its answers are quick and the same everywhere: what holds for all
// values is used for those that the sequent speaks of, what holds for some value is given a name. The axioms of permutations and the
// laws of sums are added for what occurs in it. All of that only takes away from what is known, never adds what does not
// follow; so a sequent that is shown this way is valid.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/dynamic/configuration.h"
#include "engine/dynamic/sums.h"
#include "engine/engine.h"
#include "smt/solver.h"

namespace concord::engine::dynamic {

struct Sequent {
  std::vector<Term> left;
  Term right = nullptr;
  std::vector<Term> about;  // what to use quantified knowledge for, besides what occurs in it
};

// Of a sequent that is not valid, as far as the solver can see.
struct Witness {
  std::vector<std::string> values;  // of the terms that were asked for
};

class Leaves {
 public:
  Leaves(World& world, const Configuration& configuration, Sums& sums, const Settings& settings, Control& control);

  // False too if the solver does not know. `shown`: terms whose values in a counterexample are wanted.
  bool holds(const Sequent& sequent, const std::vector<Term>& shown = {});
  // No state satisfies these. False too if the solver does not know.
  bool are_contradictory(const std::vector<Term>& formulas);
  // What is only a guess is given up soon: after so many steps, so that what is found does not depend on the machine.
  void expect_little(bool is_guess);
  // After a sequent that was not shown: the values, if the solver had a counterexample.
  const std::optional<Witness>& witness() const { return witness_; }
  int count() const { return count_; }  // how many there were
  // The laws that the last sequent was shown with, as a proof names them.
  const std::set<std::string>& laws() const { return laws_; }

 private:
  void find_witness(const std::vector<Term>& shown);
  bool holds_one(const Sequent& sequent, const std::vector<Term>& shown);
  Term ground(Term formula, bool is_positive, const std::vector<Term>& values);
  Term name_of(Term quantifier, Term variable);
  Term ground_quantifier(Term formula, bool is_positive, const std::vector<Term>& values);
  std::vector<Term> values_of(formula::Sort sort, const std::vector<Term>& values) const;
  static void add_value(Term value, std::vector<Term>& values);
  static void find_values(Term term, std::vector<Term>& values);
  void take_apart(Term formula, std::vector<Term>& parts, std::vector<Term>& values);

  World& world_;
  const Configuration& configuration_;
  Sums& sums_;
  Control& control_;
  const SolverChoice choice_;
  const std::chrono::milliseconds timeout_;
  std::unique_ptr<smt::Solver> solver_;
  std::optional<Witness> witness_;
  std::map<std::pair<Term, Term>, Term> names_;
  std::set<std::string> laws_;
  int count_ = 0;
};

}  // namespace concord::engine::dynamic
