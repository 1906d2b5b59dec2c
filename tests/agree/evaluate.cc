#include "evaluate.h"

#include <algorithm>
#include <set>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/classes.h"

namespace concord::agree {

using namespace plato;
using base::Overloaded;

namespace {

const Object& object_of(const Store& store, std::int64_t reference, base::SourceRange at) {
  if (reference == 0 || reference > std::ssize(store.heap)) throw Undefined{diag::Kind::kNullDereference, at};
  return store.heap[static_cast<std::size_t>(reference - 1)];
}

std::size_t element_of(const Object& array, std::int64_t index, base::SourceRange at) {
  if (index < 0 || index >= std::ssize(array.slots)) throw Undefined{diag::Kind::kArrayBounds, at};
  return static_cast<std::size_t>(index);
}

Value truth(bool it) { return number(it ? 1 : 0); }

Value make_set(std::vector<Value> elements) {
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return Value{0, 0, std::move(elements), {}};
}

bool contains(const Value& set, const Value& element) {
  return std::find(set.keys.begin(), set.keys.end(), element) != set.keys.end();
}

bool is_set(const Expr& expr) { return expr.type.kind == Type::Kind::kSet || expr.type.kind == Type::Kind::kAnySet; }

// The location of an expression whose plain names are read in `scene.now`. The base of a map entry is a location itself;
// that of a field or an element is a reference.
std::optional<Location> try_locate(const Expr& expr, const Scene& scene) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    const auto index = static_cast<std::size_t>(name->ref.index);
    switch (name->ref.kind) {
      case Ref::Kind::kShared: return Location{Location::Root::kVariable, 0, index, {}};
      case Ref::Kind::kLocal: return Location{Location::Root::kLocal, 0, index, {}};
      case Ref::Kind::kField:
        object_of(*scene.now.store, scene.self, expr.range);
        return Location{Location::Root::kSlot, scene.self, index, {}};
      case Ref::Kind::kMonitorHolder:
      case Ref::Kind::kMonitorDepth:
        object_of(*scene.now.store, scene.self, expr.range);
        return Location{Location::Root::kObjectMonitor, scene.self, 0, {}};
      default: return std::nullopt;
    }
  }
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    const bool monitor_part = field->kind == FieldExpr::Kind::kHolder || field->kind == FieldExpr::Kind::kDepth;
    if (monitor_part && field->object->type.kind == Type::Kind::kMonitor) return try_locate(*field->object, scene);
    if (field->kind == FieldExpr::Kind::kLength) return std::nullopt;
    const std::int64_t reference = evaluate(*field->object, scene).number;
    object_of(*scene.now.store, reference, expr.range);
    if (monitor_part) return Location{Location::Root::kObjectMonitor, reference, 0, {}};
    return Location{Location::Root::kSlot, reference, static_cast<std::size_t>(field->index), {}};
  }
  if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    if (index->base->type.kind == Type::Kind::kArray) {
      const std::int64_t reference = evaluate(*index->base, scene).number;
      const std::int64_t element = evaluate(*index->index, scene).number;
      const Object& array = object_of(*scene.now.store, reference, expr.range);
      return Location{Location::Root::kSlot, reference, element_of(array, element, expr.range), {}};
    }
    std::optional<Location> base = try_locate(*index->base, scene);
    if (base) base->keys.push_back(evaluate(*index->index, scene));
    return base;
  }
  return std::nullopt;
}

Value read_in(const World& world, const Expr& expr, const Scene& scene) {
  const std::optional<Location> at = try_locate(expr, scene);
  CONCORD_CHECK(at.has_value(), "this is no location");
  if (scene.accesses != nullptr) scene.accesses->push_back(*at);
  return read(*world.store, *world.locals, *at);
}

Value evaluate_name(const Expr& expr, const NameExpr& name, const Scene& scene) {
  const auto index = static_cast<std::size_t>(name.ref.index);
  switch (name.ref.kind) {
    case Ref::Kind::kConst: return scene.now.store->consts[index];
    case Ref::Kind::kEnumConst: return number(name.ref.index);
    case Ref::Kind::kBound: return scene.bound[index];
    case Ref::Kind::kThread: {
      std::int64_t thread = 1;
      for (std::size_t i = 0; i < index; ++i) {
        const Thread& declared = scene.program->threads[i];
        thread += declared.count == Thread::Count::kNumber
                      ? declared.number
                      : scene.now.store->consts[static_cast<std::size_t>(declared.const_index)].number;
      }
      return number(thread);
    }
    default: break;
  }
  const Value value = read_in(name.primed ? scene.primed : scene.now, expr, scene);
  if (name.ref.kind == Ref::Kind::kMonitorHolder) return number(value.number);
  if (name.ref.kind == Ref::Kind::kMonitorDepth) return number(value.depth);
  return value;
}

