// Expressions. The value of a Java expression is a Plato expression over locals; reads of shared memory, writes and calls are
// emitted as statements on the way, in Java's order of evaluation.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "frontend/java/lowering.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Type;
using PlatoExpr = plato::Expr;

namespace {

bool is_prim(const JavaType& type, Prim primitive) {
  return type.kind == JavaType::Kind::kPrimitive && type.primitive == primitive;
}
bool is_floating(Prim primitive) { return primitive == Prim::kFloat || primitive == Prim::kDouble; }
bool is_floating(const JavaType& type) {
  return type.kind == JavaType::Kind::kPrimitive && is_floating(type.primitive);
}

int bits_of(Prim primitive) {
  switch (primitive) {
    case Prim::kByte: return 8;
    case Prim::kShort:
    case Prim::kChar: return 16;
    case Prim::kInt: return 32;
    default: return 64;
  }
}

}  // namespace

// ------------------------------------------------------------------------------------------------- temporaries and order

std::string Body::temporary(const Type& type, std::optional<plato::Rhs> init, SourceRange range, const char* wanted) {
  std::string name = names_.fresh(wanted);
  temporaries_.insert(name);
  emit(build::local(name, type, std::move(init), range));
  return name;
}

bool Body::is_stable(const PlatoExpr& expr) const {
  bool stable = true;
  plato::for_each_expr(expr, [&](const PlatoExpr& part) {
    if (const auto* name = std::get_if<plato::NameExpr>(&part.node)) stable = stable && !assigned_.contains(name->name);
  });
  return stable && !may_fail(expr);
}

bool Body::may_fail(const PlatoExpr& expr) const {
  bool fails = false;
  plato::for_each_expr(expr, [&](const PlatoExpr& part) {
    const auto* binary = std::get_if<plato::BinaryExpr>(&part.node);
    const auto* unary = std::get_if<plato::UnaryExpr>(&part.node);
    fails = fails || std::holds_alternative<plato::FieldExpr>(part.node) ||
            std::holds_alternative<plato::CastExpr>(part.node) ||
            (unary != nullptr && unary->op == plato::UnaryOp::kNonNull) ||
            (binary != nullptr && (binary->op == plato::BinaryOp::kDiv || binary->op == plato::BinaryOp::kMod));
  });
  return fails;
}

Value Body::stable(Value value, const Type& type, SourceRange range) {
  if (is_stable(*value)) return value;
  return build::name(temporary(type, std::move(value), range), range);
}

namespace {

bool mentions_assigned(const PlatoExpr& value, const Body::Statements& list, std::size_t from) {
  std::set<std::string> assigned;
  for (std::size_t i = from; i < list.size(); ++i) {
    plato::for_each_stmt(*list[i], [&](const plato::Stmt& it) {
      if (const auto* assign = std::get_if<plato::Assign>(&it.node)) {
        if (const auto* name = std::get_if<plato::NameExpr>(&assign->target->node)) assigned.insert(name->name);
      }
    });
  }
  bool found = false;
  plato::for_each_expr(value, [&](const PlatoExpr& part) {
    const auto* name = std::get_if<plato::NameExpr>(&part.node);
    found = found || (name != nullptr && assigned.contains(name->name));
  });
  return found;
}

}  // namespace

std::vector<Value> Body::in_order(const std::vector<std::function<Value()>>& operands, const std::vector<Type>& types,
                                  SourceRange range) {
  std::vector<Value> values;
  std::vector<std::size_t> ends;  // of *out_, after each operand
  for (const auto& operand : operands) {
    values.push_back(operand());
    ends.push_back(out_->size());
  }
  for (std::size_t i = operands.size(); i-- > 0;) {
    if (ends[i] == out_->size()) continue;
    if (!may_fail(*values[i]) && !mentions_assigned(*values[i], *out_, ends[i])) continue;
    const std::string name = names_.fresh("t");
    auto kept = build::local(name, types[i], plato::Rhs(std::move(values[i])), range);
    out_->insert(out_->begin() + static_cast<std::ptrdiff_t>(ends[i]), std::move(kept));
    values[i] = build::name(name, range);
  }
  return values;
}

Body::Statements Body::into_new_list(const std::function<void()>& work) {
  Statements list;
  Statements* const outer = std::exchange(out_, &list);
  work();
  out_ = outer;
  return list;
}

// -------------------------------------------------------------------------------------------------------------- the cases

Value Body::value(const Expr& expr) {
  if (expr.constant) return constant(*expr.constant, expr.type, expr.range);
  return std::visit(
      base::Overloaded{
          [&](const Literal& it) { return literal(it, expr.type, expr.range); },
          [&](const Name& it) { return name(it, expr, expr.type); },
          [&](const This& it) { return this_of(it.class_symbol, expr.range, true); },
          [&](const Select& it) { return select(it, expr, expr.type); },
          [&](const ClassLiteral&) { return unknown_value("class literals as values", expr.type, expr.range); },
          [&](const Index& it) {
            if (Value stamp = stamp_variable(*it.array)) return stamp;
            const Type element = lowering_.type_of(expr.type);
            std::vector<Value> parts =
                in_order({[&] { return value(*it.array); }, [&] { return primitive_value(*it.index); }},
                         {lowering_.type_of(it.array->type), build::simple(Type::Kind::kInt)}, expr.range);
            return read(build::element(std::move(parts[0]), std::move(parts[1]), expr.range), element, expr.range);
          },
          [&](const Unary& it) { return unary(it, expr, true); },
          [&](const Binary& it) { return binary(it, expr); },
          [&](const Assign& it) { return assign(it, expr, true); },
          [&](const CompoundAssign& it) { return compound(it, expr, true); },
          [&](const Conditional& it) { return conditional(it, expr); },
          [&](const Call& it) { return call(it, expr, expr.type); },
          [&](const New& it) { return new_object(it, expr); },
          [&](const NewArray& it) { return new_array(it, expr); },
          [&](const Cast& it) { return cast(it, expr); },
          [&](const InstanceOf& it) { return instance_of(it, expr); },
          [&](const Lambda&) { return make_closure(expr); },
          [&](const MethodRef&) { return make_closure(expr); },
          [&](const SwitchExpr& it) { return switch_expression(it, expr); },
          [&](const UnsupportedExpr& it) { return unsupported(it.what, expr.type, expr.range); },
      },
      expr.node);
}

