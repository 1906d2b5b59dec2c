// Finite differencing: how an action changes what instrumentation predicates say, found from their definitions.
//
// For each formula two others say, before the action, when it comes to hold and when it ceases to. So what is known of an
// instrumentation predicate stays known wherever nothing that it depends on changes, which evaluating its definition anew would lose. Where
// such formulas are not known (transitive closure) the definition is evaluated with the new values.
#pragma once

#include <map>
#include <vector>

#include "engine/shape/formula.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Differencing {
 public:
  Differencing(const System& system, const std::vector<Update>& updates);

  // Updates of the instrumentation predicates that have none of their own and that these updates concern, those that others are
  // defined by first.
  std::vector<Update> derived();

 private:
  struct Difference {
    FormulaPtr plus;   // null: it never comes to hold
    FormulaPtr minus;  // null: it never ceases to
    bool is_none() const { return plus == nullptr && minus == nullptr; }
  };
  struct Known {
    std::vector<Variable> variables;
    Difference difference;
  };

  void add(const Update& update);
  Difference difference(const FormulaPtr& formula);
  Difference of_parts(const Formula& formula, bool is_and);
  Difference of_exists(const Formula& formula);
  // What the formula will be.
  FormulaPtr next(const FormulaPtr& formula, const Difference& difference) const;
  FormulaPtr recomputed(const FormulaPtr& formula);
  void derive(int predicate, std::vector<Update>& out);

  const System& system_;
  std::map<int, Known> known_;  // by predicate
  std::vector<bool> is_done_;
  int count_ = 0;  // of names for variables
};

// The formula with other variables in place of free ones; bound ones get new names, $0 and so on, from `count`.
FormulaPtr substituted(const FormulaPtr& formula, const std::map<Variable, Variable>& by, int& count);

}  // namespace concord::engine::shape
