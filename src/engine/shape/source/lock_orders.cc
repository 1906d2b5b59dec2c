// Orders of locks that nobody declared (precedence.cc), and which deadlocks they exclude.
//
// If nobody can move, and everybody who has not ended waits for the monitor of an object that somebody holds who has not ended either, then
// some of them wait for each other in a circle, since there are finitely many. Each in it waits for a monitor that the next one holds. So
// if whoever waits for a monitor only ever holds such as come before it in some order (or only such as come behind it), there is no such circle.
//
// What a thread waits for, and what it holds then, it knows by itself. So views (views.h) can tell that as well, where threads wait for
// monitors of objects only.
#include <fmt/format.h>

#include <algorithm>

#include "engine/shape/source/lowering.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

void Lowering::find_lock_orders() {
  if (deadlock_ < 0 && cyclic_ < 0) return;
  LockOrders& out = out_.lock_orders;
  int next = static_cast<int>(task_.properties.size());
  for (const Precedence& it : vocabulary().precedences()) {
    out.orders.push_back({next++, fmt::format("who holds a monitor waits only for those to which {} leads", it.field)});
    out.orders.push_back(
        {next++, fmt::format("who holds a monitor waits only for those from which {} leads", it.field)});
  }
  const bool waits_for_else = may_wait_for_else();
  if (out.orders.empty() || (by_views_ && waits_for_else)) return;
  if (deadlock_ >= 0) {
    out.deadlock = deadlock_;
    out.other_deadlock = next;
  }
  if (!waits_for_else) out.cyclic_deadlock = cyclic_;
  if (!by_views_) return;
  for (const int it : {deadlock_, cyclic_}) {
    if (it >= 0) out_.is_decided[static_cast<std::size_t>(it)] = true;
  }
}

// For a notification, the end of a thread, or a lock that is no object.
bool Lowering::may_wait_for_else() const {
  return std::any_of(out_.code.labels.begin(), out_.code.labels.end(), [&](const Label& label) {
    if (is_wait_for_object(label)) return false;
    return std::any_of(label.moves.begin(), label.moves.end(), [&](int m) {
      if (out_.code.moves[static_cast<std::size_t>(m)].set != nullptr) return false;  // after the operation
      const Operation& operation = out_.code.moves[static_cast<std::size_t>(m)].operation;
      const bool is_statement = operation.kind == Operation::Kind::kStatement && operation.statement != nullptr;
      return operation.kind == Operation::Kind::kWaitAcquire ||
             (is_statement && (std::holds_alternative<Acquire>(operation.statement->node) ||
                               std::holds_alternative<Join>(operation.statement->node)));
    });
  });
}

// Whoever is there cannot but take the monitor of an object.
bool Lowering::is_wait_for_object(const Label& label) const {
  if (label.is_inside || label.is_alone || label.moves.size() != 1) return false;
  const Move& move = out_.code.moves[static_cast<std::size_t>(label.moves.front())];
  if (move.operation.kind != Operation::Kind::kStatement || move.set != nullptr) return false;
  const auto* it = std::get_if<Acquire>(&move.operation.statement->node);
  return it != nullptr && it->lock->type.kind == Type::Kind::kClass;
}

FormulaPtr Lowering::waits_for_object(const shape::Variable& thread) const {
  std::vector<FormulaPtr> any;
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
    if (is_wait_for_object(out_.code.labels[l])) any.push_back(atom(vocabulary().system().at[l], {thread}));
  }
  return disjunction(any);
}

// Said of the thread that is to take the monitor, of whatever else it holds.
void Lowering::say_precedences(ActionBuilder& builder, Terms& terms, const Move& move, const Lock& wanted) {
  const LockOrders& orders = out_.lock_orders;
  const Label& from = out_.code.labels[static_cast<std::size_t>(move.from)];
  if (vocabulary().precedences().empty() || !wanted.has_object || wanted.place != &vocabulary().object_monitor())
    return;
  for (const LocalName& it : vocabulary().locked_locals()) {
    const Place& place = vocabulary().local(it);
    if (from.live.contains(it) && place.kind == Place::Kind::kRelation)
      terms.focus.push_back(
          conjunction({atom(system().runnable, {kThread}), atom(place.predicate, {kThread, "held"})}));
  }
  for (std::size_t k = 0; k < orders.orders.size(); ++k) {
    const int closure = vocabulary().precedences()[k / 2].closure;
    const FormulaPtr comes = k % 2 == 0 ? atom(closure, {"mine", "wanted"}) : atom(closure, {"wanted", "mine"});
    const FormulaPtr is_against = exists(
        {"wanted", "mine"}, conjunction({wanted.object.is("wanted"), negation(equal("wanted", "mine")),
                                         atom(wanted.place->predicate, {"mine", terms.thread()}), negation(comes)}));
    builder.say(conjunction({terms.is_taken(wanted), is_against}), orders.orders[k].is_broken, "", {});
  }
}

// Whoever has ended gives nothing back.
FormulaPtr Lowering::has_ended_with_monitor(const shape::Variable& thread) const {
  return conjunction({atom(vocabulary().system().at[static_cast<std::size_t>(out_.code.done)], {thread}),
                      exists({"o"}, atom(vocabulary().object_monitor().predicate, {"o", thread}))});
}

void Lowering::add_other_deadlock(const FormulaPtr& deadlock) {
  const LockOrders& orders = out_.lock_orders;
  if (orders.other_deadlock < 0) return;
  const FormulaPtr has_ended = atom(system().at[static_cast<std::size_t>(out_.code.done)], {"t"});
  const FormulaPtr waits_for_else =
      conjunction({atom(system().is_thread, {"t"}), negation(has_ended), negation(waits_for_object("t"))});
  out_.claims.push_back(
      {conjunction({deadlock, exists({"t"}, disjunction({waits_for_else, has_ended_with_monitor("t")}))}),
       orders.other_deadlock, false});
}

// In views: one thread cannot move, whatever the others do. `stuck`: where the thread `t` is, and that it cannot.
void Lowering::add_stuck_for_else(const std::vector<FormulaPtr>& stuck) {
  const LockOrders& orders = out_.lock_orders;
  if (orders.other_deadlock < 0) return;
  const FormulaPtr is_stuck = conjunction({disjunction(stuck), negation(waits_for_object("t"))});
  out_.claims.push_back({exists({"t"}, conjunction({atom(system().is_thread, {"t"}),
                                                    disjunction({is_stuck, has_ended_with_monitor("t")})})),
                         orders.other_deadlock, false});
}

}  // namespace concord::engine::shape::source