// What erasure hides behind a generic type is cast to what is wanted, which may be less than the type of the expression.
Value Body::value_as(const Expr& expr, TypeId type) {
  const auto is_class = [&](TypeId id) { return id >= 0 && classes_.type(id).kind == JavaType::Kind::kClass; };
  if (expr.constant || !is_class(expr.type) || !is_class(type)) {
    return convert(value(expr), expr.type, type, expr.range);
  }
  Value out;
  if (const auto* named = std::get_if<Name>(&expr.node)) {
    out = name(*named, expr, type);
  } else if (const auto* selected = std::get_if<Select>(&expr.node)) {
    out = select(*selected, expr, type);
  } else if (const auto* called = std::get_if<Call>(&expr.node)) {
    out = call(*called, expr, type);
  } else {
    out = value(expr);
  }
  return convert(std::move(out), expr.type, type, expr.range);
}

void Body::effect(const Expr& expr) {
  if (const auto* it = std::get_if<Unary>(&expr.node)) return void(unary(*it, expr, false));
  if (const auto* it = std::get_if<Assign>(&expr.node)) return void(assign(*it, expr, false));
  if (const auto* it = std::get_if<CompoundAssign>(&expr.node)) return void(compound(*it, expr, false));
  if (const auto* it = std::get_if<Call>(&expr.node)) return void(call(*it, expr, -1));
  discard(value(expr), expr.type, expr.range);
}

void Body::discard(Value value, TypeId type, SourceRange range) {
  if (value && may_fail(*value)) temporary(lowering_.type_of(type), std::move(value), range);
}

Value Body::primitive_value(const Expr& expr) {
  Value out = value(expr);
  return unboxed(expr.type) ? unbox(std::move(out), expr.type, expr.range) : std::move(out);
}

Value Body::unsupported(const std::string& what, TypeId type, SourceRange range) {
  unsupported(what, range);
  const Type local = lowering_.type_of(type);
  if (local.kind == Type::Kind::kNone) return build::null(range);
  return build::name(temporary(local, std::nullopt, range, "unknown"), range);
}

Value Body::unknown_value(const std::string& what, const Type& type, SourceRange range) {
  const std::string name = temporary(type, std::nullopt, range, "unknown");
  plato::Unsupported out;
  out.reason = what;
  out.reason_range = range;
  out.targets.push_back(build::name(name, range));
  emit(build::make(std::move(out), range));
  return build::name(name, range);
}

// An unknown object is one that there is, so one that may be new is made first; of which class it would be is not always known.
Value Body::unknown_value(const std::string& what, TypeId type, SourceRange range) {
  const JavaType& it = classes_.type(type);
  const Type local = lowering_.type_of(type);
  if (it.kind == JavaType::Kind::kPrimitive) return unknown_value(what, local, range);
  const bool is_opaque = it.kind == JavaType::Kind::kClass && classes_.symbol(it.symbol).is_final &&
                         !classes_.symbol(it.symbol).is_from_source && !unboxed(type);
  if (!is_opaque) return unsupported(what, type, range);
  plato::NewObject made;
  made.class_name = local.name;
  made.class_range = range;
  temporary(local, plato::Rhs(std::move(made)), range, "made");
  return unknown_value(what, local, range);
}

void Body::unsupported(const std::string& what, SourceRange range) {
  lowering_.note_unsupported();
  plato::Unsupported out;
  out.reason = what;
  out.reason_range = range;
  emit(build::make(std::move(out), range));
}

Value Body::constant(const std::string& text, TypeId type, SourceRange range) {
  const JavaType& it = classes_.type(type);
  if (it.kind == JavaType::Kind::kClass) return build::name(lowering_.string_literal(text), range);
  if (is_prim(it, Prim::kBoolean)) return build::truth(text == "true" || text == "1", range);
  if (is_floating(it)) return build::floating(lowering_.type_of(type).decl, text, range);
  return build::number(std::stoll(text), range);
}

Value Body::literal(const Literal& it, TypeId type, SourceRange range) {
  switch (it.kind) {
    case Literal::Kind::kNull: return build::null(range);
    case Literal::Kind::kBoolean: return build::truth(it.value == "true", range);
    case Literal::Kind::kString: return build::name(lowering_.string_literal(it.value), range);
    case Literal::Kind::kFloat:
    case Literal::Kind::kDouble: return build::floating(lowering_.type_of(type).decl, it.value, range);
    default: return build::number(std::stoll(it.value), range);
  }
}

// ---------------------------------------------------------------------------------------------------------- names, fields

Value Body::local_variable(SymbolId symbol, SourceRange range) {
  if (const auto found = locals_.find(symbol); found != locals_.end()) return build::name(found->second, range);
  const auto construction = std::find_if(constructions_.rbegin(), constructions_.rend(),
                                         [&](const Construction* it) { return it->captured.contains(symbol); });
  if (construction != constructions_.rend()) return build::copy(*(*construction)->captured.at(symbol));
  if (captured_.contains(symbol)) {
    return build::field(build::name(closure_, range), lowering_.captured_field(symbol), range);
  }
  // A local of the code around: a field of the object whose code this is, or of one around that.
  auto [at, object] = innermost_instance(range);
  for (; at >= 0 && object; at = classes_.symbol(at).outer) {
    const ClassDecl* declaration = classes_.declaration(at);
    const std::vector<SymbolId> captured =
        declaration == nullptr ? std::vector<SymbolId>{} : classes_.captured(*declaration);
    if (std::find(captured.begin(), captured.end(), symbol) != captured.end()) {
      return build::field(std::move(object), lowering_.captured_field(symbol), range);
    }
    if (!classes_.symbol(at).has_outer_instance) break;
    object = build::field(std::move(object), lowering_.outer_field(at), range);
  }
  base::internal_error(__FILE__, __LINE__, "a local that nobody declares: " + classes_.symbol(symbol).name);
}