Value evaluate_field(const Expr& expr, const FieldExpr& field, const Scene& scene) {
  if (field.kind == FieldExpr::Kind::kLength) {
    return number(std::ssize(object_of(*scene.now.store, evaluate(*field.object, scene).number, expr.range).slots));
  }
  const Value value = read_in(field.primed ? scene.primed : scene.now, expr, scene);
  if (field.kind == FieldExpr::Kind::kHolder) return number(value.number);
  if (field.kind == FieldExpr::Kind::kDepth) return number(value.depth);
  return value;
}

Value evaluate_index(const Expr& expr, const IndexExpr& index, const Scene& scene) {
  if (index.primed) return read_in(scene.primed, expr, scene);
  if (index.base->type.kind == Type::Kind::kArray) return read_in(scene.now, expr, scene);
  const Value map = evaluate(*index.base, scene);
  return look_up(map, evaluate(*index.index, scene));
}

bool equal(const BinaryExpr& binary, const Value& left, const Value& right, const Program& program) {
  const Type& type = binary.left->type.kind == Type::Kind::kMap ? binary.left->type : binary.right->type;
  return normalised(left, type, program) == normalised(right, type, program);
}

Value on_sets(BinaryOp op, const Value& left, const Value& right) {
  std::vector<Value> chosen;
  bool subset = true;
  for (const Value& it : left.keys) {
    const bool common = contains(right, it);
    subset = subset && common;
    if (op == BinaryOp::kAdd || (op == BinaryOp::kIntersect) == common) chosen.push_back(it);
  }
  if (op == BinaryOp::kLe) return truth(subset);
  if (op == BinaryOp::kAdd) chosen.insert(chosen.end(), right.keys.begin(), right.keys.end());
  return make_set(std::move(chosen));
}

