#include "engine/shape/source/terms.h"

#include <fmt/format.h>

#include <utility>

#include "base/overloaded.h"
#include "engine/shape/build.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

FormulaPtr always() { return constant(Kleene::kTrue); }
FormulaPtr never() { return constant(Kleene::kFalse); }
FormulaPtr maybe() { return constant(Kleene::kUnknown); }

}  // namespace

Terms::Terms(const Vocabulary& vocabulary, Variable thread, int procedure, int label)
    : vocabulary_(vocabulary),
      program_(vocabulary.program()),
      thread_(std::move(thread)),
      prefix_(vocabulary.new_prefix()),
      procedure_(procedure),
      label_(label) {}

int Terms::copy_of(const Expr& expr) const {
  if (label_ < 0 || !given_.empty()) return -1;
  const std::string path = constant_path(program_, procedure_, expr);
  const Code& code = vocabulary_.code();
  const auto found = code.copies.find({procedure_, path});
  if (found == code.copies.end()) return -1;
  const bool has_value = code.labels[static_cast<std::size_t>(label_)].live.contains({procedure_, found->second});
  return has_value ? found->second : -1;
}

Variable Terms::new_variable() { return fmt::format("{}_{}_{}", thread_, prefix_, count_++); }

Term Terms::boolean(const FormulaPtr& truth) {
  Term out;
  out.kind = Term::Kind::kBool;
  out.truth = truth;
  return out;
}

// null, or none.
Term Terms::nothing() const {
  Term out;
  out.kind = Term::Kind::kRelation;
  out.is = [](const Variable&) { return never(); };
  out.is_null = always();
  return out;
}

Term Terms::itself(const Variable& variable) const {
  Term out;
  out.kind = Term::Kind::kRelation;
  out.is = [variable](const Variable& it) { return equal(it, variable); };
  out.is_null = never();
  out.itself = variable;
  return out;
}

FormulaPtr Terms::of(const Term& object, const Variable& fresh,
                     const std::function<FormulaPtr(const Variable&)>& says) {
  if (!object.itself.empty()) return says(object.itself);
  return exists({fresh}, conjunction({object.is(fresh), says(fresh)}));
}

namespace {

// Says of an individual that it is of the type.
std::function<FormulaPtr(const Variable&)> typing(const Vocabulary& vocabulary, const Type& type) {
  std::vector<int> any;
  if (type.kind == Type::Kind::kTid) any.push_back(vocabulary.system().is_thread);
  if (type.kind == Type::Kind::kArray) any.push_back(vocabulary.array());
  const Program& program = vocabulary.program();
  for (std::size_t c = 0; type.kind == Type::Kind::kClass && c < program.classes.size(); ++c) {
    if (is_subclass(program, static_cast<int>(c), type.decl))
      any.push_back(vocabulary.class_predicate(static_cast<int>(c)));
  }
  return [any](const Variable& it) {
    std::vector<FormulaPtr> atoms;
    atoms.reserve(any.size());
    for (const int predicate : any) atoms.push_back(atom(predicate, {it}));
    return disjunction(atoms);
  };
}

}  // namespace

FormulaPtr Terms::has_type(const Type& type, const Variable& it) const { return typing(vocabulary_, type)(it); }

Term Terms::unknown(const Type& type) const {
  Term out;
  switch (type.kind) {
    case Type::Kind::kBool: return boolean(maybe());
    case Type::Kind::kEnum:
      out.kind = Term::Kind::kEnum;
      out.constants.assign(program_.enums[static_cast<std::size_t>(type.decl)].constants.size(), maybe());
      return out;
    case Type::Kind::kClass:
    case Type::Kind::kTid:
    case Type::Kind::kArray:
      out.kind = Term::Kind::kRelation;
      out.is = [typed = typing(vocabulary_, type)](const Variable& it) { return conjunction({maybe(), typed(it)}); };
      out.is_null = maybe();
      return out;
    default: return out;
  }
}

FormulaPtr Terms::guarded(const std::vector<FormulaPtr>& guards, const FormulaPtr& formula) {
  if (guards.empty()) return formula;
  return disjunction({negation(conjunction(guards)), formula});
}

FormulaPtr Terms::negation_of(const Term& object) { return negation(object.is_null); }

