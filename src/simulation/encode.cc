#include "simulation/encode.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/classes.h"
#include "plato/printer.h"
#include "plato/sums.h"
#include "plato/walk.h"

namespace concord::simulation {

using base::Overloaded;
using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::int64_t kMin32 = -(std::int64_t{1} << 31);
constexpr std::int64_t kMax32 = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t kRange32 = std::int64_t{1} << 32;

bool is_reference(const Type& type) { return type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray; }
bool is_set(const Type& type) { return type.kind == Type::Kind::kSet || type.kind == Type::Kind::kAnySet; }
// `null` or `{}` itself, not an expression of several parts that is one of them.
bool is_bare(const Expr& expr) {
  const auto* set = std::get_if<SetLit>(&expr.node);
  return std::holds_alternative<NullLit>(expr.node) || (set != nullptr && set->elements.empty());
}
// Takes its type from what it is used with.
bool is_untyped(const Type& type) {
  return type.kind == Type::Kind::kNull || type.kind == Type::Kind::kAnySet || type.kind == Type::Kind::kAnyMap;
}

}  // namespace

Term with_value(Pool& pool, Term whole, const std::vector<Term>& keys, Term value, std::size_t from) {
  if (from == keys.size()) return value;
  return pool.store(whole, keys[from], with_value(pool, pool.select(whole, keys[from]), keys, value, from + 1));
}

Encoder::Encoder(World& world, Scene scene) : world_(world), scene_(std::move(scene)) {}

// ---------------------------------------------------------------------------------------------------- what is collected

Term Encoder::under_guard(Term formula) { return pool().implies(pool().and_(guards_), formula); }

void Encoder::check(Term holds, Kind kind, SourceRange range) {
  checks.push_back({under_guard(holds), kind, range, false});
}

Term Encoder::is_allocated(const Type& type, Term object, bool after) {
  return world_.exists(part(world_.allocated(type), after), object);
}

Term Encoder::owner_exists(const Place& place, bool after) {
  if (place.is_local) return pool().truth(true);
  switch (world_.part(place.index).kind) {
    case Part::Kind::kField:
    case Part::Kind::kFieldHolder:
    case Part::Kind::kFieldDepth:
    case Part::Kind::kObjectHolder:
    case Part::Kind::kObjectDepth:
      return is_allocated(class_type(world_.program(), world_.part(place.index).index), place.keys.front(), after);
    case Part::Kind::kElements:
      for (std::size_t i = 0; i < world_.parts().size(); ++i) {
        const Part& it = world_.parts()[i];
        if (it.kind != Part::Kind::kAllocated || it.type != world_.part(place.index).type) continue;
        return world_.exists(part(static_cast<int>(i), after), place.keys.front());
      }
      return pool().truth(false);
    default: return pool().truth(true);
  }
}

void Encoder::fact(Term fact, bool even_if_bound) {
  if (fact == pool().truth(true)) return;
  if (!fact->has_bound) {
    facts.push_back(fact);
  } else if (even_if_bound) {
    bound_facts.push_back(fact);
  }
}

void Encoder::check_object(Term object, const Type& type, bool after, SourceRange range) {
  Term exists = pool().ne(object, world_.null(type));
  if (scene_.two_state && !after && world_.is_allocating(type)) {
    exists = pool().and_(exists, world_.exists(part(world_.allocated(type), false), object));
  }
  check(exists, Kind::kNullDereference, range);
}

void Encoder::type_facts(Term value, const Type& type, bool after, Term exists) {
  switch (type.kind) {
    case Type::Kind::kFloat:
      if (value->op != formula::Op::kNumber) fact(pool().implies(exists, world_.is_within(value, bits_of_float(type))));
      break;
    case Type::Kind::kInt:
      if (type.values && value->op != formula::Op::kNumber)
        fact(pool().implies(exists, world_.is_within(value, *type.values)));
      if (world_.ints() == engine::IntMode::kJava && value->op != formula::Op::kNumber)
        fact(pool().implies(exists, world_.is_within(value, {kMin32, kMax32})));
      break;
    case Type::Kind::kTid:
      if (value == world_.none()) break;
      fact(pool().implies(
          exists, pool().or_(pool().eq(value, world_.none()), world_.exists(part(world_.alive(), after), value))));
      break;
    case Type::Kind::kClass:
    case Type::Kind::kArray:
      fact(pool().implies(exists, pool().or_(pool().eq(value, world_.null(type)),
                                             pool().and_(world_.exists(part(world_.allocated(type), after), value),
                                                         world_.is_of_type(type, value)))));
      break;
    default: break;
  }
}

void Encoder::length_facts(Term length) {
  fact(pool().le(pool().number(0), length));
  fact(pool().le(length, pool().number(kMostElements)));
}

void Encoder::monitor_facts(Term holder, Term depth, Term exists) {
  fact(pool().implies(exists, pool().le(pool().number(0), depth)));
  const Term free = pool().eq(holder, world_.none());
  fact(pool().implies(exists, pool().eq(free, pool().eq(depth, pool().number(0)))));
}