Value Body::name(const Name& it, const Expr& expr, TypeId wanted) {
  const Symbol& symbol = classes_.symbol(it.symbol);
  switch (symbol.kind) {
    case Symbol::Kind::kLocal:
    case Symbol::Kind::kParameter: return local_variable(it.symbol, expr.range);
    case Symbol::Kind::kField:
      if (symbol.is_static) return read_static(it.symbol, expr);
      return read_field(nullptr, it.symbol, expr, wanted);
    default: return unsupported("this use of the name " + symbol.name, expr.type, expr.range);
  }
}

// The fields of the object under construction, if `object` (null: the implicit one) is that.
const Body::Construction* Body::constructing(const Expr* object) const {
  if (constructions_.empty()) return nullptr;
  if (object == nullptr) return constructions_.back();
  const auto* self = std::get_if<This>(&object->node);
  return self != nullptr && self->class_symbol == class_symbol_ ? constructions_.back() : nullptr;
}

bool Body::is_member(const Symbol& member) const {
  return class_symbol_ == member.owner || (!member.is_private && classes_.is_subclass(class_symbol_, member.owner));
}

Value Body::select(const Select& it, const Expr& expr, TypeId wanted) {
  if (it.is_length) { return build::field(value(*it.object), "length", expr.range); }
  const Symbol& symbol = classes_.symbol(it.symbol);
  if (symbol.kind != Symbol::Kind::kField) return unsupported("this use of " + symbol.name, expr.type, expr.range);
  if (symbol.is_static) {
    if (it.object) effect(*it.object);
    return read_static(it.symbol, expr);
  }
  const Construction* made = constructing(it.object.get());
  if (made != nullptr && symbol.is_from_source) return constructed(*made, it.symbol, expr.range);
  return read_field(made != nullptr ? nullptr : value(*it.object), it.symbol, expr, wanted);
}

Value Body::read(Value place, const Type& type, SourceRange range) {
  return build::name(temporary(type, plato::Rhs(std::move(place)), range), range);
}

std::string Body::library_field(const Symbol& field) const {
  return "the library field " + classes_.symbol(field.owner).name + "." + field.name;
}

Value Body::read_field(Value object, SymbolId field, const Expr& expr, TypeId wanted) {
  const Symbol& symbol = classes_.symbol(field);
  if (!symbol.is_from_source) {
    if (object) object = build::unary(plato::UnaryOp::kNonNull, std::move(object), expr.range);
    discard(std::move(object), classes_.symbol(symbol.owner).type, expr.range);
    return unknown_value(library_field(symbol), expr.type, expr.range);
  }
  if (!object) {
    const Construction* made = constructing(nullptr);
    if (made != nullptr && is_member(symbol)) return constructed(*made, field, expr.range);
    object = this_with(symbol, expr.range);
  }
  const auto* self = std::get_if<plato::NameExpr>(&object->node);
  const bool is_this = self != nullptr && !this_.empty() && self->name == this_;
  const bool may_be_gone = lowering_.may_be_gone(symbol.owner);
  if (may_be_gone) object = stable(std::move(object), lowering_.type_of_class(symbol.owner), expr.range);
  const Value owner = build::copy(*object);
  Value place = build::field(std::move(object), lowering_.field_name(field), expr.range);
  const bool is_pure = lowering_.is_rigid(field) && is_this && !may_be_gone;
  Value out = is_pure ? std::move(place)
                      : read_of(*owner, symbol.owner, std::move(place), lowering_.type_of(symbol.type), expr.range);
  return cast_to_class(std::move(out), symbol.type, wanted, false, expr.range);
}

Value Body::read_static(SymbolId field, const Expr& expr) {
  const Symbol& symbol = classes_.symbol(field);
  if (!symbol.is_from_source) return unknown_value(library_field(symbol), expr.type, expr.range);
  Value place = build::name(lowering_.static_name(field), expr.range);
  return read(std::move(place), lowering_.type_of(symbol.type), expr.range);
}

Value Body::default_value(const Type& type, SourceRange range) {
  switch (type.kind) {
    case Type::Kind::kBool: return build::truth(false, range);
    case Type::Kind::kInt: return build::number(0, range);
    case Type::Kind::kFloat: return build::floating(type.decl, "0.0", range);
    case Type::Kind::kTid: return build::none(range);
    default: return build::null(range);
  }
}

Value Body::constructed(const Construction& made, SymbolId field, SourceRange range) {
  if (!made.is_straight) return build::name(made.fields.at(field), range);
  const auto found = made.values.find(field);
  if (found != made.values.end()) return build::copy(*found->second);
  return default_value(lowering_.field_type(field), range);
}

// ------------------------------------------------------------------------------------------------------------- conversions

std::optional<Prim> Body::unboxed(TypeId type) const {
  const JavaType& it = classes_.type(type);
  return it.kind == JavaType::Kind::kClass ? lowering_.unboxed(it.symbol) : std::nullopt;
}

Value Body::box(Value value, Prim primitive, SourceRange range) {
  plato::NewObject made;
  made.class_name = lowering_.box_class(primitive);
  made.class_range = range;
  made.inits.push_back({"value", range, std::move(value), -1});
  const Type type = build::named(made.class_name);
  return build::name(temporary(type, plato::Rhs(std::move(made)), range, "box"), range);
}

Value Body::unbox(Value value, TypeId from, SourceRange range) {
  const std::optional<Prim> primitive = unboxed(from);
  CONCORD_CHECK(primitive.has_value(), "unboxing of what is no box");
  lowering_.box_class(*primitive);
  return build::field(std::move(value), "value", range);
}

Value Body::narrow(Value value, Prim to, SourceRange range) {
  if (to == Prim::kBoolean) return value;
  const bool is_wide = to == Prim::kInt || to == Prim::kLong;
  if (is_wide && lowering_.options().unbounded_ints) return value;
  if (const auto* number = std::get_if<plato::IntLit>(&value->node); number != nullptr && to == Prim::kLong)
    return value;
  return build::wrap(std::move(value), bits_of(to), to != Prim::kChar, range);
}

