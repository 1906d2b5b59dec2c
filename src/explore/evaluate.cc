#include "explore/evaluate.h"

#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/classes.h"
#include "plato/printer.h"
#include "plato/sums.h"
#include "plato/walk.h"

namespace concord::explore {

using base::Overloaded;
using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

bool same_place(const Place& a, const Place& b) {
  if (a.kind != b.kind || a.object != b.object || a.index != b.index) return false;
  return std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                    [](const Place::Key& x, const Place::Key& y) { return x.key == y.key; });
}

Location location_of(const Place& place) {
  Location out;
  out.kind = place.kind == Place::Kind::kField     ? Location::Kind::kField
             : place.kind == Place::Kind::kElement ? Location::Kind::kElement
                                                   : Location::Kind::kVariable;
  out.object = place.object;
  out.index = place.index;
  out.has_key = !place.keys.empty();
  if (out.has_key) out.key = place.keys.front().key;
  return out;
}

namespace {

// Everything but a map that was computed: m[k := v][i].
bool is_place(const Expr& expr) {
  if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    return index->base->type.kind == Type::Kind::kArray || is_place(*index->base);
  }
  return std::holds_alternative<NameExpr>(expr.node) || std::holds_alternative<FieldExpr>(expr.node);
}

Scalar wrap(Scalar value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

}  // namespace

// ------------------------------------------------------------------------------------------------------ states and places

const Store& Evaluator::store(bool primed) const {
  if (scene_.after == nullptr) return *scene_.before;
  const bool after = scene_.uses_old ? !in_old_ : primed;
  return after ? *scene_.after : *scene_.before;
}

const Object& Evaluator::object(Scalar reference, bool primed, SourceRange at) {
  if (reference == 0) throw Failure{Kind::kNullDereference, at, "null is dereferenced"};
  const Store& where = store(primed);
  if (reference > std::ssize(where.objects)) {
    throw Failure{Kind::kNullDereference, at, "the object did not exist before the step"};
  }
  return where.objects[reference - 1];
}

// The class of an object never changes, so it does not matter in which state it is looked at.
bool Evaluator::is_of(Scalar reference, int class_index) const {
  const Store& where = scene_.after != nullptr ? *scene_.after : *scene_.before;
  CONCORD_CHECK(reference > 0 && reference <= std::ssize(where.objects), "the class of what is no object");
  return is_subclass(*scene_.program, where.objects[reference - 1].class_index, class_index);
}

Place Evaluator::place(const Expr& expr) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    const bool after = name->primed;
    switch (name->ref.kind) {
      case Ref::Kind::kShared: return {Place::Kind::kVariable, 0, name->ref.index, after, {}};
      case Ref::Kind::kLocal: return {Place::Kind::kLocal, 0, name->ref.index, after, {}};
      case Ref::Kind::kField: return {Place::Kind::kField, scene_.self_object, name->ref.index, after, {}};
      default: break;
    }
  } else if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    const Scalar reference = scalar(*field->object);
    object(reference, field->primed, expr.range);
    return {Place::Kind::kField, reference, field->index, field->primed, {}};
  } else if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    if (index->base->type.kind == Type::Kind::kArray) {
      const Scalar reference = scalar(*index->base);
      const Scalar i = scalar(*index->index);
      const std::size_t length = object(reference, index->primed, expr.range).fields.size();
      if (i < 0 || i >= static_cast<Scalar>(length)) {
        throw Failure{Kind::kArrayBounds, expr.range,
                      "index " + std::to_string(i) + " is outside an array of length " + std::to_string(length)};
      }
      return {Place::Kind::kElement, reference, static_cast<int>(i), index->primed, {}};
    }
    Place out = place(*index->base);
    out.after = out.after || index->primed;
    out.keys.push_back({scalar(*index->index), &index->base->type});
    return out;
  }
  base::internal_error(__FILE__, __LINE__, "not a place: " + print(expr));
}