void Encoder::log(Access access) {
  if (!log_accesses) return;
  access.when = pool().and_(guards_);
  last_root_ = accesses.size();
  accesses.push_back(std::move(access));
}

Term Encoder::definite_checks() const {
  std::vector<Term> parts;
  for (const Check& it : checks) {
    if (!it.is_independent) parts.push_back(it.holds);
  }
  return pool().and_(parts);
}

Term Encoder::all_checks() const {
  std::vector<Term> parts;
  for (const Check& it : checks) parts.push_back(it.holds);
  return pool().and_(parts);
}

Term Encoder::all_facts() const { return pool().and_(facts); }

Term Encoder::clause(const Expr& expr) {
  const Term truth = holds(expr);
  return pool().and_(all_checks(), truth);
}

// ---------------------------------------------------------------------------------------------------- states and places

Term Encoder::part(int index, bool after) const {
  const Part& it = world_.part(index);
  if (!scene_.two_state) return scene_.now_is_before ? it.before : it.now;
  if (after || !it.changes) return it.now;
  // A part that was found only after the entry was passed: this is a first construction, and its terms are not used.
  if (static_cast<std::size_t>(index) >= scene_.entry.size()) return it.before;
  return scene_.entry[static_cast<std::size_t>(index)];
}

Term Encoder::read(const Place& place, bool after) const {
  Term out = nullptr;
  if (place.is_local) {
    const bool now = after || scene_.locals_before == nullptr;
    out = (now ? *scene_.locals : *scene_.locals_before)[static_cast<std::size_t>(place.index)];
  } else {
    out = part(place.index, after);
  }
  for (Term key : place.keys) out = pool().select(out, key);
  return out;
}

Place Encoder::target(const Expr& expr) {
  is_target_ = true;
  return place(expr);
}

Place Encoder::place(const Expr& expr) {
  const bool is_target = std::exchange(is_target_, false);
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    switch (name->ref.kind) {
      case Ref::Kind::kShared:
        log({.variable = &world_.program().variables[static_cast<std::size_t>(name->ref.index)],
             .is_write = is_target});
        return {false, world_.variable(name->ref.index), {}};
      case Ref::Kind::kLocal: return {true, name->ref.index, {}};
      case Ref::Kind::kField: return {false, world_.field(own_class(), name->ref.index), {scene_.self}};
      default: break;
    }
  } else if (const auto* field = std::get_if<FieldExpr>(&expr.node)) {
    const Type& type = field->object->type;
    const Term object = value(*field->object);
    check_object(object, type, is_after(field->primed), expr.range);
    log({.variable = &field_of(world_.program(), type.decl, field->index),
         .object = object,
         .owner = field_home(world_.program(), type.decl, field->index).class_index,
         .is_write = is_target});
    return {false, world_.field(type.decl, field->index), {object}};
  } else if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    if (index->base->type.kind == Type::Kind::kArray) {
      const Type& type = index->base->type;
      const Term array = value(*index->base);
      const Term at = value(*index->index);
      check_object(array, type, is_after(index->primed), expr.range);
      const Term length = world_.length(type, array);
      length_facts(length);
      check(pool().and_(pool().le(pool().number(0), at), pool().lt(at, length)), Kind::kArrayBounds, expr.range);
      log({.object = array, .key = at, .is_write = is_target});
      return {false, world_.elements(type), {array, at}};
    }
    is_target_ = is_target;
    Place out = place(*index->base);
    const std::size_t root = last_root_;
    out.keys.push_back(value_as(*index->index, *index->base->type.first));
    last_root_ = root;
    // Entries are told apart by their first key.
    if (log_accesses && !out.is_local && accesses[root].key == nullptr) accesses[root].key = out.keys.back();
    return out;
  }
  throw Unsupported{expr.range, "the place `" + print(expr) + "`"};
}

namespace {

// The prime of a path belongs to all of it.
bool path_primed(const Expr& expr) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) return name->primed;
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) return field->primed;
  if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    if (index->base->type.kind == Type::Kind::kArray) return index->primed;
    return index->primed || path_primed(*index->base);
  }
  return false;
}

// Which of two states of a lock is meant. The prime of an object says which object, not when to look at its monitor.
bool lock_primed(const Expr& lock) { return lock.type.kind != Type::Kind::kClass && path_primed(lock); }

}  // namespace

// The part and keys of a monitor expression: a variable or field of type monitor, or an entry of a map of them.
namespace {

struct MonitorRoot {
  const Expr* root;
  std::vector<const IndexExpr*> indices;  // outermost last
};

MonitorRoot monitor_root(const Expr& expr) {
  MonitorRoot out{&expr, {}};
  while (const auto* index = std::get_if<IndexExpr>(&out.root->node)) {
    out.indices.insert(out.indices.begin(), index);
    out.root = index->base.get();
  }
  return out;
}

}  // namespace