void Terms::need(diag::Kind kind, base::SourceRange at, const FormulaPtr& holds) {
  const bool is_negated = holds->kind == Formula::Kind::kNot;
  const Formula& basic = is_negated ? *holds->parts.front() : *holds;
  const bool is_plain = basic.kind == Formula::Kind::kValue;
  if (is_plain && basic.value == (is_negated ? Kleene::kFalse : Kleene::kTrue)) return;  // it holds always
  needs.push_back({kind, at, guarded(guards_, holds)});
}

void Terms::forget_needs(std::size_t from) {
  for (std::size_t i = from; i < needs.size(); ++i) needs[i].holds = maybe();
}

void Terms::focus_on(const Term& term) {
  if (term.way.empty()) return;
  std::vector<FormulaPtr> all{atom(vocabulary_.system().runnable, {thread_})};
  all.insert(all.end(), term.way.begin(), term.way.end());
  focus.push_back(conjunction(std::move(all)));
}

// What is known of integers: a <= b if a is not larger; a + 1 <= b if b is not less or equal.
FormulaPtr Terms::not_larger(const Term& a, const Term& b, std::int64_t by) {
  if (a.kind != Term::Kind::kNumber || b.kind != Term::Kind::kNumber) return maybe();
  const std::int64_t distance = by + a.plus - b.plus;  // whether a + distance <= b
  const Variable n = new_variable();
  const Variable m = new_variable();
  const auto related = [&](const FormulaPtr& how) { return exists({n, m}, conjunction({a.is(n), b.is(m), how})); };
  const FormulaPtr le = related(atom(vocabulary_.le(), {n, m}));
  const FormulaPtr greater = related(negation(atom(vocabulary_.le(), {m, n})));  // a < b
  FormulaPtr known = maybe();
  if (distance == 0) known = le;
  if (distance == 1) known = greater;
  if (distance < 0) known = disjunction({le, maybe()});
  if (distance > 1) known = conjunction({greater, maybe()});
  return conditional(disjunction({a.is_null, b.is_null}), maybe(), known);
}

// An integer expression of which something is known.
Term Terms::number(const Expr& expr) {
  Term out;
  if (vocabulary_.le() < 0) return out;
  if (const auto* it = std::get_if<IntLit>(&expr.node)) {
    if (!is_small(it->value)) return out;
    out.kind = Term::Kind::kNumber;
    out.is = [zero = vocabulary_.zero()](const Variable& v) { return atom(zero, {v}); };
    out.is_null = never();
    out.plus = it->value;
    return out;
  }
  const Sum sum = as_sum(expr);
  if (sum.term == nullptr || sum.term == &expr) return out;
  out = term(*sum.term);
  if (out.kind != Term::Kind::kNumber || !vocabulary_.sums()) return Term();
  out.plus += sum.constant;
  return is_small(out.plus) ? out : Term();
}

FormulaPtr Terms::equal_terms(const Term& a, const Term& b, const Variable& fresh) {
  if (a.kind == Term::Kind::kNumber && b.kind == Term::Kind::kNumber)
    return conjunction({not_larger(a, b, 0), not_larger(b, a, 0)});
  if (a.kind == Term::Kind::kBool && b.kind == Term::Kind::kBool) {
    return disjunction({conjunction({a.truth, b.truth}), conjunction({negation(a.truth), negation(b.truth)})});
  }
  if (a.kind == Term::Kind::kEnum && b.kind == Term::Kind::kEnum) {
    std::vector<FormulaPtr> any;
    for (std::size_t c = 0; c < a.constants.size(); ++c) any.push_back(conjunction({a.constants[c], b.constants[c]}));
    return disjunction(any);
  }
  if (a.kind != Term::Kind::kRelation || b.kind != Term::Kind::kRelation) return maybe();
  return disjunction({conjunction({a.is_null, b.is_null}), exists({fresh}, conjunction({a.is(fresh), b.is(fresh)}))});
}