// Between integers only widening, or of a constant that fits; a cast says narrowing.
Value Body::convert_number(Value value, Prim from, Prim to, SourceRange range) {
  using Op = plato::FloatOp;
  if (from == to || (!is_floating(from) && !is_floating(to))) return value;
  if (is_floating(to))
    return build::floating(to == Prim::kFloat ? Op::kToFloat32 : Op::kToFloat64, std::move(value), nullptr, range);
  const bool is_long = to == Prim::kLong;
  Value whole = build::floating(is_long ? Op::kToInt64 : Op::kToInt32, std::move(value), nullptr, range);
  return is_long || to == Prim::kInt ? std::move(whole) : narrow(std::move(whole), to, range);
}

Value Body::convert(Value value, TypeId from, TypeId to, SourceRange range) {
  if (from == to || from < 0 || to < 0) return value;
  const JavaType& source = classes_.type(from);
  const JavaType& wanted = classes_.type(to);
  if (wanted.kind == JavaType::Kind::kVoid) return value;
  if (source.kind == JavaType::Kind::kPrimitive && wanted.kind == JavaType::Kind::kPrimitive) {
    return convert_number(std::move(value), source.primitive, wanted.primitive, range);
  }
  if (source.kind == JavaType::Kind::kPrimitive) {
    // Boxing goes to the box of the wanted type, or of the value's own.
    const std::optional<Prim> wanted_box = unboxed(to);
    return box(std::move(value), wanted_box.value_or(source.primitive), range);
  }
  if (wanted.kind == JavaType::Kind::kPrimitive) {
    const std::optional<Prim> inside = unboxed(from);
    if (!inside) return unbox_generic(std::move(value), from, to, range);
    return convert_number(unbox(std::move(value), from, range), *inside, wanted.primitive, range);
  }
  if (source.kind == JavaType::Kind::kArray && wanted.kind == JavaType::Kind::kArray) {
    return elements_as(std::move(value), source.element, to, range);
  }
  if (source.kind == JavaType::Kind::kArray && wanted.kind == JavaType::Kind::kClass) {
    return unsupported("an array as an object of class " + wanted.text, to, range);
  }
  if (source.kind == JavaType::Kind::kClass && wanted.kind == JavaType::Kind::kClass) {
    lowering_.note_widening(source.symbol, wanted.symbol);
  }
  return value;
}

// What a generic type hides is the box of `to` or another one, which is then unboxed and widened.
Value Body::unbox_generic(Value value, TypeId from, TypeId to, SourceRange range) {
  const std::string box = lowering_.box_class(classes_.type(to).primitive);
  value = stable(build::unary(plato::UnaryOp::kNonNull, std::move(value), range), lowering_.type_of(from), range);
  Statements other = into_new_list([&] { unsupported("unboxing of " + classes_.type(from).text, range); });
  Value is_other = build::negation(build::instance_of(build::copy(*value), box, range), range);
  emit(build::if_else(std::move(is_other), std::move(other), {}, range));
  return build::field(build::cast(std::move(value), box, range), "value", range);
}

// An array keeps the type that it was made with: what is stored in it is checked against that, and a cast asks for it.
Value Body::elements_as(Value array, TypeId element, TypeId to, SourceRange range) {
  const std::string& made = classes_.type(element).text;
  const std::string& wanted = classes_.type(classes_.type(to).element).text;
  if (made == wanted) return array;
  return unsupported("an array of " + made + " as an array of " + wanted, to, range);
}

// Unchecked casts are those that erasure inserts: javac vouches for them where it does not warn.
Value Body::cast_to_class(Value value, TypeId from, TypeId to, bool checked, SourceRange range) {
  checked = checked || !classes_.unit().unchecked.empty();
  const JavaType& source = classes_.type(from);
  const JavaType& wanted = classes_.type(to);
  if (source.kind != JavaType::Kind::kClass || wanted.kind != JavaType::Kind::kClass) {
    if (source.kind == JavaType::Kind::kClass && wanted.kind == JavaType::Kind::kArray) {
      return unsupported("a cast to the array type " + wanted.text, to, range);
    }
    if (source.kind == JavaType::Kind::kArray && wanted.kind == JavaType::Kind::kArray) {
      return elements_as(std::move(value), source.element, to, range);
    }
    return value;
  }
  if (classes_.is_subclass(source.symbol, wanted.symbol)) {
    lowering_.note_widening(source.symbol, wanted.symbol);
    return value;
  }
  if (std::holds_alternative<plato::NullLit>(value->node)) return value;
  const bool to_interface = classes_.symbol(wanted.symbol).is_interface;
  if (!checked && to_interface) return value;
  if (checked && !to_interface) return build::cast(std::move(value), lowering_.class_name(wanted.symbol), range);
  Value kept = stable(std::move(value), lowering_.type_of(from), range);
  Value fits = build::binary(plato::BinaryOp::kOr, build::is_null(build::copy(*kept), range),
                             lowering_.tests_class(build::copy(*kept), wanted.symbol, range), range);
  expect_class(std::move(fits), checked, range);
  return to_interface ? std::move(kept) : build::cast(std::move(kept), lowering_.class_name(wanted.symbol), range);
}

// What a cast asks for: a check, or what javac vouches for.
void Body::expect_class(Value condition, bool checked, SourceRange range) {
  if (!checked) {
    lowering_.assume(kGenericsHold);
    return assume_holds(std::move(condition), range);
  }
  plato::Assert test;
  test.condition = std::move(condition);
  test.kind = "class-cast";
  emit(build::make(std::move(test), range));
}

