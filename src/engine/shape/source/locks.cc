#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/shape/source/lowering.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

// For whom a change of a monitor is: its object, in place of `u` (or `v` of a property).
FormulaPtr Lowering::of_object(const Lock& lock, const shape::Variable& it) {
  return lock.has_object ? lock.object.is(it) : constant(Kleene::kTrue);
}

void Lowering::change_holder(ActionBuilder& builder, const Lock& lock, const shape::Variable& thread, bool takes) {
  const FormulaPtr whom =
      lock.has_object ? conjunction({of_object(lock, "u"), is_thread("v", thread)}) : is_thread("v", thread);
  builder.change(lock.place->predicate, takes ? whom : nullptr, takes ? nullptr : whom);
}

void Lowering::focus_holder(Terms& terms, const Lock& lock) {
  if (lock.place == nullptr) return;
  Term holder = lock.object;
  if (!lock.has_object) return terms.focus.push_back(atom(lock.place->predicate, {"holder"}));
  if (holder.way.empty()) return;
  holder.way.push_back(atom(lock.place->predicate, {holder.end, "holder"}));
  terms.focus_on(holder);
}

void Lowering::perform_acquire(Terms& terms, const Move& move, const Expr& expr, ActionBuilder& builder,
                               std::vector<ActionBuilder>& more) {
  const Lock lock = terms.lock(expr, expr.range);
  terms.looks_at_shared = true;
  builder.require(negation(terms.is_taken(lock)));
  if (lock.place == nullptr) {
    say_orders(builder, terms, move, expr, lock);
    const Target to = target(terms, move, expr);
    Term self = nothing();
    self.is = [t = terms.thread()](const shape::Variable& v) { return equal(v, t); };
    self.is_null = constant(Kleene::kFalse);
    return to(builder, self);
  }
  focus_holder(terms, lock);
  change_holder(builder, lock, terms.thread(), true);
  say_orders(builder, terms, move, expr, lock);
  say_precedences(builder, terms, move, lock);
  // Once more: one level deeper.
  ActionBuilder again(vocabulary(), text_of(move.operation), expr.range);
  again.require(Terms::held_by(lock, terms.thread()));
  const FormulaPtr whom = of_object(lock, "v");
  const FormulaPtr was_deep =
      atom(lock.place->deep, lock.has_object ? std::vector<shape::Variable>{"v"} : std::vector<shape::Variable>{});
  again.change(lock.place->deep, whom, nullptr);
  again.change(lock.place->deeper, conjunction({whom, was_deep}), nullptr);
  more.push_back(std::move(again));
}

void Lowering::perform_release(Terms& terms, const Move& move, const Stmt& statement, const Expr& expr,
                               ActionBuilder& builder, std::vector<ActionBuilder>& more) {
  const Lock lock = terms.lock(expr, expr.range);
  terms.looks_at_shared = true;
  terms.need(diag::Kind::kMonitorState, statement.range, Terms::held_by(lock, terms.thread()));
  if (lock.place == nullptr) {
    const Target to = target(terms, move, expr);
    return to(builder, nothing());
  }
  focus_holder(terms, lock);
  builder.require(negation(terms.is_deep(lock, lock.place->deep)));
  change_holder(builder, lock, terms.thread(), false);
  ActionBuilder inner(vocabulary(), text_of(move.operation), statement.range);
  inner.require(terms.is_deep(lock, lock.place->deep));
  const FormulaPtr whom = of_object(lock, "v");
  const FormulaPtr was_deeper =
      atom(lock.place->deeper, lock.has_object ? std::vector<shape::Variable>{"v"} : std::vector<shape::Variable>{});
  inner.change(lock.place->deep, conjunction({whom, was_deeper}), whom);
  inner.change(lock.place->deeper, conjunction({whom, was_deeper, maybe()}), whom);
  more.push_back(std::move(inner));
}

