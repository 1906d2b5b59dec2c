// What names and types mean in a clause: as in Java, from the inside out.
#include <algorithm>
#include <set>
#include <utility>

#include "frontend/java/clauses.h"

namespace concord::frontend::java {

using plato::Type;

// ------------------------------------------------------------------------------------------------------------------ lookup

bool Clauses::is_inherited(const Member& member, SymbolId class_symbol) const {
  if (member.ghost != nullptr) return true;
  const Symbol& it = classes_.symbol(member.field);
  if (it.is_public || it.is_protected || it.is_private) return !it.is_private;
  const auto package_of = [&](SymbolId at) {
    while (classes_.symbol(at).outer >= 0) at = classes_.symbol(at).outer;
    const std::string& name = classes_.symbol(at).qualified;
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? "" : name.substr(0, dot);
  };
  return package_of(member.owner) == package_of(class_symbol);
}

// Its own, or the one that it inherits.
std::optional<Clauses::Member> Clauses::find_member(SymbolId class_symbol, const std::string& name) const {
  if (class_symbol < 0) return std::nullopt;
  const Symbol& symbol = classes_.symbol(class_symbol);
  for (SymbolId member : symbol.members) {
    const Symbol& it = classes_.symbol(member);
    if (it.kind == Symbol::Kind::kField && it.name == name) return Member{member, nullptr, class_symbol};
  }
  if (const Type* ghost = lowering_.ghost_field(class_symbol, name)) return Member{-1, ghost, class_symbol};
  std::vector<SymbolId> above = symbol.interfaces;
  above.insert(above.begin(), symbol.superclass);
  std::optional<Member> out;
  for (const SymbolId at : above) {
    const auto found = find_member(at, name);
    if (!found || !is_inherited(*found, class_symbol)) continue;
    if (!out) out = found;
    if (out->field != found->field || out->ghost != found->ghost) out->is_ambiguous = true;
  }
  return out;
}

// From the inside out.
Clauses::Found Clauses::look_up(const std::string& name) const {
  Found out;
  const auto bound = std::find_if(bound_.rbegin(), bound_.rend(), [&](const auto& it) { return it.first == name; });
  if (bound != bound_.rend()) {
    out.kind = Found::Kind::kBound;
    out.bound = bound->second;
    return out;
  }
  if (const auto local = place_.local ? place_.local(name) : std::nullopt) {
    out.kind = local->is_known ? Found::Kind::kLocal : Found::Kind::kUnused;
    out.local = *local;
    return out;
  }
  for (SymbolId at = place_.class_symbol; at >= 0; at = classes_.symbol(at).outer) {
    out.around = at;
    if (const auto member = find_member(at, name)) {
      out.kind = Found::Kind::kMember;
      out.member = *member;
      return out;
    }
    const ClassDecl* declaration = classes_.declaration(at);
    if (declaration == nullptr) continue;
    for (const SymbolId local : classes_.captured(*declaration)) {
      if (classes_.symbol(local).name != name) continue;
      out.kind = Found::Kind::kCaptured;
      out.captured = local;
      return out;
    }
    const Symbol& local = classes_.symbol(at);
    const SymbolId around = local.outer_method < 0 && local.is_local ? local.outer : local.outer_method;
    if (!has_local(classes_, around, local.range, name)) continue;
    out.kind = Found::Kind::kUnused;
    return out;
  }
  return {};
}

template <class Fits>
SymbolId Clauses::only_class(const std::string& name, SourceRange range, const Fits& fits) const {
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
}

// A class around the annotation, or one that such a class has or inherits.
SymbolId Clauses::find_around(const std::string& name, SymbolId around, SourceRange range) const {
  for (; around >= 0; around = classes_.symbol(around).outer) {
    if (classes_.symbol(around).name == name) return around;
    for (SymbolId at = around; at >= 0; at = classes_.symbol(at).superclass) {
      const SymbolId found = only_class(name, range, [&](const Symbol& it) {
        return it.outer == at && !it.is_local && (at == around || !it.is_private);
      });
      if (found >= 0) return found;
    }
    const SymbolId found = only_class(name, range, [&](const Symbol& it) {
      const bool is_member = it.outer >= 0 && !it.is_local && classes_.symbol(it.outer).is_interface;
      return is_member && classes_.is_subclass(around, it.outer);
    });
    if (found >= 0) return found;
  }
  return -1;
}

// As Java does, from the inside out. Then any other of the program, if there is only one. A local class is known in a part
// of a method only, so it must not have the name of another one.
SymbolId Clauses::find_class(const std::string& name, SymbolId around, SourceRange range) const {
  const auto any_of = [&](const auto& fits) { return only_class(name, range, fits); };
  const auto known = [&](const std::string& qualified) -> SymbolId {
    const std::vector<Symbol>& all = classes_.unit().symbols;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Symbol& it) {
      return it.kind == Symbol::Kind::kClass && it.qualified == qualified;
    });
    return found == all.end() ? -1 : static_cast<SymbolId>(found - all.begin());
  };
  SymbolId found = find_around(name, around, range);
  if (found < 0) {
    found = any_of([&](const Symbol& it) { return it.outer < 0 && !lowering_.is_stub(it.range); });
  }
  if (found < 0) found = known("java.lang." + name);
  if (found < 0) found = any_of([](const Symbol& it) { return !it.is_local; });
  if (found < 0) found = known(name);
  SymbolId outermost = around;
  while (outermost >= 0 && classes_.symbol(outermost).outer >= 0) outermost = classes_.symbol(outermost).outer;
  const auto is_near = [&](const Symbol& it) {
    SymbolId at = it.outer;
    while (at >= 0 && classes_.symbol(at).outer >= 0) at = classes_.symbol(at).outer;
    return it.is_local && at == outermost;
  };
  const SymbolId local = any_of(is_near);
  if (local < 0 || local == found) return found;
  if (found < 0) return local;
  lowering_.error(range, "there is more than one class " + name,
                  "one is " + classes_.symbol(found).qualified + ", another " + classes_.symbol(local).qualified);
  return found;
}

