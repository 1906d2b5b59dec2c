// Orders of locks that nobody declared (precedence.cc), and which deadlocks they exclude.
//
// If nobody can move, and everybody who has not ended waits for the monitor of an object that somebody holds who has not ended either, then
// some of them wait for each other in a circle, since there are finitely many. Each in it waits for a monitor that the next one holds. So
// if whoever waits for a monitor only ever holds such as come before it in some order (or only such as come behind it), there is no such circle.
#include <fmt/format.h>

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
  if (out.orders.empty()) return;
  if (deadlock_ >= 0) {
    out.deadlock = deadlock_;
    out.other_deadlock = next++;
  }
  bool waits_for_else = false;
  for (const Label& label : out_.code.labels) {
    for (const int m : label.moves) {
      if (out_.code.moves[static_cast<std::size_t>(m)].set != nullptr) continue;  // after the operation
      const Operation& operation = out_.code.moves[static_cast<std::size_t>(m)].operation;
      const bool is_statement = operation.kind == Operation::Kind::kStatement && operation.statement != nullptr;
      const bool waits = operation.kind == Operation::Kind::kWaitAcquire ||
                         (is_statement && (std::holds_alternative<Acquire>(operation.statement->node) ||
                                           std::holds_alternative<Join>(operation.statement->node)));
      waits_for_else = waits_for_else || (waits && !is_wait_for_object(label));
    }
  }
  if (!waits_for_else) out.cyclic_deadlock = cyclic_;
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

void Lowering::add_other_deadlock(const FormulaPtr& deadlock) {
  const LockOrders& orders = out_.lock_orders;
  if (orders.other_deadlock < 0) return;
  const FormulaPtr has_ended = atom(system().at[static_cast<std::size_t>(out_.code.done)], {"t"});
  const FormulaPtr waits_for_else =
      conjunction({atom(system().is_thread, {"t"}), negation(has_ended), negation(waits_for_object("t"))});
  // Whoever has ended gives nothing back.
  const FormulaPtr keeps =
      conjunction({has_ended, exists({"o"}, atom(vocabulary().object_monitor().predicate, {"o", "t"}))});
  out_.claims.push_back(
      {conjunction({deadlock, exists({"t"}, disjunction({waits_for_else, keeps}))}), orders.other_deadlock, false});
}

}  // namespace concord::engine::shape::source
