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

// What the move evaluates, for whoever is the thread of the terms.
void Lowering::collect(Terms& terms, const Move& move) {
  ActionBuilder unused(vocabulary(), "", {});
  std::vector<ActionBuilder> more;
  perform(terms, move, unused, more);
}

void Lowering::lower(int number) {
  const Move& move = out_.code.moves[static_cast<std::size_t>(number)];
  const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
  base::SourceRange at = range_of(move.operation, procedure);
  Terms terms(vocabulary(), kThread, move.procedure, move.from);
  ActionBuilder first(vocabulary(), text_of(move.operation), at);
  std::vector<ActionBuilder> more;  // other ways in which the operation may go
  perform(terms, move, first, more);
  more.push_back(std::move(first));
  const LocalUse use = local_use(program_, move);
  const bool is_waived = move.operation.statement != nullptr && move.operation.statement->is_assertion_waived;
  for (ActionBuilder& it : more) {
    for (const FormulaPtr& formula : terms.focus) it.focus(formula);
    clear_dead(it, move, use);
    for (const Terms::Need& need : terms.needs) {
      say(it, negation(need.holds), need.kind, need.at, at);
      const bool is_assertion = move.operation.statement != nullptr &&
                                std::holds_alternative<Assert>(move.operation.statement->node) &&
                                claimed(need.kind, need.at) == claimed(need.kind, move.operation.statement->range);
      if (!is_waived || !is_assertion) it.require(need.holds);
    }
    say_races(it, terms, move, at);
    Edge edge;
    edge.from = move.from;
    edge.to = move.to;
    edge.action = static_cast<int>(system().actions.size());
    edge.goes_on = true;
    edge.range = at;
    system().actions.push_back(it.finish());
    system().edges.push_back(edge);
    out_.moves.push_back(number);
  }
  out_.concerns.push_back(concern(terms, move));
}

Concern Lowering::concern(const Terms& terms, const Move& move) const {
  Concern out;
  for (const Term& it : terms.touched) out.touched.push_back(it.is("o"));
  for (const Terms::Access& it : terms.accesses) {
    if (it.is_write && it.has_object && !it.is_element) out.touched.push_back(it.object.is("o"));
    out.is_shared = out.is_shared || it.is_element || (it.is_write && !it.has_object);
  }
  out.is_shared = out.is_shared || terms.looks_at_shared;
  const bool may_be_known = vocabulary().has_hidden_references() && (!out.touched.empty() || !terms.created.empty());
  const bool is_watched = std::any_of(terms.created.begin(), terms.created.end(), [&](int it) {
    return std::find(out_.watched.begin(), out_.watched.end(), it) != out_.watched.end();
  });
  out.is_shared = out.is_shared || may_be_known || is_watched;
  const Stmt* statement = move.operation.statement;
  const bool is_statement = move.operation.kind == Operation::Kind::kStatement && move.set == nullptr;
  const auto* havoc = is_statement ? std::get_if<Havoc>(&statement->node) : nullptr;
  out.is_shared = out.is_shared || move.operation.kind == Operation::Kind::kWaitRelease ||
                  move.operation.kind == Operation::Kind::kWaitAcquire || (havoc != nullptr && havoc->low);
  out.may_block = (is_statement && std::holds_alternative<Assume>(statement->node)) ||
                  (move.operation.kind == Operation::Kind::kCall && called(*statement)->is_within_requires);
  return out;
}

void Lowering::perform(Terms& terms, const Move& move, ActionBuilder& builder, std::vector<ActionBuilder>& more) {
  if (move.set != nullptr) {
    const Target to = target(terms, move, *move.set->target);
    return to(builder, terms.term(*move.set->value));
  }
  const Operation& operation = move.operation;
  switch (operation.kind) {
    case Operation::Kind::kSilent:
    case Operation::Kind::kAtomicBegin:
    case Operation::Kind::kAtomicEnd:
    case Operation::Kind::kEnter:
    case Operation::Kind::kLeave: return;
    case Operation::Kind::kCondition: {
      const FormulaPtr truth = terms.truth(*operation.condition);
      return builder.require(operation.wanted ? truth : negation(truth));
    }
    case Operation::Kind::kCall: return perform_call(terms, move, builder);
    case Operation::Kind::kReturn: return perform_return(terms, move, builder);
    case Operation::Kind::kThrow: return perform_throw(terms, move, builder);
    case Operation::Kind::kAssignResult: {
      const int callee = called(*operation.statement)->index;
      const auto& assign = std::get<Assign>(operation.statement->node);
      const Target to = target(terms, move, *assign.target);
      const Type& type = program_.procedures[static_cast<std::size_t>(callee)].result;
      return to(builder, of_local(terms, {callee, kResultSlot}, type));
    }
    case Operation::Kind::kWaitRelease: return perform_wait(terms, move, builder);
    case Operation::Kind::kWaitAcquire: return perform_wake_up(move, builder);
    case Operation::Kind::kStatement: return perform_statement(terms, move, builder, more);
  }
}

