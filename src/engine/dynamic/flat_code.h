// Code about objects as code about the variables that stand for them (flat.h).
//
// An array that the variable of some object refers to is known in the code by local variables too. Such a local variable means the array of
// the variable that it was read from (an alias), as long as nobody else can have put another one there: until the thread gives back
// a lock, or stores another array somewhere. Or it means one that the thread has made itself, which nobody else knows; when that is stored
// in a variable of an object, it is the array of that variable from then on. Anything else is refused.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/dynamic/flat_variables.h"
#include "engine/dynamic/made.h"

namespace concord::engine::dynamic {

// What the local variables of array types mean where the code is, by slot.
struct ArrayMeaning {
  std::optional<Holder> alias_of;
  int own = -1;  // if it is the thread's own: the local variable that first referred to it
  friend bool operator==(const ArrayMeaning&, const ArrayMeaning&) = default;
};
using Meanings = std::map<int, ArrayMeaning>;

// Expressions of one procedure, or (-1) of clauses.
class FlatExpressions {
 public:
  FlatExpressions(FlatVariables& variables, int procedure, Target self = 0)
      : variables_(variables), procedure_(procedure), self_(self) {}

  Meanings meanings;

  // In code: what indices must satisfy is asserted before (`checks`).
  plato::ExprPtr value(const plato::Expr& expr);
  plato::ExprPtr target(const plato::Expr& expr) { return value(expr); }
  plato::ExprPtr lock(const plato::Expr& expr);
  std::vector<std::pair<plato::ExprPtr, base::SourceRange>> checks;
  // In clauses: it holds and has a value, or (not `is_positive`) the opposite: where it has none it counts as true.
  plato::ExprPtr clause(const plato::Expr& expr, bool is_positive = true);

  // Of what is left out: evaluating it must not fail.
  void check_left_out(const plato::Expr& expr);
  // The same, and what it reads is noted.
  void leave_out(const plato::Expr& expr);
  std::set<Target> targets(const plato::Expr& expr) const;
  Target only(const plato::Expr& expr) const;
  bool is_own(const plato::Expr& array) const {
    const auto it = fixed_array(array) ? std::nullopt : meaning(array);
    return it && it->own >= 0;
  }
  // The array that it always is; nothing: there may be several.
  std::optional<Target> fixed_array(const plato::Expr& expr) const;
  std::optional<Holder> holder(const plato::Expr& expr) const;
  std::optional<ArrayMeaning> meaning(const plato::Expr& expr) const;
  Home home(const plato::Expr& array);
  plato::ExprPtr length(const plato::Expr& array);
  const plato::Local& local(int slot) const;

 private:
  plato::ExprPtr compare(const plato::BinaryExpr& it, base::SourceRange range);
  plato::ExprPtr tests_class(const plato::InstanceOf& it, base::SourceRange range);
  plato::ExprPtr name(const plato::NameExpr& it, base::SourceRange range);
  plato::ExprPtr field(const plato::FieldExpr& it, base::SourceRange range);
  plato::ExprPtr element(const plato::IndexExpr& it, base::SourceRange range);
  plato::ExprPtr sum(const plato::SumExpr& it, base::SourceRange range);
  plato::ExprPtr guarded(const plato::Expr& expr, bool is_positive);
  plato::ExprPtr under_condition(const plato::Expr& expr);
  void note_reads(const plato::Expr& expr);

  FlatVariables& variables_;
  const int procedure_;
  const Target self_;  // `this` of a clause; 0: there is none
  bool is_conditional_ = false;
  bool is_clause_ = false;
  std::vector<plato::ExprPtr> defined_;  // of a clause: what the part at hand needs to have a value
};

// The bodies of the procedures that the threads run. Throws Refusal.
void flatten_code(FlatVariables& variables, const std::set<int>& procedures, Flat& out);

}  // namespace concord::engine::dynamic
