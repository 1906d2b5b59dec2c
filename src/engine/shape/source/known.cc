// Which claims can be judged by what single threads know: those that say nothing of objects that none of them may know.
#include <algorithm>

#include "engine/shape/source/lowering.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

bool mentions_any(const Expr& expr, const std::vector<BoundVariable>& bound) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) {
    const auto* it = std::get_if<NameExpr>(&part.node);
    out = out || (it != nullptr && it->ref.kind == Ref::Kind::kBound &&
                  std::any_of(bound.begin(), bound.end(), [&](const BoundVariable& b) { return b.name == it->name; }));
  });
  return out;
}

// It says something only of objects to which a path leads: forall x: \reach(…, f, x) && … ==> … The path begins outside of the quantifier:
// objects that lead to each other need not be known to anybody.
bool follows_paths(const QuantifierExpr& it, const BoundVariable& variable) {
  const auto* body = std::get_if<BinaryExpr>(&it.body->node);
  if (!it.is_forall || body == nullptr || body->op != BinaryOp::kImplies) return false;
  std::vector<const Expr*> conditions;
  collect_conjuncts(*body->left, conditions);
  return std::any_of(conditions.begin(), conditions.end(), [&](const Expr* condition) {
    const auto* reach = std::get_if<ShapeExpr>(&condition->node);
    if (reach == nullptr || reach->kind != ShapeExpr::Kind::kReach || mentions_any(*reach->from, it.variables))
      return false;
    const auto* to = std::get_if<NameExpr>(&reach->to->node);
    return to != nullptr && to->ref.kind == Ref::Kind::kBound && to->name == variable.name;
  });
}

}  // namespace

// It speaks of objects that somebody knows.
bool Lowering::speaks_of_known(const Expr& whole) const {
  bool out = true;
  for_each_expr(whole, [&](const Expr& part) {
    const auto* it = std::get_if<QuantifierExpr>(&part.node);
    for (std::size_t v = 0; it != nullptr && v < it->variables.size(); ++v) {
      const bool is_object =
          refers_to_objects(it->variables[v].type) && it->variables[v].type.kind == Type::Kind::kClass;
      out = out && (!is_object || follows_paths(*it, it->variables[v]));
    }
  });
  return out;
}

// All objects of the class, and of those below it, are made once at most: every thread knows them.
bool Lowering::is_made_once(int class_index) const {
  return std::none_of(out_.code.moves.begin(), out_.code.moves.end(), [&](const Move& it) {
    const bool is_statement = it.operation.kind == Operation::Kind::kStatement;
    const Rhs* value = is_statement ? right_side(*it.operation.statement) : nullptr;
    const auto* made = value == nullptr ? nullptr : std::get_if<NewObject>(value);
    return made != nullptr && is_subclass(program_, made->class_index, class_index) &&
           vocabulary().made_at(static_cast<int>(&it - out_.code.moves.data())) < 0;
  });
}

// A view may not have all objects that the invariant speaks of.
bool Lowering::is_beyond_views(const Clause& clause) const {
  return by_views_ && (!speaks_of_known(*clause.predicate.predicate) ||
                       (clause.class_index >= 0 && !is_made_once(clause.class_index)));
}

// What single threads know is not all that there is to know.
std::string Lowering::refusal_of_views() const {
  if (vocabulary().has_hidden_references())
    return "objects are known to arrays, sets or maps, or any object may be picked";
  if (!out_.may_forget_threads) return "clauses speak of what other threads write";
  if (std::find(out_.watched.begin(), out_.watched.end(), vocabulary().system().is_thread) != out_.watched.end())
    return "a clause speaks of all threads";
  for (const Label& it : out_.code.labels) {
    if (it.is_inside && it.is_loop) return "there is a loop in an atomic step";
  }
  std::set<const Expr*> invariants;
  for (const Clause& it : program_.clauses) {
    if (is_invariant(it)) invariants.insert(it.predicate.predicate.get());
  }
  bool is_known = true;
  for_each_whole_expr(program_, [&](const Expr& whole, int) {
    is_known = is_known && (invariants.contains(&whole) || speaks_of_known(whole));
  });
  return is_known ? "" : "an expression speaks of all objects";
}

}  // namespace concord::engine::shape::source
