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

void Lowering::find_stops() {
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) out_.stops.push_back(stop(static_cast<int>(l)));
}

Stop Lowering::stop(int label) const {
  const Label& it = out_.code.labels[static_cast<std::size_t>(label)];
  if (label == out_.code.done) return Stop::kAll;
  if (it.is_inside || it.is_alone) return it.is_loop ? Stop::kItself : Stop::kNever;
  if (!it.regions.empty()) return Stop::kAll;
  bool touches = false;
  for (const int move : it.moves) {
    const std::set<int> all = moves_inside(move);  // of the whole step
    for (const int each : all) {
      const Concern& concern = out_.concerns[static_cast<std::size_t>(each)];
      if (concern.is_shared || (all.size() > 1 && concern.may_block)) return Stop::kAll;
      touches = touches || !concern.touched.empty() || all.size() > 1;
    }
  }
  const Reductions& reductions = task_.settings.reductions;
  if (touches) return reductions.partial_order ? Stop::kPerhaps : Stop::kAll;
  return reductions.local_steps ? Stop::kNever : Stop::kAll;
}

// Those of the step that begins with this one.
std::set<int> Lowering::moves_inside(int begin) const {
  std::set<int> out{begin};
  std::vector<int> todo{out_.code.moves[static_cast<std::size_t>(begin)].to};
  while (!todo.empty()) {
    const Label& at = out_.code.labels[static_cast<std::size_t>(todo.back())];
    todo.pop_back();
    if (!at.is_inside) continue;
    for (const int move : at.moves) {
      if (out.insert(move).second) todo.push_back(out_.code.moves[static_cast<std::size_t>(move)].to);
    }
  }
  return out;
}

bool is_invariant(const Clause& clause) {
  return clause.kind == Clause::Kind::kGlobalInvariant || clause.kind == Clause::Kind::kMonitorInvariant;
}

void Lowering::add_invariants() {
  for (const Clause& it : program_.clauses) {
    const int property = find(diag::Kind::kInvariant, it.range);
    if (property < 0 || !is_invariant(it)) continue;
    if (is_beyond_views(it)) {
      out_.is_decided[static_cast<std::size_t>(property)] = false;
      continue;
    }
    Terms terms(vocabulary(), "nobody", -1);
    if (it.class_index < 0) {
      out_.claims.push_back({broken(terms, *it.predicate.predicate), property, false});
      continue;
    }
    terms.give_this("this", it.class_index);
    Type type = type_of_kind(Type::Kind::kClass);
    type.decl = it.class_index;
    std::vector<FormulaPtr> all{terms.has_type(type, "this"), broken(terms, *it.predicate.predicate)};
    if (it.kind == Clause::Kind::kMonitorInvariant)
      all.push_back(negation(atom(vocabulary().object_monitor().taken, {"this"})));
    out_.claims.push_back({exists({"this"}, conjunction(all)), property, false});
  }
}

// A thread begins where its procedure's precondition holds.
void Lowering::add_entries() {
  for (const auto& [procedure, label] : out_.code.entry) {
    for (const ExprPtr& it : program_.procedures[static_cast<std::size_t>(procedure)].contract.requires_) {
      const int property = find(diag::Kind::kPrecondition, it->range);
      if (property < 0) continue;
      Terms terms(vocabulary(), "t", procedure);
      out_.claims.push_back(
          {exists({"t"}, conjunction({atom(vocabulary().fresh(), {"t"}),
                                      atom(system().at[static_cast<std::size_t>(label)], {"t"}), broken(terms, *it)})),
           property, true});
    }
  }
}

