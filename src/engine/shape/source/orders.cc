// `lock_order a < b`: nobody takes a while holding b. Orders follow from one another: with `b < c` nobody takes a while holding c.
#include <variant>

#include "engine/shape/source/lowering.h"
#include "plato/classes.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostOrders = 5;  // what follows from them grows with each by a factor

bool is_constant(const FormulaPtr& it, Kleene value) { return it->kind == Formula::Kind::kValue && it->value == value; }

}  // namespace

// One between the entries of maps or arrays is not.
bool Lowering::is_followed(const LockOrder& order) const {
  return order.bound.empty() && program_.lock_orders.size() <= kMostOrders;
}

// Both stand for one lock. A lock that is a variable or a field is known by its place, the monitor of an object by the object.
FormulaPtr Lowering::is_same(Terms& terms, const Expr& a, const Lock& lock_a, const Expr& b, const Lock& lock_b) {
  const auto both_are = [&](const Term& one, const Term& other) {
    const shape::Variable u = terms.new_variable();
    return exists({u}, conjunction({one.is(u), other.is(u)}));
  };
  const bool is_object = a.type.kind == Type::Kind::kClass;
  if (is_object != (b.type.kind == Type::Kind::kClass)) return constant(Kleene::kFalse);
  if (is_object) return both_are(lock_a.object, lock_b.object);
  if (std::holds_alternative<IndexExpr>(a.node) || std::holds_alternative<IndexExpr>(b.node)) return maybe();
  const auto* name_a = std::get_if<NameExpr>(&a.node);
  const auto* name_b = std::get_if<NameExpr>(&b.node);
  if (name_a != nullptr && name_b != nullptr) {
    const bool are_one = name_a->ref.kind == name_b->ref.kind && name_a->ref.index == name_b->ref.index;
    return constant(are_one ? Kleene::kTrue : Kleene::kFalse);
  }
  const auto* field_a = std::get_if<FieldExpr>(&a.node);
  const auto* field_b = std::get_if<FieldExpr>(&b.node);
  if (field_a == nullptr || field_b == nullptr) return constant(Kleene::kFalse);
  const FieldHome home_a = field_home(program_, field_a->object->type.decl, field_a->index);
  const FieldHome home_b = field_home(program_, field_b->object->type.decl, field_b->index);
  if (home_a.class_index != home_b.class_index || home_a.place != home_b.place) return constant(Kleene::kFalse);
  return both_are(terms.term(*field_a->object), terms.term(*field_b->object));
}

// `expr` is taken in this step, by a thread that does not have it yet.
void Lowering::say_orders(ActionBuilder& builder, Terms& terms, const Move& move, const Expr& expr, const Lock& taken) {
  struct Side {
    Lock before;
    Lock after;
    FormulaPtr holds;    // when it applies
    FormulaPtr reached;  // the lock that is taken comes before its first one, or is it
  };
  const std::vector<LockOrder>& orders = program_.lock_orders;
  const base::SourceRange at = range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]);
  const bool is_inside = out_.code.labels[static_cast<std::size_t>(move.from)].is_inside;
  Terms clause(vocabulary(), kThread, -1);
  std::vector<Side> sides;
  for (const LockOrder& it : orders) {
    Side& side = sides.emplace_back();
    if (!is_followed(it)) {
      side.reached = constant(Kleene::kFalse);
      continue;
    }
    side.before = clause.lock(*it.before, it.before->range);
    side.after = clause.lock(*it.after, it.after->range);
    side.holds = it.when ? clause.truth(*it.when) : constant(Kleene::kTrue);
    side.reached = is_same(terms, expr, taken, *it.before, side.before);
  }
  for (std::size_t round = 1; round < orders.size(); ++round) {
    std::vector<FormulaPtr> next;
    for (std::size_t k = 0; k < orders.size(); ++k) {
      std::vector<FormulaPtr> any{sides[k].reached};
      for (std::size_t i = 0; i < orders.size(); ++i) {
        if (i == k || !is_followed(orders[i]) || !is_followed(orders[k])) continue;
        if (is_constant(sides[i].reached, Kleene::kFalse) || is_constant(sides[k].reached, Kleene::kTrue)) continue;
        const FormulaPtr same = is_same(terms, *orders[i].after, sides[i].after, *orders[k].before, sides[k].before);
        if (is_constant(same, Kleene::kFalse)) continue;
        any.push_back(conjunction({sides[i].reached, sides[i].holds, same}));
      }
      next.push_back(any.size() > 1 && is_constant(any.front(), Kleene::kFalse)
                         ? disjunction({any.begin() + 1, any.end()})
                         : disjunction(any));
    }
    for (std::size_t k = 0; k < orders.size(); ++k) sides[k].reached = next[k];
  }
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const int property = find(diag::Kind::kLockOrder, orders[k].range);
    if (property < 0 || is_constant(sides[k].reached, Kleene::kFalse)) continue;
    const FormulaPtr is_against =
        conjunction({sides[k].reached, sides[k].holds, Terms::held_by(sides[k].after, terms.thread()),
                     negation(terms.is_taken(taken))});
    // Inside a step the order is that of the state in which the step began.
    builder.say(is_inside ? maybe() : is_against, property, "", at);
  }
  adopt(terms, clause);
  terms.focus.insert(terms.focus.end(), clause.focus.begin(), clause.focus.end());
}

}  // namespace concord::engine::shape::source
