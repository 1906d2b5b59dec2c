#include "frontend/java/clauses.h"

#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "diag/diagnostic.h"
#include "plato/walk.h"

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
  fit(set.value, value, target);
}
void Clauses::translate(plato::FieldClause& clause) {
  const std::size_t outer = bound_.size();
  if (!clause.bound.empty()) bound_.emplace_back(clause.bound, Typed{});
  translate(clause.expr);
  bound_.resize(outer);
}
void Clauses::translate_initial(Value& init, const Type& type) {
  const Typed value = visit(init);
  fit(init, value, of_plato(type, place_.class_symbol));
}
void Clauses::translate(plato::Contract& contract) {
  translate(contract.requires_);
  if (contract.modifies) translate(*contract.modifies);
  result_ = of_type(place_.result);
  translate(contract.ensures);
  for (plato::Action& it : contract.actions) {
    translate(it.also_modifies);
    translate(it.ensures);
  }
  const SymbolId throwable = find_class("java.lang.Throwable", -1, {});
  result_ = throwable >= 0 ? Typed{Typed::Kind::kObject, throwable} : Typed{};
  translate(contract.signals);
  result_ = {};
}

// Names in brackets that are declared nowhere are bound, so one that is declared could be meant either way.
void Clauses::translate(plato::LockOrder& order) {
  const std::size_t outer = bound_.size();
  const auto bind = [&](const plato::Expr& expr) {
    const auto* name = std::get_if<plato::NameExpr>(&expr.node);
    if (name == nullptr) return;
    const Found found = look_up(name->name);
    if (found.kind == Found::Kind::kNothing) bound_.emplace_back(name->name, Typed{});
    if (found.kind == Found::Kind::kNothing || found.kind == Found::Kind::kBound) return;
    lowering_.error(expr.range, "`" + name->name + "` is a variable of the program, so it is no index of a lock order",
                    "write `m[i]` with a name of its own, and say in `when` how i and j lie");
  };
  const auto bind_indices = [&](const plato::Expr& expr) {
    if (const auto* it = std::get_if<plato::IndexExpr>(&expr.node)) plato::for_each_expr(*it->index, bind);
  };
  uses_this_ = false;
  for (Value* side : {&order.before, &order.after}) plato::for_each_expr(**side, bind_indices);
  for (Value* part : {&order.before, &order.after, &order.when}) translate(*part);
  bound_.resize(outer);
  if (!uses_this_) return;
  lowering_.error(order.range, "a lock order between fields of objects is not supported",
                  "it orders static variables, elements of a static array, and the monitors of classes (`C.class`)");
}

Type Clauses::translate(const Type& type) {
  Type out = type;
  if (type.first) out.first = std::make_shared<const Type>(translate(*type.first));
  if (type.second) out.second = std::make_shared<const Type>(translate(*type.second));
  if (type.kind != Type::Kind::kNamed) return out;
  const Typed named = of_plato(type, place_.class_symbol);
  switch (named.kind) {
    case Typed::Kind::kObject: out = lowering_.type_of_class(named.class_symbol); break;
    case Typed::Kind::kTid: out = build::simple(Type::Kind::kTid); break;
    case Typed::Kind::kRefused: lowering_.error(type.range, "there is no type `" + type.name + "` here", ""); break;
    default: out = build::simple(type.name == "boolean" ? Type::Kind::kBool : Type::Kind::kInt);
  }
  out.range = type.range;
  return out;
}

// ------------------------------------------------------------------------------------------------------------- expressions

Clauses::Typed Clauses::visit(Value& expr) {
  const Typed out = visit_any(expr);
  if (out.atomic < 0) return out;
  refuse_atomic(expr->range, out);
  return {Typed::Kind::kRefused};
}

void Clauses::refuse_atomic(SourceRange range, const Typed& atomic) {
  const std::string& name = classes_.symbol(atomic.atomic).name;
  const bool is_stamped = lowering_.atomic_field(atomic.atomic)->is_stamped;
  lowering_.error(range, "`" + name + "` is an atomic variable, and what is meant is what it holds",
                  is_stamped ? "write `" + name + ".reference` or `" + name + ".stamp`" : "write `" + name + ".value`");
}

