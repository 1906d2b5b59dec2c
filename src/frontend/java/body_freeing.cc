// Objects that are freed and taken again: Concord.free, Concord.reused, and the check of every use in between.
#include <utility>

#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

// A step of its own: what is used between it and a later free is used after the free on another run, where this step waits.
void Body::check_not_freed(const plato::Expr& object, SymbolId type, bool for_reading, SourceRange range) {
  Value wrong = lowering_.is_freed(object, type, for_reading, range);
  if (!wrong) return;
  plato::Assert check;
  check.condition = build::negation(std::move(wrong), range);
  check.kind = "use-after-free";
  emit(build::make(std::move(check), range));
}

void Body::free_object(const Call& it, SourceRange range) {
  const Expr& argument = *it.arguments.front();
  const SymbolId type = classes_.type(argument.type).symbol;
  const Value object = stable(value(argument), lowering_.type_of(argument.type), range);
  if (lowering_.freed_roots(type).empty()) return;  // an error, and reported
  const auto mark = [&](const char* name) {
    return build::assign(build::field(build::copy(*object), name, range), build::truth(true, range), range);
  };
  Statements inside = into_new_list([&] { check_not_freed(*object, type, false, range); });
  const bool may_be_freed = lowering_.may_be_freed(type);
  const bool may_be_gone = lowering_.may_be_gone(type);
  if (may_be_freed && may_be_gone) {
    Statements freed;
    Statements gone;
    freed.push_back(mark(Lowering::freed_mark()));
    gone.push_back(mark(Lowering::gone_mark()));
    inside.push_back(build::if_else(lowering_.tests_taken_again(build::copy(*object), range), std::move(freed),
                                    std::move(gone), range));
  } else {
    inside.push_back(mark(may_be_freed ? Lowering::freed_mark() : Lowering::gone_mark()));
  }
  plato::Atomic atomic;
  atomic.body = build::block(std::move(inside), range);
  emit(build::make(std::move(atomic), range));
}

Value Body::reused_object(const Call& it, const Expr& expr) {
  const SourceRange range = expr.range;
  const auto* literal = std::get_if<ClassLiteral>(&it.arguments.front()->node);
  const TypeId type = literal == nullptr ? expr.type : literal->of;
  const std::string object = temporary(lowering_.type_of(type), std::nullopt, range, "reused");
  if (literal == nullptr || !lowering_.may_be_freed(classes_.type(type).symbol)) return build::name(object, range);
  const auto mark = [&] { return build::field(build::name(object, range), Lowering::freed_mark(), range); };
  Statements inside;
  plato::Havoc any;
  any.targets.push_back(build::name(object, range));
  inside.push_back(build::make(std::move(any), range));
  Value is_null = build::is_null(build::name(object, range), range);
  Value fits = build::binary(plato::BinaryOp::kOr, build::copy(*is_null), mark(), range);
  inside.push_back(build::make(plato::Assume{std::move(fits)}, range));
  Statements taken;
  taken.push_back(build::assign(mark(), build::truth(false, range), range));
  inside.push_back(build::if_else(build::negation(std::move(is_null), range), std::move(taken), {}, range));
  plato::Atomic atomic;
  atomic.body = build::block(std::move(inside), range);
  emit(build::make(std::move(atomic), range));
  return build::name(object, range);
}

}  // namespace concord::frontend::java
