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

// A new individual, as a value.
Term Lowering::created() {
  Term out = nothing();
  out.is = [is_new = system().is_new](const shape::Variable& v) { return atom(is_new, {v}); };
  out.is_null = constant(Kleene::kFalse);
  return out;
}

Term Lowering::zero() {
  Term out = nothing();
  out.kind = Term::Kind::kNumber;
  out.is = [number = vocabulary().zero()](const shape::Variable& v) { return atom(number, {v}); };
  out.is_null = constant(Kleene::kFalse);
  return out;
}

Term Lowering::create_object(Terms& terms, const Move& move, const NewObject& it, ActionBuilder& builder) {
  builder.create();
  terms.created.push_back(vocabulary().class_predicate(it.class_index));
  Terms initial(vocabulary(), terms.thread(), -1);  // what goes wrong there is nobody's claim
  const Term made = created();
  builder.change(vocabulary().class_predicate(it.class_index), made.is("v"), nullptr);
  if (const int once = vocabulary().made_at(static_cast<int>(&move - out_.code.moves.data())); once >= 0) {
    terms.created.push_back(once);
    builder.change(once, made.is("v"), nullptr);
  }
  std::map<int, Term> values;
  for (int f = 0; f < field_count(program_, it.class_index); ++f) {
    const plato::Variable& field = plato::field_of(program_, it.class_index, f);
    if (field.init) values[f] = initial.term(*field.init);
    if (!field.init && vocabulary().field(it.class_index, f).kind == Place::Kind::kNumber) values[f] = zero();
    if (!field.init && field.type.kind == Type::Kind::kEnum) {
      Term& value = values[f] = terms.unknown(field.type);
      for (std::size_t c = 0; c < value.constants.size(); ++c)
        value.constants[c] = constant(c == 0 ? Kleene::kTrue : Kleene::kFalse);
    }
  }
  for (const NewObject::Init& init : it.inits) {
    values[init.index] = terms.term(*init.value);
    terms.focus_on(values[init.index]);
  }
  for (const auto& [f, value] : values) {
    const plato::Variable& field = plato::field_of(program_, it.class_index, f);
    builder.assign(vocabulary().field(it.class_index, f), made.is, fitting(terms, value, field.type));
  }
  return made;
}

Term Lowering::start(Terms& terms, const CallTarget& call, ActionBuilder& builder) {
  builder.create();  // which nobody can tell from its being created later, if nothing speaks of all threads
  terms.created.push_back(system().is_thread);
  const Term made = created();
  const Procedure& callee = program_.procedures[static_cast<std::size_t>(call.index)];
  builder.change(system().is_thread, made.is("v"), nullptr);
  builder.change(vocabulary().fresh(), made.is("v"), nullptr);
  builder.change(system().at[static_cast<std::size_t>(out_.code.entry.at(call.index))], made.is("v"), nullptr);
  const Label& entry = out_.code.labels[static_cast<std::size_t>(out_.code.entry.at(call.index))];
  Terms inside(vocabulary(), terms.thread(), call.index);  // what is required of the new thread
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const Term value = fitting(terms, terms.term(*call.arguments[i]), callee.parameters[i].type);
    terms.focus_on(value);
    const LocalName name{call.index, static_cast<int>(i)};
    inside.give(static_cast<int>(i), value);
    if (entry.live.contains(name)) builder.assign(vocabulary().local(name), made.is, value);
  }
  for (const ExprPtr& it : callee.contract.requires_) broken(inside, *it);
  adopt(terms, inside);
  return made;
}

void Lowering::perform_rhs(Terms& terms, const Move& move, const Rhs& rhs, const Type& type, const Target& to,
                           ActionBuilder& builder, std::vector<ActionBuilder>& more) {
  std::visit(base::Overloaded{
                 [&](const ExprPtr& it) {
                   const Term value = terms.term(*it);
                   terms.focus_on(value);
                   to(builder, fitting(terms, value, type));
                 },
                 [&](const NewObject& it) { to(builder, create_object(terms, move, it, builder)); },
                 [&](const NewArray& it) {
                   terms.term(*it.size);
                   const auto* literal = std::get_if<IntLit>(&it.size->node);
                   terms.need(diag::Kind::kNegativeArraySize, move.operation.statement->range,
                              constant(literal != nullptr && literal->value >= 0 ? Kleene::kTrue : Kleene::kUnknown));
                   builder.create();
                   terms.created.push_back(vocabulary().array());
                   const Term made = created();
                   builder.change(vocabulary().array(), made.is("v"), nullptr);
                   to(builder, made);
                 },
                 [&](const CasExpr& it) {
                   terms.looks_at_shared = true;
                   const Term current = terms.term(*it.location);
                   const Target location = target(terms, move, *it.location);
                   const FormulaPtr same = terms.equal_terms(current, terms.term(*it.expected), terms.new_variable());
                   const Term value = terms.term(*it.value);
                   terms.focus_on(current);
                   terms.focus_on(value);
                   Term truth;
                   truth.kind = Term::Kind::kBool;
                   truth.truth = constant(Kleene::kTrue);
                   ActionBuilder fails(vocabulary(), text_of(move.operation), move.operation.statement->range);
                   fails.require(negation(same));
                   builder.require(same);
                   location(builder, fitting(terms, value, it.location->type));
                   to(builder, truth);
                   truth.truth = constant(Kleene::kFalse);
                   to(fails, truth);
                   more.push_back(std::move(fails));
                 },
                 [&](const CallExpr&) { base::internal_error(__FILE__, __LINE__, "a call is no assignment"); },
                 [&](const StartExpr& it) { to(builder, start(terms, it.target, builder)); },
             },
             rhs);
}