// An atomic variable that is part of its object is not null, and is no part of another.
Clauses::Typed Clauses::compare_atomics(Value& expr, const Typed& left, const Typed& right) {
  auto& it = std::get<plato::BinaryExpr>(expr->node);
  const bool is_null = left.kind == Typed::Kind::kNull || right.kind == Typed::Kind::kNull;
  const bool are_two = left.atomic >= 0 && right.atomic >= 0 && left.atomic != right.atomic;
  if (!is_null && !are_two) {
    refuse_atomic(expr->range, left.atomic >= 0 ? left : right);
    return {Typed::Kind::kRefused};
  }
  const SourceRange range = expr->range;
  const bool is_equal = it.op == plato::BinaryOp::kEq;
  std::vector<Value> objects;  // that have them
  for (Value* side : {&it.left, &it.right}) {
    if (auto* field = std::get_if<plato::FieldExpr>(&(*side)->node))
      objects.push_back(build::negation(build::is_null(std::move(field->object), range), range));
  }
  expr = objects.empty() ? build::truth(true, range) : build::all_of(std::move(objects), range);
  if (is_equal) expr = build::negation(std::move(expr), range);
  return {};
}

// `a.value`, `a.reference` or `a.stamp`, of an atomic variable that is part of its object: a field of that.
Clauses::Typed Clauses::content(Value& expr, const Typed& atomic) {
  auto& it = std::get<plato::FieldExpr>(expr->node);
  const AtomicField& field = *lowering_.atomic_field(atomic.atomic);
  const bool is_stamp = field.is_stamped && it.field == "stamp";
  if (!is_stamp && it.field != (field.is_stamped ? "reference" : "value")) {
    refuse_field({Typed::Kind::kObject, atomic.class_symbol}, it.field, it.field_range);
    return {Typed::Kind::kRefused};
  }
  const bool primed = it.primed;
  expr = std::move(it.object);
  const auto finish = [&](std::string& name, bool& is_primed) {
    if (is_stamp) name = lowering_.stamp_name(atomic.atomic);
    is_primed = primed;
  };
  if (auto* named = std::get_if<plato::NameExpr>(&expr->node)) finish(named->name, named->primed);
  if (auto* inner = std::get_if<plato::FieldExpr>(&expr->node)) finish(inner->field, inner->primed);
  return is_stamp ? Typed{} : Typed{Typed::Kind::kObject, field.content};
}

Clauses::Typed Clauses::visit_any(Value& expr) {
  const auto plain = [&](auto&... parts) {
    (visit(parts), ...);
    return Typed{};
  };
  const SourceRange range = expr->range;
  return std::visit(base::Overloaded{
                        [&](plato::NullLit&) { return Typed{Typed::Kind::kNull}; },
                        [&](plato::NoneLit&) {
                          refuse_variable("none", "`null` is no thread", range);
                          return Typed{Typed::Kind::kTid};
                        },
                        [&](plato::TidExpr& it) {
                          if (!it.is_escaped) refuse_variable("tid", "write `\\tid` for the running thread", range);
                          return Typed{Typed::Kind::kTid};
                        },
                        [&](plato::ThisExpr&) {
                          uses_this_ = true;
                          if (!place_.self.empty()) expr = self(range);
                          return Typed{Typed::Kind::kObject, place_.class_symbol};
                        },
                        [&](plato::ResultExpr&) { return result_; },
                        [&](plato::NameExpr&) { return name(expr); },
                        [&](plato::FieldExpr&) { return field(expr); },
                        [&](plato::IndexExpr& it) { return index(it); },
                        [&](plato::UnaryExpr& it) {
                          const Typed operand = visit(it.operand);
                          return it.op == plato::UnaryOp::kNonNull ? operand : Typed{};
                        },
                        [&](plato::BinaryExpr&) { return binary(expr); },
                        [&](plato::ConditionalExpr& it) { return conditional(it); },
                        [&](plato::OldExpr& it) { return visit(it.operand); },
                        [&](plato::QuantifierExpr& it) { return quantifier(it); },
                        [&](plato::SetLit& it) { return set_literal(it); },
                        [&](plato::MapConst& it) {
                          return Typed{Typed::Kind::kMap, -1, std::make_shared<const Typed>(visit(it.value))};
                        },
                        [&](plato::MapUpdate& it) { return map_update(it); },
                        [&](plato::SumExpr& it) {
                          bound_.emplace_back(it.variable.name, of_plato(it.variable.type, place_.class_symbol));
                          plain(it.range, it.body);
                          bound_.pop_back();
                          return Typed{};
                        },
                        [&](plato::SizeExpr& it) { return plain(it.set); },
                        [&](plato::InstanceOf&) { return instance_of(expr); },
                        [&](plato::CastExpr& it) { return cast(it); },
                        [&](plato::WrapExpr& it) { return plain(it.operand); },
                        [&](plato::HoldsExpr& it) { return plain(it.lock); },
                        [&](plato::ShapeExpr& it) {
                          shape(it);
                          return Typed{};
                        },
                        [&](plato::FloatExpr& it) {
                          visit(it.left);
                          if (it.right) visit(it.right);
                          const bool is_number = it.op <= plato::FloatOp::kNeg || it.op == plato::FloatOp::kToFloat32 ||
                                                 it.op == plato::FloatOp::kToFloat64;
                          return is_number ? Typed{Typed::Kind::kFloat} : Typed{};
                        },
                        [](plato::FloatLit&) { return Typed{Typed::Kind::kFloat}; },
                        [](plato::IntLit&) { return Typed{}; },
                        [](plato::BoolLit&) { return Typed{}; },
                        [&](plato::ThreadIndex&) { return thread_number(expr); },
                        [](plato::Star&) { return Typed{}; },
                    },
                    expr->node);
}

