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

// The local variables that nobody looks at any more have no values.
void Lowering::clear_dead(ActionBuilder& builder, const Move& move, const LocalUse& use) {
  const std::set<LocalName>& after = out_.code.labels[static_cast<std::size_t>(move.to)].live;
  for (const LocalName& it : out_.code.labels[static_cast<std::size_t>(move.from)].live) {
    if (after.contains(it) || use.set.contains(it)) continue;
    const Place& place = vocabulary().local(it);
    builder.clear(place, of_thread());
    focus_local(builder, place);
  }
}

void Lowering::focus_local(ActionBuilder& builder, const Place& place) {
  if (place.kind != Place::Kind::kRelation && place.kind != Place::Kind::kNumber) return;
  builder.focus(conjunction({atom(system().runnable, {kThread}), atom(place.predicate, {kThread, "old"})}));
}

// A local variable of that procedure gets a value; if nobody will look at it, none.
void Lowering::set_local(ActionBuilder& builder, const Move& move, const LocalName& name, const Term& value) {
  const Place& place = vocabulary().local(name);
  const Label& before = out_.code.labels[static_cast<std::size_t>(move.from)];
  const Label& after = out_.code.labels[static_cast<std::size_t>(move.to)];
  if (before.live.contains(name)) focus_local(builder, place);
  if (after.live.contains(name)) {
    builder.assign(place, of_thread(), value);
  } else if (before.live.contains(name)) {
    builder.clear(place, of_thread());
  }
}

Term Lowering::fitting(const Terms& terms, const Term& value, const Type& type) {
  const Term any = terms.unknown(type);
  const bool is_number = value.kind == Term::Kind::kNumber && type.kind == Type::Kind::kInt;
  return value.kind == any.kind || is_number ? value : any;
}

// What others rely on when this is written; `object`: whose field it is.
void Lowering::say_written(ActionBuilder& builder, Terms& step, const Move& move, const plato::Variable& variable,
                           const Term* object, int class_index) {
  const Label& from = out_.code.labels[static_cast<std::size_t>(move.from)];
  if (from.is_alone) return;
  const base::SourceRange at = range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]);
  for (const FieldClause& clause : variable.clauses) {
    const int property = find(diag::Kind::kEnvAssumption, clause.range);
    if (property < 0 || !out_.is_decided[static_cast<std::size_t>(property)]) continue;
    if (from.is_inside) {  // the clause is about the state in which the step began
      builder.say(maybe(), property, "", at);
      continue;
    }
    const bool is_own = clause.kind == FieldClause::Kind::kWritableIf;
    Terms terms(vocabulary(), is_own ? kThread : kOther, -1);
    if (object != nullptr) terms.give_this(*object, class_index);
    const FormulaPtr fails = broken(terms, *clause.expr);
    adopt(step, terms);
    if (is_own) {
      builder.say(fails, property, "", at);
      continue;
    }
    const FormulaPtr meaningless = broken_meaning(object, class_index, *clause.expr);
    builder.say(exists({kOther}, conjunction({negation(equal(kOther, kThread)), atom(system().is_thread, {kOther}),
                                              disjunction({negation(fails), meaningless})})),
                property, "", at);
  }
}

// For the other thread the clause has no meaning: then it counts as relied on.
FormulaPtr Lowering::broken_meaning(const Term* object, int class_index, const Expr& clause) {
  Terms terms(vocabulary(), kOther, -1);
  if (object != nullptr) terms.give_this(*object, class_index);
  terms.truth(clause);
  std::vector<FormulaPtr> any;
  for (const Terms::Need& it : terms.needs) any.push_back(negation(it.holds));
  return disjunction(any);
}

// The old value must not be larger than the new one.
void Lowering::say_rising(ActionBuilder& builder, Terms& terms, const Move& move, const Numbers::Rising& rising,
                          const Term& old, const Term& value) {
  const int property = find(diag::Kind::kEnvAssumption, rising.clause->range);
  if (property < 0 || out_.code.labels[static_cast<std::size_t>(move.from)].is_alone) return;
  builder.say(negation(terms.not_larger(old, value, 0)), property, "",
              range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]));
}