Value Body::cast(const Cast& it, const Expr& expr) {
  Value operand = value(*it.operand);
  const JavaType& from = classes_.type(it.operand->type);
  const JavaType& to = classes_.type(it.to);
  if (std::holds_alternative<plato::NullLit>(operand->node)) {
    return build::name(temporary(lowering_.type_of(it.to), std::move(operand), expr.range), expr.range);
  }
  if (to.kind == JavaType::Kind::kPrimitive) {
    if (from.kind == JavaType::Kind::kPrimitive) {
      if (is_floating(from) || is_floating(to)) return convert(std::move(operand), it.operand->type, it.to, expr.range);
      return bits_of(to.primitive) < bits_of(from.primitive) || to.primitive == Prim::kChar ||
                     (from.primitive == Prim::kChar && to.primitive == Prim::kShort)
                 ? narrow(std::move(operand), to.primitive, expr.range)
                 : std::move(operand);
    }
    if (!unboxed(it.operand->type)) {
      Value boxed = build::cast(std::move(operand), lowering_.box_class(to.primitive), expr.range);
      return build::field(std::move(boxed), "value", expr.range);
    }
    return convert(std::move(operand), it.operand->type, it.to, expr.range);
  }
  if (from.kind == JavaType::Kind::kPrimitive || from.kind == JavaType::Kind::kArray) {
    return convert(std::move(operand), it.operand->type, it.to, expr.range);
  }
  return cast_to_class(std::move(operand), it.operand->type, it.to, true, expr.range);
}

Value Body::instance_of(const InstanceOf& it, const Expr& expr) {
  const JavaType& tested = classes_.type(it.tested);
  Value object = stable(value(*it.operand), lowering_.type_of(it.operand->type), expr.range);
  if (tested.kind != JavaType::Kind::kClass || classes_.type(it.operand->type).kind == JavaType::Kind::kArray) {
    if (it.binding >= 0) declare_at_start(it.binding, expr.range);
    return it.binding < 0 ? unknown_value("instanceof an array type", expr.type, expr.range)
                          : unsupported("instanceof an array type", expr.type, expr.range);
  }
  Value test = classes_.is_subclass(classes_.type(it.operand->type).symbol, tested.symbol)
                   ? build::negation(build::is_null(build::copy(*object), expr.range), expr.range)
                   : lowering_.tests_class(build::copy(*object), tested.symbol, expr.range);
  if (it.binding < 0) return test;
  const std::string truth = temporary(build::simple(Type::Kind::kBool), std::move(test), expr.range);
  const std::string bound = declare_at_start(it.binding, expr.range);
  const TypeId bound_type = classes_.symbol(it.binding).type;
  Statements then = into_new_list([&] {
    Value cast = cast_to_class(build::copy(*object), it.operand->type, bound_type, false, expr.range);
    emit(build::assign(build::name(bound, expr.range), std::move(cast), expr.range));
  });
  emit(build::if_else(build::name(truth, expr.range), std::move(then), {}, expr.range));
  return build::name(truth, expr.range);
}

// ---------------------------------------------------------------------------------------------------------------- operators

Value Body::unary(const Unary& it, const Expr& expr, bool wanted) {
  const auto plus = [&](int by) {
    return [&, by](Value old) {
      const Prim primitive = unboxed(it.operand->type).value_or(classes_.type(it.operand->type).primitive);
      if (is_floating(primitive)) {
        Value one = build::floating(lowering_.primitive_type(primitive).decl, "1.0", expr.range);
        return build::floating(by > 0 ? plato::FloatOp::kAdd : plato::FloatOp::kSub, std::move(old), std::move(one),
                               expr.range);
      }
      auto sum = build::binary(by > 0 ? plato::BinaryOp::kAdd : plato::BinaryOp::kSub, std::move(old),
                               build::number(1, expr.range), expr.range);
      return narrow(std::move(sum), primitive, expr.range);
    };
  };
  switch (it.op) {
    case UnaryOp::kPreIncrement: return update(*it.operand, plus(1), false, wanted, expr.range);
    case UnaryOp::kPreDecrement: return update(*it.operand, plus(-1), false, wanted, expr.range);
    case UnaryOp::kPostIncrement: return update(*it.operand, plus(1), true, wanted, expr.range);
    case UnaryOp::kPostDecrement: return update(*it.operand, plus(-1), true, wanted, expr.range);
    default: break;
  }
  const JavaType& type = classes_.type(expr.type);
  Value operand = value_as(*it.operand, expr.type);
  if (is_floating(type) && it.op == UnaryOp::kMinus)
    return build::floating(plato::FloatOp::kNeg, std::move(operand), nullptr, expr.range);
  switch (it.op) {
    case UnaryOp::kNot: return build::negation(std::move(operand), expr.range);
    case UnaryOp::kMinus:
      return narrow(build::unary(plato::UnaryOp::kMinus, std::move(operand), expr.range), type.primitive, expr.range);
    case UnaryOp::kComplement:
      // Stays in the range of its type.
      return build::binary(plato::BinaryOp::kSub, build::number(-1, expr.range), std::move(operand), expr.range);
    default: return operand;
  }
}

Value Body::binary(const Binary& it, const Expr& expr) {
  if (it.op == BinaryOp::kAndAnd || it.op == BinaryOp::kOrOr) return short_circuit(it, expr);
  const JavaType& operand = classes_.type(it.operand);
  const bool is_string = operand.kind == JavaType::Kind::kClass && it.op == BinaryOp::kAdd;
  if (is_string) {
    convert_to_text(*it.left);
    convert_to_text(*it.right);
    plato::NewObject made;
    made.class_name = lowering_.string_class();
    made.class_range = expr.range;
    const Type type = build::named(made.class_name);
    return build::name(temporary(type, plato::Rhs(std::move(made)), expr.range, "text"), expr.range);
  }
  const bool is_shift = it.op == BinaryOp::kShl || it.op == BinaryOp::kShr || it.op == BinaryOp::kUshr;
  const bool is_primitive = operand.kind == JavaType::Kind::kPrimitive;
  const auto promoted = [&](const Expr& side, bool right) {
    if (!is_primitive) return value(side);
    if (right && is_shift) return primitive_value(side);
    return value_as(side, it.operand);
  };
  const Type type = is_primitive ? lowering_.type_of(it.operand) : Type{};
  std::vector<Value> sides = in_order(
      {[&] { return promoted(*it.left, false); }, [&] { return promoted(*it.right, true); }},
      {is_primitive ? type : lowering_.type_of(it.left->type), is_primitive ? type : lowering_.type_of(it.right->type)},
      expr.range);
  if (!is_primitive) {
    if (unboxed(it.left->type) || unboxed(it.right->type)) {
      const bool with_null = std::holds_alternative<plato::NullLit>(sides[0]->node) ||
                             std::holds_alternative<plato::NullLit>(sides[1]->node);
      if (!with_null) {
        discard(std::move(sides[0]), it.left->type, expr.range);
        discard(std::move(sides[1]), it.right->type, expr.range);
        return unknown_value("comparing boxed values by identity", expr.type, expr.range);
      }
    }
    compare_identities(sides, *it.left, *it.right, expr.range);
    const auto op = it.op == BinaryOp::kEq ? plato::BinaryOp::kEq : plato::BinaryOp::kNe;
    return build::binary(op, std::move(sides[0]), std::move(sides[1]), expr.range);
  }
  return arithmetic(it.op, std::move(sides[0]), std::move(sides[1]), it.operand, expr.range);
}