Term Lowering::of_local(const Terms& terms, const LocalName& name, const Type& type) {
  const Place& place = vocabulary().local(name);
  Term out;
  switch (place.kind) {
    case Place::Kind::kNumber:
    case Place::Kind::kRelation:
      out.kind = place.kind == Place::Kind::kNumber ? Term::Kind::kNumber : Term::Kind::kRelation;
      out.is = [relation = place.predicate, t = terms.thread()](const shape::Variable& v) {
        return atom(relation, {t, v});
      };
      out.is_null = negation(atom(place.has, {terms.thread()}));
      return out;
    case Place::Kind::kBool:
      out.kind = Term::Kind::kBool;
      out.truth = atom(place.predicate, {terms.thread()});
      return out;
    default: return terms.unknown(type);
  }
}

// The clause as it stands, and whether it has a meaning at all.
FormulaPtr Lowering::broken(Terms& terms, const Expr& clause) {
  terms.needs.clear();
  const FormulaPtr truth = terms.truth(clause);
  std::vector<FormulaPtr> all{truth};
  for (const Terms::Need& it : terms.needs) all.push_back(it.holds);
  terms.needs.clear();
  return negation(conjunction(all));
}

void Lowering::perform_call(Terms& terms, const Move& move, ActionBuilder& builder) {
  const CallTarget& call = *called(*move.operation.statement);
  const Procedure& callee = program_.procedures[static_cast<std::size_t>(call.index)];
  Terms inside(vocabulary(), terms.thread(), call.index);
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Term value = fitting(terms, terms.term(*call.arguments[i]), callee.parameters[i].type);
    terms.focus_on(value);
    inside.give(static_cast<int>(i), value);
    set_local(builder, move, {call.index, static_cast<int>(i)}, value);
  }
  for (const ExprPtr& it : callee.contract.requires_) {
    const FormulaPtr fails = broken(inside, *it);
    if (call.is_within_requires) {
      builder.require(negation(fails));
    } else {
      say(builder, fails, diag::Kind::kPrecondition, it->range, call.range);
    }
  }
  adopt(terms, inside);
  if (call.is_within_requires) terms.looks_at_shared = true;
}

// What a clause that is looked at in this step speaks of.
void Lowering::adopt(Terms& terms, const Terms& clause) {
  terms.looks_at_shared = terms.looks_at_shared || clause.looks_at_shared;
  // What another thread's clause touches is not only this thread's.
  if (clause.thread() != terms.thread())
    terms.looks_at_shared = terms.looks_at_shared || !clause.touched.empty();
  else
    terms.touched.insert(terms.touched.end(), clause.touched.begin(), clause.touched.end());
}

void Lowering::say_at_end(Terms& terms, const std::vector<ExprPtr>& clauses, const Term& result, const Move& move,
                          ActionBuilder& builder) {
  for (const ExprPtr& it : clauses) {
    Terms inside(vocabulary(), terms.thread(), move.procedure);
    inside.give_result(result);
    say(builder, broken(inside, *it), diag::Kind::kPostcondition, it->range,
        range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]));
    terms.looks_at_shared = true;  // what it says of the shared state must be looked at in every order
  }
}

void Lowering::perform_return(Terms& terms, const Move& move, ActionBuilder& builder) {
  const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
  Term value = terms.unknown(procedure.result);
  const Stmt* statement = move.operation.statement;
  if (const auto* it = statement == nullptr ? nullptr : std::get_if<Return>(&statement->node);
      it != nullptr && it->value) {
    value = fitting(terms, terms.term(*it->value), procedure.result);
    terms.focus_on(value);
  }
  say_at_end(terms, procedure.contract.ensures, value, move, builder);
  if (move.caller == nullptr) return;
  const CallTarget& call = *called(*move.caller);
  if (call.catch_slot >= 0) set_local(builder, move, {move.calling_procedure, call.catch_slot}, nothing());
  if (procedure.result.kind == Type::Kind::kNone) return;
  const int slot = direct_result_slot(*move.caller);
  set_local(builder, move, slot >= 0 ? LocalName{move.calling_procedure, slot} : LocalName{move.procedure, kResultSlot},
            value);
}

Term Lowering::nothing() {
  Term out;
  out.kind = Term::Kind::kRelation;
  out.is = [](const shape::Variable&) { return constant(Kleene::kFalse); };
  out.is_null = constant(Kleene::kTrue);
  return out;
}

void Lowering::perform_throw(Terms& terms, const Move& move, ActionBuilder& builder) {
  const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
  const Stmt& statement = *move.operation.statement;
  const Term value = fitting(terms, terms.term(*std::get<Throw>(statement.node).value), procedure.throws);
  terms.focus_on(value);
  terms.need_object(value, statement.range);
  say_at_end(terms, procedure.contract.signals, value, move, builder);
  if (move.caller == nullptr) return;
  const int slot = called(*move.caller)->catch_slot;
  if (slot >= 0) set_local(builder, move, {move.calling_procedure, slot}, value);
}

}  // namespace concord::engine::shape::source
