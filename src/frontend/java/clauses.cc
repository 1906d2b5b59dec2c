#include "frontend/java/clauses.h"

#include <algorithm>
#include <utility>

#include "base/overloaded.h"

namespace concord::frontend::java {

using plato::Type;

void Clauses::translate(Value& expr) {
  if (expr) visit(expr);
}
void Clauses::translate(std::vector<Value>& list) {
  for (Value& it : list) translate(it);
}
void Clauses::translate(plato::TwoState& predicate) {
  translate(predicate.predicate);
  if (predicate.frame) translate(*predicate.frame);
}
void Clauses::translate(plato::LoopSpec& spec) {
  translate(spec.invariants);
  if (spec.modifies) translate(*spec.modifies);
}
void Clauses::translate(plato::GhostSet& set) {
  const Typed target = visit(set.target);
  const Typed value = visit(set.value);
  if (target.kind == Typed::Kind::kTid) to_tid(set.value, value);
}
void Clauses::translate(plato::Contract& contract) {
  translate(contract.requires_);
  translate(contract.ensures);
  translate(contract.signals);
  if (contract.modifies) translate(*contract.modifies);
  for (plato::Action& it : contract.actions) {
    translate(it.also_modifies);
    translate(it.ensures);
  }
}

Type Clauses::translate(const Type& type) {
  Type out = type;
  if (type.first) out.first = std::make_shared<const Type>(translate(*type.first));
  if (type.second) out.second = std::make_shared<const Type>(translate(*type.second));
  if (type.kind != Type::Kind::kNamed) return out;
  if (type.name == "boolean") out.kind = Type::Kind::kBool;
  if (type.name == "byte" || type.name == "short" || type.name == "char" || type.name == "long")
    out.kind = Type::Kind::kInt;
  if (type.name == "Thread") out.kind = Type::Kind::kTid;
  if (out.kind != Type::Kind::kNamed) {
    out.name.clear();
    return out;
  }
  if (const SymbolId symbol = find_class(type.name); symbol >= 0) {
    const SourceRange range = out.range;
    out = lowering_.type_of_class(symbol);
    out.range = range;
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------------------ lookup

SymbolId Clauses::find_field(SymbolId class_symbol, const std::string& name) const {
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    for (SymbolId member : classes_.symbol(at).members) {
      const Symbol& it = classes_.symbol(member);
      if (it.kind == Symbol::Kind::kField && it.name == name) return member;
    }
  }
  return -1;
}

SymbolId Clauses::find_class(const std::string& name) const {
  for (const ClassDecl* it : classes_.all()) {
    if (classes_.symbol(it->symbol).name == name || classes_.symbol(it->symbol).qualified == name) return it->symbol;
  }
  for (std::size_t id = 0; id < classes_.unit().symbols.size(); ++id) {
    const Symbol& it = classes_.unit().symbols[id];
    if (it.kind == Symbol::Kind::kClass && (it.qualified == name || it.qualified == "java.lang." + name)) {
      return static_cast<SymbolId>(id);
    }
  }
  return -1;
}

Clauses::Typed Clauses::of_type(TypeId type) const {
  if (type < 0) return {};
  const JavaType& it = classes_.type(type);
  if (it.kind == JavaType::Kind::kClass) return {Typed::Kind::kObject, it.symbol, type};
  if (it.kind == JavaType::Kind::kArray) return {Typed::Kind::kArray, -1, type};
  return {};
}

Clauses::Typed Clauses::of_plato(const Type& type) const {
  if (type.kind == Type::Kind::kTid) return {Typed::Kind::kTid, -1, -1};
  if (type.kind == Type::Kind::kNamed) {
    if (type.name == "Thread") return {Typed::Kind::kTid, -1, -1};
    if (const SymbolId symbol = find_class(type.name); symbol >= 0) return {Typed::Kind::kObject, symbol, -1};
  }
  return {};
}

// ------------------------------------------------------------------------------------------------------------- expressions

Clauses::Typed Clauses::visit(Value& expr) {
  const auto plain = [&](auto&... parts) {
    (visit(parts), ...);
    return Typed{};
  };
  return std::visit(base::Overloaded{
                        [&](plato::NullLit&) {
                          return Typed{Typed::Kind::kNull, -1, -1};
                        },
                        [&](plato::NoneLit&) {
                          return Typed{Typed::Kind::kTid, -1, -1};
                        },
                        [&](plato::TidExpr&) {
                          return Typed{Typed::Kind::kTid, -1, -1};
                        },
                        [&](plato::ThisExpr&) {
                          uses_this_ = true;
                          if (!place_.self.empty()) expr = build::name(place_.self, expr->range);
                          return Typed{Typed::Kind::kObject, place_.class_symbol, -1};
                        },
                        [&](plato::NameExpr&) { return name(expr); },
                        [&](plato::FieldExpr&) { return field(expr); },
                        [&](plato::IndexExpr& it) {
                          const Typed base = visit(it.base);
                          visit(it.index);
                          return base.kind == Typed::Kind::kArray ? of_type(classes_.type(base.java).element) : Typed{};
                        },
                        [&](plato::UnaryExpr& it) { return plain(it.operand); },
                        [&](plato::BinaryExpr&) { return comparison(expr); },
                        [&](plato::ConditionalExpr& it) {
                          visit(it.condition);
                          const Typed then = visit(it.then);
                          const Typed otherwise = visit(it.otherwise);
                          return then.kind == Typed::Kind::kNull ? otherwise : then;
                        },
                        [&](plato::OldExpr& it) { return visit(it.operand); },
                        [&](plato::QuantifierExpr& it) {
                          for (plato::BoundVariable& variable : it.variables) {
                            bound_.emplace_back(variable.name, of_plato(variable.type));
                            variable.type = translate(variable.type);
                          }
                          visit(it.body);
                          bound_.resize(bound_.size() - it.variables.size());
                          return Typed{};
                        },
                        [&](plato::SetLit& it) {
                          for (Value& element : it.elements) to_tid(element, visit(element));
                          return Typed{};
                        },
                        [&](plato::MapConst& it) { return plain(it.value); },
                        [&](plato::MapUpdate& it) { return plain(it.map, it.key, it.value); },
                        [&](plato::SizeExpr& it) { return plain(it.set); },
                        [&](plato::InstanceOf&) { return instance_of(expr); },
                        [&](plato::CastExpr& it) { return plain(it.operand); },
                        [&](plato::WrapExpr& it) { return plain(it.operand); },
                        [&](plato::HoldsExpr& it) { return plain(it.lock); },
                        [&](plato::ShapeExpr& it) {
                          const Typed from = visit(it.from);
                          if (it.to) visit(it.to);
                          const SymbolId found = find_field(from.class_symbol, it.field);
                          if (found >= 0) it.field = lowering_.field_name(found);
                          return Typed{};
                        },
                        [](auto&) { return Typed{}; },
                    },
                    expr->node);
}

Clauses::Typed Clauses::name(Value& expr) {
  auto& it = std::get<plato::NameExpr>(expr->node);
  const SourceRange range = expr->range;
  const bool primed = it.primed;
  for (auto bound = bound_.rbegin(); bound != bound_.rend(); ++bound) {
    if (bound->first == it.name) return bound->second;
  }
  if (place_.local) {
    if (const auto local = place_.local(it.name)) {
      it.name = local->name;
      return of_type(local->type);
    }
  }
  const auto of_this = [&](const std::string& field) {
    uses_this_ = true;
    if (place_.self.empty()) {
      it.name = field;  // a clause of a class names its fields bare
      return;
    }
    expr = build::field(build::name(place_.self, range), field, range);
    std::get<plato::FieldExpr>(expr->node).primed = primed;
  };
  if (it.name == "holder" || it.name == "depth") {
    const bool is_holder = it.name == "holder";
    of_this(std::string(it.name));  // ends `it`
    return is_holder ? Typed{Typed::Kind::kTid, -1, -1} : Typed{};
  }
  for (SymbolId at = place_.class_symbol; at >= 0; at = classes_.symbol(at).outer) {
    if (const auto ghost = lowering_.ghost_field(at, it.name)) {
      const Typed out = of_plato(*ghost);
      of_this(std::string(it.name));
      return out;
    }
    const SymbolId found = find_field(at, it.name);
    if (found < 0) continue;
    const Symbol& symbol = classes_.symbol(found);
    if (symbol.is_static) {
      static_field(expr, found, primed);
    } else {
      of_this(lowering_.field_name(found));
    }
    return of_type(symbol.type);
  }
  if (it.name == "start" && classes_.is_subclass(place_.class_symbol, lowering_.thread_symbol())) {
    uses_this_ = true;
    Value identity = build::name(lowering_.identity_field(), range);
    if (!place_.self.empty())
      identity = build::field(build::name(place_.self, range), lowering_.identity_field(), range);
    expr = build::binary(plato::BinaryOp::kNe, std::move(identity), build::none(range), range);
  }
  return {};
}

// The variable; of a constant its value, as in code.
void Clauses::static_field(Value& expr, SymbolId field, bool primed) {
  const Symbol& symbol = classes_.symbol(field);
  const SourceRange range = expr->range;
  const Type type = lowering_.type_of(symbol.type);
  if (symbol.constant && type.kind == Type::Kind::kInt) {
    expr = build::number(std::stoll(*symbol.constant), range);
  } else if (symbol.constant && type.kind == Type::Kind::kBool) {
    expr = build::truth(*symbol.constant == "true" || *symbol.constant == "1", range);
  } else {
    expr = build::name(lowering_.static_name(field), range);
    std::get<plato::NameExpr>(expr->node).primed = primed;
  }
}

Clauses::Typed Clauses::field(Value& expr) {
  auto& it = std::get<plato::FieldExpr>(expr->node);
  const SourceRange range = expr->range;
  // C.f
  if (const auto* base = std::get_if<plato::NameExpr>(&it.object->node)) {
    const SymbolId own = find_class(base->name);
    const bool is_variable =
        (place_.local && place_.local(base->name)) || find_field(place_.class_symbol, base->name) >= 0;
    if (own >= 0 && it.field == "class") {
      expr = build::name(lowering_.class_monitor(own), range);
      return {};
    }
    if (own >= 0 && !is_variable) {
      const SymbolId found = find_field(own, it.field);
      if (found >= 0 && classes_.symbol(found).is_static) {
        static_field(expr, found, it.primed);
        return of_type(classes_.symbol(found).type);
      }
    }
  }
  const Typed object = visit(it.object);
  if (it.field == "holder") return {Typed::Kind::kTid, -1, -1};
  if (object.kind != Typed::Kind::kObject) return {};
  for (SymbolId at = object.class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (const auto ghost = lowering_.ghost_field(at, it.field)) return of_plato(*ghost);
  }
  const SymbolId found = find_field(object.class_symbol, it.field);
  if (found >= 0) {
    it.field = lowering_.field_name(found);
    return of_type(classes_.symbol(found).type);
  }
  if (it.field == "start" && classes_.is_subclass(object.class_symbol, lowering_.thread_symbol())) {
    it.field = lowering_.identity_field();
    expr = build::binary(plato::BinaryOp::kNe, std::move(expr), build::none(range), range);
  }
  return {};
}

void Clauses::to_tid(Value& expr, const Typed& typed) {
  const SourceRange range = expr->range;
  if (typed.kind == Typed::Kind::kNull) expr = build::none(range);
  if (typed.kind != Typed::Kind::kObject) return;
  if (!classes_.is_subclass(typed.class_symbol, lowering_.thread_symbol())) return;
  Value identity = build::field(build::copy(*expr), lowering_.identity_field(), range);
  expr = build::conditional(build::is_null(std::move(expr), range), build::none(range), std::move(identity), range);
}

Clauses::Typed Clauses::comparison(Value& expr) {
  auto& it = std::get<plato::BinaryExpr>(expr->node);
  const Typed left = visit(it.left);
  const Typed right = visit(it.right);
  const bool compares = it.op == plato::BinaryOp::kEq || it.op == plato::BinaryOp::kNe;
  if (compares && left.kind == Typed::Kind::kTid) to_tid(it.right, right);
  if (compares && right.kind == Typed::Kind::kTid) to_tid(it.left, left);
  if (it.op == plato::BinaryOp::kIn) to_tid(it.left, left);
  return {};
}

Clauses::Typed Clauses::instance_of(Value& expr) {
  auto& it = std::get<plato::InstanceOf>(expr->node);
  const Typed operand = visit(it.thread);
  const SymbolId wanted = find_class(it.procedure);
  if (wanted < 0) return {};
  std::vector<Value> any;
  if (operand.kind == Typed::Kind::kTid) {
    for (SymbolId one : classes_.instances_of(wanted)) {
      if (!classes_.is_subclass(one, lowering_.thread_symbol())) continue;
      any.push_back(build::instance_of(build::copy(*it.thread), lowering_.thread_entry(one), expr->range));
    }
  } else if (!classes_.symbol(wanted).is_interface) {
    it.procedure = lowering_.class_name(wanted);
    return {};
  } else {
    for (SymbolId one : classes_.instances_of(wanted)) {
      any.push_back(build::instance_of(build::copy(*it.thread), lowering_.class_name(one), expr->range));
    }
  }
  expr = build::any_of(std::move(any), expr->range);
  return {};
}

}  // namespace concord::frontend::java