bool Body::may_be_box(TypeId id) const {
  static const std::set<std::string> kAbove = {"java.lang.Object",
                                               "java.lang.Number",
                                               "java.lang.Comparable",
                                               "java.io.Serializable",
                                               "java.lang.constant.Constable",
                                               "java.lang.constant.ConstantDesc"};
  const JavaType& type = classes_.type(id);
  return type.kind == JavaType::Kind::kClass && kAbove.contains(classes_.symbol(type.symbol).qualified);
}

bool Body::may_be_closure(TypeId id) const {
  const JavaType& type = classes_.type(id);
  return type.kind == JavaType::Kind::kClass &&
         (classes_.symbol(type.symbol).is_interface || classes_.is_class(type.symbol, "java.lang.Object"));
}

// Two boxes of one value are sometimes one object, and so is what a lambda expression gives when it is evaluated twice.
void Body::compare_identities(const std::vector<Value>& sides, const Expr& left, const Expr& right, SourceRange range) {
  const bool has_null = std::any_of(sides.begin(), sides.end(),
                                    [](const Value& it) { return std::holds_alternative<plato::NullLit>(it->node); });
  const bool boxes = may_be_box(left.type) && may_be_box(right.type);
  const bool closures = may_be_closure(left.type) && may_be_closure(right.type);
  if (has_null || !(boxes || closures)) return;
  const auto refuse = [&](Value when, const char* what) {
    Statements then = into_new_list([&] { unsupported(what, range); });
    emit(build::if_else(std::move(when), std::move(then), {}, range));
  };
  if (boxes) {
    refuse(lowering_.may_be_one_box(build::copy(*sides[0]), build::copy(*sides[1]), range),
           "comparing boxed values by identity");
  }
  if (closures) {
    const SymbolId first = classes_.type(left.type).symbol;
    const SymbolId second = classes_.type(right.type).symbol;
    const SymbolId type = classes_.is_subclass(first, second) ? first : second;
    refuse(lowering_.may_be_one_closure(build::copy(*sides[0]), build::copy(*sides[1]), type, range),
           "comparing lambda expressions by identity");
  }
}

// An operand of a concatenation: the text does not matter, what it takes to get it does.
void Body::convert_to_text(const Expr& operand) {
  Value made = value(operand);
  const JavaType& type = classes_.type(operand.type);
  if (type.kind == JavaType::Kind::kClass && lowering_.has_text_method(type.symbol)) {
    unsupported("toString() of " + type.text + " in a concatenation", operand.range);
  }
  discard(std::move(made), operand.type, operand.range);
}

Value Body::arithmetic(BinaryOp op, Value left, Value right, TypeId operand, SourceRange range) {
  using Op = plato::BinaryOp;
  const JavaType& type = classes_.type(operand);
  const bool is_boolean = is_prim(type, Prim::kBoolean);
  if (is_floating(type)) return float_arithmetic(op, std::move(left), std::move(right), range);
  const auto plain = [&](Op made) { return build::binary(made, std::move(left), std::move(right), range); };
  const auto strict = [&](Op made) {
    if (may_fail(*right)) right = build::name(temporary(lowering_.type_of(operand), std::move(right), range), range);
    return plain(made);
  };
  const auto wrapped = [&](Op made) { return narrow(plain(made), type.primitive, range); };
  const auto amount = [&] {
    const int most = type.primitive == Prim::kLong ? 63 : 31;
    if (const auto* number = std::get_if<plato::IntLit>(&right->node)) {
      return build::number(number->value & most, range);
    }
    return build::binary(Op::kBitAnd, std::move(right), build::number(most, range), range);
  };
  const auto shifted = [&](Op made) {
    Value by = amount();
    return build::binary(made, std::move(left), std::move(by), range);
  };
  switch (op) {
    case BinaryOp::kAdd: return wrapped(Op::kAdd);
    case BinaryOp::kSub: return wrapped(Op::kSub);
    case BinaryOp::kMul: return wrapped(Op::kMul);
    case BinaryOp::kDiv: {
      // Only the smallest number divided by -1 overflows.
      const auto* by = std::get_if<plato::IntLit>(&right->node);
      return by != nullptr && by->value > 0 ? plain(Op::kDiv) : wrapped(Op::kDiv);
    }
    case BinaryOp::kRem: return plain(Op::kMod);
    case BinaryOp::kShl: return narrow(shifted(Op::kShl), type.primitive, range);
    case BinaryOp::kShr: return shifted(Op::kShr);
    case BinaryOp::kUshr:
      if (type.primitive == Prim::kLong) {
        // What \shr fills in from the left is masked away; there is no unsigned number of 64 bits to shift.
        const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
        Value by = amount();
        Value less = build::binary(Op::kSub, build::copy(*by), build::number(1, range), range);
        Value mask = build::binary(Op::kShr, build::number(largest, range), std::move(less), range);
        Value bits = build::binary(Op::kShr, build::copy(*left), build::copy(*by), range);
        Value masked = build::binary(Op::kBitAnd, std::move(bits), std::move(mask), range);
        Value is_zero = build::binary(Op::kEq, std::move(by), build::number(0, range), range);
        Value out = build::conditional(std::move(is_zero), std::move(left), std::move(masked), range);
        return narrow(std::move(out), type.primitive, range);
      }
      left = build::wrap(std::move(left), 32, false, range);
      return build::wrap(shifted(Op::kShr), 32, true, range);
    case BinaryOp::kLt: return plain(Op::kLt);
    case BinaryOp::kLe: return plain(Op::kLe);
    case BinaryOp::kGt: return plain(Op::kGt);
    case BinaryOp::kGe: return plain(Op::kGe);
    case BinaryOp::kEq: return plain(Op::kEq);
    case BinaryOp::kNe: return plain(Op::kNe);
    case BinaryOp::kAnd: return is_boolean ? strict(Op::kAnd) : plain(Op::kBitAnd);
    case BinaryOp::kOr: return is_boolean ? strict(Op::kOr) : plain(Op::kBitOr);
    case BinaryOp::kXor: return plain(is_boolean ? Op::kNe : Op::kBitXor);
    case BinaryOp::kAndAnd:
    case BinaryOp::kOrOr: break;
  }
  base::internal_error(__FILE__, __LINE__, "an operator that is no arithmetic");
}