Term Terms::of_place(const Place& place, const Type& type, const Term* object) {
  Term out;
  const auto unary = [&](int predicate) {
    if (object == nullptr) return atom(predicate, {});
    return of(*object, new_variable(), [&](const Variable& u) { return atom(predicate, {u}); });
  };
  switch (place.kind) {
    case Place::Kind::kBool: return boolean(unary(place.predicate));
    case Place::Kind::kEnum:
      out.kind = Term::Kind::kEnum;
      for (const int it : place.constants) out.constants.push_back(unary(it));
      return out;
    case Place::Kind::kNumber:
    case Place::Kind::kRelation: {
      out.kind = place.kind == Place::Kind::kNumber ? Term::Kind::kNumber : Term::Kind::kRelation;
      const int relation = place.predicate;
      out.end = new_variable();
      if (object == nullptr) {
        out.is = [relation](const Variable& v) { return atom(relation, {v}); };
        const Variable v = new_variable();
        out.is_null = negation(place.has >= 0 ? atom(place.has, {}) : exists({v}, atom(relation, {v})));
        out.way = {atom(relation, {out.end})};
        out.is_shared = true;
        return out;
      }
      const Variable u = new_variable();
      out.is = [relation, u, whose = *object](const Variable& v) {
        return of(whose, u, [&](const Variable& it) { return atom(relation, {it, v}); });
      };
      out.is_null = negation(unary(place.has));
      if (!object->way.empty()) {
        out.way = object->way;
        out.way.push_back(atom(relation, {object->end, out.end}));
      }
      return out;
    }
    case Place::Kind::kMonitor:
    case Place::Kind::kUnknown: break;
  }
  return unknown(type);
}

Term Terms::local(int slot, const Type& type) {
  if (const auto found = given_.find(slot); found != given_.end()) return found->second;
  const Place& place = vocabulary_.local({procedure_, slot});
  if (place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber) {  // one step from the thread
    Term out;
    out.kind = place.kind == Place::Kind::kNumber ? Term::Kind::kNumber : Term::Kind::kRelation;
    out.end = new_variable();
    out.is = [relation = place.predicate, t = thread_](const Variable& v) { return atom(relation, {t, v}); };
    out.is_null = negation(atom(place.has, {thread_}));
    out.way = {atom(place.predicate, {thread_, out.end})};
    return out;
  }
  if (place.kind == Place::Kind::kBool) return boolean(atom(place.predicate, {thread_}));
  if (place.kind == Place::Kind::kEnum) {
    Term out;
    out.kind = Term::Kind::kEnum;
    for (const int constant : place.constants) out.constants.push_back(atom(constant, {thread_}));
    return out;
  }
  return unknown(type);
}

Term Terms::name(const NameExpr& it, const Type& type) {
  if (it.primed) return unknown(type);
  switch (it.ref.kind) {
    case Ref::Kind::kLocal: return local(it.ref.index, type);
    case Ref::Kind::kShared: {
      const plato::Variable& variable = program_.variables[static_cast<std::size_t>(it.ref.index)];
      if (!variable.is_final) looks_at_shared = true;
      accesses.push_back({&variable, false, {}, false, false});
      return of_place(vocabulary_.shared(it.ref.index), type, nullptr);
    }
    case Ref::Kind::kThread: {
      const int named = vocabulary_.named_thread(it.ref.index);
      if (named < 0) return unknown(type);
      Term out;
      out.kind = Term::Kind::kRelation;
      out.is = [named](const Variable& v) { return atom(named, {v}); };
      out.is_null = never();
      return out;
    }
    case Ref::Kind::kEnumConst: {
      Term out;
      out.kind = Term::Kind::kEnum;
      const std::size_t count = program_.enums[static_cast<std::size_t>(type.decl)].constants.size();
      for (std::size_t c = 0; c < count; ++c)
        out.constants.push_back(static_cast<int>(c) == it.ref.index ? always() : never());
      return out;
    }
    case Ref::Kind::kBound: {
      const auto depth = static_cast<std::size_t>(it.ref.index);
      return depth < bound_.size() ? bound_[depth] : unknown(type);
    }
    case Ref::Kind::kMonitorHolder: {
      if (this_.kind != Term::Kind::kRelation) return unknown(type);
      Lock own;
      own.place = &vocabulary_.object_monitor();
      own.has_object = true;
      own.object = this_;
      return holder(own);
    }
    case Ref::Kind::kField:
      return this_.kind == Term::Kind::kRelation && this_class_ >= 0 ? field_of_object(this_, this_class_, it.ref.index)
                                                                     : unknown(type);
    default: return unknown(type);
  }
}

Term Terms::field_of_object(const Term& object, int class_index, int number) {
  const plato::Variable& variable = plato::field_of(program_, class_index, number);
  if (!variable.is_final) touched.push_back(object);
  accesses.push_back({&variable, true, object, false, false, object.way.size() == 1 && !object.is_shared});
  return of_place(vocabulary_.field(class_index, number), variable.type, &object);
}

