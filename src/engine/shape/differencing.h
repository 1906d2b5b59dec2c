// Finite differencing: how an action changes what instrumentation predicates say, found from their definitions.
//
// For each formula two others say, before the action, when it comes to hold and when it ceases to. So what is known of an
// instrumentation predicate stays known wherever nothing that it depends on changes, which evaluating its definition anew would lose. Where
// such formulas are not known (transitive closure) the definition is evaluated with the new values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "engine/shape/formula.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Differencing {
 public:
  // With so many formulas at most: what comes of definitions that mention each other may be as large as you like.
  Differencing(const System& system, const std::vector<Update>& updates, std::size_t most = SIZE_MAX);

  // Updates of the instrumentation predicates that have none of their own and that these updates concern, those that others are
  // defined by first.
  std::vector<Update> derived();
  // Updates of these predicates, if no update concerns them too: their definitions are evaluated with the new values of all that they
  // mention. Of new individuals nothing else says what holds.
  std::vector<Update> recomputed(const std::set<int>& predicates);
  // Then the updates mean nothing.
  bool is_too_large() const { return size_ > most_; }
  std::size_t size() const { return size_; }

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
  void recompute(int predicate, const std::set<int>& among, std::vector<Update>& out);
  Predicate renamed(int predicate);

  const System& system_;
  std::map<int, Known> known_;  // by predicate
  std::vector<bool> is_done_;
  FormulaPtr put(const FormulaPtr& formula, const std::map<Variable, Variable>& by);
  void measure(const Formula& formula);

  int count_ = 0;  // of names for variables
  std::size_t size_ = 0;
  const std::size_t most_;
};

// The formula with other variables in place of free ones; bound ones get new names, '0 and so on, from `count`, which
// nobody can write.
FormulaPtr substituted(const FormulaPtr& formula, const std::map<Variable, Variable>& by, int& count);

}  // namespace concord::engine::shape