// A name of the program that is made. What a quantifier binds must not be in its way.
Value Clauses::named(const std::string& name, SourceRange range) {
  if (std::any_of(bound_.begin(), bound_.end(), [&](const auto& it) { return it.first == name; })) {
    lowering_.error(range, "what is meant here has the name of the bound variable `" + name + "` in Plato",
                    "give the bound variable another name");
  }
  return build::name(name, range);
}

Value Clauses::self(SourceRange range) {
  if (place_.self.empty()) return nullptr;
  Value out = named(place_.self, range);
  return place_.through.empty() ? std::move(out) : build::field(std::move(out), place_.through, range);
}

Value Clauses::instance_around(SymbolId wanted, SourceRange range) {
  uses_this_ = true;
  Value object = self(range);
  for (SymbolId at = place_.class_symbol; at != wanted; at = classes_.symbol(at).outer) {
    if (at < 0 || !classes_.symbol(at).has_outer_instance) return nullptr;
    // A clause of a class names its fields bare.
    const std::string outer = lowering_.outer_field(at);
    object = object ? build::field(std::move(object), outer, range) : named(outer, range);
  }
  return object ? std::move(object) : build::self(range);
}

void Clauses::refuse_unused(const std::string& name, SourceRange range) {
  lowering_.error(range, "`" + name + "` is a local variable of the code around, and not used here",
                  "only what the class or lambda expression uses itself is known in its annotations");
}

// A word of clauses that is a variable of Java at this place could be meant either way.
void Clauses::refuse_variable(const char* word, const char* hint, SourceRange range) {
  if (look_up(word).kind == Found::Kind::kNothing) return;
  lowering_.error(range, std::string("`") + word + "` is a word of annotations, and also a variable here", hint);
}

Clauses::Typed Clauses::refuse_ambiguous(const std::string& name, SourceRange range) {
  lowering_.error(range, "`" + name + "` is inherited more than once, so it is not clear which one is meant", "");
  return {Typed::Kind::kRefused};
}

void Clauses::refuse_field(const Typed& object, const std::string& name, SourceRange range) {
  if (object.kind == Typed::Kind::kRefused) return;
  if (object.kind != Typed::Kind::kObject) {
    const bool is_tid = object.kind == Typed::Kind::kTid;
    lowering_.error(range, (is_tid ? "a thread has no field `" : "there is no field `") + name + "` here",
                    is_tid ? "in clauses a Thread is its identity, not the object" : "it is not known to be an object");
    return;
  }
  const bool is_any = classes_.is_class(object.class_symbol, "java.lang.Object");
  std::string owner = is_any ? "C" : "";  // one that has it, but does not pass it on
  for (SymbolId at = object.class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    for (SymbolId member : classes_.symbol(at).members) {
      const Symbol& it = classes_.symbol(member);
      if (it.kind == Symbol::Kind::kField && it.name == name) owner = classes_.symbol(at).name;
    }
  }
  lowering_.error(range, "class `" + classes_.symbol(object.class_symbol).name + "` has no field `" + name + "`",
                  owner.empty() ? did_you_mean(name, {object.class_symbol})
                                : "write `((" + owner + ") o)." + name + "` for the field of another class");
}

