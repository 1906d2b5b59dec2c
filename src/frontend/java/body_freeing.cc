// Objects that are freed and taken again: Concord.free, Concord.reused, and the check of every use in between.
#include <utility>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

void Body::check_not_freed(const plato::Expr& object, SymbolId type, bool for_reading, SourceRange range) {
  Value wrong = lowering_.is_freed(object, type, for_reading, range);
  if (!wrong) return;
  plato::Assert check;
  check.condition = build::negation(std::move(wrong), range);
  check.kind = "use-after-free";
  emit(build::make(std::move(check), range));
}

void Body::atomically(SourceRange range, const std::function<void()>& work) {
  if (in_atomic_ || before_step_ != nullptr) return work();
  in_atomic_ = true;
  plato::Atomic atomic;
  atomic.body = build::block(into_new_list(work), range);
  in_atomic_ = false;
  emit(build::make(std::move(atomic), range));
}

// Reads a field of the object, in one step with the check that it was not freed.
Value Body::read_of(const plato::Expr& object, SymbolId type, Value place, const Type& of, SourceRange range) {
  if (!lowering_.may_be_gone(type)) return read(std::move(place), of, range);
  const std::string name = temporary(of, std::nullopt, range);
  atomically(range, [&] {
    check_not_freed(object, type, true, range);
    emit(build::assign(build::name(name, range), std::move(place), range));
  });
  return build::name(name, range);
}

void Body::free_object(const Call& it, SourceRange range) {
  const Expr& argument = *it.arguments.front();
  const SymbolId type = classes_.type(argument.type).symbol;
  const Value object = stable(value(argument), lowering_.type_of(argument.type), range);
  if (lowering_.freed_roots(type).empty()) return;  // an error, and reported
  const auto mark = [&](const char* name) {
    return build::assign(build::field(build::copy(*object), name, range), build::truth(true, range), range);
  };
  atomically(range, [&] {
    check_not_freed(*object, type, false, range);
    const bool may_be_freed = lowering_.may_be_freed(type);
    if (!may_be_freed || !lowering_.may_be_gone(type)) {
      return emit(mark(may_be_freed ? Lowering::freed_mark() : Lowering::gone_mark()));
    }
    Statements freed = into_new_list([&] { emit(mark(Lowering::freed_mark())); });
    Statements gone = into_new_list([&] { emit(mark(Lowering::gone_mark())); });
    Value again = lowering_.tests_taken_again(object, range);
    emit(build::if_else(std::move(again), std::move(freed), std::move(gone), range));
  });
}

Value Body::reused_object(const Call& it, const Expr& expr) {
  const SourceRange range = expr.range;
  const auto* literal = std::get_if<ClassLiteral>(&it.arguments.front()->node);
  const TypeId type = literal == nullptr ? expr.type : literal->of;
  const std::string object = temporary(lowering_.type_of(type), std::nullopt, range, "reused");
  if (literal == nullptr || !lowering_.may_be_freed(classes_.type(type).symbol)) return build::name(object, range);
  const auto mark = [&] { return build::field(build::name(object, range), Lowering::freed_mark(), range); };
  atomically(range, [&] {
    plato::Havoc any;
    any.targets.push_back(build::name(object, range));
    emit(build::make(std::move(any), range));
    Value is_null = build::is_null(build::name(object, range), range);
    Value fits = build::binary(plato::BinaryOp::kOr, build::copy(*is_null), mark(), range);
    emit(build::make(plato::Assume{std::move(fits)}, range));
    Statements taken = into_new_list([&] { emit(build::assign(mark(), build::truth(false, range), range)); });
    emit(build::if_else(build::negation(std::move(is_null), range), std::move(taken), {}, range));
  });
  return build::name(object, range);
}

}  // namespace concord::frontend::java