Value Body::float_arithmetic(BinaryOp op, Value left, Value right, SourceRange range) {
  using Op = plato::FloatOp;
  const auto made = [&](Op it) { return build::floating(it, std::move(left), std::move(right), range); };
  switch (op) {
    case BinaryOp::kAdd: return made(Op::kAdd);
    case BinaryOp::kSub: return made(Op::kSub);
    case BinaryOp::kMul: return made(Op::kMul);
    case BinaryOp::kDiv: return made(Op::kDiv);
    case BinaryOp::kRem: return made(Op::kRem);
    case BinaryOp::kLt: return made(Op::kLt);
    case BinaryOp::kLe: return made(Op::kLe);
    case BinaryOp::kGt: return made(Op::kGt);
    case BinaryOp::kGe: return made(Op::kGe);
    case BinaryOp::kEq: return made(Op::kEq);
    case BinaryOp::kNe: return build::negation(made(Op::kEq), range);
    default: base::internal_error(__FILE__, __LINE__, "an operator that is not for floating-point numbers");
  }
}

Value Body::short_circuit(const Binary& it, const Expr& expr) {
  const bool is_and = it.op == BinaryOp::kAndAnd;
  const Type boolean = build::simple(Type::Kind::kBool);
  const TypeId type = expr.type;
  Value left = value_as(*it.left, type);
  Value right;
  Statements later = into_new_list([&] { right = value_as(*it.right, type); });
  if (later.empty()) {
    return build::binary(is_and ? plato::BinaryOp::kAnd : plato::BinaryOp::kOr, std::move(left), std::move(right),
                         expr.range);
  }
  const std::string truth = temporary(boolean, std::move(left), expr.range);
  assigned_.insert(truth);
  later.push_back(build::assign(build::name(truth, expr.range), std::move(right), expr.range));
  Value goes_on = build::name(truth, expr.range);
  if (!is_and) goes_on = build::negation(std::move(goes_on), expr.range);
  emit(build::if_else(std::move(goes_on), std::move(later), {}, expr.range));
  return build::name(truth, expr.range);
}

Value Body::conditional(const Conditional& it, const Expr& expr) {
  Value condition = primitive_value(*it.condition);
  Value then;
  Value otherwise;
  Statements first = into_new_list([&] { then = value_as(*it.then, expr.type); });
  Statements second = into_new_list([&] { otherwise = value_as(*it.otherwise, expr.type); });
  if (first.empty() && second.empty()) {
    return build::conditional(std::move(condition), std::move(then), std::move(otherwise), expr.range);
  }
  const Type type = lowering_.type_of(expr.type);
  const std::string result = names_.fresh("chosen");
  assigned_.insert(result);
  emit(build::local(result, type, std::nullopt, expr.range));
  first.push_back(build::assign(build::name(result, expr.range), std::move(then), expr.range));
  second.push_back(build::assign(build::name(result, expr.range), std::move(otherwise), expr.range));
  emit(build::if_else(std::move(condition), std::move(first), std::move(second), expr.range));
  return build::name(result, expr.range);
}

// -------------------------------------------------------------------------------------------------------------- assignment

// The place that is assigned: what it takes to find it is evaluated and kept.
Body::Target Body::target(const Expr& expr) {
  Target out;
  out.java = expr.type;
  const auto as_field = [&](SymbolId field, const java::ExprPtr* object) {
    const Symbol& symbol = classes_.symbol(field);
    out.java = symbol.type;
    out.type = symbol.is_static ? lowering_.type_of(symbol.type) : lowering_.field_type(field);
    if (!symbol.is_from_source) {
      if (object != nullptr && *object && constructing(object->get()) == nullptr) effect(**object);
      out.place = unsupported(library_field(symbol), symbol.type, expr.range);
      out.is_local = true;
      return;
    }
    if (symbol.is_static) {
      if (object != nullptr && *object) effect(**object);
      out.place = build::name(lowering_.static_name(field), expr.range);
      return;
    }
    const Expr* written = object == nullptr ? nullptr : object->get();
    const Construction* made = constructing(written);
    if (made != nullptr && is_member(symbol)) {
      if (made->is_straight) {
        out.constructed = field;
        return;
      }
      out.place = build::name(made->fields.at(field), expr.range);
      out.is_local = true;
      return;
    }
    Value owner = written == nullptr ? this_with(symbol, expr.range) : value(*written);
    owner = stable(std::move(owner),
                   written == nullptr ? lowering_.type_of_class(symbol.owner) : lowering_.type_of(written->type),
                   expr.range);
    out.place = build::field(std::move(owner), lowering_.field_name(field), expr.range);
    out.owner = symbol.owner;
  };
  if (const auto* it = std::get_if<Name>(&expr.node)) {
    const Symbol& symbol = classes_.symbol(it->symbol);
    if (symbol.kind == Symbol::Kind::kField) {
      as_field(it->symbol, nullptr);
    } else {
      out.place = local_variable(it->symbol, expr.range);
      out.type = lowering_.type_of(symbol.type);
      out.java = symbol.type;
      out.is_local = true;
    }
  } else if (const auto* select = std::get_if<Select>(&expr.node)) {
    as_field(select->symbol, &select->object);
  } else if (const auto* index = std::get_if<Index>(&expr.node)) {
    if (Value stamp = stamp_variable(*index->array)) {
      out.place = std::move(stamp);
      out.type = lowering_.type_of(expr.type);
      out.is_local = true;
      return out;
    }
    Value array = stable(value(*index->array), lowering_.type_of(index->array->type), expr.range);
    Value at = stable(primitive_value(*index->index), build::simple(Type::Kind::kInt), expr.range);
    out.type = lowering_.type_of(expr.type);
    out.place = build::element(std::move(array), std::move(at), expr.range);
  } else {
    base::internal_error(__FILE__, __LINE__, "an assignment to what is no place");
  }
  return out;
}

