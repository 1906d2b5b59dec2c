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
  if (const SymbolId symbol = find_class(type.name, type.range); symbol >= 0) {
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
      if (it.kind != Symbol::Kind::kField || it.name != name) continue;
      return it.is_private && at != class_symbol ? -1 : member;  // private members are not inherited
    }
    for (SymbolId above : classes_.symbol(at).interfaces) {
      if (const SymbolId found = find_field(above, name); found >= 0) return found;
    }
  }
  return -1;
}

// As Java does, from the inside out: a class around the annotation, or one that such a class has or inherits. Then any
// other of the program, if there is only one.
SymbolId Clauses::find_class(const std::string& name, SourceRange range) const {
  const auto only = [&](const auto& fits) -> SymbolId {
    SymbolId found = -1;
    for (const ClassDecl* it : classes_.all()) {
      const Symbol& symbol = classes_.symbol(it->symbol);
      if ((symbol.name != name && symbol.qualified != name) || !fits(symbol)) continue;
      if (found >= 0) {
        lowering_.error(range, "there is more than one class " + name,
                        "one is " + classes_.symbol(found).qualified + ", another " + symbol.qualified);
        return found;
      }
      found = it->symbol;
    }
    return found;
  };
  for (SymbolId around = place_.class_symbol; around >= 0; around = classes_.symbol(around).outer) {
    if (classes_.symbol(around).name == name) return around;
    for (SymbolId at = around; at >= 0; at = classes_.symbol(at).superclass) {
      const SymbolId found = only([&](const Symbol& it) { return it.outer == at; });
      if (found >= 0) return found;
    }
  }
  if (const SymbolId found = only([](const Symbol&) { return true; }); found >= 0) return found;
  for (std::size_t id = 0; id < classes_.unit().symbols.size(); ++id) {
    const Symbol& it = classes_.unit().symbols[id];
    if (it.kind == Symbol::Kind::kClass && (it.qualified == name || it.qualified == "java.lang." + name)) {
      return static_cast<SymbolId>(id);
    }
  }
  return -1;
}