Value Evaluator::read(const Place& place) {
  Value root;
  switch (place.kind) {
    case Place::Kind::kLocal: {
      const bool after = scene_.locals_after != nullptr && (scene_.uses_old ? !in_old_ : place.after);
      root = (after ? *scene_.locals_after : *scene_.locals)[place.index];
      break;
    }
    case Place::Kind::kVariable: root = store(place.after).variables[place.index]; break;
    case Place::Kind::kField:
    case Place::Kind::kElement: root = store(place.after).objects[place.object - 1].fields[place.index]; break;
  }
  for (const Place::Key& key : place.keys) root = lookup(root, key.key);
  return root;
}

void Evaluator::log(const Place& place) {
  if (scene_.log != nullptr && place.kind != Place::Kind::kLocal) scene_.log->push_back({location_of(place), false});
}

void write(const Program& program, Store& store, std::vector<Value>& locals, const Place& place, Value value) {
  Value* root = nullptr;
  switch (place.kind) {
    case Place::Kind::kLocal: root = &locals[place.index]; break;
    case Place::Kind::kVariable: root = &store.variables[place.index]; break;
    case Place::Kind::kField:
    case Place::Kind::kElement: root = &store.objects[place.object - 1].fields[place.index]; break;
  }
  std::vector<Value> maps = {*root};
  for (const Place::Key& key : place.keys) maps.push_back(lookup(maps.back(), key.key));
  maps.back() = std::move(value);
  for (std::size_t i = place.keys.size(); i > 0; --i) {
    const Place::Key& key = place.keys[i - 1];
    maps[i - 1] = with_entry(maps[i - 1], key.key, maps[i], *key.map, program);
  }
  *root = maps.front();
}

Lock Evaluator::lock(const Expr& expr) {
  if (expr.type.kind == Type::Kind::kClass) {
    const Scalar reference = scalar(expr);
    object(reference, false, expr.range);
    return {reference, {}, true};
  }
  return {0, place(expr), expr.type.kind == Type::Kind::kMonitor};
}

// -------------------------------------------------------------------------------------------------------------- expressions