Place Encoder::lock_part(const Expr& lock, World::Half half, bool& is_monitor, SourceRange at) {
  is_monitor = lock.type.kind != Type::Kind::kTid;
  if (lock.type.kind == Type::Kind::kTid) return place(lock);
  if (lock.type.kind == Type::Kind::kClass) {
    const Term object = value(lock);
    check_object(object, lock.type, is_after(false), at);
    return {false, world_.object_monitor(lock.type.decl, half), {object}};
  }
  const MonitorRoot path = monitor_root(lock);
  Place out;
  const Variable* monitor = nullptr;
  int owner = -1;
  if (const auto* name = std::get_if<NameExpr>(&path.root->node);
      name != nullptr && name->ref.kind == Ref::Kind::kShared) {
    monitor = &world_.program().variables[static_cast<std::size_t>(name->ref.index)];
    out.index = world_.monitor(name->ref.index, half);
  } else if (name != nullptr && name->ref.kind == Ref::Kind::kField) {
    out.index = world_.field_monitor(own_class(), name->ref.index, half);
    out.keys.push_back(scene_.self);
  } else if (const auto* field = std::get_if<FieldExpr>(&path.root->node)) {
    const Term object = value(*field->object);
    const Type& type = field->object->type;
    check_object(object, type, is_after(field->primed), path.root->range);
    monitor = &field_of(world_.program(), type.decl, field->index);
    owner = field_home(world_.program(), type.decl, field->index).class_index;
    out.index = world_.field_monitor(field->object->type.decl, field->index, half);
    out.keys.push_back(object);
  } else {
    throw Unsupported{lock.range, "the lock `" + print(lock) + "`"};
  }
  const Term object = out.keys.empty() ? nullptr : out.keys.front();
  for (const IndexExpr* index : path.indices) out.keys.push_back(value_as(*index->index, *index->base->type.first));
  if (monitor != nullptr) log({.variable = monitor, .object = object, .owner = owner});  // after what leads to it
  return out;
}

// ---------------------------------------------------------------------------------------------------------- expressions

Term Encoder::value_as(const Expr& expr, const Type& type) {
  if (std::holds_alternative<NullLit>(expr.node)) return world_.null(type);
  if (const auto* set = std::get_if<SetLit>(&expr.node)) {
    Term out = world_.default_value(type);
    for (const ExprPtr& element : set->elements) {
      out = pool().store(out, value_as(*element, *type.first), pool().truth(true));
    }
    return out;
  }
  if (const auto* map = std::get_if<MapConst>(&expr.node)) {
    return pool().const_array(world_.sort(type), value_as(*map->value, *type.second));
  }
  if (const auto* it = std::get_if<ConditionalExpr>(&expr.node); it != nullptr && is_untyped(expr.type)) {
    const Term condition = value(*it->condition);
    guards_.push_back(condition);
    const Term then = value_as(*it->then, type);
    guards_.back() = pool().not_(condition);
    const Term otherwise = value_as(*it->otherwise, type);
    guards_.pop_back();
    return pool().ite(condition, then, otherwise);
  }
  if (is_untyped(expr.type)) throw Unsupported{expr.range, "`" + print(expr) + "`, whose type is not plain"};
  return value(expr);
}