Term Terms::field(const FieldExpr& it, const Expr& expr) {
  if (it.kind == FieldExpr::Kind::kHolder) return it.primed ? unknown(expr.type) : holder(lock(*it.object, expr.range));
  if (it.kind == FieldExpr::Kind::kDepth) {
    lock(*it.object, expr.range);
    looks_at_shared = true;
    return unknown(expr.type);
  }
  if (const int slot = copy_of(expr); slot >= 0) return local(slot, expr.type);
  const Term object = term(*it.object);
  if (object.kind != Term::Kind::kRelation) return unknown(expr.type);
  focus_on(object);
  need_object(object, expr.range);
  if (it.kind != FieldExpr::Kind::kField || it.primed) return unknown(expr.type);
  return field_of_object(object, it.object->type.decl, it.index);
}

Lock Terms::lock(const Expr& expr, base::SourceRange at) {
  Lock out;
  if (expr.type.kind == Type::Kind::kMonitor) {
    if (const auto* it = std::get_if<NameExpr>(&expr.node); it != nullptr && it->ref.kind == Ref::Kind::kShared) {
      out.place = &vocabulary_.shared(it->ref.index);
      return out;
    }
    if (const auto* it = std::get_if<FieldExpr>(&expr.node); it != nullptr && it->kind == FieldExpr::Kind::kField) {
      out.object = term(*it->object);
      out.has_object = true;
      focus_on(out.object);
      need_object(out.object, expr.range);
      out.place = &vocabulary_.field(it->object->type.decl, it->index);
      return out;
    }
    out.plain = unknown(type_of_kind(Type::Kind::kTid));  // in a map or an array
    return out;
  }
  if (expr.type.kind == Type::Kind::kTid) {
    out.plain = term(expr);
    return out;
  }
  out.object = term(expr);
  out.has_object = true;
  out.place = &vocabulary_.object_monitor();
  focus_on(out.object);
  need_object(out.object, at);
  return out;
}

FormulaPtr Terms::held_by(const Lock& lock, const Variable& whom) {
  if (lock.place == nullptr) return lock.plain.is(whom);
  if (!lock.has_object) return atom(lock.place->predicate, {whom});
  return of(lock.object, whom + "_of", [&](const Variable& u) { return atom(lock.place->predicate, {u, whom}); });
}

FormulaPtr Terms::is_taken(const Lock& lock) const {
  if (lock.place == nullptr) return negation(lock.plain.is_null);
  const Variable u = thread_ + "_taken";
  if (!lock.has_object && lock.place->has >= 0) return atom(lock.place->has, {});
  if (!lock.has_object) return exists({u}, atom(lock.place->predicate, {u}));
  return of(lock.object, u, [&](const Variable& it) { return atom(lock.place->taken, {it}); });
}

FormulaPtr Terms::is_deep(const Lock& lock, int predicate) const {
  if (!lock.has_object) return atom(predicate, {});
  return of(lock.object, thread_ + "_deep", [&](const Variable& u) { return atom(predicate, {u}); });
}

Term Terms::holder(const Lock& lock) {
  looks_at_shared = true;
  if (lock.place == nullptr) return lock.plain;
  Term out;
  out.kind = Term::Kind::kRelation;
  out.is = [lock](const Variable& v) { return held_by(lock, v); };
  out.is_null = negation(is_taken(lock));
  return out;
}

FormulaPtr Terms::is_instance(const Term& object, int class_index) {
  Type type = type_of_kind(Type::Kind::kClass);
  type.decl = class_index;
  return of(object, new_variable(), [&](const Variable& u) { return has_type(type, u); });
}

Term Terms::conditional_term(const ConditionalExpr& it, const Expr& expr) {
  const FormulaPtr test = truth(*it.condition);
  guards_.push_back(test);
  const Term then = term(*it.then);
  guards_.back() = negation(test);
  const Term otherwise = term(*it.otherwise);
  guards_.pop_back();
  if (then.kind != otherwise.kind) return unknown(expr.type);
  Term out;
  out.kind = then.kind;
  if (out.kind == Term::Kind::kBool) out.truth = conditional(test, then.truth, otherwise.truth);
  for (std::size_t c = 0; c < then.constants.size(); ++c)
    out.constants.push_back(conditional(test, then.constants[c], otherwise.constants[c]));
  if (out.kind == Term::Kind::kNumber) return unknown(expr.type);
  if (out.kind == Term::Kind::kRelation) {
    out.is = [test, a = then.is, b = otherwise.is](const Variable& v) { return conditional(test, a(v), b(v)); };
    out.is_null = conditional(test, then.is_null, otherwise.is_null);
  }
  return out;
}

