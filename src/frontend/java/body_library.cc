// Methods of the library that are lowered to exactly what they do: small functions of numbers, and loops over arrays, which no
// stub can be written for because it would have to be generic in the type of the elements.
#include <utility>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

std::optional<Value> Body::known_library_call(const Call& it, const Expr& expr) {
  const Symbol& method = classes_.symbol(it.method);
  const std::string& owner = classes_.symbol(method.owner).qualified;
  const auto is_integer = [&](TypeId id) {
    const JavaType& type = classes_.type(id);
    return type.kind == JavaType::Kind::kPrimitive && (type.primitive == Prim::kInt || type.primitive == Prim::kLong);
  };
  const auto array_type = [&](const Expr& array) -> std::optional<Type> {
    if (classes_.type(array.type).kind != JavaType::Kind::kArray) return std::nullopt;
    return lowering_.type_of(array.type);
  };
  const auto are_alike = [&](TypeId one, TypeId other) {
    return classes_.type(one).kind == JavaType::Kind::kArray && classes_.type(one).text == classes_.type(other).text;
  };
  const auto has = [&](const char* name, std::size_t arguments) {
    return method.name == name && it.arguments.size() == arguments;
  };
  if (owner == "java.lang.Math" && is_integer(method.type)) {
    if (has("min", 2) || has("max", 2)) return smaller_or_larger(it, expr);
    if (has("abs", 1)) return absolute(it, expr);
  }
  if (owner == "java.lang.System" && has("arraycopy", 5)) {
    if (!are_alike(it.arguments[0]->type, it.arguments[2]->type)) return std::nullopt;
    copy_between_arrays(it, expr.range);
    return nullptr;
  }
  if (has("clone", 0) && it.receiver && array_type(*it.receiver)) return copy_of_array(it, expr);
  if (owner == "java.util.Arrays") {
    const bool is_known = !it.arguments.empty() && array_type(*it.arguments[0]).has_value();
    // The call may have the type of a less special array.
    if (has("copyOf", 2) && are_alike(it.arguments[0]->type, expr.type)) return copy_of_array(it, expr);
    if (is_known && has("fill", 2)) {
      const TypeId element = classes_.type(it.arguments[0]->type).element;
      const JavaType& type = classes_.type(element);
      const JavaType& given = classes_.type(it.arguments[1]->type);
      const bool fits = type.kind == JavaType::Kind::kPrimitive || given.kind == JavaType::Kind::kNull ||
                        (type.kind == JavaType::Kind::kClass && given.kind == JavaType::Kind::kClass &&
                         classes_.is_subclass(given.symbol, type.symbol));
      if (!fits) return std::nullopt;
      fill_array(it, expr.range);
      return nullptr;
    }
  }
  const bool has_text = method.parameters.size() == 2 &&
                        classes_.is_class(classes_.type(method.parameters[1]).symbol, "java.lang.String");
  const bool requires_object = has("requireNonNull", 1) || (has("requireNonNull", 2) && has_text);
  if (owner == "java.util.Objects" && requires_object && classes_.is_reference(it.arguments[0]->type) &&
      array_type(*it.arguments[0]) == array_type(expr)) {
    const Type type = lowering_.type_of(it.arguments[0]->type);
    Value object = stable(value(*it.arguments[0]), type, expr.range);
    if (has_text) effect(*it.arguments[1]);
    return stable(build::unary(plato::UnaryOp::kNonNull, std::move(object), expr.range), type, expr.range);
  }
  return std::nullopt;
}

// ----------------------------------------------------------------------------------------------------------------- numbers

Value Body::smaller_or_larger(const Call& it, const Expr& expr) {
  const Symbol& method = classes_.symbol(it.method);
  std::vector<Value> both = arguments(method, it.arguments, -1, expr.range);
  for (Value& one : both) one = stable(std::move(one), lowering_.type_of(method.type), expr.range);
  const auto op = method.name == "min" ? plato::BinaryOp::kLe : plato::BinaryOp::kGe;
  Value first = build::binary(op, build::copy(*both[0]), build::copy(*both[1]), expr.range);
  return build::conditional(std::move(first), std::move(both[0]), std::move(both[1]), expr.range);
}

// The smallest number has none: it stays what it is.
Value Body::absolute(const Call& it, const Expr& expr) {
  const TypeId type = classes_.symbol(it.method).type;
  Value number = stable(value_as(*it.arguments[0], type), lowering_.type_of(type), expr.range);
  Value negative = build::binary(plato::BinaryOp::kLt, build::copy(*number), build::number(0, expr.range), expr.range);
  Value opposite = build::unary(plato::UnaryOp::kMinus, build::copy(*number), expr.range);
  opposite = narrow(std::move(opposite), classes_.type(type).primitive, expr.range);
  return build::conditional(std::move(negative), std::move(opposite), std::move(number), expr.range);
}

// ------------------------------------------------------------------------------------------------------------------ arrays

// `round` for 0, 1, … count - 1.
void Body::repeat(const plato::Expr& count, const std::function<void(const std::string& index)>& round,
                  SourceRange range) {
  const std::string index = temporary(build::simple(Type::Kind::kInt), plato::Rhs(build::number(0, range)), range, "i");
  assigned_.insert(index);
  Statements body = into_new_list([&] {
    round(index);
    Value next = build::binary(plato::BinaryOp::kAdd, build::name(index, range), build::number(1, range), range);
    emit(build::assign(build::name(index, range), std::move(next), range));
  });
  Value goes_on = build::binary(plato::BinaryOp::kLt, build::name(index, range), build::copy(count), range);
  emit(build::loop_while(std::move(goes_on), std::move(body), range));
}