Term Encoder::value(const Expr& expr) {
  return std::visit(Overloaded{
                        [&](const IntLit& it) -> Term {
                          if (world_.ints() == engine::IntMode::kJava)
                            return pool().number(static_cast<std::int32_t>(it.value));
                          return pool().number(it.value);
                        },
                        [&](const BoolLit& it) -> Term { return pool().truth(it.value); },
                        [&](const NullLit&) -> Term {
                          throw Unsupported{expr.range, "`null` of an unknown type"};
                        },
                        [&](const NoneLit&) -> Term { return world_.none(); },
                        [&](const TidExpr&) -> Term { return scene_.tid; },
                        [&](const ThisExpr&) -> Term { return scene_.self; },
                        [&](const ResultExpr&) -> Term { return scene_.result; },
                        [&](const ThreadIndex&) -> Term { return scene_.thread_index; },
                        [&](const Star&) -> Term { base::internal_error(__FILE__, __LINE__, "a `*` was evaluated"); },
                        [&](const NameExpr& it) -> Term { return name(expr, it); },
                        [&](const FieldExpr& it) -> Term { return field(expr, it); },
                        [&](const IndexExpr& it) -> Term {
                          const MonitorRoot root = monitor_root(expr);
                          const bool is_place = std::holds_alternative<NameExpr>(root.root->node) ||
                                                std::holds_alternative<FieldExpr>(root.root->node);
                          if (!is_place && it.base->type.kind != Type::Kind::kArray) {
                            const Term map = value(*it.base);
                            return pool().select(map, value_as(*it.index, *it.base->type.first));
                          }
                          return read_place(expr, is_after(path_primed(expr)));
                        },
                        [&](const UnaryExpr& it) -> Term {
                          if (it.op == UnaryOp::kNot) return pool().not_(value(*it.operand));
                          if (it.op == UnaryOp::kNonNull) {
                            const Term object = value(*it.operand);
                            check(pool().ne(object, world_.null(it.operand->type)), Kind::kNullDereference, expr.range);
                            return object;
                          }
                          return wrapped(pool().neg(value(*it.operand)));
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
                        [&](const OldExpr& it) -> Term {
                          const bool outer = in_old_;
                          in_old_ = true;
                          const Term out = value(*it.operand);
                          in_old_ = outer;
                          return out;
                        },
                        [&](const QuantifierExpr& it) -> Term { return quantifier(it); },
                        [&](const SumExpr& it) -> Term { return sum(expr, it); },
                        [&](const SetLit&) -> Term { return value_as(expr, expr.type); },
                        [&](const MapConst&) -> Term { return value_as(expr, expr.type); },
                        [&](const MapUpdate& it) -> Term {
                          const Term map = value(*it.map);
                          const Term key = value_as(*it.key, *it.map->type.first);
                          return pool().store(map, key, value_as(*it.value, *it.map->type.second));
                        },
                        [&](const SizeExpr& it) -> Term {
                          if (it.set->type.kind == Type::Kind::kAnySet) {
                            if (is_bare(*it.set)) return pool().number(0);
                            throw Unsupported{expr.range, "`" + print(expr) + "`, whose type is not plain"};
                          }
                          const Term set = value(*it.set);
                          fact(world_.finite(it.set->type, set), true);
                          return world_.size(it.set->type, set);
                        },
                        [&](const InstanceOf& it) -> Term { return instance_of(it); },
                        [&](const HoldsExpr& it) -> Term {
                          bool is_monitor = false;
                          const Place holder = lock_part(*it.lock, World::Half::kHolder, is_monitor, expr.range);
                          return pool().eq(read(holder, is_after(lock_primed(*it.lock))), scene_.tid);
                        },
                        [&](const ShapeExpr&) -> Term {
                          throw Unsupported{expr.range, "`" + print(expr) + "`"};
                        },
                        [&](const WrapExpr& it) -> Term { return wrapped(wrapped_to(it)); },
                        [&](const CastExpr& it) -> Term { return cast(expr, it); },
                        [&](const FloatLit& it) -> Term { return pool().number(it.bits); },
                        [&](const FloatExpr& it) -> Term { return floating(it, expr.type); },
                    },
                    expr.node);
}

// In a clause of a class: the class of `this`.
int Encoder::own_class() const {
  CONCORD_CHECK(scene_.self != nullptr && scene_.self_class >= 0, "a field outside a class");
  return scene_.self_class;
}

Term Encoder::instance_of(const InstanceOf& it) {
  if (it.class_index < 0) {
    const Term thread = value(*it.thread);
    return pool().and_(pool().ne(thread, world_.none()), pool().eq(world_.entry_of(thread), pool().number(it.index)));
  }
  const Type type = class_type(world_.program(), it.class_index);
  const Term object = value_as(*it.thread, type);
  return pool().and_(pool().ne(object, world_.null(type)), world_.is_instance(it.class_index, object));
}

Term Encoder::cast(const Expr& expr, const CastExpr& it) {
  const Term object = value_as(*it.operand, expr.type);
  const Type& from = it.operand->type;
  const bool always_fits = from.kind != Type::Kind::kClass || is_subclass(world_.program(), from.decl, it.class_index);
  if (!always_fits) {
    check(pool().or_(pool().eq(object, world_.null(expr.type)), world_.is_instance(it.class_index, object)),
          Kind::kClassCast, expr.range);
  }
  return object;
}

Term Encoder::name(const Expr& expr, const NameExpr& it) {
  const bool after = is_after(it.primed);
  switch (it.ref.kind) {
    case Ref::Kind::kConst: {
      const Const& declared = world_.program().consts[static_cast<std::size_t>(it.ref.index)];
      const Term out = declared.value ? value_as(*declared.value, declared.type) : world_.constant(it.ref.index);
      type_facts(out, declared.type, after, pool().truth(true));
      return out;
    }
    case Ref::Kind::kEnumConst: return pool().enum_const(world_.sort(expr.type), it.ref.index);
    case Ref::Kind::kThread: {
      const Term out = world_.thread(it.ref.index);
      fact(world_.exists(part(world_.alive(), after), out));
      return out;
    }
    case Ref::Kind::kBound: return scene_.bound[static_cast<std::size_t>(it.ref.index)];
    case Ref::Kind::kMonitorHolder:
    case Ref::Kind::kMonitorDepth: {
      const int owner = own_class();
      const Term holder = pool().select(part(world_.object_monitor(owner, World::Half::kHolder), after), scene_.self);
      const Term depth = pool().select(part(world_.object_monitor(owner, World::Half::kDepth), after), scene_.self);
      monitor_facts(holder, depth, is_allocated(class_type(world_.program(), owner), scene_.self, after));
      return it.ref.kind == Ref::Kind::kMonitorHolder ? holder : depth;
    }
    default: return read_place(expr, after);
  }
}

Term Encoder::read_place(const Expr& expr, bool after) {
  const Place found = place(expr);
  const Term out = read(found, after);
  type_facts(out, expr.type, after, owner_exists(found, after));
  if (const Made* made = found.is_local ? nullptr : world_.made(found.index); made != nullptr) {
    const Term exists = owner_exists(found, after);
    fact(pool().implies(exists, pool().ne(out, world_.null(expr.type))));
    if (made->length) {
      fact(pool().implies(exists, pool().eq(world_.length(expr.type, out), pool().number(*made->length))));
    }
  }
  return out;
}

Term Encoder::field(const Expr& expr, const FieldExpr& it) {
  const bool after = is_after(it.primed);
  switch (it.kind) {
    case FieldExpr::Kind::kHolder:
    case FieldExpr::Kind::kDepth: {
      Place holder, depth;
      if (it.object->type.kind == Type::Kind::kClass) {
        const Term object = value(*it.object);
        check_object(object, it.object->type, after, expr.range);
        holder = {false, world_.object_monitor(it.object->type.decl, World::Half::kHolder), {object}};
        depth = {false, world_.object_monitor(it.object->type.decl, World::Half::kDepth), {object}};
      } else {
        bool is_monitor = false;
        holder = lock_part(*it.object, World::Half::kHolder, is_monitor);
        depth = lock_part(*it.object, World::Half::kDepth, is_monitor);
      }
      const bool then = is_after(it.primed || lock_primed(*it.object));
      const Term exists = owner_exists(holder, then);
      monitor_facts(read(holder, then), read(depth, then), exists);
      type_facts(read(holder, then), type_of_kind(Type::Kind::kTid), then, exists);
      return read(it.kind == FieldExpr::Kind::kHolder ? holder : depth, then);
    }
    case FieldExpr::Kind::kLength: {
      const Term array = value(*it.object);
      check_object(array, it.object->type, after, expr.range);
      const Term out = world_.length(it.object->type, array);
      length_facts(out);
      return out;
    }
    default: return read_place(expr, after);
  }
}

Term Encoder::binary(const Expr& expr, const BinaryExpr& it) {
  const auto right_under = [&](Term guard) {
    guards_.push_back(guard);
    const Term out = value(*it.right);
    guards_.pop_back();
    return out;
  };
  switch (it.op) {
    case BinaryOp::kIff: {
      const Term left = value(*it.left);
      return pool().eq(left, value(*it.right));
    }
    case BinaryOp::kImplies: {
      const Term left = value(*it.left);
      return pool().implies(left, right_under(left));
    }
    case BinaryOp::kOr: {
      const Term left = value(*it.left);
      return pool().or_(left, right_under(pool().not_(left)));
    }
    case BinaryOp::kAnd: {
      const Term left = value(*it.left);
      return pool().and_(left, right_under(left));
    }
    case BinaryOp::kEq:
    case BinaryOp::kNe: {
      const bool left_plain = !is_untyped(it.left->type);
      if (!left_plain && is_untyped(it.right->type)) {
        const bool equal = is_bare(*it.left) && is_bare(*it.right) && it.left->type.kind != Type::Kind::kAnyMap;
        if (equal) return pool().truth(it.op == BinaryOp::kEq);
        throw Unsupported{expr.range, "`" + print(expr) + "`, whose type is not plain"};
      }
      const Type& type = left_plain ? it.left->type : it.right->type;
      const Term left = value_as(*it.left, type);
      const Term right = value_as(*it.right, type);
      return it.op == BinaryOp::kEq ? pool().eq(left, right) : pool().ne(left, right);
    }
    case BinaryOp::kLt:
    case BinaryOp::kGt:
    case BinaryOp::kGe:
    case BinaryOp::kLe: {
      if (is_set(it.left->type)) return set_operation(it);
      const Term left = value(*it.left);
      const Term right = value(*it.right);
      if (it.op == BinaryOp::kLt) return pool().lt(left, right);
      if (it.op == BinaryOp::kLe) return pool().le(left, right);
      if (it.op == BinaryOp::kGt) return pool().lt(right, left);
      return pool().le(right, left);
    }
    case BinaryOp::kIn: {
      if (it.right->type.kind == Type::Kind::kAnySet) {
        if (!is_bare(*it.right) || (is_untyped(it.left->type) && !is_bare(*it.left))) {
          throw Unsupported{expr.range, "`" + print(expr) + "`, whose type is not plain"};
        }
        if (!is_untyped(it.left->type)) value(*it.left);
        return pool().truth(false);
      }
      const Term element = value_as(*it.left, *it.right->type.first);
      return pool().select(value(*it.right), element);
    }
    case BinaryOp::kIntersect: return set_operation(it);
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      if (is_set(it.left->type)) return set_operation(it);
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

// ------------------------------------------------------------------------------------------------------------- integers

Term Encoder::wrapped(Term value) {
  if (world_.ints() == engine::IntMode::kMath) return value;
  if (value->op == formula::Op::kNumber) return pool().number(static_cast<std::int32_t>(value->number));
  const Term low = pool().number(kMin32);
  return pool().add(pool().mod(pool().sub(value, low), pool().number(kRange32)), low);
}

namespace {

std::int64_t wrapped_number(int bits, bool is_signed, std::int64_t value) {
  const int unused = 64 - bits;
  const std::uint64_t high = static_cast<std::uint64_t>(value) << unused;
  return is_signed ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

// Its values are less than the size of the range away from the range.
bool is_near(const WrapExpr& it, std::int64_t low, std::int64_t high) {
  if (it.bits < 64) {
    const auto& values = it.operand->type.values;
    return values && values->low >= 2 * low - high - 1 && values->high <= 2 * high - low + 1;
  }
  const auto* sum = std::get_if<BinaryExpr>(&it.operand->node);
  return sum != nullptr && (sum->op == BinaryOp::kAdd || sum->op == BinaryOp::kSub) && sum->left->type.values &&
         sum->right->type.values;
}

}  // namespace

// The remainder says it all, but solvers are slow with it: mostly the value is in range already, or just outside.
Term Encoder::wrapped_to(const WrapExpr& it) {
  const Term value = this->value(*it.operand);
  if (value->op == formula::Op::kNumber) return pool().number(wrapped_number(it.bits, it.is_signed, value->number));
  const Term range = it.bits == 64 ? pool().mul(pool().number(kRange32), pool().number(kRange32))
                                   : pool().number(std::int64_t{1} << it.bits);
  const Term low = pool().number(it.is_signed ? -(std::int64_t{1} << (it.bits - 2)) * 2 : 0);
  const Term high = pool().number(it.is_signed ? ~low->number : (std::int64_t{1} << it.bits) - 1);
  const auto fits = [&](Term each) { return pool().and_(pool().le(low, each), pool().le(each, high)); };
  const bool is_added = is_near(it, low->number, high->number);
  Term out = is_added ? value : pool().add(pool().mod(pool().sub(value, low), range), low);
  for (Term near : {pool().add(value, range), pool().sub(value, range), value}) {
    out = pool().ite(fits(near), near, out);
  }
  return out;
}

// Of what is not computed here nothing is known, but that it depends on the operands alone.
Term Encoder::floating(const FloatExpr& it, const Type& type) {
  const int size = float_size(it.left->type);
  std::vector<Term> operands{value(*it.left)};
  if (it.right) operands.push_back(value(*it.right));
  const bool is_truth = type.kind == Type::Kind::kBool;
  const bool is_integer = type.kind == Type::Kind::kInt;
  if (std::all_of(operands.begin(), operands.end(), [](Term each) { return each->op == formula::Op::kNumber; })) {
    const std::int64_t out = compute(it.op, size, operands.front()->number, operands.back()->number);
    if (is_truth) return pool().truth(out != 0);
    return is_integer ? wrapped(pool().number(out)) : pool().number(out);
  }
  const std::string name = World::kFloating + std::string(float_word(it.op).text.substr(1)) + std::to_string(size);
  if (is_truth) return pool().apply(name, operands, pool().boolean());
  const Term out = pool().apply(name, operands, pool().integer());
  fact(world_.is_within(out, is_integer ? *type.values : bits_of_float(type)), true);
  return is_integer ? wrapped(out) : out;
}

// Literals make most of them arithmetic; of the others only bounds are known.
Term Encoder::bits(const BinaryExpr& it) {
  Term a = value(*it.left);
  Term b = value(*it.right);
  const auto is_number = [](Term term) { return term->op == formula::Op::kNumber; };
  const auto power = [&](std::int64_t places) { return pool().number(std::int64_t{1} << places); };
  const bool shifts = it.op == BinaryOp::kShl || it.op == BinaryOp::kShr;
  if (shifts && is_number(b)) {
    std::int64_t places = b->number & 63;
    // 2^63 is no literal: in two steps, of 2^62 and of 2.
    for (const std::int64_t step : {std::min<std::int64_t>(places, 62), places - std::min<std::int64_t>(places, 62)}) {
      if (step > 0) a = it.op == BinaryOp::kShl ? pool().mul(a, power(step)) : pool().div(a, power(step));
    }
    return it.op == BinaryOp::kShl ? wrapped(a) : a;
  }
  if (!shifts) {
    if (b->id < a->id) std::swap(a, b);
    if (is_number(a) && !is_number(b)) std::swap(a, b);
    if (is_number(a) && is_number(b)) {
      const std::int64_t x = a->number, y = b->number;
      return pool().number(it.op == BinaryOp::kBitAnd ? x & y : it.op == BinaryOp::kBitOr ? x | y : x ^ y);
    }
    if (is_number(b)) {
      const std::int64_t mask = b->number;
      const bool is_low = mask >= 0 && mask < INT64_MAX && (mask & (mask + 1)) == 0;  // 2^k - 1
      if (it.op == BinaryOp::kBitAnd && is_low) return mask == 0 ? b : pool().mod(a, pool().number(mask + 1));
      if (it.op == BinaryOp::kBitAnd && mask == -1) return a;
      if (it.op == BinaryOp::kBitOr && mask == -1) return b;
      if (it.op == BinaryOp::kBitXor && mask == -1) return pool().sub(b, a);
      if (it.op != BinaryOp::kBitAnd && mask == 0) return a;
    }
    if (a == b) return it.op == BinaryOp::kBitXor ? pool().number(0) : a;
  }
  const char* name = it.op == BinaryOp::kBitAnd   ? "bitand"
                     : it.op == BinaryOp::kBitOr  ? "bitor"
                     : it.op == BinaryOp::kBitXor ? "bitxor"
                     : it.op == BinaryOp::kShl    ? "shl"
                                                  : "shr";
  const Term out = pool().apply(name, {a, b}, pool().integer());
  bits_facts(it.op, a, b, out);
  return it.op == BinaryOp::kShl ? wrapped(out) : out;
}

void Encoder::bits_facts(BinaryOp op, Term a, Term b, Term out) {
  const Term zero = pool().number(0);
  const auto known = [&](Term when, const std::vector<Term>& then) { fact(pool().implies(when, pool().and_(then))); };
  const Term a_negative = pool().lt(a, zero);
  const Term b_negative = pool().lt(b, zero);
  const Term both_positive = pool().and_(pool().not_(a_negative), pool().not_(b_negative));
  const Term both_negative = pool().and_(a_negative, b_negative);
  switch (op) {
    case BinaryOp::kBitAnd:
      known(pool().not_(a_negative), {pool().le(zero, out), pool().le(out, a)});
      known(pool().not_(b_negative), {pool().le(zero, out), pool().le(out, b)});
      known(both_negative, {pool().le(out, a), pool().le(out, b)});
      break;
    case BinaryOp::kBitOr:
      known(both_positive, {pool().le(a, out), pool().le(b, out), pool().le(out, pool().add(a, b))});
      known(a_negative, {pool().le(a, out), pool().lt(out, zero)});
      known(b_negative, {pool().le(b, out), pool().lt(out, zero)});
      break;
    case BinaryOp::kBitXor:
      known(pool().eq(a_negative, b_negative), {pool().le(zero, out)});
      known(pool().ne(a_negative, b_negative), {pool().lt(out, zero)});
      known(both_positive, {pool().le(out, pool().add(a, b))});
      fact(pool().eq(pool().eq(a, b), pool().eq(out, zero)));
      break;
    case BinaryOp::kShl:
      known(pool().not_(a_negative), {pool().le(a, out)});
      known(pool().le(a, zero), {pool().le(out, a)});
      known(pool().eq(b, zero), {pool().eq(out, a)});
      break;
    default:
      known(pool().not_(a_negative), {pool().le(zero, out), pool().le(out, a)});
      known(a_negative, {pool().le(a, out), pool().lt(out, zero)});
      known(pool().eq(b, zero), {pool().eq(out, a)});
  }
}

// Rounding towards zero; SMT-LIB's division of a number that is not negative does that.
Term Encoder::divided(Term a, Term b) {
  return pool().ite(pool().le(pool().number(0), a), pool().div(a, b), pool().neg(pool().div(pool().neg(a), b)));
}

Term Encoder::remainder(Term a, Term b) {
  return pool().ite(pool().le(pool().number(0), a), pool().mod(a, b), pool().neg(pool().mod(pool().neg(a), b)));
}

Term Encoder::arithmetic(const Expr& expr, const BinaryExpr& it) {
  const Term left = value(*it.left);
  const Term right = value(*it.right);
  switch (it.op) {
    case BinaryOp::kAdd: return wrapped(pool().add(left, right));
    case BinaryOp::kSub: return wrapped(pool().sub(left, right));
    case BinaryOp::kMul: return wrapped(pool().mul(left, right));
    default:
      check(pool().ne(right, pool().number(0)), Kind::kDivisionByZero, expr.range);
      return it.op == BinaryOp::kDiv ? wrapped(divided(left, right)) : remainder(left, right);
  }
}

// ----------------------------------------------------------------------------------------------------------------- sets

Term Encoder::set_operation(const BinaryExpr& it) {
  const bool left_typed = it.left->type.kind == Type::Kind::kSet;
  if (!left_typed && it.right->type.kind != Type::Kind::kSet) {
    if (it.op == BinaryOp::kLe && is_bare(*it.left) && is_bare(*it.right)) return pool().truth(true);
    throw Unsupported{it.left->range, "a set of an unknown type"};
  }
  const Type& type = left_typed ? it.left->type : it.right->type;
  const Term left = value_as(*it.left, type);
  const auto* literal = std::get_if<SetLit>(&it.right->node);
  if (literal != nullptr && (it.op == BinaryOp::kAdd || it.op == BinaryOp::kSub)) {
    Term out = left;
    for (const ExprPtr& element : literal->elements) {
      out = pool().store(out, value_as(*element, *type.first), pool().truth(it.op == BinaryOp::kAdd));
    }
    return out;
  }
  const Term right = value_as(*it.right, type);
  switch (it.op) {
    case BinaryOp::kLe: {
      const Term element = pool().bound("e", world_.sort(*type.first));
      const Term in_left = pool().select(left, element);
      const Term in_right = pool().select(right, element);
      return pool().forall({element}, pool().implies(in_left, in_right), {{in_left}, {in_right}});
    }
    case BinaryOp::kAdd: return world_.set_function("union", type, left, right);
    case BinaryOp::kIntersect: return world_.set_function("intersection", type, left, right);
    default: return world_.set_function("difference", type, left, right);
  }
}

// ---------------------------------------------------------------------------------------------------------- quantifiers

namespace {

// Reads whose key is a quantified variable: what E-matching can look for.
void collect_patterns(Term term, const std::vector<Term>& bound, std::vector<std::vector<Term>>& out) {
  std::vector<Term> open{term};
  std::vector<Term> seen;
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (std::find(seen.begin(), seen.end(), top) != seen.end()) continue;
    seen.push_back(top);
    if (top->op == formula::Op::kForall || top->op == formula::Op::kExists) continue;
    const bool is_read = top->op == formula::Op::kSelect && top->args[1] == bound.front() && !top->args[0]->has_bound;
    const bool is_call = top->op == formula::Op::kApply && top->args.size() == 1 && top->args[0] == bound.front();
    if (is_read || is_call) out.push_back({top});
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
  std::reverse(out.begin(), out.end());
}

}  // namespace

Term Encoder::quantifier(const QuantifierExpr& it) {
  std::vector<Term> bound;
  std::vector<Term> range;
  const bool plain_is_after = is_after(false);
  for (const BoundVariable& variable : it.variables) {
    const Term term = pool().bound(variable.name, world_.sort(variable.type));
    bound.push_back(term);
    scene_.bound.push_back(term);
    if (variable.type.kind == Type::Kind::kTid) {
      range.push_back(pool().ne(term, world_.none()));
      range.push_back(world_.exists(part(world_.alive(), plain_is_after), term));
    } else if (is_reference(variable.type)) {
      range.push_back(pool().ne(term, world_.null(variable.type)));
      range.push_back(world_.exists(part(world_.allocated(variable.type), plain_is_after), term));
      range.push_back(world_.is_of_type(variable.type, term));
    } else if (variable.type.kind == Type::Kind::kInt && world_.ints() == engine::IntMode::kJava) {
      range.push_back(pool().le(pool().number(kMin32), term));
      range.push_back(pool().le(term, pool().number(kMax32)));
    }
  }
  const std::size_t first_check = checks.size();
  const std::size_t first_access = accesses.size();
  const std::vector<Term> outer = std::exchange(guards_, {});
  std::vector<Term> outer_facts = std::exchange(bound_facts, {});
  const Term body = value(*it.body);
  guards_ = outer;
  std::swap(outer_facts, bound_facts);
  const bool is_outermost = scene_.bound.size() == bound.size() && scene_.self == nullptr;
  for (std::size_t i = 0; i < bound.size(); ++i) scene_.bound.pop_back();
  const Term in_range = pool().and_(range);
  std::vector<std::vector<Term>> patterns;
  if (bound.size() == 1) collect_patterns(body, bound, patterns);
  for (Term it_fact : outer_facts) {
    const Term all = pool().forall(bound, it_fact, patterns);
    (is_outermost ? facts : bound_facts).push_back(all);
  }
  // The elements may be looked at in any order: what goes wrong at one says nothing about the others.
  std::vector<Term> earlier;
  for (std::size_t i = first_check; i < checks.size(); ++i) {
    const Term here = checks[i].holds;
    const Term reached = pool().and_(in_range, pool().and_(earlier));
    checks[i].holds = under_guard(pool().forall(bound, pool().implies(reached, here), patterns));
    checks[i].is_independent = true;
    earlier.push_back(here);
  }
  for (std::size_t i = first_access; i < accesses.size(); ++i) {
    accesses[i].when = pool().and_({pool().and_(guards_), in_range, accesses[i].when});
    accesses[i].bound.insert(accesses[i].bound.end(), bound.begin(), bound.end());
  }
  if (it.is_forall) return pool().forall(bound, pool().implies(in_range, body), patterns);
  return pool().exists(bound, pool().and_(in_range, body), patterns);
}

// A summand without a value leaves the sum without one.
Term Encoder::sum(const Expr& expr, const SumExpr& it) {
  if (scene_.sums == nullptr) throw Unsupported{expr.range, "a sum"};
  const SumBounds ends = *sum_bounds(it, static_cast<int>(scene_.bound.size()));
  const Term one = pool().number(1);
  const Term low = ends.has_low ? value(*ends.low) : pool().add(value(*ends.low), one);
  const Term high = ends.has_high ? pool().add(value(*ends.high), one) : value(*ends.high);
  const Term k = pool().bound(it.variable.name, pool().integer());
  scene_.bound.push_back(k);
  const std::size_t first_check = checks.size();
  const std::vector<Term> outer = std::exchange(guards_, {});
  const Term body = value(*it.body);
  guards_ = outer;
  scene_.bound.pop_back();
  const Term in_range = pool().and_(pool().le(low, k), pool().lt(k, high));
  for (std::size_t i = first_check; i < checks.size(); ++i) {
    checks[i].holds = under_guard(pool().forall({k}, pool().implies(in_range, checks[i].holds)));
    checks[i].is_independent = true;
  }
  return wrapped(scene_.sums->sum(k, low, high, body));
}

}  // namespace concord::simulation