std::int64_t floor_remainder(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

// The programs here have small numbers; a larger one would be a mistake of the generator.
std::int64_t power_of_two(std::int64_t places) {
  const std::int64_t count = floor_remainder(places, 64);
  CONCORD_CHECK(count < 31, "a shift that this interpreter does not do");
  std::int64_t out = 1;
  for (std::int64_t i = 0; i < count; ++i) out *= 2;
  return out;
}

// Bit by bit, by halving; -1 and 0 are what every number ends in.
template <class Combine>
Value bitwise(std::int64_t a, std::int64_t b, Combine combine) {
  const bool a_ends = a == 0 || a == -1;
  const bool b_ends = b == 0 || b == -1;
  if (a_ends && b_ends) return number(combine(a != 0, b != 0) ? -1 : 0);
  const std::int64_t a_bit = floor_remainder(a, 2);
  const std::int64_t b_bit = floor_remainder(b, 2);
  const Value rest = bitwise((a - a_bit) / 2, (b - b_bit) / 2, combine);
  return number(rest.number * 2 + (combine(a_bit != 0, b_bit != 0) ? 1 : 0));
}

Value evaluate_binary(const Expr& expr, const BinaryExpr& binary, const Scene& scene) {
  const Value left = evaluate(*binary.left, scene);
  switch (binary.op) {
    case BinaryOp::kAnd: return left.number == 0 ? left : evaluate(*binary.right, scene);
    case BinaryOp::kOr: return left.number != 0 ? left : evaluate(*binary.right, scene);
    case BinaryOp::kImplies: return left.number == 0 ? truth(true) : evaluate(*binary.right, scene);
    default: break;
  }
  const Value right = evaluate(*binary.right, scene);
  const bool on_set_values = is_set(*binary.left) || is_set(*binary.right);
  switch (binary.op) {
    case BinaryOp::kIff: return truth(left == right);
    case BinaryOp::kEq: return truth(equal(binary, left, right, *scene.program));
    case BinaryOp::kNe: return truth(!equal(binary, left, right, *scene.program));
    case BinaryOp::kLt: return truth(left.number < right.number);
    case BinaryOp::kGt: return truth(left.number > right.number);
    case BinaryOp::kGe: return truth(left.number >= right.number);
    case BinaryOp::kIn: return truth(contains(right, left));
    case BinaryOp::kLe: return on_set_values ? on_sets(binary.op, left, right) : truth(left.number <= right.number);
    case BinaryOp::kAdd: return on_set_values ? on_sets(binary.op, left, right) : number(left.number + right.number);
    case BinaryOp::kSub: return on_set_values ? on_sets(binary.op, left, right) : number(left.number - right.number);
    case BinaryOp::kIntersect: return on_sets(binary.op, left, right);
    case BinaryOp::kMul: return number(left.number * right.number);
    case BinaryOp::kBitAnd: return bitwise(left.number, right.number, [](bool a, bool b) { return a && b; });
    case BinaryOp::kBitOr: return bitwise(left.number, right.number, [](bool a, bool b) { return a || b; });
    case BinaryOp::kBitXor: return bitwise(left.number, right.number, [](bool a, bool b) { return a != b; });
    case BinaryOp::kShl: return number(left.number * power_of_two(right.number));
    case BinaryOp::kShr: {
      const std::int64_t by = power_of_two(right.number);
      return number((left.number - floor_remainder(left.number, by)) / by);
    }
    default: break;
  }
  if (right.number == 0) throw Undefined{diag::Kind::kDivisionByZero, expr.range};
  return number(binary.op == BinaryOp::kDiv ? left.number / right.number : left.number % right.number);
}

std::vector<Value> range_of(const Type& type, const Scene& scene) {
  std::vector<Value> values;
  const auto add = [&](std::int64_t low, std::int64_t high) {
    for (std::int64_t i = low; i <= high; ++i) values.push_back(number(i));
  };
  switch (type.kind) {
    case Type::Kind::kBool: add(0, 1); break;
    case Type::Kind::kEnum:
      add(0, std::ssize(scene.program->enums[static_cast<std::size_t>(type.decl)].constants) - 1);
      break;
    case Type::Kind::kTid: add(1, std::ssize(scene.now.store->entered)); break;
    case Type::Kind::kInt: add(kQuantifiedLow, kQuantifiedHigh); break;
    default:
      for (std::int64_t i = 1; i <= std::ssize(scene.now.store->heap); ++i) {
        const int own = scene.now.store->heap[static_cast<std::size_t>(i - 1)].class_index;
        if (own >= 0 && is_subclass(*scene.program, own, type.decl)) add(i, i);
      }
  }
  return values;
}

bool evaluate_quantifier(const QuantifierExpr& quantifier, std::size_t depth, Scene& scene) {
  if (depth == quantifier.variables.size()) return evaluate(*quantifier.body, scene).number != 0;
  for (const Value& value : range_of(quantifier.variables[depth].type, scene)) {
    scene.bound.push_back(value);
    const bool it = evaluate_quantifier(quantifier, depth + 1, scene);
    scene.bound.pop_back();
    if (it != quantifier.is_forall) return it;
  }
  return quantifier.is_forall;
}

bool is_of(std::int64_t object, int class_index, const Scene& scene) {
  for (const World* world : {&scene.now, &scene.primed, &scene.old}) {
    const std::vector<Object>& heap = world->store->heap;
    if (object > std::ssize(heap)) continue;
    return is_subclass(*scene.program, heap[static_cast<std::size_t>(object - 1)].class_index, class_index);
  }
  throw base::InternalError("an object of no state");
}

bool evaluate_shape(const ShapeExpr& shape, const Scene& scene) {
  const std::int64_t target = shape.to ? evaluate(*shape.to, scene).number : 0;
  std::set<std::int64_t> seen;
  std::int64_t at = evaluate(*shape.from, scene).number;
  while (at != 0 && !seen.contains(at)) {
    if (shape.kind == ShapeExpr::Kind::kReach && at == target) return true;
    seen.insert(at);
    at = object_of(*scene.now.store, at, shape.field_range).slots[static_cast<std::size_t>(shape.index)].number;
  }
  return shape.kind == ShapeExpr::Kind::kReach ? at == target && target == 0 : at == 0;
}

}  // namespace

Scene one_state(const Program& program, const Store& store, const Locals& locals, std::int64_t tid) {
  const World world{&store, &locals};
  return Scene{&program, world, world, world, tid, 0, 0, nullptr, {}, nullptr};
}

Scene two_states(const Program& program, World before, World after, bool uses_old, std::int64_t tid) {
  return Scene{&program, uses_old ? after : before, after, before, tid, 0, 0, nullptr, {}, nullptr};
}

