// What the methods of an atomic variable do that is part of the object that holds it (lower_atomics.cc).
#include <utility>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

// The field that the expression names; -1: none that is part of its object.
SymbolId Body::atomic_variable(const Expr& expr) const {
  SymbolId field = -1;
  if (const auto* it = std::get_if<Name>(&expr.node)) field = it->symbol;
  if (const auto* it = std::get_if<Select>(&expr.node); it != nullptr && !it->is_length) field = it->symbol;
  return lowering_.atomic_field(field) == nullptr ? -1 : field;
}

// The local variable in place of an array of one stamp; null: it is an array.
Value Body::stamp_variable(const Expr& array) const {
  const auto* it = std::get_if<Name>(&array.node);
  if (it == nullptr || !lowering_.is_stamp_array(it->symbol)) return nullptr;
  return build::name(locals_.at(it->symbol), array.range);
}

// Arguments: what the variable holds is of the class that the program says.
std::vector<Value> Body::contents(SymbolId field, const std::vector<java::ExprPtr>& given, SourceRange range) {
  std::vector<std::function<Value()>> operands;
  std::vector<Type> types;
  for (const java::ExprPtr& one : given) {
    const JavaType::Kind kind = classes_.type(one->type).kind;
    const bool is_stamp = kind == JavaType::Kind::kPrimitive || unboxed(one->type);
    operands.emplace_back([&, is_stamp] { return is_stamp ? primitive_value(*one) : value(*one); });
    types.push_back(is_stamp                         ? lowering_.primitive_type(Prim::kInt)
                    : kind == JavaType::Kind::kArray ? lowering_.type_of(one->type)
                                                     : lowering_.field_type(field));
  }
  std::vector<Value> out = in_order(operands, types, range);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = stable(std::move(out[i]), types[i], range);
  return out;
}

// What `new` puts into an atomic variable of the object that is being constructed.
Value Body::initial_content(SymbolId field, const Expr& made) {
  const auto& it = std::get<New>(made.node);
  std::vector<Value> given = contents(field, it.arguments, made.range);
  Construction& into = *constructions_.back();
  if (lowering_.atomic_field(field)->is_stamped) {
    if (into.is_straight) {
      into.stamps[field] = stable(std::move(given[1]), lowering_.primitive_type(Prim::kInt), made.range);
    } else {
      emit(build::assign(build::copy(*into.stamps.at(field)), std::move(given[1]), made.range));
    }
  }
  return given.empty() ? build::null(made.range) : std::move(given.front());
}

Value Body::atomic_call(const Call& it, SymbolId field, SourceRange range) {
  const Symbol& symbol = classes_.symbol(field);
  const auto* selected = std::get_if<Select>(&it.receiver->node);
  Value owner = selected == nullptr ? this_with(symbol, range) : value(*selected->object);
  owner = stable(
      std::move(owner),
      selected == nullptr ? lowering_.type_of_class(symbol.owner) : lowering_.type_of(selected->object->type), range);
  std::vector<Value> given;
  const std::string& method = classes_.symbol(it.method).name;
  const bool fills_array = lowering_.atomic_field(field)->is_stamped && method == "get";
  const Value stamp_variable = fills_array ? this->stamp_variable(*it.arguments.front()) : nullptr;
  Statements before = into_new_list([&] {
    if (stamp_variable) return;
    given = contents(field, it.arguments, range);
  });
  // The object is looked at before the arguments are.
  if (!before.empty() && selected != nullptr) {
    owner = stable(build::unary(plato::UnaryOp::kNonNull, std::move(owner), range),
                   lowering_.type_of_class(symbol.owner), range);
  }
  for (auto& one : before) emit(std::move(one));
  return atomic_step({field, std::move(owner), range}, method, given, stamp_variable);
}

Value Body::atomic_step(const AtomicPlace& place, const std::string& method, const std::vector<Value>& given,
                        const Value& stamp_variable) {
  const SourceRange range = place.range;
  const SymbolId owner = classes_.symbol(place.field).owner;
  const bool is_stamped = lowering_.atomic_field(place.field)->is_stamped;
  const Type content = lowering_.field_type(place.field);
  const Type integer = lowering_.primitive_type(Prim::kInt);
  const auto reference = [&] {
    return build::field(build::copy(*place.owner), lowering_.field_name(place.field), range);
  };
  const auto stamp = [&] { return build::field(build::copy(*place.owner), lowering_.stamp_name(place.field), range); };
  const auto write = [&](std::size_t first) {
    check_not_freed(*place.owner, owner, false, range);
    emit(build::assign(reference(), build::copy(*given[first]), range));
    if (is_stamped) emit(build::assign(stamp(), build::copy(*given.back()), range));
  };
  const auto new_local = [&](const Type& type, const char* wanted) {
    const std::string name = temporary(type, std::nullopt, range, wanted);
    assigned_.insert(name);
    return name;
  };
  if (method == "compareAndSet") {
    const std::string done = new_local(build::simple(Type::Kind::kBool), "done");
    atomically(range, [&] {
      check_not_freed(*place.owner, owner, true, range);
      std::vector<Value> same;
      same.push_back(build::binary(plato::BinaryOp::kEq, reference(), build::copy(*given[0]), range));
      if (is_stamped) same.push_back(build::binary(plato::BinaryOp::kEq, stamp(), build::copy(*given[2]), range));
      Statements then = into_new_list([&] {
        write(1);
        emit(build::assign(build::name(done, range), build::truth(true, range), range));
      });
      emit(build::if_else(build::all_of(std::move(same), range), std::move(then), {}, range));
    });
    return build::name(done, range);
  }
  if (method == "set") {
    if (is_stamped || lowering_.is_freed(*place.owner, owner, false, range)) {
      atomically(range, [&] { write(0); });
    } else {
      write(0);
    }
    return nullptr;
  }
  if (method == "getAndSet" || (is_stamped && method == "get")) {
    const std::string old = new_local(content, "found");
    const std::string with = is_stamped ? new_local(integer, "stamp") : "";
    atomically(range, [&] {
      check_not_freed(*place.owner, owner, true, range);
      emit(build::assign(build::name(old, range), reference(), range));
      if (is_stamped) emit(build::assign(build::name(with, range), stamp(), range));
      if (method == "getAndSet") write(0);
    });
    if (is_stamped) {
      Value to = stamp_variable ? build::copy(*stamp_variable)
                                : build::element(build::copy(*given.front()), build::number(0, range), range);
      emit(build::assign(std::move(to), build::name(with, range), range));
    }
    return build::name(old, range);
  }
  return method == "getStamp" ? read_of(*place.owner, owner, stamp(), integer, range)
                              : read_of(*place.owner, owner, reference(), content, range);
}

}  // namespace concord::frontend::java
