#include "replay/meaning.h"

#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/printer.h"
#include "plato/sums.h"

namespace concord::replay {

using base::Overloaded;
using diag::Kind;
using formula::Op;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

Term with_entry(Pool& pool, Term whole, const std::vector<Term>& keys, Term value, std::size_t from) {
  if (from == keys.size()) return value;
  const Term inner = with_entry(pool, pool.select(whole, keys[from]), keys, value, from + 1);
  return pool.store(whole, keys[from], inner);
}

void Meaning::require(Term holds, Kind kind, SourceRange at) {
  conditions.push_back({guarded(holds), kind, at, false});
}

Term Meaning::under(Term guard, const Expr& expr) {
  guards_.push_back(guard);
  const Term out = value(expr);
  guards_.pop_back();
  return out;
}

// What its type says of what is read. Of what a quantifier binds nothing is said.
Term Meaning::typed(Term value, const Type& type) {
  const Term fact = terms_.within(value, type);
  if (fact != pool().truth(true) && !fact->has_bound) facts.push_back(fact);
  return value;
}

Term Meaning::clause(const Expr& expr) {
  std::vector<Term> parts{value(expr)};
  for (const Condition& it : conditions) parts.push_back(it.holds);
  return pool().and_(parts);
}

// --------------------------------------------------------------------------------------------------------------- places

Term Meaning::read(const Place& place) const {
  const auto at = static_cast<std::size_t>(place.index);
  Term out = place.is_local                ? view_.locals[at]
             : place.half == Half::kHolder ? view_.state->holder[at]
             : place.half == Half::kDepth  ? view_.state->depth[at]
                                           : view_.state->value[at];
  if (out == nullptr) {
    const Variable& it = terms_.program().variables[at];
    throw NotKnown{it.type.range, "the type " + to_string(it.type)};
  }
  for (Term key : place.keys) out = pool().select(out, key);
  return out;
}

Place Meaning::place(const Expr& expr) {
  if (const auto* it = std::get_if<IndexExpr>(&expr.node); it != nullptr && it->base->type.kind == Type::Kind::kMap) {
    Place out = place(*it->base);
    out.keys.push_back(value_as(*it->index, *it->base->type.first));
    return out;
  }
  const auto* it = std::get_if<NameExpr>(&expr.node);
  if (it != nullptr && it->ref.kind == Ref::Kind::kShared) return {false, it->ref.index, Half::kValue, {}};
  if (it != nullptr && it->ref.kind == Ref::Kind::kLocal) return {true, it->ref.index, Half::kValue, {}};
  throw NotKnown{expr.range, "the place `" + print(expr) + "`"};
}

Place Meaning::lock(const Expr& expr, Half half) {
  Place out = place(expr);
  if (expr.type.kind == Type::Kind::kMonitor) {
    out.half = half;
  } else if (expr.type.kind != Type::Kind::kTid) {
    throw NotKnown{expr.range, "the lock `" + print(expr) + "`"};
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------------- expressions

Term Meaning::value_as(const Expr& expr, const Type& type) {
  if (const auto* it = std::get_if<MapConst>(&expr.node))
    return pool().const_array(terms_.sort(type), value_as(*it->value, *type.second));
  if (expr.type.kind == Type::Kind::kAnyMap || expr.type.kind == Type::Kind::kAnySet ||
      expr.type.kind == Type::Kind::kNull) {
    throw NotKnown{expr.range, "`" + print(expr) + "`"};
  }
  return value(expr);
}

Term Meaning::value(const Expr& expr) {
  const auto unknown = [&]() -> Term { throw NotKnown{expr.range, "`" + print(expr) + "`"}; };
  return std::visit(Overloaded{
                        [&](const IntLit& it) -> Term {
                          return pool().number(terms_.has_java_ints() ? static_cast<std::int32_t>(it.value) : it.value);
                        },
                        [&](const BoolLit& it) -> Term { return pool().truth(it.value); },
                        [&](const NoneLit&) -> Term { return terms_.none(); },
                        [&](const TidExpr&) -> Term { return view_.tid != nullptr ? view_.tid : unknown(); },
                        [&](const ThreadIndex&) -> Term { return view_.index != nullptr ? view_.index : unknown(); },
                        [&](const NameExpr& it) -> Term { return name(expr, it); },
                        [&](const FieldExpr& it) -> Term {
                          const bool is_holder = it.kind == FieldExpr::Kind::kHolder;
                          if (!is_holder && it.kind != FieldExpr::Kind::kDepth) return unknown();
                          const Place place = lock(*it.object, is_holder ? Half::kHolder : Half::kDepth);
                          if (place.half == Half::kValue) return unknown();
                          return read(place);
                        },
                        [&](const IndexExpr& it) -> Term {
                          if (it.base->type.kind != Type::Kind::kMap) return unknown();
                          const Term map = value(*it.base);
                          return typed(pool().select(map, value_as(*it.index, *it.base->type.first)), expr.type);
                        },
                        [&](const UnaryExpr& it) -> Term {
                          if (it.op == UnaryOp::kNot) return pool().not_(value(*it.operand));
                          if (it.op == UnaryOp::kMinus) return as_int(pool().neg(value(*it.operand)));
                          return unknown();
                        },
                        [&](const BinaryExpr& it) -> Term { return binary(expr, it); },
                        [&](const ConditionalExpr& it) -> Term {
                          const Term condition = value(*it.condition);
                          guards_.push_back(condition);
                          const Term then = value_as(*it.then, expr.type);
                          guards_.back() = pool().not_(condition);
                          const Term otherwise = value_as(*it.otherwise, expr.type);
                          guards_.pop_back();
                          return pool().ite(condition, then, otherwise);
                        },
                        [&](const QuantifierExpr& it) -> Term { return quantified(it); },
                        [&](const SumExpr& it) -> Term { return sum(it); },
                        [&](const MapConst&) -> Term { return value_as(expr, expr.type); },
                        [&](const MapUpdate& it) -> Term {
                          const Term map = value(*it.map);
                          const Term key = value_as(*it.key, *it.map->type.first);
                          return pool().store(map, key, value_as(*it.value, *it.map->type.second));
                        },
                        [&](const HoldsExpr& it) -> Term {
                          if (view_.tid == nullptr) return unknown();
                          return pool().eq(read(lock(*it.lock, Half::kHolder)), view_.tid);
                        },
                        [&](const WrapExpr& it) -> Term { return as_int(fixed_width(expr, it)); },
                        [&](const NullLit&) -> Term { return unknown(); },
                        [&](const ThisExpr&) -> Term { return unknown(); },
                        [&](const ResultExpr&) -> Term { return unknown(); },
                        [&](const Star&) -> Term { return unknown(); },
                        [&](const OldExpr&) -> Term { return unknown(); },
                        [&](const SetLit&) -> Term { return unknown(); },
                        [&](const SizeExpr&) -> Term { return unknown(); },
                        [&](const InstanceOf&) -> Term { return unknown(); },
                        [&](const ShapeExpr&) -> Term { return unknown(); },
                        [&](const CastExpr&) -> Term { return unknown(); },
                        [&](const FloatLit&) -> Term { return unknown(); },
                        [&](const FloatExpr&) -> Term { return unknown(); },
                    },
                    expr.node);
}

Term Meaning::name(const Expr& expr, const NameExpr& it) {
  if (it.primed) throw NotKnown{expr.range, "`" + print(expr) + "`"};
  switch (it.ref.kind) {
    case Ref::Kind::kConst: {
      const Const& declared = terms_.program().consts[static_cast<std::size_t>(it.ref.index)];
      if (!declared.value) return typed(terms_.constant(it.ref.index), declared.type);
      return typed(value_as(*declared.value, declared.type), declared.type);
    }
    case Ref::Kind::kEnumConst: return pool().enum_const(terms_.sort(expr.type), it.ref.index);
    case Ref::Kind::kThread: return terms_.identity(it.ref.index, pool().number(0));
    case Ref::Kind::kBound: return bound_[static_cast<std::size_t>(it.ref.index)];
    default: return typed(read(place(expr)), expr.type);
  }
}

// What is right of `&&`, `||` and `==>` is evaluated only if the left side does not decide.
Term Meaning::binary(const Expr& expr, const BinaryExpr& it) {
  const bool is_of_sets = it.left->type.kind == Type::Kind::kSet || it.left->type.kind == Type::Kind::kAnySet;
  if (is_of_sets) throw NotKnown{expr.range, "`" + print(expr) + "`"};
  switch (it.op) {
    case BinaryOp::kEq:
    case BinaryOp::kNe: return equal(expr, it);
    case BinaryOp::kDiv:
    case BinaryOp::kMod: return quotient(expr, it);
    case BinaryOp::kIn:
    case BinaryOp::kIntersect:
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor:
    case BinaryOp::kShl:
    case BinaryOp::kShr: throw NotKnown{expr.range, "`" + print(expr) + "`"};
    default: break;
  }
  const Term left = value(*it.left);
  switch (it.op) {
    case BinaryOp::kImplies: return pool().implies(left, under(left, *it.right));
    case BinaryOp::kAnd: return pool().and_(left, under(left, *it.right));
    case BinaryOp::kOr: return pool().or_(left, under(pool().not_(left), *it.right));
    default: break;
  }
  const Term right = value(*it.right);
  switch (it.op) {
    case BinaryOp::kIff: return pool().eq(left, right);
    case BinaryOp::kLt: return pool().lt(left, right);
    case BinaryOp::kLe: return pool().le(left, right);
    case BinaryOp::kGt: return pool().lt(right, left);
    case BinaryOp::kGe: return pool().le(right, left);
    case BinaryOp::kAdd: return as_int(pool().add(left, right));
    case BinaryOp::kSub: return as_int(pool().sub(left, right));
    case BinaryOp::kMul: return as_int(pool().mul(left, right));
    default: base::internal_error(__FILE__, __LINE__, "an operator that was dealt with");
  }
}

Term Meaning::equal(const Expr& expr, const BinaryExpr& it) {
  const auto is_plain = [](const Type& type) {
    return type.kind != Type::Kind::kAnyMap && type.kind != Type::Kind::kAnySet && type.kind != Type::Kind::kNull;
  };
  if (!is_plain(it.left->type) && !is_plain(it.right->type)) throw NotKnown{expr.range, "`" + print(expr) + "`"};
  const Type& type = is_plain(it.left->type) ? it.left->type : it.right->type;
  const Term left = value_as(*it.left, type);
  const Term right = value_as(*it.right, type);
  return it.op == BinaryOp::kEq ? pool().eq(left, right) : pool().ne(left, right);
}

// Rounded towards zero, and the remainder has the sign of what is divided. In SMT-LIB it is never negative.
Term Meaning::quotient(const Expr& expr, const BinaryExpr& it) {
  const Term a = value(*it.left);
  const Term b = value(*it.right);
  require(pool().ne(b, pool().number(0)), Kind::kDivisionByZero, expr.range);
  const bool is_quotient = it.op == BinaryOp::kDiv;
  const auto of = [&](Term x) { return is_quotient ? pool().div(x, b) : pool().mod(x, b); };
  const Term out = pool().ite(pool().le(pool().number(0), a), of(a), pool().neg(of(pool().neg(a))));
  return is_quotient ? as_int(out) : out;
}

// ------------------------------------------------------------------------------------------------- quantifiers and sums

void Meaning::bind_conditions(std::size_t from, const std::vector<Term>& bound, Term range) {
  for (std::size_t i = from; i < conditions.size(); ++i) {
    conditions[i].holds = guarded(pool().forall(bound, pool().implies(range, conditions[i].holds)));
    conditions[i].is_quantified = true;
  }
}

Term Meaning::quantified(const QuantifierExpr& it) {
  std::vector<Term> bound;
  std::vector<Term> ranges;
  for (const BoundVariable& variable : it.variables) {
    const bool is_known = variable.type.kind == Type::Kind::kInt || variable.type.kind == Type::Kind::kBool ||
                          variable.type.kind == Type::Kind::kEnum;
    if (!is_known) throw NotKnown{variable.range, "a quantifier over " + to_string(variable.type)};
    bound.push_back(pool().bound(variable.name, terms_.sort(variable.type)));
    bound_.push_back(bound.back());
    if (variable.type.kind == Type::Kind::kInt && terms_.has_java_ints())
      ranges.push_back(terms_.in_range(bound.back(), kJavaInts));
  }
  const Term range = pool().and_(ranges);
  const std::size_t first = conditions.size();
  const std::vector<Term> outer = std::exchange(guards_, {});
  const Term body = value(*it.body);
  guards_ = outer;
  bound_.resize(bound_.size() - bound.size());
  bind_conditions(first, bound, range);
  if (it.is_forall) return pool().forall(bound, pool().implies(range, body));
  return pool().exists(bound, pool().and_(range, body));
}

Term Meaning::sum(const SumExpr& it) {
  const SumBounds ends = *sum_bounds(it, static_cast<int>(bound_.size()));
  const Term one = pool().number(1);
  const Term low = ends.has_low ? value(*ends.low) : pool().add(value(*ends.low), one);
  const Term high = ends.has_high ? pool().add(value(*ends.high), one) : value(*ends.high);
  const Term k = pool().bound(it.variable.name, pool().integer());
  bound_.push_back(k);
  const std::size_t first = conditions.size();
  const std::vector<Term> outer = std::exchange(guards_, {});
  const Term body = value(*it.body);
  guards_ = outer;
  bound_.pop_back();
  bind_conditions(first, {k}, pool().and_(pool().le(low, k), pool().lt(k, high)));
  if (body->has_quantifier) throw NotKnown{it.body->range, "a quantifier in a sum"};
  return as_int(terms_.sums().sum(k, low, high, body));
}

// ------------------------------------------------------------------------------------------------------- fixed widths

// The number in the range that is congruent to the value. Which it is in the range and next to it is said first: the remainder is
// what solvers are slow with.
Term Meaning::wrapped(Term value, Range range, bool is_near) {
  const Term low = pool().number(range.low);
  const Term one = pool().number(1);
  const Term size = pool().add(pool().sub(pool().number(range.high), low), one);
  Term out = is_near ? value : pool().add(pool().mod(pool().sub(value, low), size), low);
  for (Term it : {pool().add(value, size), pool().sub(value, size), value}) {
    out = pool().ite(terms_.in_range(it, range), it, out);
  }
  return out;
}

Term Meaning::fixed_width(const Expr& expr, const WrapExpr& it) {
  if (it.bits == 64) throw NotKnown{expr.range, "`" + print(expr) + "`"};  // its size is no literal
  const std::int64_t half = std::int64_t{1} << (it.bits - 1);
  const Range range = it.is_signed ? Range{-half, half - 1} : Range{0, 2 * half - 1};
  const auto& values = it.operand->type.values;
  const bool is_near = values && values->low >= range.low - 2 * half && values->high <= range.high + 2 * half;
  return wrapped(value(*it.operand), range, is_near);
}

}  // namespace concord::replay