// Each element is read and written in a step of its own.
void Body::copy_elements(const Type& element, const Slice& from, const Slice& to, const plato::Expr& count,
                         bool backwards, SourceRange range) {
  repeat(
      count,
      [&](const std::string& index) {
        const auto place = [&](const Slice& slice) {
          Value at = build::name(index, range);
          if (backwards) {
            Value last = build::binary(plato::BinaryOp::kSub, build::copy(count), build::number(1, range), range);
            at = build::binary(plato::BinaryOp::kSub, std::move(last), std::move(at), range);
          }
          at = build::binary(plato::BinaryOp::kAdd, build::copy(*slice.first), std::move(at), range);
          return build::element(build::copy(*slice.array), std::move(at), range);
        };
        Value kept = read(place(from), element, range);
        emit(build::assign(place(to), std::move(kept), range));
      },
      range);
}

// a.clone(), Arrays.copyOf(a, n)
Value Body::copy_of_array(const Call& it, const Expr& expr) {
  const SourceRange range = expr.range;
  const Expr& written = it.receiver ? *it.receiver : *it.arguments[0];
  const Type type = lowering_.type_of(written.type);
  const Type integer = build::simple(Type::Kind::kInt);
  Value array = stable(value(written), type, range);
  Value size;
  if (!it.receiver) size = stable(primitive_value(*it.arguments[1]), integer, range);
  const std::string length =
      temporary(integer, plato::Rhs(build::field(build::copy(*array), "length", range)), range, "length");
  if (!size) size = build::name(length, range);
  plato::NewArray made;
  made.element = *type.first;
  made.size = build::copy(*size);
  Value copy = build::name(temporary(type, plato::Rhs(std::move(made)), range, "array"), range);
  Value fewer = build::binary(plato::BinaryOp::kLt, build::copy(*size), build::name(length, range), range);
  Value count = it.receiver ? std::move(size)
                            : build::conditional(std::move(fewer), std::move(size), build::name(length, range), range);
  const Slice from{std::move(array), build::number(0, range)};
  const Slice to{build::copy(*copy), build::number(0, range)};
  copy_elements(*type.first, from, to, *count, false, range);
  return copy;
}

// System.arraycopy(from, i, to, j, n): within one array as if all elements were read first, so backwards if they move up.
void Body::copy_between_arrays(const Call& it, SourceRange range) {
  const Type type = lowering_.type_of(it.arguments[0]->type);
  const Type integer = build::simple(Type::Kind::kInt);
  std::vector<std::function<Value()>> operands;
  for (const java::ExprPtr& one : it.arguments) {
    const bool is_array = classes_.type(one->type).kind == JavaType::Kind::kArray;
    operands.emplace_back([this, &one, is_array] { return is_array ? value(*one) : primitive_value(*one); });
  }
  std::vector<Value> given = in_order(operands, {type, integer, type, integer, integer}, range);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool is_array = i == 0 || i == 2;
    if (is_array) given[i] = build::unary(plato::UnaryOp::kNonNull, std::move(given[i]), range);
    given[i] = stable(std::move(given[i]), is_array ? type : integer, range);
  }
  const Slice from{std::move(given[0]), std::move(given[1])};
  const Slice to{std::move(given[2]), std::move(given[3])};
  const Value count = std::move(given[4]);
  std::vector<Value> inside;
  const auto is_natural = [&](const plato::Expr& number) {
    inside.push_back(build::binary(plato::BinaryOp::kLe, build::number(0, range), build::copy(number), range));
  };
  const auto fits = [&](const Slice& slice) {
    Value length = build::field(build::copy(*slice.array), "length", range);
    Value most = build::binary(plato::BinaryOp::kSub, std::move(length), build::copy(*count), range);
    inside.push_back(build::binary(plato::BinaryOp::kLe, build::copy(*slice.first), std::move(most), range));
  };
  is_natural(*from.first), is_natural(*to.first), is_natural(*count);
  fits(from), fits(to);
  plato::Assert bounds;
  bounds.condition = build::all_of(std::move(inside), range);
  bounds.kind = "array-bounds";
  emit(build::make(std::move(bounds), range));

  const auto copy = [&](bool backwards) {
    return into_new_list([&] { copy_elements(*type.first, from, to, *count, backwards, range); });
  };
  Value moves_up = build::binary(
      plato::BinaryOp::kAnd,
      build::binary(plato::BinaryOp::kEq, build::copy(*from.array), build::copy(*to.array), range),
      build::binary(plato::BinaryOp::kLt, build::copy(*from.first), build::copy(*to.first), range), range);
  emit(build::if_else(std::move(moves_up), copy(true), copy(false), range));
}

// Arrays.fill(a, e)
void Body::fill_array(const Call& it, SourceRange range) {
  const TypeId array_type = it.arguments[0]->type;
  const TypeId element = classes_.type(array_type).element;
  const Type type = lowering_.type_of(array_type);
  std::vector<Value> given =
      in_order({[&] { return value(*it.arguments[0]); }, [&] { return value_as(*it.arguments[1], element); }},
               {type, *type.first}, range);
  const Value array = stable(std::move(given[0]), type, range);
  const Value filling = stable(std::move(given[1]), *type.first, range);
  const std::string length = temporary(build::simple(Type::Kind::kInt),
                                       plato::Rhs(build::field(build::copy(*array), "length", range)), range, "length");
  repeat(
      *build::name(length, range),
      [&](const std::string& index) {
        emit(build::assign(build::element(build::copy(*array), build::name(index, range), range), build::copy(*filling),
                           range));
      },
      range);
}

}  // namespace concord::frontend::java