SymbolId Clauses::class_of_path(const plato::Expr& expr, bool is_literal) const {
  if (const auto* it = std::get_if<plato::NameExpr>(&expr.node)) {
    if (!is_literal && look_up(it->name).kind != Found::Kind::kNothing) return -1;
    return find_class(it->name, place_.class_symbol, expr.range);
  }
  const auto* it = std::get_if<plato::FieldExpr>(&expr.node);
  const SymbolId owner = it == nullptr ? -1 : class_of_path(*it->object, false);
  if (owner < 0 || (!is_literal && find_member(owner, it->field))) return -1;
  return only_class(it->field, expr.range,
                    [&](const Symbol& inner) { return inner.outer == owner && !inner.is_local; });
}

bool has_local(const Classes& classes, SymbolId around, const SourceRange& before, const std::string& name) {
  const std::vector<Symbol>& all = classes.unit().symbols;
  return around >= 0 && std::any_of(all.begin(), all.end(), [&](const Symbol& it) {
           const bool is_local = it.kind == Symbol::Kind::kLocal || it.kind == Symbol::Kind::kParameter;
           const bool is_before = it.range.file == before.file && it.range.begin < before.begin;
           return is_local && it.owner == around && it.name == name && is_before;
         });
}

// ------------------------------------------------------------------------------------------------------------------- types

Clauses::Typed Clauses::of_type(TypeId type) const {
  if (type < 0) return {};
  const JavaType& it = classes_.type(type);
  if (it.kind == JavaType::Kind::kPrimitive) {
    const bool is_float = it.primitive == Prim::kFloat || it.primitive == Prim::kDouble;
    return {is_float ? Typed::Kind::kFloat : Typed::Kind::kOther};
  }
  if (it.kind == JavaType::Kind::kArray) {
    return {Typed::Kind::kArray, -1, std::make_shared<const Typed>(of_type(it.element))};
  }
  if (it.kind != JavaType::Kind::kClass) return {};
  if (!classes_.is_class(it.symbol, "concord.PerThread")) return {Typed::Kind::kObject, it.symbol};
  return {Typed::Kind::kMap, -1, std::make_shared<const Typed>(),
          std::make_shared<const Typed>(Typed{Typed::Kind::kTid})};
}