// A field of these classes with nearly that name.
std::string Clauses::did_you_mean(const std::string& name, const std::vector<SymbolId>& owners) const {
  std::vector<std::string> candidates = {"holder", "depth"};
  for (const SymbolId owner : owners) {
    for (SymbolId at = owner; at >= 0; at = classes_.symbol(at).superclass) {
      for (SymbolId member : classes_.symbol(at).members) {
        if (classes_.symbol(member).kind == Symbol::Kind::kField) candidates.push_back(classes_.symbol(member).name);
      }
    }
  }
  const std::string near = diag::nearest(name, candidates);
  return near.empty() ? "" : "did you mean `" + near + "`?";
}

// Of `this`, or of the instance around it that is of the class `around`.
Clauses::Typed Clauses::of_instance(Value& expr, SymbolId around, const std::string& field, const Typed& type) {
  const plato::NameExpr written = std::get<plato::NameExpr>(expr->node);
  const SourceRange range = expr->range;
  uses_this_ = true;
  Value object = around == place_.class_symbol ? self(range) : instance_around(around, range);
  if (!place_.has_this || (around != place_.class_symbol && !object)) {
    lowering_.error(range, "`" + written.name + "` belongs to an object, and there is no `this` here",
                    "name the object, or put the annotation where there is one");
    return type;
  }
  expr = object ? build::field(std::move(object), field, range) : named(field, range);
  if (auto* made = std::get_if<plato::FieldExpr>(&expr->node)) made->primed = written.primed;
  if (auto* made = std::get_if<plato::NameExpr>(&expr->node)) made->primed = written.primed;
  return type;
}

Clauses::Typed Clauses::main_thread(Value& expr) {
  auto& it = std::get<plato::NameExpr>(expr->node);
  if (lowering_.main_thread().empty()) {
    lowering_.error(expr->range, "there is no main thread: clients call the methods of the program", "");
  } else {
    it.name = lowering_.main_thread();
  }
  return {Typed::Kind::kTid};
}

Clauses::Typed Clauses::name(Value& expr) {
  auto& it = std::get<plato::NameExpr>(expr->node);
  const SourceRange range = expr->range;
  const bool primed = it.primed;
  if (it.is_escaped) return main_thread(expr);
  const Found found = look_up(it.name);
  if (it.name == "main" && found.kind != Found::Kind::kBound) {
    refuse_variable("main", "write `\\main` for the initial thread", range);
    return main_thread(expr);
  }
  switch (found.kind) {
    case Found::Kind::kBound: return found.bound;
    case Found::Kind::kLocal:
      expr = found.local.object.empty() ? named(found.local.name, range)
                                        : build::field(named(found.local.object, range), found.local.name, range);
      if (auto* made = std::get_if<plato::NameExpr>(&expr->node)) made->primed = primed;
      return of_type(found.local.type);
    case Found::Kind::kMember:
      if (found.member.is_ambiguous) return refuse_ambiguous(it.name, range);
      if (found.member.field >= 0 && classes_.symbol(found.member.field).is_static) {
        return static_field(expr, found.member.field, primed);
      }
      return of_instance(expr, found.around, member_name(found.member, it.name), of_member(found.member));
    case Found::Kind::kCaptured:
      return of_instance(expr, found.around, lowering_.captured_field(found.captured),
                         of_type(classes_.symbol(found.captured).type));
    case Found::Kind::kUnused: refuse_unused(it.name, range); return {Typed::Kind::kRefused};
    case Found::Kind::kNothing: break;
  }
  if (const auto said = of_threads(expr)) return *said;
  if (it.name == "holder") return of_instance(expr, place_.class_symbol, "holder", {Typed::Kind::kTid});
  if (it.name == "depth") return of_instance(expr, place_.class_symbol, "depth", {});
  std::vector<SymbolId> around;
  for (SymbolId at = place_.class_symbol; at >= 0; at = classes_.symbol(at).outer) around.push_back(at);
  lowering_.error(range, "there is no variable `" + it.name + "`", did_you_mean(it.name, around));
  return {Typed::Kind::kRefused};
}

