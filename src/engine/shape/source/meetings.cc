// What configurations say by where threads stand: circles of waiting threads, nested monitors, regions (explore/standing.h has the same
// for real states).
#include "engine/shape/source/lowering.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

void Lowering::add_meetings() {
  if (cyclic_ >= 0 && !by_views_) {
    const FormulaPtr circle = make(Formula::Kind::kClosure, {"t", "t", "a", "b"}, {waits_for("a", "b", false)});
    out_.claims.push_back({exists({"t"}, conjunction({negation(is_intended("t")), circle})), cyclic_, false});
  }
  if (nested_ >= 0) {
    const FormulaPtr is_meant = conjunction({is_intended("a"), is_intended("b")});
    out_.claims.push_back(
        {exists({"a", "b"}, conjunction({waits_for("a", "b", true), atom(vocabulary().waiting(), {"b"}),
                                         negation(equal("a", "b")), negation(is_meant)})),
         nested_, false});
  }
  for (const Procedure& procedure : program_.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      const auto* it = std::get_if<Exclusive>(&statement.node);
      if (it == nullptr || !it->body) return;
      const int property = find(diag::Kind::kMutualExclusion, statement.range);
      if (property < 0) return;
      out_.claims.push_back(
          {exists({"a", "b"}, conjunction({is_inside(statement, false, "a"), is_inside(statement, true, "b"),
                                           negation(equal("a", "b"))})),
           property, false});
    });
  }
}

// It cannot go on without the other, which holds the lock that it is to take, or whose end it waits for. Who has a choice waits for
// nobody, and so does who waits inside `atomic`.
FormulaPtr Lowering::waits_for(const shape::Variable& waiter, const shape::Variable& other, bool only_for_locks) {
  std::vector<FormulaPtr> any;
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
    const Label& label = out_.code.labels[l];
    if (label.is_inside || label.is_alone || label.moves.size() != 1) continue;
    const Move& move = out_.code.moves[static_cast<std::size_t>(label.moves.front())];
    const Stmt* statement = move.operation.statement;
    if (statement == nullptr) continue;
    const FormulaPtr at = atom(system().at[l], {waiter});
    Terms terms(vocabulary(), waiter, move.procedure, move.from);
    if (move.operation.kind == Operation::Kind::kWaitAcquire) {
      any.push_back(conjunction({at, negation(atom(vocabulary().waiting(), {waiter})),
                                 Terms::held_by(waited_for(waiter, move.procedure), other)}));
    } else if (const auto* acquire = std::get_if<Acquire>(&statement->node)) {
      const Lock lock = lock_of(terms, *acquire->lock);
      std::vector<FormulaPtr> all{at, Terms::held_by(lock, other)};
      if (acquire->lock->type.kind != Type::Kind::kTid) all.push_back(negation(equal(waiter, other)));
      any.push_back(conjunction(all));
    } else if (const auto* join = std::get_if<Join>(&statement->node); join != nullptr && !only_for_locks) {
      const FormulaPtr has_ended = atom(system().at[static_cast<std::size_t>(out_.code.done)], {other});
      any.push_back(conjunction({at, terms.term(*join->thread).is(other), negation(has_ended)}));
    }
  }
  return disjunction(any);
}

// It stands at a `may_block`.
FormulaPtr Lowering::is_intended(const shape::Variable& thread) {
  std::vector<FormulaPtr> any;
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
    const Label& label = out_.code.labels[l];
    if (label.moves.size() != 1) continue;
    const Stmt* statement = out_.code.moves[static_cast<std::size_t>(label.moves.front())].operation.statement;
    if (statement != nullptr && statement->may_block) any.push_back(atom(system().at[l], {thread}));
  }
  return disjunction(any);
}

// `by_name`: or any other region of its name.
FormulaPtr Lowering::is_inside(const Stmt& region, bool by_name, const shape::Variable& thread) {
  std::vector<FormulaPtr> any;
  for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
    for (const Stmt* it : out_.code.labels[l].regions) {
      const bool is_meant =
          by_name ? std::get<Exclusive>(it->node).region == std::get<Exclusive>(region.node).region : it == &region;
      if (!is_meant) continue;
      any.push_back(atom(system().at[l], {thread}));
      break;
    }
  }
  return disjunction(any);
}

}  // namespace concord::engine::shape::source