Term Terms::binary(const BinaryExpr& it, const Expr& expr) {
  const auto is_connective = [&] {
    return it.op == BinaryOp::kAnd || it.op == BinaryOp::kOr || it.op == BinaryOp::kImplies || it.op == BinaryOp::kIff;
  };
  if (is_connective()) {
    const FormulaPtr left = truth(*it.left);
    if (it.op != BinaryOp::kIff) guards_.push_back(it.op == BinaryOp::kOr ? negation(left) : left);
    const FormulaPtr right = truth(*it.right);
    if (it.op != BinaryOp::kIff) guards_.pop_back();
    if (it.op == BinaryOp::kAnd) return boolean(conjunction({left, right}));
    if (it.op == BinaryOp::kOr) return boolean(disjunction({left, right}));
    if (it.op == BinaryOp::kImplies) return boolean(disjunction({negation(left), right}));
    return boolean(equal_terms(boolean(left), boolean(right), ""));
  }
  const Term left = term(*it.left);
  const Term right = term(*it.right);
  if (it.op == BinaryOp::kDiv || it.op == BinaryOp::kMod) {
    const auto* literal = std::get_if<IntLit>(&it.right->node);
    need(diag::Kind::kDivisionByZero, expr.range, literal != nullptr && literal->value != 0 ? always() : maybe());
  }
  if (it.op != BinaryOp::kEq && it.op != BinaryOp::kNe) {
    if (left.kind == Term::Kind::kNumber && right.kind == Term::Kind::kNumber) {
      if (it.op == BinaryOp::kLe) return boolean(not_larger(left, right, 0));
      if (it.op == BinaryOp::kLt) return boolean(not_larger(left, right, 1));
      if (it.op == BinaryOp::kGe) return boolean(not_larger(right, left, 0));
      if (it.op == BinaryOp::kGt) return boolean(not_larger(right, left, 1));
    }
    if (expr.type.kind == Type::Kind::kInt) return number(expr);
    return unknown(expr.type);
  }
  focus_on(left);
  focus_on(right);
  const FormulaPtr same = equal_terms(left, right, new_variable());
  return boolean(it.op == BinaryOp::kEq ? same : negation(same));
}

// A quantifier over objects or threads; over anything else it is not known.
Term Terms::quantified(const QuantifierExpr& it) {
  std::vector<shape::Variable> variables;
  std::vector<FormulaPtr> typed;
  const std::size_t depth = bound_.size();
  bool is_known = true;
  for (const BoundVariable& variable : it.variables) {
    const bool refers = variable.type.kind == Type::Kind::kClass || variable.type.kind == Type::Kind::kTid;
    is_known = is_known && refers;
    variables.push_back(new_variable());
    if (refers) typed.push_back(has_type(variable.type, variables.back()));
    bound_.push_back(refers ? itself(variables.back()) : unknown(variable.type));
  }
  const std::vector<FormulaPtr> outer = std::exchange(guards_, {});
  const std::size_t needed = needs.size();
  const std::size_t accessed = accesses.size();
  const std::size_t touches = touched.size();
  const FormulaPtr body = truth(*it.body);
  const bool may_go_wrong = needs.size() > needed;
  forget_needs(needed);
  for (std::size_t i = accessed; i < accesses.size(); ++i) accesses[i].has_object = false;  // of any object
  touched.resize(touches);
  looks_at_shared = true;  // others make objects and threads
  guards_ = outer;
  bound_.resize(depth);
  if (!is_known || may_go_wrong) return boolean(maybe());
  typed.push_back(it.is_forall ? negation(body) : body);
  const FormulaPtr some = exists(variables, conjunction(typed));
  return boolean(it.is_forall ? negation(some) : some);
}

// \reach(x, f, y): y is x or comes after it along f; null is at the end of every list that ends. The others ask whether it ends.
Term Terms::reach(const ShapeExpr& it) {
  const Term from = term(*it.from);
  const Term to = it.to ? term(*it.to) : nothing();
  looks_at_shared = true;
  if (from.kind != Term::Kind::kRelation || to.kind != Term::Kind::kRelation) return boolean(maybe());
  focus_on(from);
  focus_on(to);
  const Place& place = vocabulary_.field(it.from->type.decl, it.index);
  const shape::Variable a = new_variable();
  const shape::Variable b = new_variable();
  const auto follows = [&](const shape::Variable& x, const shape::Variable& y) {
    return disjunction({equal(x, y), atom(place.closure, {x, y})});
  };
  const FormulaPtr meets = exists({a, b}, conjunction({from.is(a), to.is(b), follows(a, b)}));
  // It ends: from x on there is one without a successor.
  const FormulaPtr ends = disjunction(
      {from.is_null, exists({a, b}, conjunction({from.is(a), follows(a, b), negation(atom(place.has, {b}))}))});
  if (it.kind == ShapeExpr::Kind::kReach) return boolean(disjunction({meets, conjunction({to.is_null, ends})}));
  return boolean(ends);
}