// The variable; of a constant its value, as in code.
Clauses::Typed Clauses::static_field(Value& expr, SymbolId field, bool primed) {
  const Symbol& symbol = classes_.symbol(field);
  const SourceRange range = expr->range;
  const Typed out = of_type(symbol.type);
  const Type type = lowering_.type_of(symbol.type);
  if (symbol.constant && type.kind == Type::Kind::kInt) {
    expr = build::number(std::stoll(*symbol.constant), range);
  } else if (symbol.constant && type.kind == Type::Kind::kFloat) {
    expr = build::floating(type.decl, *symbol.constant, range);
  } else if (symbol.constant && type.kind == Type::Kind::kBool) {
    expr = build::truth(*symbol.constant == "true" || *symbol.constant == "1", range);
  } else {
    expr = named(lowering_.static_name(field), range);
    std::get<plato::NameExpr>(expr->node).primed = primed;
  }
  return out;
}

Clauses::Typed Clauses::field(Value& expr) {
  auto& it = std::get<plato::FieldExpr>(expr->node);
  const SourceRange range = expr->range;
  const auto is_static = [&](const std::optional<Member>& found) {
    return found && found->field >= 0 && classes_.symbol(found->field).is_static;
  };
  const bool is_literal = it.field == "class";
  if (const SymbolId owner = class_of_path(*it.object, is_literal); owner >= 0) {  // C.f
    if (is_literal) {
      expr = named(lowering_.class_monitor(owner), range);
      return {};
    }
    const auto found = find_member(owner, it.field);
    if (found && found->is_ambiguous) return refuse_ambiguous(it.field, it.field_range);
    if (is_static(found)) return static_field(expr, found->field, it.primed);
    lowering_.error(it.field_range,
                    "class `" + classes_.symbol(owner).name + "` has no static variable `" + it.field + "`", "");
    return {Typed::Kind::kRefused};
  }
  const bool used_this = uses_this_;
  const Typed object = visit_any(it.object);
  if (object.atomic >= 0) return content(expr, object);
  const auto found = object.kind == Typed::Kind::kObject ? find_member(object.class_symbol, it.field) : std::nullopt;
  if (found && found->is_ambiguous) return refuse_ambiguous(it.field, it.field_range);
  if (is_static(found)) {
    uses_this_ = used_this;  // it is the same for all objects
    return static_field(expr, found->field, it.primed);
  }
  if (found) {
    it.field = member_name(*found, it.field);
    return of_member(*found);
  }
  const bool has_monitor = object.kind == Typed::Kind::kObject || object.kind == Typed::Kind::kOther;
  if (has_monitor && it.field == "holder") return {Typed::Kind::kTid};
  if (has_monitor && it.field == "depth") return {};
  if (object.kind == Typed::Kind::kArray && it.field == "length") return {};
  if (object.kind == Typed::Kind::kObject && it.field == "freed") {
    if (Value mark = lowering_.is_freed(*it.object, object.class_symbol, false, range)) {
      expr = std::move(mark);
      return {};
    }
  }
  refuse_field(object, it.field, it.field_range);
  return {Typed::Kind::kRefused};
}

Clauses::Typed Clauses::index(plato::IndexExpr& it) {
  const Typed base = visit(it.base);
  const Typed key = visit(it.index);
  if (base.kind == Typed::Kind::kMap && base.key) fit(it.index, key, *base.key);
  const bool has_entries = base.kind == Typed::Kind::kMap || base.kind == Typed::Kind::kArray;
  return has_entries && base.element ? *base.element : Typed{};
}

Clauses::Typed Clauses::map_update(plato::MapUpdate& it) {
  const Typed map = visit(it.map);
  const Typed key = visit(it.key);
  const Typed value = visit(it.value);
  if (map.key) fit(it.key, key, *map.key);
  if (map.element) fit(it.value, value, *map.element);
  return map;
}