Value Evaluator::value(const Expr& expr) {
  scene_.patience->poll();
  return std::visit(
      Overloaded{
          [&](const IntLit& it) -> Value {
            return scene_.settings->ints == engine::IntMode::kJava ? wrap(it.value) : it.value;
          },
          [&](const BoolLit& it) -> Value { return Scalar{it.value}; },
          [&](const NullLit&) -> Value { return 0; },
          [&](const NoneLit&) -> Value { return 0; },
          [&](const TidExpr&) -> Value { return scene_.self; },
          [&](const ThisExpr&) -> Value { return scene_.self_object; },
          [&](const ResultExpr&) -> Value {
            CONCORD_CHECK(scene_.result != nullptr, "\\result without a result");
            return *scene_.result;
          },
          [&](const ThreadIndex&) -> Value { return Scalar{scene_.thread_index}; },
          [&](const Star&) -> Value { base::internal_error(__FILE__, __LINE__, "a `*` was evaluated"); },
          [&](const NameExpr& it) -> Value {
            switch (it.ref.kind) {
              case Ref::Kind::kConst: return (*scene_.consts)[it.ref.index];
              case Ref::Kind::kEnumConst: return Scalar{it.ref.index};
              case Ref::Kind::kThread: {
                for (std::size_t t = 0; t < scene_.threads->size(); ++t) {
                  if ((*scene_.threads)[t].declaration == it.ref.index) return static_cast<Scalar>(t + 1);
                }
                return 0;
              }
              case Ref::Kind::kBound: return bound_[it.ref.index];
              case Ref::Kind::kMonitorHolder:
                return store(it.primed).objects[scene_.self_object - 1].monitor.composite->holder;
              case Ref::Kind::kMonitorDepth:
                return store(it.primed).objects[scene_.self_object - 1].monitor.composite->depth;
              default: {
                const Place where = place(expr);
                log(where);
                return read(where);
              }
            }
          },
          [&](const FieldExpr& it) -> Value { return field(expr, it); },
          [&](const IndexExpr& it) -> Value {
            if (!is_place(expr)) {
              const Value map = value(*it.base);
              return lookup(map, scalar(*it.index));
            }
            const Place where = place(expr);
            log(where);
            return read(where);
          },
          [&](const UnaryExpr& it) -> Value { return unary(expr, it); },
          [&](const BinaryExpr& it) -> Value { return binary(expr, it); },
          [&](const ConditionalExpr& it) -> Value { return value(holds(*it.condition) ? *it.then : *it.otherwise); },
          [&](const OldExpr& it) -> Value {
            const bool outer = in_old_;
            in_old_ = true;
            Value out = value(*it.operand);
            in_old_ = outer;
            return out;
          },
          [&](const QuantifierExpr& it) -> Value { return Scalar{quantified(it, 0)}; },
          [&](const SumExpr& it) -> Value { return sum(it); },
          [&](const SetLit& it) -> Value {
            std::set<Scalar> elements;
            for (const ExprPtr& element : it.elements) elements.insert(scalar(*element));
            return make_set(std::move(elements));
          },
          [&](const MapConst& it) -> Value {
            Composite map;
            map.kind = Composite::Kind::kMap;
            map.rest = value(*it.value);
            return Value(std::move(map));
          },
          [&](const MapUpdate& it) -> Value {
            const Value map = value(*it.map);
            const Scalar key = scalar(*it.key);
            return with_entry(map, key, value(*it.value), it.map->type, *scene_.program);
          },
          [&](const SizeExpr& it) -> Value { return static_cast<Scalar>(value(*it.set).composite->elements.size()); },
          [&](const InstanceOf& it) -> Value {
            if (it.class_index >= 0) {
              const Scalar reference = scalar(*it.thread);
              return Scalar{reference != 0 && is_of(reference, it.class_index)};
            }
            const Scalar thread = scalar(*it.thread);
            return Scalar{thread > 0 && all_threads()[thread - 1].entry == it.index};
          },
          [&](const HoldsExpr& it) -> Value {
            if (it.lock->type.kind == Type::Kind::kTid) return Scalar{scalar(*it.lock) == scene_.self};
            return Scalar{monitor_of(*it.lock, false, expr.range).composite->holder == scene_.self};
          },
          [&](const ShapeExpr& it) -> Value { return Scalar{shape(expr, it)}; },
          [&](const WrapExpr& it) -> Value { return wrapped(it); },
          [&](const FloatLit& it) -> Value { return it.bits; },
          [&](const FloatExpr& it) -> Value {
            const int size = float_size(it.left->type);
            const Scalar left = scalar(*it.left);
            const Scalar out = compute(it.op, size, left, it.right ? scalar(*it.right) : 0);
            const bool has_32_bits = scene_.settings->ints == engine::IntMode::kJava;
            return has_32_bits && expr.type.kind == Type::Kind::kInt ? wrap(out) : out;
          },
          [&](const CastExpr& it) -> Value {
            const Scalar reference = scalar(*it.operand);
            if (reference != 0 && !is_of(reference, it.class_index)) {
              throw Failure{Kind::kClassCast, expr.range, "the object is no `" + it.class_name + "`"};
            }
            return reference;
          },
      },
      expr.node);
}

Value Evaluator::monitor_of(const Expr& base, bool primed, SourceRange at) {
  if (base.type.kind == Type::Kind::kClass) return object(scalar(base), primed, at).monitor;
  Place where = place(base);
  where.after = where.after || primed;
  return read(where);
}

Value Evaluator::field(const Expr& expr, const FieldExpr& it) {
  switch (it.kind) {
    case FieldExpr::Kind::kHolder: return monitor_of(*it.object, it.primed, expr.range).composite->holder;
    case FieldExpr::Kind::kDepth: return monitor_of(*it.object, it.primed, expr.range).composite->depth;
    case FieldExpr::Kind::kLength:
      return static_cast<Scalar>(object(scalar(*it.object), it.primed, expr.range).fields.size());
    default: break;
  }
  const Place where = place(expr);
  log(where);
  return read(where);
}

Value Evaluator::unary(const Expr& expr, const UnaryExpr& it) {
  const Scalar operand = scalar(*it.operand);
  if (it.op == UnaryOp::kNot) return Scalar{operand == 0};
  if (it.op == UnaryOp::kNonNull) {
    if (operand == 0) throw Failure{Kind::kNullDereference, expr.range, "null is dereferenced"};
    return operand;
  }
  if (scene_.settings->ints == engine::IntMode::kJava) return wrap(-operand);
  Scalar out = 0;
  if (__builtin_sub_overflow(Scalar{0}, operand, &out)) throw Limit{kBeyond64Bits};
  return out;
}