void Lowering::perform_statement(Terms& terms, const Move& move, ActionBuilder& builder,
                                 std::vector<ActionBuilder>& more) {
  const Stmt& statement = *move.operation.statement;
  const auto havoc = [&](const Expr& expr) {
    const bool refers = refers_to_objects(expr.type) || expr.type.kind == Type::Kind::kTid;
    terms.looks_at_shared = terms.looks_at_shared || refers;  // at which objects there are
    const Target to = target(terms, move, expr);
    to(builder, terms.unknown(expr.type));
  };
  std::visit(base::Overloaded{
                 [&](const LocalDecl& it) {
                   const LocalName name{move.procedure, it.slot};
                   const Target to = [&](ActionBuilder& with, const Term& value) {
                     set_local(with, move, name, value);
                   };
                   if (it.init) return perform_rhs(terms, move, *it.init, it.type, to, builder, more);
                   to(builder, default_of(terms, it.type));
                 },
                 [&](const Assign& it) {
                   const Target to = target(terms, move, *it.target);
                   perform_rhs(terms, move, it.value, it.target->type, to, builder, more);
                 },
                 [&](const Assert& it) {
                   const std::size_t accesses = terms.accesses.size();
                   const FormulaPtr truth = terms.truth(*it.condition);
                   terms.accesses.resize(accesses);  // what an assertion reads is no access
                   terms.need(kind_of(it), statement.range, truth);
                 },
                 [&](const Assume& it) { builder.require(terms.truth(*it.condition)); },
                 [&](const Havoc& it) {
                   for (const ExprPtr& to : it.targets) havoc(*to);
                   if (it.low) terms.term(*it.low), terms.term(*it.high);
                 },
                 [&](const CasSwap& it) {
                   terms.looks_at_shared = true;
                   const Term current = terms.term(*it.location);
                   const FormulaPtr same = terms.equal_terms(current, terms.term(*it.expected), terms.new_variable());
                   const Term other = terms.term(*it.value);
                   terms.focus_on(current);
                   terms.focus_on(other);
                   const Target location = target(terms, move, *it.location);
                   const Target value = target(terms, move, *it.value);
                   ActionBuilder fails(vocabulary(), text_of(move.operation), statement.range);
                   fails.require(negation(same));
                   builder.require(same);
                   location(builder, fitting(terms, other, it.location->type));
                   value(builder, fitting(terms, current, it.value->type));
                   more.push_back(std::move(fails));
                 },
                 [&](const Acquire& it) { perform_acquire(terms, move, *it.lock, builder, more); },
                 [&](const Release& it) { perform_release(terms, move, statement, *it.lock, builder, more); },
                 [&](const Notify& it) { perform_notify(terms, move, it, builder, more); },
                 [&](const Start& it) { start(terms, it.target, builder); },
                 [&](const Join& it) {
                   terms.looks_at_shared = true;
                   const Term thread = terms.term(*it.thread);
                   terms.focus_on(thread);
                   terms.need(diag::Kind::kThreadState, statement.range, negation(thread.is_null));
                   builder.require(has_ended(thread));
                 },
                 [&](const Initialised&) {
                   terms.looks_at_shared = true;
                   builder.change(vocabulary().fresh(), atom(system().is_thread, {"v"}), nullptr);
                 },
                 [&](const Direct& it) {
                   terms.looks_at_shared = true;
                   if (it.wrong_unless)
                     terms.need(diag::Kind::kAssertion, it.wrong_unless->range, terms.truth(*it.wrong_unless));
                   const std::size_t needed = terms.needs.size();
                   terms.term(*it.action.predicate);
                   terms.forget_needs(needed);
                   if (it.action.frame)
                     for (const ExprPtr& to : *it.action.frame) havoc(*to);
                 },
                 [&](const Unsupported& it) {
                   for (const ExprPtr& to : it.targets) havoc(*to);
                   if (it.targets.empty())
                     builder.say(constant(Kleene::kTrue), kUnsupported, it.reason, statement.range);
                 },
                 [&](const SetStmt& it) {
                   const Target to = target(terms, move, *it.set.target);
                   to(builder, terms.term(*it.set.value));
                 },
                 [&](const Skip&) {},
                 [&](const auto&) { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); },
             },
             statement.node);
}

Term Lowering::default_of(const Terms& terms, const Type& type) {
  Term out = terms.unknown(type);
  if (out.kind == Term::Kind::kBool) out.truth = constant(Kleene::kFalse);
  if (out.kind == Term::Kind::kRelation) return nothing();
  if (type.kind == Type::Kind::kInt && vocabulary().zero() >= 0) return zero();
  for (std::size_t c = 0; c < out.constants.size(); ++c)
    out.constants[c] = constant(c == 0 ? Kleene::kTrue : Kleene::kFalse);
  return out;
}

FormulaPtr Lowering::has_ended(const Term& thread) {
  return exists({"joined"}, conjunction({thread.is("joined"),
                                         atom(system().at[static_cast<std::size_t>(out_.code.done)], {"joined"})}));
}

}  // namespace concord::engine::shape::source