void Lowering::perform_wait(Terms& terms, const Move& move, ActionBuilder& builder) {
  const Stmt& statement = *move.operation.statement;
  const Lock lock = lock_of(terms, *std::get<Wait>(statement.node).lock);
  terms.looks_at_shared = true;
  terms.need(diag::Kind::kMonitorState, statement.range, Terms::held_by(lock, terms.thread()));
  if (lock.place == nullptr || lock.place != &vocabulary().object_monitor()) {
    // Which monitor it waits for is kept for objects only.
    builder.say(constant(Kleene::kTrue), kUnsupported, "waiting for a monitor that is no object", statement.range);
    return;
  }
  focus_holder(terms, lock);
  change_holder(builder, lock, terms.thread(), false);
  const auto [deep, deeper] = vocabulary().wait_levels();
  const FormulaPtr self = equal("v", terms.thread());
  builder.change(deep, conjunction({self, terms.is_deep(lock, lock.place->deep)}), self);
  builder.change(deeper, conjunction({self, terms.is_deep(lock, lock.place->deeper)}), self);
  builder.change(lock.place->deep, nullptr, of_object(lock, "v"));
  builder.change(lock.place->deeper, nullptr, of_object(lock, "v"));
  set_local(builder, move, {move.procedure, kWaitSlot}, lock.object);
  if (vocabulary().waiting() >= 0) builder.change(vocabulary().waiting(), self, nullptr);
}

Lock Lowering::waited_for(const shape::Variable& thread, int procedure) {
  Lock out;
  out.place = &vocabulary().object_monitor();
  out.has_object = true;
  const Place& place = vocabulary().local({procedure, kWaitSlot});
  out.object.kind = Term::Kind::kRelation;
  out.object.is = [relation = place.predicate, thread](const shape::Variable& v) {
    return atom(relation, {thread, v});
  };
  out.object.is_null = constant(Kleene::kFalse);
  return out;
}

// Notified or not: it may also happen by itself.
void Lowering::perform_wake_up(const Move& move, ActionBuilder& builder) {
  const Lock lock = waited_for(kThread, move.procedure);
  focus_local(builder, vocabulary().local({move.procedure, kWaitSlot}));
  const FormulaPtr is_taken = exists({"o"}, conjunction({lock.object.is("o"), atom(lock.place->taken, {"o"})}));
  builder.require(negation(is_taken));
  change_holder(builder, lock, kThread, true);
  Terms terms(vocabulary(), kThread, move.procedure, move.from);
  say_orders(builder, terms, move, *std::get<Wait>(move.operation.statement->node).lock, lock);
  for (const FormulaPtr& it : terms.focus) builder.focus(it);
  const auto [deep, deeper] = vocabulary().wait_levels();
  builder.change(lock.place->deep, conjunction({lock.object.is("v"), atom(deep, {kThread})}), nullptr);
  builder.change(lock.place->deeper, conjunction({lock.object.is("v"), atom(deeper, {kThread})}), nullptr);
  const FormulaPtr self = equal("v", kThread);
  builder.change(deep, nullptr, self);
  builder.change(deeper, nullptr, self);
  if (vocabulary().waiting() >= 0) builder.change(vocabulary().waiting(), nullptr, self);
}

void Lowering::perform_notify(Terms& terms, const Move& move, const Notify& notify, ActionBuilder& builder,
                              std::vector<ActionBuilder>& more) {
  const Stmt& statement = *move.operation.statement;
  const Lock lock = lock_of(terms, *notify.lock);
  terms.looks_at_shared = true;
  terms.need(diag::Kind::kMonitorState, statement.range, Terms::held_by(lock, terms.thread()));
  focus_holder(terms, lock);
  const int ignored = find(diag::Kind::kIgnoredNotify, statement.range);
  if (ignored >= 0 && !lock.has_object) builder.say(maybe(), ignored, "", statement.range);
  if (vocabulary().waiting() < 0 || !lock.has_object) return;
  // Who is in the wait set of the object.
  const auto waits = [&](const shape::Variable& who) {
    std::vector<FormulaPtr> any;
    for (const Move& it : out_.code.moves) {
      if (it.operation.kind != Operation::Kind::kWaitAcquire) continue;
      const Lock theirs = waited_for(who, it.procedure);
      any.push_back(conjunction({atom(system().at[static_cast<std::size_t>(it.from)], {who}),
                                 exists({"o"}, conjunction({lock.object.is("o"), theirs.object.is("o")}))}));
    }
    return conjunction({atom(vocabulary().waiting(), {who}), disjunction(any)});
  };
  const FormulaPtr is_ignored = negation(exists({"w"}, waits("w")));
  if (ignored >= 0)
    builder.say(conjunction({Terms::held_by(lock, terms.thread()), is_ignored}), ignored, "", statement.range);
  if (notify.all) return builder.change(vocabulary().waiting(), nullptr, waits("v"));
  builder.require(is_ignored);
  ActionBuilder some(vocabulary(), text_of(move.operation), statement.range);
  some.choose(waits("woken"));
  some.change(vocabulary().waiting(), nullptr, equal("v", "woken"));
  more.push_back(std::move(some));
}

}  // namespace concord::engine::shape::source