Value Evaluator::binary(const Expr& expr, const BinaryExpr& it) {
  const bool sets = it.left->type.kind == Type::Kind::kSet || it.left->type.kind == Type::Kind::kAnySet;
  switch (it.op) {
    case BinaryOp::kIff: return Scalar{holds(*it.left) == holds(*it.right)};
    case BinaryOp::kImplies: return Scalar{!holds(*it.left) || holds(*it.right)};
    case BinaryOp::kOr: return Scalar{holds(*it.left) || holds(*it.right)};
    case BinaryOp::kAnd: return Scalar{holds(*it.left) && holds(*it.right)};
    case BinaryOp::kEq:
    case BinaryOp::kNe: {
      const Value left = value(*it.left);
      const Value right = value(*it.right);
      return Scalar{(left == right) == (it.op == BinaryOp::kEq)};
    }
    case BinaryOp::kLt:
    case BinaryOp::kGt:
    case BinaryOp::kGe:
    case BinaryOp::kLe: {
      if (sets) return on_sets(it);
      const Scalar left = scalar(*it.left);
      const Scalar right = scalar(*it.right);
      if (it.op == BinaryOp::kLt) return Scalar{left < right};
      if (it.op == BinaryOp::kLe) return Scalar{left <= right};
      if (it.op == BinaryOp::kGt) return Scalar{left > right};
      return Scalar{left >= right};
    }
    case BinaryOp::kIn: {
      const Scalar element = scalar(*it.left);
      return Scalar{value(*it.right).composite->elements.contains(element)};
    }
    case BinaryOp::kIntersect: return on_sets(it);
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      if (sets) return on_sets(it);
      [[fallthrough]];
    case BinaryOp::kMul:
    case BinaryOp::kDiv:
    case BinaryOp::kMod: return arithmetic(expr, it);
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor:
    case BinaryOp::kShl:
    case BinaryOp::kShr: return bits(it);
  }
  base::internal_error(__FILE__, __LINE__, "unknown operator");
}

Value Evaluator::arithmetic(const Expr& expr, const BinaryExpr& it) {
  const Scalar left = scalar(*it.left);
  const Scalar right = scalar(*it.right);
  Scalar out = 0;
  bool overflow = false;
  switch (it.op) {
    case BinaryOp::kAdd: overflow = __builtin_add_overflow(left, right, &out); break;
    case BinaryOp::kSub: overflow = __builtin_sub_overflow(left, right, &out); break;
    case BinaryOp::kMul: overflow = __builtin_mul_overflow(left, right, &out); break;
    default:
      if (right == 0) throw Failure{Kind::kDivisionByZero, expr.range, "division by zero"};
      if (right == -1) {
        overflow = it.op == BinaryOp::kDiv && __builtin_sub_overflow(Scalar{0}, left, &out);
      } else {
        out = it.op == BinaryOp::kDiv ? left / right : left % right;
      }
  }
  if (scene_.settings->ints == engine::IntMode::kJava) return wrap(out);
  if (overflow) throw Limit{kBeyond64Bits};
  return out;
}

Value Evaluator::bits(const BinaryExpr& it) {
  const Scalar left = scalar(*it.left);
  const Scalar right = scalar(*it.right);
  const auto places = static_cast<unsigned>(right & 63);
  Scalar out = 0;
  switch (it.op) {
    case BinaryOp::kBitAnd: out = left & right; break;
    case BinaryOp::kBitOr: out = left | right; break;
    case BinaryOp::kBitXor: out = left ^ right; break;
    case BinaryOp::kShr: out = left >> places; break;
    default:
      out = static_cast<Scalar>(static_cast<std::uint64_t>(left) << places);
      if (scene_.settings->ints == engine::IntMode::kMath && (out >> places) != left) throw Limit{kBeyond64Bits};
  }
  return scene_.settings->ints == engine::IntMode::kJava ? wrap(out) : out;
}

