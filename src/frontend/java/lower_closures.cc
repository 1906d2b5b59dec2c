// Lambda expressions and method references: each is a class of its own, with one procedure.
#include <algorithm>
#include <utility>

#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

void Lowering::find_closures() {
  for (const ClassDecl* declaration : classes_.all()) {
    // Each expression belongs to the innermost class around it.
    const auto look = [&](const Expr& expr) {
      const auto* lambda = std::get_if<Lambda>(&expr.node);
      const auto* reference = std::get_if<MethodRef>(&expr.node);
      if (lambda == nullptr && reference == nullptr) return;
      auto made = std::make_unique<Closure>();
      made->lambda = lambda;
      made->reference = reference;
      made->interface_symbol = lambda != nullptr ? lambda->interface_symbol : reference->interface_symbol;
      made->method = lambda != nullptr ? lambda->method : reference->method;
      made->around = declaration->symbol;
      made->range = expr.range;
      if (lambda != nullptr) {
        made->captured = classes_.captured(*lambda);
        made->captures_this = classes_.uses_this(*lambda);
        made->may_throw = classes_.may_throw(*lambda);
      } else {
        made->may_throw = reference->target >= 0 && classes_.may_throw(reference->target);
      }
      made->class_name = names_.fresh(name_of_class(declaration->symbol) + "_lambda");
      made->procedure = names_.fresh(made->class_name + "_run");
      Closure* const it = made.get();
      closure_order_.push_back(it);
      closures_[&expr] = std::move(made);
    };
    const auto visit = [&](const auto& self, const auto& part) -> void {
      if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) look(part);
      const auto again = [&](const auto& inner) { self(self, inner); };
      Parts{again, again, [](const ClassDecl&) {}}.of(part);
    };
    visit(visit, *declaration);
  }
}

void Lowering::use(Closure& closure) {
  if (std::exchange(closure.is_used, true)) return;
  tasks_.emplace_back([this, &closure] { lower_closure(closure); });
}

std::vector<const Closure*> Lowering::closures_for(SymbolId method) {
  std::vector<const Closure*> out;
  for (Closure* it : closure_order_) {
    const std::vector<SymbolId>& overrides = classes_.symbol(it->method).overrides;
    if (it->method != method && std::find(overrides.begin(), overrides.end(), method) == overrides.end()) continue;
    use(*it);
    out.push_back(it);
  }
  return out;
}

std::vector<const Closure*> Lowering::closures_of(SymbolId interface_symbol) {
  std::vector<const Closure*> out;
  for (Closure* it : closure_order_) {
    if (!classes_.is_subclass(it->interface_symbol, interface_symbol)) continue;
    use(*it);
    out.push_back(it);
  }
  return out;
}

const Closure& Lowering::closure(const Expr& expr) {
  Closure& it = *closures_.at(&expr);
  use(it);
  return it;
}

void Lowering::lower_closure(const Closure& closure) {
  Body body(*this, closure.around, false);
  const std::string self = body.add_parameter("self", build::named(closure.class_name));
  body.use_closure(self, closure);
  const Symbol& method = classes_.symbol(closure.method);
  body.set_result(type_of(method.type), method.type);
  if (closure.may_throw) body.set_throws();
  if (closure.lambda != nullptr) {
    const Lambda& it = *closure.lambda;
    for (std::size_t i = 0; i < it.parameters.size(); ++i)
      body.add_lambda_parameter(it.parameters[i].symbol, method.parameters[i]);
    if (it.block) {
      body.lower_body(*it.block, false, "");
    } else {
      body.return_expression(*it.expression);
    }
  } else {
    body.call_referenced(*closure.reference, method);
  }
  const bool has_braces = closure.lambda != nullptr && closure.lambda->block;
  emit_procedure(has_braces ? body.finish(closure.procedure, closure.range, closure.range)
                            : body.finish_without_braces(closure.procedure, closure.range));
}

}  // namespace concord::frontend::java