Clauses::Typed Clauses::conditional(plato::ConditionalExpr& it) {
  visit(it.condition);
  const Typed then = visit(it.then);
  const Typed otherwise = visit(it.otherwise);
  const Typed both = common(then, otherwise);
  fit(it.then, then, both);
  fit(it.otherwise, otherwise, both);
  return both;
}

Clauses::Typed Clauses::set_literal(plato::SetLit& it) {
  std::vector<Typed> types;
  for (Value& element : it.elements) types.push_back(visit(element));
  if (types.empty()) return {Typed::Kind::kSet};
  Typed all = types.front();
  for (const Typed& type : types) all = common(all, type);
  for (std::size_t i = 0; i < types.size(); ++i) fit(it.elements[i], types[i], all);
  return {Typed::Kind::kSet, -1, std::make_shared<const Typed>(all)};
}

// `int` and `long` are any integer, as in the rest of a clause; the smaller types are what they are.
Clauses::Typed Clauses::quantifier(plato::QuantifierExpr& it) {
  static const std::map<std::string, const char*> kSmall = {{"byte", "int8"}, {"short", "int16"}, {"char", "uint16"}};
  using plato::BinaryOp;
  std::vector<Value> ranges;
  for (plato::BoundVariable& variable : it.variables) {
    const SourceRange range = variable.range;
    const Typed type = of_plato(variable.type, place_.class_symbol);
    if (type.kind == Typed::Kind::kObject && classes_.symbol(type.class_symbol).is_interface) {
      lowering_.error(range, "a quantifier over the objects of an interface is not supported",
                      "quantify over a class that implements it");
    }
    bound_.emplace_back(variable.name, type);
    if (const auto small = kSmall.find(variable.type.name); small != kSmall.end()) {
      const plato::Range values = *plato::range_named(small->second);
      ranges.push_back(
          build::binary(BinaryOp::kLe, build::number(values.low, range), build::name(variable.name, range), range));
      ranges.push_back(
          build::binary(BinaryOp::kLe, build::name(variable.name, range), build::number(values.high, range), range));
    }
    variable.type = translate(variable.type);
  }
  visit(it.body);
  bound_.resize(bound_.size() - it.variables.size());
  if (ranges.empty()) return {};
  const SourceRange range = it.body->range;
  it.body = build::binary(it.is_forall ? BinaryOp::kImplies : BinaryOp::kAnd, build::all_of(std::move(ranges), range),
                          std::move(it.body), range);
  return {};
}

Clauses::Typed Clauses::cast(plato::CastExpr& it) {
  visit(it.operand);
  const SymbolId wanted = find_class(it.class_name, place_.class_symbol, it.class_range);
  if (wanted < 0 || classes_.symbol(wanted).is_interface) {
    lowering_.error(it.class_range,
                    wanted < 0 ? "there is no class `" + it.class_name + "` here"
                               : "a cast to an interface is not supported in clauses",
                    "");
    return {Typed::Kind::kRefused};
  }
  it.class_name = lowering_.class_name(wanted);
  return {Typed::Kind::kObject, wanted};
}

void Clauses::shape(plato::ShapeExpr& it) {
  const Typed from = visit(it.from);
  if (it.to) visit(it.to);
  const auto found = from.kind == Typed::Kind::kObject ? find_member(from.class_symbol, it.field) : std::nullopt;
  if (found && found->is_ambiguous) {
    refuse_ambiguous(it.field, it.field_range);
  } else if (found && (found->field < 0 || !classes_.symbol(found->field).is_static)) {
    it.field = member_name(*found, it.field);
  } else {
    refuse_field(from, it.field, it.field_range);
  }
}

// A thread that is not started is not null, and nobody: it has no identity, so it equals none.
void Clauses::compare_thread(Value& expr, bool is_left) {
  auto& it = std::get<plato::BinaryExpr>(expr->node);
  using plato::BinaryOp;
  const SourceRange range = expr->range;
  const std::shared_ptr<const plato::Expr> object = std::move(is_left ? it.left : it.right);
  const std::shared_ptr<const plato::Expr> other = std::move(is_left ? it.right : it.left);
  const BinaryOp op = it.op == BinaryOp::kIn ? BinaryOp::kIn : BinaryOp::kEq;
  const bool is_negated = it.op == BinaryOp::kNe;
  const auto identity = [&] { return build::field(build::copy(*object), lowering_.identity_field(), range); };
  Value is_it = build::binary(BinaryOp::kAnd, build::binary(BinaryOp::kNe, identity(), build::none(range), range),
                              build::binary(op, identity(), build::copy(*other), range), range);
  Value is_nobody = build::binary(op, build::none(range), build::copy(*other), range);
  expr = build::conditional(build::is_null(build::copy(*object), range), std::move(is_nobody), std::move(is_it), range);
  if (is_negated) expr = build::negation(std::move(expr), range);
}