Clauses::Typed Clauses::of_plato(const Type& type, SymbolId around) const {
  const auto part = [&](const std::shared_ptr<const Type>& it) {
    return std::make_shared<const Typed>(of_plato(*it, around));
  };
  switch (type.kind) {
    case Type::Kind::kTid: return {Typed::Kind::kTid};
    case Type::Kind::kArray: return {Typed::Kind::kArray, -1, part(type.first)};
    case Type::Kind::kSet: return {Typed::Kind::kSet, -1, part(type.first)};
    case Type::Kind::kMap: return {Typed::Kind::kMap, -1, part(type.second), part(type.first)};
    case Type::Kind::kNamed: break;
    default: return {};
  }
  static const std::set<std::string> kPrimitive = {"boolean", "byte", "short", "char", "long"};
  if (kPrimitive.contains(type.name)) return {};
  const SymbolId symbol = find_class(type.name, around, type.range);
  const bool is_unknown = symbol < 0 && type.name != "Thread";  // which the program need not mention
  if (is_unknown) return {Typed::Kind::kRefused};
  if (symbol == lowering_.thread_symbol()) return {Typed::Kind::kTid};
  return {Typed::Kind::kObject, symbol};
}

Clauses::Typed Clauses::of_member(const Member& member) const {
  if (member.ghost != nullptr) return of_plato(*member.ghost, member.owner);
  Typed out = of_type(classes_.symbol(member.field).type);
  if (lowering_.atomic_field(member.field) != nullptr) out.atomic = member.field;
  return out;
}

std::string Clauses::member_name(const Member& member, const std::string& name) {
  return member.ghost != nullptr ? name : lowering_.field_name(member.field);
}

bool Clauses::is_thread(const Typed& typed) const {
  const SymbolId thread = lowering_.thread_symbol();
  return typed.kind == Typed::Kind::kObject && thread >= 0 && classes_.is_subclass(typed.class_symbol, thread);
}

bool Clauses::is_box(const Typed& typed) const {
  return typed.kind == Typed::Kind::kObject && lowering_.unboxed(typed.class_symbol);
}

Clauses::Typed Clauses::common(const Typed& left, const Typed& right) const {
  if (left.kind == Typed::Kind::kNull) return right;
  if (right.kind == Typed::Kind::kNull) return left;
  if (left.kind == Typed::Kind::kTid && is_thread(right)) return left;
  if (right.kind == Typed::Kind::kTid && is_thread(left)) return right;
  if (left.kind != right.kind) return {};
  if (left.kind != Typed::Kind::kObject) {
    Typed out = left;
    if (left.element && right.element)
      out.element = std::make_shared<const Typed>(common(*left.element, *right.element));
    if (!left.element) out.element = right.element;
    if (!left.key) out.key = right.key;
    return out;
  }
  for (SymbolId at = left.class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.is_subclass(right.class_symbol, at)) return {Typed::Kind::kObject, at};
  }
  return classes_.is_subclass(left.class_symbol, right.class_symbol) ? right : Typed{};
}

void Clauses::fit(Value& expr, const Typed& from, const Typed& to) {
  if (std::holds_alternative<plato::NullLit>(expr->node)) {
    if (to.kind == Typed::Kind::kTid) expr = build::none(expr->range);
    return;
  }
  if (to.kind == Typed::Kind::kTid && is_thread(from)) {
    lowering_.error(expr->range, "this thread has no identity before it is started, so it is not a value here",
                    "`tid` is the running thread; objects of type Thread are compared with `==`, `!=` and `in`");
    return;
  }
  const auto fit_part = [&](Value& part) {
    if (from.element && to.element) fit(part, *from.element, *to.element);
  };
  if (auto* it = std::get_if<plato::SetLit>(&expr->node)) {
    for (Value& element : it->elements) fit_part(element);
  } else if (auto* map = std::get_if<plato::MapConst>(&expr->node)) {
    fit_part(map->value);
  } else if (auto* choice = std::get_if<plato::ConditionalExpr>(&expr->node)) {
    fit(choice->then, from, to);
    fit(choice->otherwise, from, to);
  } else if (auto* sets = std::get_if<plato::BinaryExpr>(&expr->node); sets != nullptr && from.kind == to.kind) {
    fit(sets->left, from, to);
    fit(sets->right, from, to);
  }
}

}  // namespace concord::frontend::java