// The value modulo 2^64. Of sums, differences and products it depends on the operands only modulo 2^64, so nothing is
// lost however large they get on the way.
std::uint64_t Evaluator::low_bits(const Expr& expr) {
  if (scene_.settings->ints == engine::IntMode::kMath) {
    if (const auto* unary = std::get_if<UnaryExpr>(&expr.node)) return 0 - low_bits(*unary->operand);
    if (const auto* binary = std::get_if<BinaryExpr>(&expr.node)) {
      const auto both = [&](auto combine) {
        const std::uint64_t left = low_bits(*binary->left);
        return combine(left, low_bits(*binary->right));
      };
      switch (binary->op) {
        case BinaryOp::kAdd: return both([](std::uint64_t a, std::uint64_t b) { return a + b; });
        case BinaryOp::kSub: return both([](std::uint64_t a, std::uint64_t b) { return a - b; });
        case BinaryOp::kMul: return both([](std::uint64_t a, std::uint64_t b) { return a * b; });
        case BinaryOp::kShl: return both([](std::uint64_t a, std::uint64_t n) { return a << (n & 63); });
        case BinaryOp::kBitAnd: return both([](std::uint64_t a, std::uint64_t b) { return a & b; });
        case BinaryOp::kBitOr: return both([](std::uint64_t a, std::uint64_t b) { return a | b; });
        case BinaryOp::kBitXor: return both([](std::uint64_t a, std::uint64_t b) { return a ^ b; });
        case BinaryOp::kDiv: {  // only the least number divided by -1 gets too large
          const auto left = static_cast<std::uint64_t>(scalar(*binary->left));
          if (scalar(*binary->right) == -1) return 0 - left;
          break;
        }
        default: break;
      }
    }
  }
  return static_cast<std::uint64_t>(scalar(expr));
}

Value Evaluator::wrapped(const WrapExpr& it) {
  const std::uint64_t low = low_bits(*it.operand);
  const int unused = 64 - it.bits;
  const Scalar out =
      it.is_signed ? static_cast<Scalar>(low << unused) >> unused : static_cast<Scalar>((low << unused) >> unused);
  return scene_.settings->ints == engine::IntMode::kJava ? wrap(out) : out;
}

Value Evaluator::on_sets(const BinaryExpr& it) {
  const Value left_value = value(*it.left);
  const Value right_value = value(*it.right);
  const std::set<Scalar>& left = left_value.composite->elements;
  const std::set<Scalar>& right = right_value.composite->elements;
  std::set<Scalar> out;
  switch (it.op) {
    case BinaryOp::kLe: return Scalar{std::includes(right.begin(), right.end(), left.begin(), left.end())};
    case BinaryOp::kAdd:
      out = left;
      out.insert(right.begin(), right.end());
      break;
    default: {
      const bool keep_common = it.op == BinaryOp::kIntersect;
      for (const Scalar element : left) {
        if (right.contains(element) == keep_common) out.insert(element);
      }
    }
  }
  return make_set(std::move(out));
}

bool Evaluator::shape(const Expr& expr, const ShapeExpr& it) {
  const Scalar to = it.to ? scalar(*it.to) : 0;
  std::set<Scalar> seen;
  Scalar at = scalar(*it.from);
  while (at != 0 && seen.insert(at).second) {
    if (it.kind == ShapeExpr::Kind::kReach && at == to) return true;
    at = object(at, false, expr.range).fields[it.index].scalar;
  }
  if (it.kind == ShapeExpr::Kind::kReach) return at == to && at == 0;
  return at == 0;
}

// -------------------------------------------------------------------------------------------------------------- quantifiers