Clauses::Typed Clauses::binary(Value& expr) {
  auto& it = std::get<plato::BinaryExpr>(expr->node);
  using plato::BinaryOp;
  const bool compares_bits = it.op == BinaryOp::kEq || it.op == BinaryOp::kNe;
  const Typed left = compares_bits ? visit_any(it.left) : visit(it.left);
  const Typed right = compares_bits ? visit_any(it.right) : visit(it.right);
  if (left.atomic >= 0 || right.atomic >= 0) return compare_atomics(expr, left, right);
  if ((left.kind == Typed::Kind::kFloat || right.kind == Typed::Kind::kFloat) && !compares_bits) {
    lowering_.error(expr->range, "this operator is not for floating-point numbers in clauses",
                    "write \\fadd(a, b), \\flt(a, b) and the like; a literal is \\float64(\"1.5\")");
    return {};
  }
  if (it.op == BinaryOp::kIn) {
    const Typed in_set{Typed::Kind::kSet, -1, std::make_shared<const Typed>(left)};
    const bool has_threads = right.element && right.element->kind == Typed::Kind::kTid;
    if (has_threads && is_thread(left)) {
      compare_thread(expr, true);
    } else {
      if (right.element) fit(it.left, left, *right.element);
      fit(it.right, right, in_set);
    }
    return {};
  }
  const bool is_equality = it.op == BinaryOp::kEq || it.op == BinaryOp::kNe;
  const bool left_is_tid = left.kind == Typed::Kind::kTid;
  if (is_equality && left_is_tid != (right.kind == Typed::Kind::kTid) && is_thread(left_is_tid ? right : left)) {
    compare_thread(expr, !left_is_tid);
    return {};
  }
  if (is_equality && left.kind == right.kind && (is_box(left) || is_box(right))) {
    lowering_.error(expr->range, "comparing boxed values by identity is not supported", "");
  }
  const Typed both = common(left, right);
  fit(it.left, left, both);
  fit(it.right, right, both);
  return both.kind == Typed::Kind::kSet && !is_equality && it.op != BinaryOp::kLe ? both : Typed{};
}

Clauses::Typed Clauses::instance_of(Value& expr) {
  auto& it = std::get<plato::InstanceOf>(expr->node);
  const SourceRange range = expr->range;
  const Typed operand = visit(it.thread);
  const SymbolId wanted = find_class(it.procedure, place_.class_symbol, it.procedure_range);
  const SymbolId thread = lowering_.thread_symbol();
  if (wanted < 0) {
    lowering_.error(it.procedure_range, "there is no class `" + it.procedure + "` here", "");
    return {};
  }
  if (operand.kind != Typed::Kind::kTid) {
    if (classes_.symbol(wanted).is_interface && !classes_.symbol(wanted).is_from_source) {
      lowering_.error(it.procedure_range, "`instanceof` with an interface of the library is not supported in clauses",
                      "");
      return {};
    }
    expr = lowering_.tests_class(std::move(it.thread), wanted, range);
    return {};
  }
  // Every thread is a Thread, the initial one too.
  if (classes_.is_subclass(thread, wanted) || classes_.is_class(wanted, "java.lang.Runnable")) {
    expr = build::binary(plato::BinaryOp::kNe, std::move(it.thread), build::none(range), range);
    return {};
  }
  std::vector<Value> any;
  for (SymbolId one : classes_.instances_of(wanted)) {
    if (!classes_.is_subclass(one, thread)) continue;
    any.push_back(build::instance_of(build::copy(*it.thread), lowering_.thread_entry(one), range));
  }
  expr = build::any_of(std::move(any), range);
  return {};
}

}  // namespace concord::frontend::java