// Somebody has not ended, nobody can move, and that is not intended.
void Lowering::add_deadlock() {
  if (deadlock_ < 0 || (by_views_ && out_.lock_orders.deadlock < 0)) return;
  // Whoever runs alone and is stuck is stuck with all others; those states are not looked at.
  for (std::size_t m = 0; m < out_.code.moves.size(); ++m) {
    const Move& move = out_.code.moves[m];
    const Label& from = out_.code.labels[static_cast<std::size_t>(move.from)];
    const bool is_statement = move.operation.kind == Operation::Kind::kStatement && move.set == nullptr;
    const auto* acquire = is_statement ? std::get_if<Acquire>(&move.operation.statement->node) : nullptr;
    const bool gets_it = acquire != nullptr && acquire->lock->type.kind != Type::Kind::kTid;  // nobody else has it
    if (from.is_alone && !from.is_inside && !gets_it && is_blocked(static_cast<int>(m)) != nullptr)
      out_.is_decided[static_cast<std::size_t>(deadlock_)] = false;
  }
  std::vector<FormulaPtr> stuck;
  std::vector<FormulaPtr> intended;
  const FormulaPtr ended = atom(system().at[static_cast<std::size_t>(out_.code.done)], {"t"});
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
    const Label& label = out_.code.labels[l];
    if (static_cast<int>(l) == out_.code.done || label.is_inside || label.is_alone) continue;
    std::vector<FormulaPtr> all{atom(system().at[l], {"t"})};
    bool is_intended = true;
    for (const int m : label.moves) {
      const Move& move = out_.code.moves[static_cast<std::size_t>(m)];
      const FormulaPtr blocks = is_blocked(m);
      if (blocks == nullptr) {
        all.clear();
        break;
      }
      all.push_back(blocks);
      const Stmt* statement = move.operation.statement;
      const CallTarget* call = statement == nullptr ? nullptr : called(*statement);
      is_intended = is_intended && statement != nullptr &&
                    (statement->may_block || (call != nullptr && call->is_within_requires));
    }
    if (all.empty()) continue;
    if (is_intended) intended.push_back(all.front());
    stuck.push_back(conjunction(all));
  }
  if (by_views_) return add_stuck_for_else(stuck);
  stuck.push_back(ended);
  intended.push_back(ended);
  // Individuals that are no threads do not count.
  const auto all_threads = [&](std::vector<FormulaPtr> any) {
    any.push_back(negation(atom(system().is_thread, {"t"})));
    return forall({"t"}, disjunction(std::move(any)));
  };
  const FormulaPtr deadlock = conjunction({negation(all_threads(intended)), all_threads(stuck)});
  out_.claims.push_back({deadlock, deadlock_, false});
  add_other_deadlock(deadlock);
}

// The thread `t` cannot make this move; null: it always can.
FormulaPtr Lowering::is_blocked(int number) {
  const Move& move = out_.code.moves[static_cast<std::size_t>(number)];
  Terms terms(vocabulary(), "t", move.procedure, move.from);
  const Stmt* statement = move.operation.statement;
  switch (move.operation.kind) {
    case Operation::Kind::kWaitAcquire: {
      const Lock lock = waited_for("t", move.procedure);
      return disjunction({atom(vocabulary().waiting(), {"t"}),
                          exists({"o"}, conjunction({lock.object.is("o"), atom(lock.place->taken, {"o"})}))});
    }
    case Operation::Kind::kAtomicBegin: return may_block_inside(number) ? maybe() : nullptr;
    case Operation::Kind::kCall: return called(*statement)->is_within_requires ? maybe() : nullptr;
    case Operation::Kind::kStatement: break;
    default: return nullptr;
  }
  if (const auto* it = std::get_if<Assume>(&statement->node)) return negation(terms.truth(*it->condition));
  if (const auto* it = std::get_if<Acquire>(&statement->node)) {
    const Lock lock = lock_of(terms, *it->lock);
    if (lock.place == nullptr) return terms.is_taken(lock);
    return conjunction({terms.is_taken(lock), negation(Terms::held_by(lock, "t"))});
  }
  if (const auto* it = std::get_if<Join>(&statement->node)) {
    const Term thread = terms.term(*it->thread);
    return conjunction({negation(thread.is_null), negation(has_ended(thread))});
  }
  const bool may = std::holds_alternative<Direct>(statement->node) || std::holds_alternative<Havoc>(statement->node);
  return may ? maybe() : nullptr;
}

bool Lowering::may_block_inside(int begin) const {
  for (const int m : moves_inside(begin)) {
    const Move& move = out_.code.moves[static_cast<std::size_t>(m)];
    const Label& from = out_.code.labels[static_cast<std::size_t>(move.from)];
    if (from.is_inside && from.is_loop) return true;  // perhaps for ever
    if (out_.concerns[static_cast<std::size_t>(m)].may_block) return true;
    if (move.operation.kind != Operation::Kind::kStatement || move.set != nullptr) continue;
    const Stmt::Node& node = move.operation.statement->node;
    if (std::holds_alternative<Acquire>(node) || std::holds_alternative<Join>(node) ||
        std::holds_alternative<Direct>(node) || std::holds_alternative<Havoc>(node))
      return true;
  }
  return false;
}

}  // namespace concord::engine::shape::source