bool has_local(const Classes& classes, SymbolId around, const SourceRange& before, const std::string& name) {
  const std::vector<Symbol>& all = classes.unit().symbols;
  return around >= 0 && std::any_of(all.begin(), all.end(), [&](const Symbol& it) {
           const bool is_local = it.kind == Symbol::Kind::kLocal || it.kind == Symbol::Kind::kParameter;
           const bool is_before = it.range.file == before.file && it.range.begin < before.begin;
           return is_local && it.owner == around && it.name == name && is_before;
         });
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
    if (const SymbolId symbol = find_class(type.name, type.range); symbol >= 0)
      return {Typed::Kind::kObject, symbol, -1};
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
                          if (!place_.self.empty()) expr = self(expr->range);
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

Value Clauses::self(SourceRange range) const {
  if (place_.self.empty()) return nullptr;
  Value out = build::name(place_.self, range);
  return place_.through.empty() ? std::move(out) : build::field(std::move(out), place_.through, range);
}

Value Clauses::instance_around(SymbolId wanted, SourceRange range) {
  uses_this_ = true;
  Value object = self(range);
  for (SymbolId at = place_.class_symbol; at != wanted; at = classes_.symbol(at).outer) {
    if (at < 0 || !classes_.symbol(at).has_outer_instance) return nullptr;
    // A clause of a class names its fields bare.
    const std::string outer = lowering_.outer_field(at);
    object = object ? build::field(std::move(object), outer, range) : build::name(outer, range);
  }
  return object ? std::move(object) : build::self(range);
}

void Clauses::refuse_unused(const std::string& name, SourceRange range) {
  lowering_.error(range, "`" + name + "` is a local variable of the code around, and not used here",
                  "only what the class or lambda expression uses itself is known in its annotations");
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
      if (!local->is_known) refuse_unused(it.name, range);
      it.name = local->name;
      if (!local->object.empty()) expr = build::field(build::name(local->object, range), local->name, range);
      return of_type(local->type);
    }
  }
  // Of `this`, or of the instance around it that is of the class `around`; ends `it`.
  const auto of_instance = [&](SymbolId around, const std::string& field) {
    uses_this_ = true;
    if (!place_.has_this) {
      lowering_.error(range, "`" + it.name + "` belongs to an object, and there is no `this` here",
                      "name the object, or put the annotation where there is one");
      return;
    }
    Value object = around == place_.class_symbol ? self(range) : instance_around(around, range);
    if (around != place_.class_symbol && !object) return;  // there is none: the name is left as it is, unknown
    object = object ? build::field(std::move(object), field, range) : build::name(field, range);
    expr = std::move(object);
    if (auto* made = std::get_if<plato::FieldExpr>(&expr->node)) made->primed = primed;
    if (auto* made = std::get_if<plato::NameExpr>(&expr->node)) made->primed = primed;
  };
  for (SymbolId at = place_.class_symbol; at >= 0; at = classes_.symbol(at).outer) {
    if (const auto ghost = lowering_.ghost_field(at, it.name)) {
      const Typed out = of_plato(*ghost);
      of_instance(at, std::string(it.name));
      return out;
    }
    const SymbolId found = find_field(at, it.name);
    if (found < 0) {
      const ClassDecl* declaration = classes_.declaration(at);
      if (declaration == nullptr) continue;
      for (const SymbolId local : classes_.captured(*declaration)) {
        if (classes_.symbol(local).name != it.name) continue;
        of_instance(at, lowering_.captured_field(local));
        return of_type(classes_.symbol(local).type);
      }
      const Symbol& local = classes_.symbol(at);
      const SymbolId around = local.outer_method < 0 && local.is_local ? local.outer : local.outer_method;
      if (!has_local(classes_, around, local.range, it.name)) continue;
      refuse_unused(it.name, range);
      return {};
    }
    const Symbol& symbol = classes_.symbol(found);
    if (symbol.is_static) {
      static_field(expr, found, primed);
    } else {
      of_instance(at, lowering_.field_name(found));
    }
    return of_type(symbol.type);
  }
  if (it.name == "holder" || it.name == "depth") {
    const bool is_holder = it.name == "holder";
    of_instance(place_.class_symbol, std::string(it.name));
    return is_holder ? Typed{Typed::Kind::kTid, -1, -1} : Typed{};
  }
  if (it.name == "start" && classes_.is_subclass(place_.class_symbol, lowering_.thread_symbol())) {
    uses_this_ = true;
    Value identity = build::name(lowering_.identity_field(), range);
    if (!place_.self.empty()) identity = build::field(self(range), lowering_.identity_field(), range);
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
    const bool is_variable =
        (place_.local && place_.local(base->name)) || find_field(place_.class_symbol, base->name) >= 0 ||
        std::any_of(bound_.begin(), bound_.end(), [&](const auto& bound) { return bound.first == base->name; });
    const SymbolId own = is_variable && it.field != "class" ? -1 : find_class(base->name, range);
    if (own >= 0 && it.field == "class") {
      expr = build::name(lowering_.class_monitor(own), range);
      return {};
    }
    if (own >= 0) {
      const SymbolId found = find_field(own, it.field);
      if (found >= 0 && classes_.symbol(found).is_static) {
        static_field(expr, found, it.primed);
        return of_type(classes_.symbol(found).type);
      }
    }
  }
  const Typed object = visit(it.object);
  const auto is_holder = [&] { return it.field == "holder" ? Typed{Typed::Kind::kTid, -1, -1} : Typed{}; };
  if (object.kind != Typed::Kind::kObject) return is_holder();
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
    return {};
  }
  return is_holder();
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
  const SymbolId wanted = find_class(it.procedure, expr->range);
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