void Body::write(Target place, plato::Rhs value, SourceRange range) {
  const auto assign = [&] { emit(build::assign(std::move(place.place), std::move(value), range)); };
  if (place.owner < 0) return assign();
  const Value object = build::copy(*std::get<plato::FieldExpr>(place.place->node).object);
  if (!lowering_.is_freed(*object, place.owner, false, range)) return assign();
  atomically(range, [&] {
    check_not_freed(*object, place.owner, false, range);
    assign();
  });
}

Value Body::assign(const Assign& it, const Expr& expr, bool wanted) {
  Target place = target(*it.target);
  const SymbolId atomic = atomic_variable(*it.target);
  Value made = atomic >= 0 ? initial_content(atomic, *it.value) : value_as(*it.value, place.java);
  if (place.constructed >= 0) {
    made = stable(std::move(made), place.type, expr.range);
    Value out = build::copy(*made);
    constructions_.back()->values[place.constructed] = std::move(made);
    return out;
  }
  if (wanted) made = stable(std::move(made), place.type, expr.range);
  Value out = wanted ? build::copy(*made) : nullptr;
  if (place.is_local) {
    // `var t = o.f; x = t` is one operation.
    const auto* name = std::get_if<plato::NameExpr>(&made->node);
    auto* last = out_->empty() ? nullptr : std::get_if<plato::LocalDecl>(&out_->back()->node);
    if (!wanted && name != nullptr && last != nullptr && last->name == name->name && last->init &&
        temporaries_.contains(last->name)) {
      plato::Rhs init = std::move(*last->init);
      out_->pop_back();
      emit(build::assign(std::move(place.place), std::move(init), expr.range));
      return nullptr;
    }
  }
  write(std::move(place), std::move(made), expr.range);
  return out;
}

Value Body::update(const Expr& expr, const std::function<Value(Value)>& change, bool old_value, bool wanted,
                   SourceRange range) {
  Target place = target(expr);
  const std::optional<Prim> inside =
      classes_.type(place.java).kind == JavaType::Kind::kClass ? unboxed(place.java) : std::nullopt;
  if (place.is_local && !wanted && !inside) {
    emit(build::assign(build::copy(*place.place), change(build::copy(*place.place)), range));
    return nullptr;
  }
  Value old = build::name(temporary(place.type, build::copy(*place.place), range), range);
  Value number = inside ? unbox(build::copy(*old), place.java, range) : build::copy(*old);
  Value now = change(std::move(number));
  if (inside) now = box(std::move(now), *inside, range);
  if (wanted && !old_value) now = stable(std::move(now), place.type, range);
  Value out = !wanted ? nullptr : old_value ? std::move(old) : build::copy(*now);
  write(std::move(place), std::move(now), range);
  return out;
}

Value Body::compound(const CompoundAssign& it, const Expr& expr, bool wanted) {
  const TypeId type = it.target->type;
  const JavaType& operand = classes_.type(it.operand);
  if (operand.kind == JavaType::Kind::kClass) {
    Target place = target(*it.target);
    if (!place.is_local) read(build::copy(*place.place), place.type, expr.range);
    convert_to_text(*it.value);
    plato::NewObject made;
    made.class_name = lowering_.string_class();
    made.class_range = expr.range;
    const Type text = build::named(made.class_name);
    Value joined = build::name(temporary(text, plato::Rhs(std::move(made)), expr.range, "text"), expr.range);
    Value out = build::copy(*joined);
    write(std::move(place), std::move(joined), expr.range);
    return out;
  }
  // The left side is read before the right side is evaluated.
  Target place = target(*it.target);
  const std::optional<Prim> inside = unboxed(type);
  const Prim primitive = inside.value_or(classes_.type(type).primitive);
  std::vector<Value> sides = in_order(
      {[&] {
         Value old = place.is_local
                         ? build::copy(*place.place)
                         : build::name(temporary(place.type, build::copy(*place.place), expr.range), expr.range);
         if (inside) old = unbox(std::move(old), type, expr.range);
         return convert_number(std::move(old), primitive, operand.primitive, expr.range);
       },
       [&] {
         const bool is_shift = it.op == BinaryOp::kShl || it.op == BinaryOp::kShr || it.op == BinaryOp::kUshr;
         if (is_shift) return primitive_value(*it.value);
         return convert(value(*it.value), it.value->type, it.operand, it.value->range);
       }},
      {lowering_.type_of(it.operand), lowering_.type_of(it.operand)}, expr.range);
  Value now = arithmetic(it.op, std::move(sides[0]), std::move(sides[1]), it.operand, expr.range);
  if (is_floating(operand)) {
    now = convert_number(std::move(now), operand.primitive, primitive, expr.range);
  } else if (primitive != operand.primitive) {
    now = narrow(std::move(now), primitive, expr.range);
  }
  if (inside) now = box(std::move(now), *inside, expr.range);
  if (wanted) now = stable(std::move(now), place.type, expr.range);
  Value out = wanted ? build::copy(*now) : nullptr;
  write(std::move(place), std::move(now), expr.range);
  return out;
}

}  // namespace concord::frontend::java