Value evaluate(const Expr& expr, const Scene& scene) {
  return std::visit(Overloaded{
                        [&](const IntLit& it) { return number(it.value); },
                        [&](const BoolLit& it) { return truth(it.value); },
                        [&](const NullLit&) { return number(0); },
                        [&](const NoneLit&) { return number(0); },
                        [&](const TidExpr&) { return number(scene.tid); },
                        [&](const ThisExpr&) { return number(scene.self); },
                        [&](const ResultExpr&) { return *scene.result; },
                        [&](const ThreadIndex&) { return number(scene.thread_index); },
                        [&](const Star&) -> Value { throw base::InternalError("`*` has no single value"); },
                        [&](const NameExpr& it) { return evaluate_name(expr, it, scene); },
                        [&](const FieldExpr& it) { return evaluate_field(expr, it, scene); },
                        [&](const IndexExpr& it) { return evaluate_index(expr, it, scene); },
                        [&](const UnaryExpr& it) {
                          const std::int64_t value = evaluate(*it.operand, scene).number;
                          if (it.op == UnaryOp::kNonNull) {
                            if (value == 0) throw Undefined{diag::Kind::kNullDereference, expr.range};
                            return number(value);
                          }
                          return it.op == UnaryOp::kNot ? truth(value == 0) : number(-value);
                        },
                        [&](const BinaryExpr& it) { return evaluate_binary(expr, it, scene); },
                        [&](const ConditionalExpr& it) {
                          return evaluate(evaluate(*it.condition, scene).number != 0 ? *it.then : *it.otherwise, scene);
                        },
                        [&](const OldExpr& it) {
                          Scene then = scene;
                          then.now = scene.old;
                          return evaluate(*it.operand, then);
                        },
                        [&](const QuantifierExpr& it) {
                          Scene inner = scene;
                          return truth(evaluate_quantifier(it, 0, inner));
                        },
                        [&](const SumExpr& it) {  // numbers far from the small ones of these programs are in no range
                          constexpr std::int64_t kFar = 1000;
                          Scene inner = scene;
                          std::int64_t sum = 0;
                          for (std::int64_t k = -kFar; k <= kFar; ++k) {
                            inner.bound.push_back(number(k));
                            if (evaluate(*it.range, inner).number != 0) sum += evaluate(*it.body, inner).number;
                            inner.bound.pop_back();
                          }
                          return number(sum);
                        },
                        [&](const SetLit& it) {
                          std::vector<Value> elements;
                          for (const ExprPtr& element : it.elements) elements.push_back(evaluate(*element, scene));
                          return make_set(std::move(elements));
                        },
                        [&](const MapConst& it) {
                          return Value{0, 0, {}, {evaluate(*it.value, scene)}};
                        },
                        [&](const MapUpdate& it) {
                          const Value map = evaluate(*it.map, scene);
                          const Value key = evaluate(*it.key, scene);
                          return with_entry(map, key, evaluate(*it.value, scene));
                        },
                        [&](const SizeExpr& it) { return number(std::ssize(evaluate(*it.set, scene).keys)); },
                        [&](const InstanceOf& it) {
                          if (it.class_index >= 0) {
                            const std::int64_t object = evaluate(*it.thread, scene).number;
                            return truth(object != 0 && is_of(object, it.class_index, scene));
                          }
                          const std::int64_t thread = evaluate(*it.thread, scene).number;
                          const auto& entered = scene.now.store->entered;
                          return truth(thread >= 1 && thread <= std::ssize(entered) &&
                                       entered[static_cast<std::size_t>(thread - 1)] == it.index);
                        },
                        [&](const HoldsExpr& it) {
                          return truth(holder(*scene.now.store, locate_lock(*it.lock, scene)) == scene.tid);
                        },
                        [&](const ShapeExpr& it) { return truth(evaluate_shape(it, scene)); },
                        [&](const WrapExpr& it) {
                          CONCORD_CHECK(it.bits < 64, "a width that this interpreter does not do");
                          const std::int64_t range = std::int64_t{1} << it.bits;
                          const std::int64_t low = floor_remainder(evaluate(*it.operand, scene).number, range);
                          return number(it.is_signed && low >= range / 2 ? low - range : low);
                        },
                        [&](const FloatLit& it) { return number(it.bits); },
                        [&](const FloatExpr& it) {
                          const int size = float_size(it.left->type);
                          const std::int64_t left = evaluate(*it.left, scene).number;
                          return number(compute(it.op, size, left, it.right ? evaluate(*it.right, scene).number : 0));
                        },
                        [&](const CastExpr& it) {
                          const Value object = evaluate(*it.operand, scene);
                          if (object.number != 0 && !is_of(object.number, it.class_index, scene)) {
                            throw Undefined{diag::Kind::kClassCast, expr.range};
                          }
                          return object;
                        },
                    },
                    expr.node);
}

bool holds(const Expr& expr, const Scene& scene) {
  try {
    return evaluate(expr, scene).number != 0;
  } catch (const Undefined&) { return false; }
}

Location locate(const Expr& expr, const Scene& scene) {
  std::optional<Location> at = try_locate(expr, scene);
  CONCORD_CHECK(at.has_value(), "a location is needed");
  return *std::move(at);
}

Location locate_lock(const Expr& expr, const Scene& scene) {
  if (expr.type.kind != Type::Kind::kClass) return locate(expr, scene);
  const std::int64_t reference = evaluate(expr, scene).number;
  object_of(*scene.now.store, reference, expr.range);
  return Location{Location::Root::kObjectMonitor, reference, 0, {}};
}

std::int64_t holder(const Store& store, const Location& lock) { return read(store, {}, lock).number; }

}  // namespace concord::agree
