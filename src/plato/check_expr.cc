// Types and names of expressions, and the rules about before and after (docs/plato.md, section 4).
#include <algorithm>

#include "base/overloaded.h"
#include "plato/checker.h"
#include "plato/classes.h"
#include "plato/sums.h"

namespace concord::plato {

using base::Overloaded;

namespace {

const Type kError = simple_type(Type::Kind::kError);
const Type kBool = simple_type(Type::Kind::kBool);
const Type kInt = simple_type(Type::Kind::kInt);
const Type kTid = simple_type(Type::Kind::kTid);

bool is_set(const Type& type) { return type.kind == Type::Kind::kSet || type.kind == Type::Kind::kAnySet; }

const char* spelling(BinaryOp op) {
  switch (op) {
    case BinaryOp::kIff: return "<==>";
    case BinaryOp::kImplies: return "==>";
    case BinaryOp::kOr: return "||";
    case BinaryOp::kAnd: return "&&";
    case BinaryOp::kEq: return "==";
    case BinaryOp::kNe: return "!=";
    case BinaryOp::kLt: return "<";
    case BinaryOp::kLe: return "<=";
    case BinaryOp::kGt: return ">";
    case BinaryOp::kGe: return ">=";
    case BinaryOp::kIn: return "in";
    case BinaryOp::kAdd: return "+";
    case BinaryOp::kSub: return "-";
    case BinaryOp::kMul: return "*";
    case BinaryOp::kDiv: return "/";
    case BinaryOp::kMod: return "%";
    case BinaryOp::kIntersect: return "&";
    case BinaryOp::kBitAnd: return "\\bitand";
    case BinaryOp::kBitOr: return "\\bitor";
    case BinaryOp::kBitXor: return "\\bitxor";
    case BinaryOp::kShl: return "\\shl";
    case BinaryOp::kShr: return "\\shr";
  }
  return "";
}

}  // namespace

namespace {

Type integer(std::optional<Range> values) {
  Type out = kInt;
  out.values = values;
  return out;
}

Range range_of_bits(int bits, bool is_signed) {
  if (!is_signed) return {0, (std::int64_t{1} << bits) - 1};
  if (bits == 64) return {INT64_MIN, INT64_MAX};
  return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

// What the result can be, if both operands are known to be in ranges; absent: unknown, or beyond 64 bits.
std::optional<Range> range_of(BinaryOp op, const std::optional<Range>& left, const std::optional<Range>& right) {
  __extension__ using Wide = __int128;
  if (!left || !right) return std::nullopt;
  const Wide a[] = {left->low, left->high};
  const Wide b[] = {right->low, right->high};
  const auto hull = [](std::initializer_list<Wide> values) -> std::optional<Range> {
    const Wide low = std::min(values);
    const Wide high = std::max(values);
    if (low < INT64_MIN || high > INT64_MAX) return std::nullopt;
    return Range{static_cast<std::int64_t>(low), static_cast<std::int64_t>(high)};
  };
  switch (op) {
    case BinaryOp::kAdd: return hull({a[0] + b[0], a[1] + b[1]});
    case BinaryOp::kSub: return hull({a[0] - b[1], a[1] - b[0]});
    case BinaryOp::kMul: return hull({a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]});
    case BinaryOp::kDiv:
      // The quotient is no larger than the dividend, and has its sign or the opposite one.
      if (b[0] > 0) return hull({0, a[0], a[1]});
      return hull({0, a[0], a[1], -a[0], -a[1]});
    case BinaryOp::kMod: return hull({0, a[0], a[1]});
    case BinaryOp::kShr: return hull({0, -1, a[0], a[1]});
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor:
      for (const int bits : {8, 16, 32, 64}) {
        const Range all = range_of_bits(bits, true);
        if (all.low <= a[0] && all.low <= b[0] && a[1] <= all.high && b[1] <= all.high) return all;
      }
      return std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

// A set is a value, so a set of a subclass is a set of the class; the same for the values of a map. Arrays are places.
bool Checker::fits(const Type& actual, const Type& expected) const {
  using K = Type::Kind;
  if (actual.kind == K::kError || expected.kind == K::kError) return true;
  if (actual.kind == K::kNull)
    return expected.kind == K::kClass || expected.kind == K::kArray || expected.kind == K::kNull;
  if (actual.kind == K::kAnySet) return is_set(expected);
  if (actual.kind == K::kAnyMap) {
    return (expected.kind == K::kMap || expected.kind == K::kAnyMap) && fits(*actual.second, *expected.second);
  }
  if (expected.kind == K::kNull || expected.kind == K::kAnySet || expected.kind == K::kAnyMap)
    return fits(expected, actual);
  if (actual.kind == expected.kind && (actual.kind == K::kSet || actual.kind == K::kMap)) {
    if (!fits(*actual.first, *expected.first)) return false;
    return actual.kind == K::kSet || (fits(*expected.first, *actual.first) && fits(*actual.second, *expected.second));
  }
  if (actual.kind == K::kInt && expected.kind == K::kInt) {
    if (!expected.values) return true;
    return actual.values && expected.values->low <= actual.values->low && actual.values->high <= expected.values->high;
  }
  if (actual.kind == K::kClass && expected.kind == K::kClass) return is_subclass(program_, actual.decl, expected.decl);
  return actual == expected;
}

std::optional<Type> Checker::common(const Type& a, const Type& b) const {
  using K = Type::Kind;
  const bool is_literal = a.kind == K::kNull || a.kind == K::kAnySet || a.kind == K::kAnyMap || a.kind == K::kError;
  if (is_literal) return fits(a, b) ? std::optional(b) : std::nullopt;
  if (a.kind == K::kInt && b.kind == K::kInt) {
    if (!a.values || !b.values) return kInt;
    return integer(Range{std::min(a.values->low, b.values->low), std::max(a.values->high, b.values->high)});
  }
  if (fits(b, a)) return a;
  if (fits(a, b)) return b;
  if (a.kind == K::kClass && b.kind == K::kClass) {
    const int both = common_class(program_, a.decl, b.decl);
    return both < 0 ? std::nullopt : std::optional(class_type(both));
  }
  if (a.kind != K::kSet || b.kind != K::kSet) return std::nullopt;
  const std::optional<Type> element = common(*a.first, *b.first);
  if (!element) return std::nullopt;
  Type out = a;
  out.first = std::make_shared<const Type>(*element);
  return out;
}

Type Checker::class_type(int class_index) const {
  Type type = simple_type(Type::Kind::kClass);
  type.decl = class_index;
  type.name = program_.classes[class_index].name;
  return type;
}

bool Checker::expect(const Expr& expr, const Type& actual, const Type& expected, const std::string& what) {
  if (fits(actual, expected)) return true;
  std::string hint;
  if (actual.kind == Type::Kind::kInt && expected.kind == Type::Kind::kInt) {
    hint = actual.values ? "it may be anything from " + std::to_string(actual.values->low) + " to " +
                               std::to_string(actual.values->high)
                         : "it may be any integer";
    hint += "; `\\wrap` brings it into a range";
  }
  sink_.error(expr.range, what + " is " + to_string(actual) + ", but " + to_string(expected) + " is needed", hint);
  return false;
}

void Checker::check_bool(Expr& expr, ExprContext& context, const std::string& what) {
  expect(expr, check(expr, context), kBool, what);
}

Type Checker::check_float(FloatExpr& expr, ExprContext& context) {
  const std::string word = "`" + std::string(float_word(expr.op).text) + "`";
  const Type left = check(*expr.left, context);
  const Type right = expr.right ? check(*expr.right, context) : left;
  if (left.kind == Type::Kind::kError || right.kind == Type::Kind::kError) return kError;
  const bool is_float = left.kind == Type::Kind::kFloat;
  const bool from_any = expr.op == FloatOp::kToFloat32 || expr.op == FloatOp::kToFloat64;
  if (!is_float && !(from_any && left.kind == Type::Kind::kInt)) {
    sink_.error(expr.left->range, word + " needs a number of type float32 or float64, not " + to_string(left),
                left.kind == Type::Kind::kInt ? "`\\float64` makes one of an integer" : "");
    return kError;
  }
  if (!(left == right)) {
    sink_.error(expr.right->range,
                word + " needs two numbers of the same type, not " + to_string(left) + " and " + to_string(right));
    return kError;
  }
  switch (expr.op) {
    case FloatOp::kLt:
    case FloatOp::kLe:
    case FloatOp::kGt:
    case FloatOp::kGe:
    case FloatOp::kEq: return kBool;
    case FloatOp::kToFloat32: return float_type(32);
    case FloatOp::kToFloat64: return float_type(64);
    case FloatOp::kToInt32: return integer(range_of_bits(32, true));
    case FloatOp::kToInt64: return integer(range_of_bits(64, true));
    default: return left;
  }
}

Type Checker::check(Expr& expr, ExprContext& context) {
  expr.type = type_of(expr, context);
  return expr.type;
}

Type Checker::type_of(Expr& expr, ExprContext& context) {
  return std::visit(
      Overloaded{
          [&](IntLit& literal) {
            return integer(Range{literal.value, literal.value});
          },
          [&](BoolLit&) { return kBool; },
          [&](NullLit&) { return simple_type(Type::Kind::kNull); },
          [&](NoneLit&) { return kTid; },
          [&](TidExpr&) {
            if (!context.has_tid) {
              sink_.error(expr.range,
                          context.is_constant ? "`tid` has no value before the run"
                                              : "an invariant holds for all threads and cannot mention `tid`",
                          context.is_constant ? "" : "quantify: `forall t: tid :: …`");
            }
            return kTid;
          },
          [&](ThisExpr&) {
            if (context.class_index < 0) {
              sink_.error(expr.range, "`this` is known only in clauses of a class");
              return kError;
            }
            return class_type(context.class_index);
          },
          [&](ResultExpr&) {
            if (context.result == nullptr) {
              sink_.error(expr.range,
                          "`\\result` is known only in `ensures` and `action` of a procedure with a result");
              return kError;
            }
            return *context.result;
          },
          [&](ThreadIndex&) {
            if (!context.has_thread_index) {
              sink_.error(expr.range, "`index` is known only in the arguments of a thread declaration");
            }
            return kInt;
          },
          [&](Star&) {
            sink_.error(expr.range, "`*` stands only as a whole condition of if or while, or as a whole initial value");
            return kError;
          },
          [&](NameExpr& name) { return check_name(expr, name, context); },
          [&](FieldExpr& field) { return check_field(expr, field, context); },
          [&](IndexExpr& index) { return check_index(expr, index, context); },
          [&](UnaryExpr& unary) { return check_unary(unary, context); },
          [&](BinaryExpr& binary) { return check_binary(expr, binary, context); },
          [&](ConditionalExpr& conditional) { return check_conditional(expr, conditional, context); },
          [&](OldExpr& old) { return check_old(expr, old, context); },
          [&](QuantifierExpr& quantifier) { return check_quantifier(quantifier, context); },
          [&](SumExpr& sum) {
            if (!context.is_spec) {
              sink_.error(expr.range, "`\\sum` is for specifications", "program code adds up in a loop");
            }
            return check_sum(sum, context);
          },
          [&](SetLit& literal) { return check_set_literal(expr, literal, context); },
          [&](MapConst& map) {
            Type type = simple_type(Type::Kind::kAnyMap);
            type.second = std::make_shared<const Type>(check(*map.value, context));
            return type;
          },
          [&](MapUpdate& update) { return check_map_update(expr, update, context); },
          [&](SizeExpr& size) {
            const Type type = check(*size.set, context);
            if (!is_set(type) && type.kind != Type::Kind::kError) {
              sink_.error(size.set->range, "`size` is of a set, not of " + to_string(type),
                          type.kind == Type::Kind::kArray ? "an array has `.length`" : "");
            }
            return kInt;
          },
          [&](InstanceOf& instance) { return check_instance_of(instance, context); },
          [&](HoldsExpr& holds) {
            if (!context.has_tid) {
              sink_.error(expr.range, "`\\holds` speaks of the running thread, and there is none here",
                          "compare the holder: `l == t` or `l.holder == t`");
            }
            check_lock(*holds.lock, context);
            return kBool;
          },
          [&](ShapeExpr& shape) { return check_shape(shape, context); },
          [&](WrapExpr& wrap) {
            const char* what = wrap.is_signed ? "the operand of `\\wrap`" : "the operand of `\\uwrap`";
            if (!expect(*wrap.operand, check(*wrap.operand, context), kInt, what)) return kError;
            return integer(range_of_bits(wrap.bits, wrap.is_signed));
          },
          [&](CastExpr& cast) { return check_cast(cast, context); },
          [&](FloatLit& literal) { return float_type(literal.size); },
          [&](FloatExpr& it) { return check_float(it, context); },
      },
      expr.node);
}

// --------------------------------------------------------------------------------------------------------------- names

void Checker::note_prime(bool primed, const Expr& expr, ExprContext& context) {
  if (!primed) return;
  if (context.states != States::kStep) {
    sink_.error(expr.range, "a prime makes sense only in a predicate about a step",
                context.states == States::kReturn
                    ? "in `ensures` plain x is at return and `\\old(x)` at entry"
                    : "relies, guarantees, actions, edges and direct operations have primes");
    return;
  }
  if (context.in_old) {
    sink_.error(expr.range, "a prime inside `\\old`", "write `x` for before and `x'` for after, or `\\old(x)` and `x`");
  }
  context.saw_prime = true;
}

void Checker::check_ghost_read(const Variable& variable, const Expr& expr, const ExprContext& context) {
  if (!variable.is_ghost || context.is_spec) return;
  diag::Diagnostic& error =
      sink_.error(expr.range, "program code cannot read the ghost variable `" + variable.name + "`",
                  "ghosts are for clauses, `assert` and `set`");
  error.notes.push_back({variable.name_range, "declared here"});
}

bool Checker::resolve_local(NameExpr& name, Type& type, ExprContext& context, SourceRange at) {
  for (int i = static_cast<int>(context.bound.size()) - 1; i >= 0; --i) {
    if (context.bound[i]->name != name.name) continue;
    const int outer = context.implicit_ints != nullptr ? static_cast<int>(context.implicit_ints->size()) : 0;
    name.ref = {Ref::Kind::kBound, outer + i};
    type = context.bound[i]->type;
    if (name.primed) sink_.error(at, "a quantified variable does not change", "leave out the prime");
    return true;
  }
  if (context.implicit_ints != nullptr) {
    const auto& names = *context.implicit_ints;
    const auto found = std::find(names.begin(), names.end(), name.name);
    if (found != names.end()) {
      name.ref = {Ref::Kind::kBound, static_cast<int>(found - names.begin())};
      type = kInt;
      return true;
    }
  }
  if (locals_ == nullptr) return false;
  const auto found = std::find_if(local_scope_.rbegin(), local_scope_.rend(),
                                  [&](const auto& local) { return local.first == name.name; });
  if (found == local_scope_.rend()) return false;
  name.ref = {Ref::Kind::kLocal, found->second};
  type = (*locals_)[found->second].type;
  if (name.primed && !context.locals_change) {
    sink_.error(at, "`" + name.name + "` is local to the procedure and does not change in a clause",
                "leave out the prime");
  }
  return true;
}

// A bare name in a clause of a class: a field of `this`, or its monitor's holder or depth.
Type Checker::check_class_member(Expr& expr, NameExpr& name, ExprContext& context) {
  if (const int number = field_named(program_, context.class_index, name.name); number >= 0) {
    const Variable& declared = field_of(program_, context.class_index, number);
    name.ref = {Ref::Kind::kField, number};
    note_prime(name.primed, expr, context);
    context.saw_heap = context.saw_heap || !declared.is_final;
    return declared.type;
  }
  if (name.name == "holder" || name.name == "depth") {
    const bool holder = name.name == "holder";
    name.ref = {holder ? Ref::Kind::kMonitorHolder : Ref::Kind::kMonitorDepth, -1};
    note_prime(name.primed, expr, context);
    context.saw_heap = true;
    return holder ? kTid : kInt;
  }
  return simple_type(Type::Kind::kNone);
}

Type Checker::check_name(Expr& expr, NameExpr& name, ExprContext& context) {
  Type type;
  if (resolve_local(name, type, context, expr.range)) return type;
  if (context.class_index >= 0) {
    type = check_class_member(expr, name, context);
    if (type.kind != Type::Kind::kNone) return type;
  }
  const auto is_value = [](const Declared& it) {
    return it.kind == Declared::Kind::kVariable || it.kind == Declared::Kind::kConst ||
           it.kind == Declared::Kind::kEnumConst || it.kind == Declared::Kind::kThread;
  };
  const auto found = names_.find(name.name);
  if (found == names_.end() || !is_value(found->second)) {
    if (found != names_.end()) {
      sink_.error(expr.range, "`" + name.name + "` is not a value",
                  found->second.kind == Declared::Kind::kProcedure ? "a call stands alone: `p();` or `x = p();`" : "");
    } else {
      unknown_name(name.name, expr.range, "variable", is_value);
    }
    return kError;
  }
  const Declared* declared = find(name.name, context.module, expr.range, "variable");
  if (declared == nullptr) return kError;
  if (declared->kind != Declared::Kind::kVariable && name.primed) {
    sink_.error(expr.range, "`" + name.name + "` never changes", "leave out the prime");
  }
  switch (declared->kind) {
    case Declared::Kind::kVariable: {
      const Variable& variable = program_.variables[declared->index];
      if (context.is_constant) {
        sink_.error(expr.range, "`" + name.name + "` is a variable; a constant is needed here");
        return kError;
      }
      name.ref = {Ref::Kind::kShared, declared->index};
      note_prime(name.primed, expr, context);
      check_ghost_read(variable, expr, context);
      if (!variable.is_final) context.shared_seen.push_back(declared->index);
      return variable.type;
    }
    case Declared::Kind::kConst:
      if (declared->index >= context.consts_known) {
        if (declared->index == context.consts_known) {
          sink_.error(expr.range, "constant `" + name.name + "` is used in its own definition");
          return kError;
        }
        diag::Diagnostic& error =
            sink_.error(expr.range, "constant `" + name.name + "` is declared later", "declare it before it is used");
        error.notes.push_back({declared->range, "declared here"});
      }
      name.ref = {Ref::Kind::kConst, declared->index};
      return program_.consts[declared->index].type;
    case Declared::Kind::kEnumConst: {
      name.ref = {Ref::Kind::kEnumConst, declared->constant};
      Type it = simple_type(Type::Kind::kEnum);
      it.decl = declared->index;
      it.name = program_.enums[declared->index].name;
      return it;
    }
    default: name.ref = {Ref::Kind::kThread, declared->index}; return kTid;
  }
}

// -------------------------------------------------------------------------------------------- fields, entries, elements

Type Checker::check_field(Expr& expr, FieldExpr& field, ExprContext& context) {
  const Type object = check(*field.object, context);
  if (object.kind == Type::Kind::kError) return kError;
  const auto monitor_part = [&](FieldExpr::Kind kind) {
    field.kind = kind;
    note_prime(field.primed, expr, context);
    context.saw_heap = true;
    return kind == FieldExpr::Kind::kHolder ? kTid : kInt;
  };
  const bool has_monitor = object.kind == Type::Kind::kMonitor || object.kind == Type::Kind::kClass;
  if (has_monitor && field.field == "holder") return monitor_part(FieldExpr::Kind::kHolder);
  if (has_monitor && field.field == "depth") return monitor_part(FieldExpr::Kind::kDepth);
  if (object.kind == Type::Kind::kArray && field.field == "length") {
    field.kind = FieldExpr::Kind::kLength;
    if (field.primed) sink_.error(expr.range, "the length of an array never changes", "leave out the prime");
    return integer(Range{0, kMostElements});
  }
  if (object.kind != Type::Kind::kClass) {
    sink_.error(field.field_range, to_string(object) + " has no field `" + field.field + "`");
    return kError;
  }
  const Class& owner = program_.classes[object.decl];
  if (const int number = field_named(program_, object.decl, field.field); number >= 0) {
    const Variable& declared = field_of(program_, object.decl, number);
    field.kind = FieldExpr::Kind::kField;
    field.index = number;
    note_prime(field.primed, expr, context);
    check_ghost_read(declared, expr, context);
    context.saw_heap = context.saw_heap || !declared.is_final;
    return declared.type;
  }
  std::vector<std::string> candidates = {"holder", "depth"};
  for (int i = 0; i < field_count(program_, object.decl); ++i) {
    candidates.push_back(field_of(program_, object.decl, i).name);
  }
  const std::string near = diag::nearest(field.field, candidates);
  diag::Diagnostic& error =
      sink_.error(field.field_range, "class `" + owner.name + "` has no field `" + field.field + "`",
                  near.empty() ? "" : "did you mean `" + near + "`?");
  if (owner.name_range.end > 0) error.notes.push_back({owner.name_range, "declared here"});
  return kError;
}

Type Checker::check_index(Expr& expr, IndexExpr& index, ExprContext& context) {
  const Type base = check(*index.base, context);
  const Type key = check(*index.index, context);
  if (base.kind == Type::Kind::kError) return kError;
  if (base.kind == Type::Kind::kArray) {
    expect(*index.index, key, kInt, "the index");
    note_prime(index.primed, expr, context);
    context.saw_heap = true;
    return *base.first;
  }
  if (base.kind == Type::Kind::kMap) {
    expect(*index.index, key, *base.first, "the key");
    note_prime(index.primed, expr, context);
    return *base.second;
  }
  sink_.error(index.base->range, "`[…]` needs a map or an array, not " + to_string(base));
  return kError;
}

Type Checker::check_map_update(Expr& expr, MapUpdate& update, ExprContext& context) {
  const Type map = check(*update.map, context);
  const Type key = check(*update.key, context);
  const Type value = check(*update.value, context);
  if (map.kind == Type::Kind::kError) return kError;
  if (map.kind != Type::Kind::kMap) {
    sink_.error(expr.range, "`[k := v]` needs a map, not " + to_string(map));
    return kError;
  }
  expect(*update.key, key, *map.first, "the key");
  expect(*update.value, value, *map.second, "the value");
  return map;
}

// ----------------------------------------------------------------------------------------------------------- operators

Type Checker::check_unary(UnaryExpr& unary, ExprContext& context) {
  if (unary.op == UnaryOp::kNonNull) {
    const Type type = check(*unary.operand, context);
    const bool is_reference = type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray;
    if (!is_reference && type.kind != Type::Kind::kError) {
      sink_.error(unary.operand->range, "`\\nonnull` is of an object or an array, not of " + to_string(type));
      return kError;
    }
    return type;
  }
  const Type& wanted = unary.op == UnaryOp::kNot ? kBool : kInt;
  const bool fits = expect(*unary.operand, check(*unary.operand, context), wanted,
                           unary.op == UnaryOp::kNot ? "the operand of `!`" : "the operand of `-`");
  if (fits && unary.op == UnaryOp::kMinus) {
    return integer(range_of(BinaryOp::kSub, Range{0, 0}, unary.operand->type.values));
  }
  return fits ? wanted : kError;
}

Type Checker::check_binary(Expr& expr, BinaryExpr& binary, ExprContext& context) {
  const Type left = check(*binary.left, context);
  const Type right = check(*binary.right, context);
  if (left.kind == Type::Kind::kError || right.kind == Type::Kind::kError) {
    switch (binary.op) {
      case BinaryOp::kAdd:
      case BinaryOp::kSub:
      case BinaryOp::kMul:
      case BinaryOp::kDiv:
      case BinaryOp::kMod:
      case BinaryOp::kBitAnd:
      case BinaryOp::kBitOr:
      case BinaryOp::kBitXor:
      case BinaryOp::kShl:
      case BinaryOp::kShr:
      case BinaryOp::kIntersect: return left.kind == Type::Kind::kError ? right : left;
      default: return kBool;
    }
  }
  const std::string operand = std::string("the operand of `") + spelling(binary.op) + "`";
  const auto both = [&](const Type& wanted, const Type& result) {
    const bool left_fits = expect(*binary.left, left, wanted, operand);
    const bool right_fits = expect(*binary.right, right, wanted, operand);
    return left_fits && right_fits ? result : kError;
  };
  const auto computed = [&] {
    const Type type = both(kInt, kInt);
    return type.kind == Type::Kind::kError ? type : integer(range_of(binary.op, left.values, right.values));
  };
  const auto on_sets = [&](const Type& result) {
    if (!common(left, right)) {
      sink_.error(expr.range,
                  std::string("`") + spelling(binary.op) + "` joins " + to_string(left) + " and " + to_string(right));
    }
    return result;
  };
  switch (binary.op) {
    case BinaryOp::kIff:
    case BinaryOp::kImplies:
    case BinaryOp::kOr:
    case BinaryOp::kAnd: return both(kBool, kBool);
    case BinaryOp::kEq:
    case BinaryOp::kNe:
      if (left.kind == Type::Kind::kMonitor || right.kind == Type::Kind::kMonitor) {
        sink_.error(expr.range, "monitors cannot be compared", "compare `.holder`");
      } else if (!common(left, right)) {
        sink_.error(expr.range, std::string("`") + spelling(binary.op) + "` compares " + to_string(left) + " with " +
                                    to_string(right));
      }
      return kBool;
    case BinaryOp::kLe:
      if (is_set(left)) return on_sets(kBool);
      return both(kInt, kBool);
    case BinaryOp::kLt:
    case BinaryOp::kGt:
    case BinaryOp::kGe: return both(kInt, kBool);
    case BinaryOp::kIn:
      if (!is_set(right)) {
        sink_.error(binary.right->range, "`in` needs a set, not " + to_string(right));
      } else if (right.kind == Type::Kind::kSet && !common(left, *right.first)) {
        sink_.error(expr.range, to_string(left) + " cannot be in " + to_string(right));
      }
      return kBool;
    case BinaryOp::kAdd:
    case BinaryOp::kSub:
      if (is_set(left) && binary.op == BinaryOp::kAdd) return on_sets(common(left, right).value_or(left));
      if (is_set(left)) return on_sets(left.kind == Type::Kind::kAnySet ? right : left);
      return computed();
    case BinaryOp::kIntersect:
      if (!is_set(left)) {
        sink_.error(binary.left->range, "`&` is the intersection of sets, not of " + to_string(left),
                    left.kind == Type::Kind::kBool ? "did you mean `&&`?" : "");
        return kError;
      }
      return on_sets(left);
    case BinaryOp::kDiv:
    case BinaryOp::kMod: {
      const auto* divisor = std::get_if<IntLit>(&binary.right->node);
      // With 32 bits a number that is not zero may become one.
      if (context.is_constant && (divisor == nullptr || static_cast<std::int32_t>(divisor->value) == 0)) {
        const bool by_zero = divisor == nullptr || divisor->value == 0;
        sink_.error(expr.range, "a constant divides only by a number that is not zero",
                    by_zero ? "" : "with `--int java` the divisor has 32 bits, and those are zero");
      }
      return computed();
    }
    case BinaryOp::kBitAnd:
    case BinaryOp::kBitOr:
    case BinaryOp::kBitXor:
    case BinaryOp::kShl:
    case BinaryOp::kShr:
    case BinaryOp::kMul: return computed();
  }
  return kError;
}

Type Checker::check_conditional(Expr& expr, ConditionalExpr& conditional, ExprContext& context) {
  check_bool(*conditional.condition, context, "the condition");
  const Type then = check(*conditional.then, context);
  const Type otherwise = check(*conditional.otherwise, context);
  const std::optional<Type> both = common(then, otherwise);
  if (!both) sink_.error(expr.range, "the two sides of `? :` are " + to_string(then) + " and " + to_string(otherwise));
  return both.value_or(kError);
}

Type Checker::check_old(Expr& expr, OldExpr& old, ExprContext& context) {
  if (context.states == States::kOne) {
    sink_.error(expr.range, "`\\old` makes sense only in `ensures` and in predicates about a step");
    return check(*old.operand, context);
  }
  if (context.in_old) sink_.error(expr.range, "`\\old` inside `\\old`");
  context.saw_old = true;
  const bool outer = context.in_old;
  context.in_old = true;
  const Type type = check(*old.operand, context);
  context.in_old = outer;
  return type;
}

void Checker::check_bound(BoundVariable& variable, ExprContext& context) {
  const auto clash = names_.find(variable.name);
  if (clash != names_.end()) {
    diag::Diagnostic& error = sink_.error(variable.range, "`" + variable.name + "` is declared twice");
    error.notes.push_back({clash->second.range, "the first declaration"});
  }
  context.bound.push_back(&variable);
}

Type Checker::check_sum(SumExpr& sum, ExprContext& context) {
  resolve(sum.variable.type, context.module);
  if (sum.variable.type.kind != Type::Kind::kInt || sum.variable.type.values) {
    sink_.error(sum.variable.range, "a sum is over `int`, not " + to_string(sum.variable.type));
    sum.variable.type = kError;
  }
  check_bound(sum.variable, context);
  const int depth = static_cast<int>(context.bound.size()) - 1;
  check_bool(*sum.range, context, "the range of the sum");
  if (!sum_bounds(sum, depth)) {
    sink_.error(sum.range->range, "the range of a sum says where it begins and where it ends, and nothing else",
                "write `lo <= " + sum.variable.name + " && " + sum.variable.name + " < hi`");
  }
  const Type type = check(*sum.body, context);
  expect(*sum.body, type, kInt, "the body of the sum");
  context.bound.pop_back();
  return kInt;
}

Type Checker::check_quantifier(QuantifierExpr& quantifier, ExprContext& context) {
  const std::size_t outer = context.bound.size();
  for (BoundVariable& variable : quantifier.variables) {
    resolve(variable.type, context.module);
    if (!is_set_element(variable.type) || variable.type.values) {
      sink_.error(variable.range,
                  "a quantifier ranges over bool, int, tid, an enum or a class, not " + to_string(variable.type));
      variable.type = kError;
    }
    check_bound(variable, context);
  }
  check_bool(*quantifier.body, context, "the body of the quantifier");
  context.bound.resize(outer);
  return kBool;
}

Type Checker::check_set_literal(Expr& expr, SetLit& literal, ExprContext& context) {
  if (literal.elements.empty()) return simple_type(Type::Kind::kAnySet);
  Type element = kError;
  for (ExprPtr& it : literal.elements) {
    const Type type = check(*it, context);
    if (type.kind == Type::Kind::kNull || type.kind == Type::Kind::kError) continue;
    if (!is_set_element(type)) {
      sink_.error(it->range, to_string(type) + " cannot be in a set");
    } else if (element.kind == Type::Kind::kError) {
      element = type;
    } else if (const std::optional<Type> both = common(element, type)) {
      element = *both;
    } else {
      sink_.error(it->range, "a set of " + to_string(element) + " and " + to_string(type));
    }
  }
  if (element.kind == Type::Kind::kError && !sink_.has_errors()) {
    sink_.error(expr.range, "the element type of this set is not clear");
  }
  element.values.reset();
  Type type = simple_type(Type::Kind::kSet);
  type.first = std::make_shared<const Type>(element);
  return type;
}

// The class behind `instanceof` or `as`; -1 and reported if the operand cannot be of it.
int Checker::check_class_name(const Expr& operand, const std::string& name, SourceRange at,
                              const ExprContext& context) {
  Type wanted = simple_type(Type::Kind::kNamed);
  wanted.name = name;
  wanted.range = at;
  resolve(wanted, context.module);
  if (wanted.kind == Type::Kind::kError) return -1;
  const bool is_class = wanted.kind == Type::Kind::kClass;
  if (!is_class || !common(operand.type, wanted)) {
    sink_.error(at, is_class ? to_string(operand.type) + " is never a `" + name + "`: the classes are not related"
                             : "`" + name + "` is an enum; only classes have objects");
    return -1;
  }
  return wanted.decl;
}

Type Checker::check_cast(CastExpr& cast, ExprContext& context) {
  const Type type = check(*cast.operand, context);
  if (type.kind == Type::Kind::kError) return kError;
  if (type.kind != Type::Kind::kClass && type.kind != Type::Kind::kNull) {
    sink_.error(cast.operand->range, "the left side of `as` is an object, not " + to_string(type));
    return kError;
  }
  cast.class_index = check_class_name(*cast.operand, cast.class_name, cast.class_range, context);
  return cast.class_index < 0 ? kError : class_type(cast.class_index);
}

Type Checker::check_instance_of(InstanceOf& instance, ExprContext& context) {
  const Type type = check(*instance.thread, context);
  if (type.kind == Type::Kind::kClass || type.kind == Type::Kind::kNull) {
    instance.class_index = check_class_name(*instance.thread, instance.procedure, instance.procedure_range, context);
    return kBool;
  }
  if (type.kind == Type::Kind::kError) return kBool;
  if (type.kind != Type::Kind::kTid) {
    sink_.error(instance.thread->range,
                "the left side of `instanceof` is a thread or an object, not " + to_string(type));
    return kBool;
  }
  // Which code a thread runs is a question about the whole program: visibility of modules does not matter here.
  const auto found = names_.find(instance.procedure);
  const auto is_procedure = [](const Declared& it) { return it.kind == Declared::Kind::kProcedure; };
  if (found == names_.end() || !is_procedure(found->second)) {
    unknown_name(instance.procedure, instance.procedure_range, "procedure", is_procedure);
  } else {
    instance.index = found->second.index;
  }
  return kBool;
}

Type Checker::check_shape(ShapeExpr& shape, ExprContext& context) {
  const Type from = check(*shape.from, context);
  if (shape.to) {
    const Type to = check(*shape.to, context);
    if (!common(to, from)) expect(*shape.to, to, from, "the last argument");
  }
  context.saw_heap = true;
  if (from.kind != Type::Kind::kClass) {
    if (from.kind != Type::Kind::kError) sink_.error(shape.from->range, "an object is needed, not " + to_string(from));
    return kBool;
  }
  const Class& owner = program_.classes[from.decl];
  shape.index = field_named(program_, from.decl, shape.field);
  // What the field leads to must have the field again.
  const auto goes_on = [&] {
    const Type& next = field_of(program_, from.decl, shape.index).type;
    return next.kind == Type::Kind::kClass &&
           is_subclass(program_, next.decl, field_home(program_, from.decl, shape.index).class_index);
  };
  if (shape.index < 0 || !goes_on()) {
    sink_.error(shape.field_range,
                "`" + shape.field + "` is not a field of `" + owner.name + "` that leads to a `" + owner.name + "`");
    shape.index = -1;
  }
  return kBool;
}

// ------------------------------------------------------------------------------------------------- locks, frames, steps

namespace {

bool is_shared_location(const Expr& expr) {
  if (const auto* name = std::get_if<NameExpr>(&expr.node)) {
    return name->ref.kind == Ref::Kind::kShared || name->ref.kind == Ref::Kind::kField;
  }
  if (const auto* field = std::get_if<FieldExpr>(&expr.node)) return field->kind == FieldExpr::Kind::kField;
  if (const auto* index = std::get_if<IndexExpr>(&expr.node)) {
    return index->base->type.kind == Type::Kind::kArray || is_shared_location(*index->base);
  }
  return false;
}

}  // namespace

const Variable* Checker::variable_of(const Expr& place) const {
  const Expr* root = &place;
  while (const auto* index = std::get_if<IndexExpr>(&root->node)) {
    if (index->base->type.kind == Type::Kind::kArray) return nullptr;
    root = index->base.get();
  }
  if (const auto* name = std::get_if<NameExpr>(&root->node)) {
    if (name->ref.kind == Ref::Kind::kShared) return &program_.variables[name->ref.index];
    return nullptr;
  }
  const auto* field = std::get_if<FieldExpr>(&root->node);
  if (field == nullptr || field->kind != FieldExpr::Kind::kField) return nullptr;
  return &field_of(program_, field->object->type.decl, field->index);
}

bool Checker::check_not_final(const Expr& place) {
  const Variable* variable = variable_of(place);
  if (variable == nullptr || !variable->is_final) return true;
  diag::Diagnostic& error = sink_.error(place.range, "`" + variable->name + "` is final and never changes");
  error.notes.push_back({variable->name_range, "declared here"});
  return false;
}

void Checker::check_lock(Expr& lock, ExprContext& context) {
  const Type type = check(lock, context);
  switch (type.kind) {
    case Type::Kind::kError:
    case Type::Kind::kClass: return;
    case Type::Kind::kTid:
    case Type::Kind::kMonitor:
      if (!is_shared_location(lock)) {
        sink_.error(lock.range, "a lock is a shared variable, field or entry",
                    "a local variable is not shared, so it cannot be a lock");
      } else {
        check_not_final(lock);
      }
      return;
    default: sink_.error(lock.range, "a lock is a tid, a monitor or an object, not " + to_string(type));
  }
}

void Checker::check_frame(std::vector<ExprPtr>& frame, const ExprContext& context) {
  for (ExprPtr& item : frame) {
    ExprContext it = context;
    it.states = States::kOne;
    const Type type = check(*item, it);
    if (type.kind == Type::Kind::kError) continue;
    const auto* field = std::get_if<FieldExpr>(&item->node);
    const auto* name = std::get_if<NameExpr>(&item->node);
    const bool is_monitor = (field != nullptr && field->kind == FieldExpr::Kind::kHolder) ||
                            (name != nullptr && name->ref.kind == Ref::Kind::kMonitorHolder);
    const bool is_local = context.locals_change && name != nullptr && name->ref.kind == Ref::Kind::kLocal;
    if (!is_shared_location(*item) && !is_monitor && !is_local) {
      sink_.error(item->range, "a frame lists shared variables, fields `o.f`, entries `m[k]` and monitors `o.holder`");
    }
    if (const auto* bare = name; bare != nullptr && bare->ref.kind == Ref::Kind::kField) {
      const Variable& own = field_of(program_, context.class_index, bare->ref.index);
      if (own.is_final) sink_.error(item->range, "`" + own.name + "` is final and never changes");
    } else if (!context.locals_change) {  // else it is assigned, and looked at there
      check_not_final(*item);
    }
  }
}

// A predicate about a step must say which state it means wherever that matters.
void Checker::check_marks(const Expr& predicate, const std::optional<std::vector<const Expr*>>& frame,
                          const ExprContext& context, const std::string& what, bool& uses_old) {
  uses_old = context.saw_old;
  if (context.saw_prime && context.saw_old) {
    sink_.error(predicate.range, "this predicate mixes primes and `\\old`",
                "use `x'` (after) and `x` (before), or `x` (after) and `\\old(x)` (before)");
    return;
  }
  if (context.saw_prime || context.saw_old) return;
  std::string culprit;
  if (!frame) {
    if (!context.shared_seen.empty()) culprit = "`" + program_.variables[context.shared_seen.front()].name + "`";
    if (culprit.empty() && context.saw_heap) culprit = "the heap";
  } else {
    for (const Expr* root : *frame) {
      while (const auto* index = std::get_if<IndexExpr>(&root->node)) root = index->base.get();
      const auto* name = std::get_if<NameExpr>(&root->node);
      if (name != nullptr && name->ref.kind == Ref::Kind::kShared) {
        const auto& seen = context.shared_seen;
        if (std::find(seen.begin(), seen.end(), name->ref.index) != seen.end()) culprit = "`" + name->name + "`";
      } else if (context.saw_heap) {
        culprit = "the heap";
      }
    }
  }
  if (culprit.empty()) return;
  sink_.error(predicate.range,
              what + " that mentions " + culprit + " must say whether it means before or after the step",
              "write `x'` for after and `x` for before, or `\\old(x)` for before and `x` for after");
}

void Checker::check_two_state(TwoState& predicate, ExprContext& context, const std::string& what) {
  context.states = States::kStep;
  check_bool(*predicate.predicate, context, what);
  if (predicate.frame) check_frame(*predicate.frame, context);
  std::optional<std::vector<const Expr*>> frame;
  if (predicate.frame) {
    frame.emplace();
    for (const ExprPtr& item : *predicate.frame) frame->push_back(item.get());
  }
  check_marks(*predicate.predicate, frame, context, what, predicate.uses_old);
}

}  // namespace concord::plato