namespace {

BinaryOp mirrored(BinaryOp op) {
  switch (op) {
    case BinaryOp::kLt: return BinaryOp::kGt;
    case BinaryOp::kLe: return BinaryOp::kGe;
    case BinaryOp::kGt: return BinaryOp::kLt;
    case BinaryOp::kGe: return BinaryOp::kLe;
    default: return op;
  }
}

// Whether evaluating it may go wrong.
bool may_fail(const Expr& expr) {
  bool out = false;
  for_each_expr(expr, [&](const Expr& part) {
    const auto* binary = std::get_if<BinaryExpr>(&part.node);
    const auto* index = std::get_if<IndexExpr>(&part.node);
    if (binary != nullptr && (binary->op == BinaryOp::kDiv || binary->op == BinaryOp::kMod)) out = true;
    if (index != nullptr && index->base->type.kind == Type::Kind::kArray) out = true;
    if (std::holds_alternative<FieldExpr>(part.node) || std::holds_alternative<HoldsExpr>(part.node) ||
        std::holds_alternative<ShapeExpr>(part.node) || std::holds_alternative<CastExpr>(part.node)) {
      out = true;
    }
  });
  return out;
}

// The quantified variables an expression mentions are all bound outside depth `depth`.
bool bound_outside(const Expr& expr, int depth) {
  bool out = true;
  for_each_expr(expr, [&](const Expr& part) {
    const auto* name = std::get_if<NameExpr>(&part.node);
    if (name != nullptr && name->ref.kind == Ref::Kind::kBound && name->ref.index >= depth) out = false;
    if (std::holds_alternative<QuantifierExpr>(part.node)) out = false;
  });
  return out;
}

}  // namespace

Evaluator::Range Evaluator::range_from(const std::vector<const Expr*>& conjuncts, const ExprTest& is_variable,
                                       const ExprTest& can_evaluate) {
  Range range;
  for (const Expr* conjunct : conjuncts) {
    const auto* binary = std::get_if<BinaryExpr>(&conjunct->node);
    if (binary == nullptr || binary->left->type.kind != Type::Kind::kInt) continue;
    const bool left = is_variable(*binary->left);
    if (!left && !is_variable(*binary->right)) continue;
    const Expr& other = left ? *binary->right : *binary->left;
    if (!can_evaluate(other)) continue;
    const BinaryOp op = left ? binary->op : mirrored(binary->op);
    const bool bounds_low = op == BinaryOp::kGt || op == BinaryOp::kGe || op == BinaryOp::kEq;
    const bool bounds_high = op == BinaryOp::kLt || op == BinaryOp::kLe || op == BinaryOp::kEq;
    if (!bounds_low && !bounds_high) continue;
    const Scalar limit = std::clamp<Scalar>(scalar(other), INT64_MIN + 1, INT64_MAX - 1);
    if (bounds_low) range.low = std::max(range.low.value_or(INT64_MIN), limit + (op == BinaryOp::kGt ? 1 : 0));
    if (bounds_high) range.high = std::min(range.high.value_or(INT64_MAX), limit - (op == BinaryOp::kLt ? 1 : 0));
  }
  return range;
}

Evaluator::Range Evaluator::within_int(Range range) const {
  constexpr std::uint64_t kNear = 10'000;
  if (scene_.settings->ints != engine::IntMode::kJava) return range;
  const auto steps = [](Scalar from, Scalar to) {
    return from < to ? static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from) : 0;
  };
  if (range.low) range.low = std::max<Scalar>(*range.low, INT32_MIN);
  if (range.high) range.high = std::min<Scalar>(*range.high, INT32_MAX);
  if (range.low && !range.high && steps(*range.low, INT32_MAX) <= kNear) range.high = INT32_MAX;
  if (range.high && !range.low && steps(INT32_MIN, *range.high) <= kNear) range.low = INT32_MIN;
  return range;
}