Lowering::Target Lowering::target(Terms& terms, const Move& move, const Expr& expr) {
  if (const int slot = local_slot(expr); slot >= 0) {
    return [this, &terms, &move, &expr, slot](ActionBuilder& builder, const Term& value) {
      set_local(builder, move, {move.procedure, slot}, fitting(terms, value, expr.type));
    };
  }
  if (const auto* it = std::get_if<NameExpr>(&expr.node); it != nullptr && it->ref.kind == Ref::Kind::kShared) {
    terms.accesses.push_back({&program_.variables[static_cast<std::size_t>(it->ref.index)], false, {}, false, true});
    const Place& place = vocabulary().shared(it->ref.index);
    if (place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber)
      terms.focus.push_back(atom(place.predicate, {"old"}));
    const int variable = it->ref.index;
    return [this, &terms, &move, &expr, &place, variable](ActionBuilder& builder, const Term& value) {
      say_written(builder, terms, move, program_.variables[static_cast<std::size_t>(variable)], nullptr, -1);
      for (const Numbers::Rising& rising : vocabulary().numbers().rising) {
        if (rising.shared == variable)
          say_rising(builder, terms, move, rising, terms.of_place(place, expr.type, nullptr), value);
      }
      builder.assign(place, nullptr, fitting(terms, value, expr.type));
    };
  }
  if (const auto* it = std::get_if<FieldExpr>(&expr.node); it != nullptr && it->kind == FieldExpr::Kind::kField) {
    const Term object = terms.term(*it->object);
    terms.focus_on(object);
    terms.need_object(object, expr.range);
    const plato::Variable& field = plato::field_of(program_, it->object->type.decl, it->index);
    terms.accesses.push_back({&field, true, object, false, true, object.way.size() == 1 && !object.is_shared});
    const Place& place = vocabulary().field(it->object->type.decl, it->index);
    const bool is_kept = place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber;
    if (is_kept && !object.way.empty()) {
      Term old = object;
      old.way.push_back(atom(place.predicate, {object.end, "old"}));
      terms.focus_on(old);
    }
    const int class_index = it->object->type.decl;
    const FieldHome home = field_home(program_, class_index, it->index);
    return [this, &terms, &move, &expr, &place, &field, object, class_index, home](ActionBuilder& builder,
                                                                                   const Term& value) {
      say_written(builder, terms, move, field, &object, class_index);
      for (const Numbers::Rising& rising : vocabulary().numbers().rising) {
        if (rising.field == std::pair(home.class_index, home.place))
          say_rising(builder, terms, move, rising, terms.of_place(place, expr.type, &object), value);
      }
      builder.assign(place, object.is, fitting(terms, value, expr.type));
    };
  }
  // An element or an entry: what is there is not kept.
  terms.term(expr);
  terms.looks_at_shared = true;
  if (const auto* it = std::get_if<IndexExpr>(&expr.node)) {
    for (Terms::Access& access : terms.accesses) access.is_write = access.is_write || access.is_element;
    const Expr* base = it->base.get();
    while (const auto* inner = std::get_if<IndexExpr>(&base->node)) base = inner->base.get();
    if (const auto* name = std::get_if<NameExpr>(&base->node); name != nullptr && name->ref.kind == Ref::Kind::kShared)
      terms.accesses.push_back(
          {&program_.variables[static_cast<std::size_t>(name->ref.index)], false, {}, false, true});
    if (const auto* field = std::get_if<FieldExpr>(&base->node);
        field != nullptr && field->kind == FieldExpr::Kind::kField && base->type.kind == Type::Kind::kMap) {
      const plato::Variable& variable = plato::field_of(program_, field->object->type.decl, field->index);
      terms.accesses.push_back({&variable, false, {}, false, true});
    }
  }
  return [](ActionBuilder&, const Term&) {};
}

}  // namespace concord::engine::shape::source