Term Terms::term(const Expr& expr) {
  return std::visit(
      base::Overloaded{
          [&](const BoolLit& it) { return boolean(it.value ? always() : never()); },
          [&](const NullLit&) { return nothing(); },
          [&](const NoneLit&) { return nothing(); },
          [&](const TidExpr&) { return itself(thread_); },
          [&](const ThisExpr&) { return this_.kind == Term::Kind::kRelation ? this_ : unknown(expr.type); },
          [&](const ResultExpr&) { return result_.kind != Term::Kind::kUnknown ? result_ : unknown(expr.type); },
          [&](const NameExpr& it) { return name(it, expr.type); },
          [&](const FieldExpr& it) { return field(it, expr); },
          [&](const IndexExpr& it) {
            const Term base = term(*it.base);
            term(*it.index);
            looks_at_shared = true;
            if (it.base->type.kind == Type::Kind::kArray && base.kind == Term::Kind::kRelation) {
              focus_on(base);
              need_object(base, expr.range);
              need(diag::Kind::kArrayBounds, expr.range, maybe());
              accesses.push_back({nullptr, true, base, true, false});
            }
            return unknown(expr.type);
          },
          [&](const UnaryExpr& it) {
            const Term operand = term(*it.operand);
            if (it.op == UnaryOp::kNot) return boolean(negation(operand.truth));
            if (it.op == UnaryOp::kMinus) return Term();
            if (operand.kind == Term::Kind::kRelation) {
              focus_on(operand);
              need_object(operand, expr.range);
            }
            return operand;
          },
          [&](const BinaryExpr& it) { return binary(it, expr); },
          [&](const ConditionalExpr& it) { return conditional_term(it, expr); },
          [&](const QuantifierExpr& it) { return quantified(it); },
          [&](const SumExpr&) { return unknown(expr.type); },
          [&](const InstanceOf& it) {
            const Term object = term(*it.thread);
            if (object.kind != Term::Kind::kRelation || it.class_index < 0) return boolean(maybe());
            focus_on(object);
            return boolean(is_instance(object, it.class_index));
          },
          [&](const HoldsExpr& it) {
            const Lock held = lock(*it.lock, expr.range);
            looks_at_shared = true;
            return boolean(held_by(held, thread_));
          },
          [&](const ShapeExpr& it) { return reach(it); },
          [&](const CastExpr& it) {
            const Term object = term(*it.operand);
            if (object.kind != Term::Kind::kRelation) return unknown(expr.type);
            focus_on(object);
            const Type& from = it.operand->type;
            if (from.kind == Type::Kind::kClass && !is_subclass(program_, from.decl, it.class_index))
              need(diag::Kind::kClassCast, expr.range,
                   disjunction({object.is_null, is_instance(object, it.class_index)}));
            return object;
          },
          // Of the rest nothing is known, but what is inside is evaluated.
          [&](const IntLit&) { return number(expr); },
          [&](const FloatLit&) { return Term(); },
          [&](const ThreadIndex&) { return Term(); },
          [&](const Star&) {
            looks_at_shared = looks_at_shared || refers_to_objects(expr.type) || expr.type.kind == Type::Kind::kTid;
            return unknown(expr.type);
          },
          [&](const OldExpr& it) {
            const std::size_t needed = needs.size();
            term(*it.operand);
            forget_needs(needed);
            return unknown(expr.type);
          },
          [&](const auto&) {
            for_each_child(expr, [&](const Expr& child) { term(child); });
            looks_at_shared = true;
            return unknown(expr.type);
          },
      },
      expr.node);
}

FormulaPtr Terms::truth(const Expr& expr) {
  if (std::holds_alternative<Star>(expr.node)) return maybe();
  const Term it = term(expr);
  return it.kind == Term::Kind::kBool ? it.truth : maybe();
}

}  // namespace concord::engine::shape::source