Evaluator::Domain Evaluator::domain(const QuantifierExpr& it, const BoundVariable& variable) {
  Domain out;
  const auto up_to = [&](Scalar low, Scalar high) {
    if (high > low && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > kMostTried) {
      throw Limit{"a quantifier ranges over more than a million integers"};
    }
    if (high == INT64_MAX) throw Limit{kBeyond64Bits};
    for (Scalar v = low; v <= high; ++v) out.values.push_back(v);
  };
  switch (variable.type.kind) {
    case Type::Kind::kBool: up_to(0, 1); break;
    case Type::Kind::kEnum: up_to(0, std::ssize(scene_.program->enums[variable.type.decl].constants) - 1); break;
    case Type::Kind::kTid: {
      // Like plain names: before the step with primes, after it with \old.
      up_to(1, thread_count(scene_.uses_old && !in_old_));
      break;
    }
    case Type::Kind::kClass: {
      const std::vector<Object>& now = store(false).objects;
      for (std::size_t r = 0; r < now.size(); ++r) {
        const int own = now[r].class_index;  // of an array: -1
        if (own >= 0 && is_subclass(*scene_.program, own, variable.type.decl))
          out.values.push_back(static_cast<Scalar>(r + 1));
      }
      break;
    }
    default: {
      // Integers: the range that the guard gives, read from left to right; without one, the values to try.
      const int depth = static_cast<int>(bound_.size());
      std::vector<const Expr*> guards;
      const auto* implication = std::get_if<BinaryExpr>(&it.body->node);
      if (!it.is_forall) {
        collect_conjuncts(*it.body, guards);
      } else if (implication != nullptr && implication->op == BinaryOp::kImplies) {
        collect_conjuncts(*implication->left, guards);
      }
      const auto is_variable = [&](const Expr& expr) {
        const auto* name = std::get_if<NameExpr>(&expr.node);
        return name != nullptr && name->ref.kind == Ref::Kind::kBound && name->ref.index == depth;
      };
      const auto can_evaluate = [&](const Expr& expr) { return bound_outside(expr, depth); };
      // Nothing is evaluated here that evaluating the body, value by value, would not have come to.
      Range range;
      bool passed_over = false;  // a guard that is no bound, and may be false
      for (const Expr* guard : guards) {
        if (range.low && range.high && *range.low > *range.high) break;
        if (passed_over && may_fail(*guard)) break;
        if (can_evaluate(*guard)) {
          if (!holds(*guard)) return out;  // no value satisfies the guard
          continue;
        }
        const Range more = range_from({guard}, is_variable, can_evaluate);
        if (more.low) range.low = std::max(range.low.value_or(INT64_MIN), *more.low);
        if (more.high) range.high = std::min(range.high.value_or(INT64_MAX), *more.high);
        if (more.low || more.high) continue;
        if (may_fail(*guard)) break;
        passed_over = true;
      }
      range = within_int(range);
      out.is_complete = range.low && range.high;
      up_to(range.low.value_or(std::min(scene_.settings->int_low, range.high.value_or(INT64_MAX))),
            range.high.value_or(std::max(scene_.settings->int_high, range.low.value_or(INT64_MIN))));
    }
  }
  return out;
}

Scalar Evaluator::sum(const SumExpr& it) {
  const SumBounds range = *sum_bounds(it, static_cast<int>(bound_.size()));
  const Scalar low = scalar(*range.low);
  const Scalar high = scalar(*range.high);
  const auto width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  if (high > low && width > kMostTried) throw Limit{"a sum is over more than a million integers"};
  Scalar out = 0;
  for (Scalar k = low; k <= high; ++k) {
    if ((k == low && !range.has_low) || (k == high && !range.has_high)) continue;
    bound_.push_back(k);
    const Scalar summand = scalar(*it.body);
    bound_.pop_back();
    const bool overflow = __builtin_add_overflow(out, summand, &out);
    if (scene_.settings->ints == engine::IntMode::kJava) {
      out = wrap(out);
    } else if (overflow) {
      throw Limit{kBeyond64Bits};
    }
    if (k == INT64_MAX) break;
  }
  return out;
}

bool Evaluator::quantified(const QuantifierExpr& it, std::size_t variable) {
  if (variable == it.variables.size()) return holds(*it.body);
  const Domain tried = domain(it, it.variables[variable]);
  for (const Scalar candidate : tried.values) {
    bound_.push_back(candidate);
    const bool body = quantified(it, variable + 1);
    bound_.pop_back();
    if (body != it.is_forall) return body;
  }
  if (!tried.is_complete) {
    const std::string bound = "quantified integers tried from " + std::to_string(scene_.settings->int_low) + " to " +
                              std::to_string(scene_.settings->int_high) + " (--ints)";
    if (!tolerates_untried_) throw Limit{bound};
    if (scene_.bounds != nullptr) scene_.bounds->insert(bound);
    undecided_ = true;
  }
  return it.is_forall;
}

}  // namespace concord::explore
