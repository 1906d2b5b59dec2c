// Objects, arrays and closures. An object whose constructor keeps `this` to itself comes into being complete: the constructor
// runs on locals, then one `new` gives every field its value. Nobody can tell the difference, and final fields never change.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

using plato::Type;

namespace {

const auto kNothing = [](const auto&) {};

const Call* constructor_call(const Stmt& statement) {
  const auto* effect = std::get_if<ExprStmt>(&statement.node);
  const auto* call = effect == nullptr ? nullptr : std::get_if<Call>(&effect->expression->node);
  return call != nullptr && (call->is_super || call->is_this_constructor) ? call : nullptr;
}

}  // namespace

SymbolId Body::default_constructor(SymbolId class_symbol) const {
  if (class_symbol < 0) return -1;
  for (SymbolId member : classes_.symbol(class_symbol).members) {
    const Symbol& it = classes_.symbol(member);
    if (it.name == "<init>" && (it.parameters.empty() || (it.is_varargs && it.parameters.size() == 1))) return member;
  }
  return -1;
}

// Every statement of every constructor assigns a field, or makes no difference: no branches, no loops.
bool Body::is_straight(SymbolId class_symbol) const {
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    const ClassDecl* declaration = classes_.declaration(at);
    if (declaration == nullptr) continue;
    bool straight = true;
    const auto inner = [&](const Expr& expr) {
      walk(
          expr,
          [&](const Expr& deep) {
            straight = straight && !std::holds_alternative<Assign>(deep.node) &&
                       !std::holds_alternative<CompoundAssign>(deep.node) &&
                       !std::holds_alternative<SwitchExpr>(deep.node);
            if (const auto* step = std::get_if<Unary>(&deep.node)) {
              straight = straight && step->op <= UnaryOp::kComplement;
            }
          },
          kNothing, kNothing);
    };
    const auto look = [&](const Stmt& body) {
      const auto* block = std::get_if<Block>(&body.node);
      if (block == nullptr) return void(straight = false);
      for (const StmtPtr& it : block->statements) {
        const auto* effect = std::get_if<ExprStmt>(&it->node);
        if (effect == nullptr) {
          straight =
              straight && (std::holds_alternative<Empty>(it->node) || std::holds_alternative<LocalVar>(it->node));
        }
        // Fields are assigned by whole statements only.
        Parts{[&](const Expr& part) {
                const auto* assign = std::get_if<Assign>(&part.node);
                if (assign != nullptr) {
                  inner(*assign->target);
                  inner(*assign->value);
                } else {
                  inner(part);
                }
              },
              kNothing, kNothing}
            .of(*it);
      }
    };
    for (const Member& member : declaration->members) {
      if (const auto* method = std::get_if<MethodDecl>(&member)) {
        if (classes_.symbol(method->symbol).name == "<init>" && method->body) look(*method->body);
      } else if (const auto* block = std::get_if<Initialiser>(&member)) {
        if (!block->is_static) look(*block->body);
      } else if (const auto* field = std::get_if<FieldDecl>(&member)) {
        if (field->init && !classes_.symbol(field->symbol).is_static) inner(*field->init);
      }
    }
    if (!straight) return false;
  }
  return true;
}

namespace {

// A local class, or one inside it, lies in an instance of exactly the class around it; a member in the nearest that has it,
// be it private, as javac does.
bool is_local(const Classes& classes, SymbolId inner) {
  for (; inner >= 0; inner = classes.symbol(inner).outer) {
    if (classes.symbol(inner).is_local) return true;
  }
  return false;
}

// Some constructor says in which instance the part that is the superclass's lies.
bool has_qualified_super(const ClassDecl& declaration) {
  return std::any_of(declaration.members.begin(), declaration.members.end(), [](const Member& member) {
    const auto* method = std::get_if<MethodDecl>(&member);
    const auto* block = method == nullptr || !method->body ? nullptr : std::get_if<Block>(&method->body->node);
    if (block == nullptr || block->statements.empty()) return false;
    const Call* first = constructor_call(*block->statements.front());
    return first != nullptr && first->receiver != nullptr;
  });
}

}  // namespace

// The instance that an inner class is made in.
Value Body::outer_for(SymbolId class_symbol, SourceRange range) {
  const Symbol& symbol = classes_.symbol(class_symbol);
  if (!symbol.has_outer_instance || symbol.outer < 0) return nullptr;
  return this_of(symbol.outer, range, is_local(classes_, class_symbol));
}

// It was looked at when the object was made.
void Body::assume_outer() {
  const Symbol& symbol = classes_.symbol(class_symbol_);
  if (!symbol.has_outer_instance || classes_.declaration(class_symbol_) == nullptr) return;
  Value outer = build::field(build::name(this_, symbol.range), lowering_.outer_field(class_symbol_), symbol.range);
  assume_holds(build::negation(build::is_null(std::move(outer), symbol.range), symbol.range), symbol.range);
}

// For an object of the class and its superclasses: a superclass that is inner lies around the class too.
std::map<SymbolId, Value> Body::outers_for(SymbolId class_symbol, Value own, SourceRange range) {
  std::map<SymbolId, Value> out;
  SymbolId at = classes_.symbol(class_symbol).outer;
  Value around = own ? build::copy(*own) : nullptr;
  if (own) out[class_symbol] = std::move(own);
  SymbolId below = class_symbol;
  for (SymbolId above = classes_.symbol(class_symbol).superclass; above >= 0;
       below = above, above = classes_.symbol(above).superclass) {
    const Symbol& symbol = classes_.symbol(above);
    if (classes_.declaration(above) == nullptr || !symbol.has_outer_instance) continue;
    const ClassDecl* declaration = classes_.declaration(below);
    Value found;
    if (around && (declaration == nullptr || !has_qualified_super(*declaration))) {
      found = instance_around(at, build::copy(*around), symbol.outer, range, is_local(classes_, above));
    }
    if (found) {
      at = symbol.outer;
      around = build::copy(*found);
    } else {
      found = unsupported("a superclass with an instance around it that is given explicitly",
                          classes_.symbol(symbol.outer).type, range);
    }
    out[above] = std::move(found);
  }
  return out;
}

Value Body::new_object(const New& it, const Expr& expr) {
  const Symbol& symbol = classes_.symbol(it.class_symbol);
  Value outer;
  if (it.outer) {
    outer = stable(build::unary(plato::UnaryOp::kNonNull, value(*it.outer), expr.range),
                   lowering_.type_of(it.outer->type), expr.range);
  } else if (symbol.is_from_source) {
    outer = outer_for(it.class_symbol, expr.range);
  }
  if (!symbol.is_from_source) {
    const bool is_throwable = lowering_.is_throwable(it.class_symbol);
    const bool is_plain = symbol.qualified == "java.lang.Object";
    const bool is_understood = is_throwable || is_plain;
    std::vector<TypeId> given;
    for (const java::ExprPtr& argument : it.arguments) {
      const bool is_constant = std::holds_alternative<Literal>(argument->node) || argument->constant;
      if (!is_understood || !is_constant) effect(*argument);
      given.push_back(argument->type);
    }
    if (!is_understood) {
      lowering_.note_unknown();
      unsupported("the class " + symbol.qualified + " of the library", expr.range);
    } else if (runs_text_method(given)) {
      unsupported("the constructor of the library's class " + symbol.name, expr.range);
    }
    plato::NewObject made;
    made.class_name = is_plain ? lowering_.object_class() : lowering_.class_name(it.class_symbol);
    made.class_range = expr.range;
    const Type type = build::named(made.class_name);
    return build::name(temporary(type, plato::Rhs(std::move(made)), expr.range, "made"), expr.range);
  }
  Symbol constructor = classes_.symbol(it.constructor);
  if (!it.body || !it.outer) {
    std::vector<Value> values = arguments(constructor, it.arguments, it.varargs_element, expr.range);
    return make_object(it.class_symbol, it.constructor, std::move(values), std::move(outer), expr.range);
  }
  // o.new Inner() { … }: the constructor that javac makes hands `o`, its first parameter, to the superclass's.
  constructor.parameters.erase(constructor.parameters.begin());
  std::vector<Value> values = arguments(constructor, it.arguments, it.varargs_element, expr.range);
  values.insert(values.begin(), std::move(outer));
  outer = outer_for(it.class_symbol, expr.range);
  return make_object(it.class_symbol, it.constructor, std::move(values), std::move(outer), expr.range);
}

Value Body::make_object(SymbolId class_symbol, SymbolId constructor, std::vector<Value> arguments, Value outer,
                        SourceRange range) {
  plato::NewObject made;
  made.class_name = lowering_.class_name(class_symbol);
  made.class_range = range;
  const auto init = [&](std::string field, Value value) {
    made.inits.push_back({std::move(field), range, std::move(value), -1});
  };
  const ClassDecl* declaration = classes_.declaration(class_symbol);
  std::map<SymbolId, Value> outers = outers_for(class_symbol, std::move(outer), range);
  for (const auto& [around, instance] : outers) init(lowering_.outer_field(around), build::copy(*instance));
  if (declaration != nullptr) {
    for (SymbolId it : classes_.captured(*declaration)) init(lowering_.captured_field(it), local_variable(it, range));
  }
  const Type type = build::named(made.class_name);

  if (!classes_.constructs_privately(class_symbol)) {
    const std::string object = temporary(type, plato::Rhs(std::move(made)), range, "made");
    std::vector<Value> all;
    all.push_back(build::name(object, range));
    for (Value& it : arguments) all.push_back(std::move(it));
    call_procedure(lowering_.initialiser_of(class_symbol, constructor), std::move(all),
                   build::simple(Type::Kind::kNone), classes_.may_throw_in_constructor(constructor), range);
    return build::name(object, range);
  }

  Construction construction;
  construction.class_symbol = class_symbol;
  construction.is_straight = is_straight(class_symbol);
  construction.outers = std::move(outers);
  if (declaration != nullptr) {
    for (SymbolId it : classes_.captured(*declaration)) construction.captured[it] = local_variable(it, range);
  }
  std::vector<SymbolId> fields;
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.declaration(at) == nullptr) continue;
    for (SymbolId member : classes_.symbol(at).members) {
      const Symbol& field = classes_.symbol(member);
      if (field.kind == Symbol::Kind::kField && !field.is_static) fields.push_back(member);
    }
  }
  if (!construction.is_straight) {
    for (SymbolId field : fields) {
      const auto declare = [&](const Type& of, const std::string& wanted) {
        const std::string name = temporary(of, std::nullopt, range, wanted.c_str());
        assigned_.insert(name);
        return name;
      };
      construction.fields[field] = declare(lowering_.field_type(field), classes_.symbol(field).name);
      const AtomicField* atomic = lowering_.atomic_field(field);
      if (atomic == nullptr || !atomic->is_stamped) continue;
      const Type integer = lowering_.primitive_type(Prim::kInt);
      construction.stamps[field] = build::name(declare(integer, lowering_.stamp_name(field)), range);
    }
  }
  constructions_.push_back(&construction);
  run_constructor(class_symbol, constructor, std::move(arguments), range);
  constructions_.pop_back();
  for (SymbolId field : fields) {
    if (construction.is_straight) {
      const auto found = construction.values.find(field);
      if (found != construction.values.end()) init(lowering_.field_name(field), std::move(found->second));
    } else {
      init(lowering_.field_name(field), build::name(construction.fields.at(field), range));
    }
  }
  for (auto& [field, stamp] : construction.stamps) init(lowering_.stamp_name(field), std::move(stamp));
  return build::name(temporary(type, plato::Rhs(std::move(made)), range, "made"), range);
}

void Body::run_initialisers(SymbolId class_symbol) {
  const ClassDecl* declaration = classes_.declaration(class_symbol);
  const auto outside = std::exchange(visible_, {});
  for (const Member& member : declaration->members) {
    if (const auto* field = std::get_if<FieldDecl>(&member)) {
      const Symbol& symbol = classes_.symbol(field->symbol);
      if (!field->init || symbol.is_static) continue;
      const bool is_atomic = lowering_.atomic_field(field->symbol) != nullptr;
      Value made = is_atomic ? initial_content(field->symbol, *field->init) : value_as(*field->init, symbol.type);
      if (!constructions_.empty()) {
        Construction& into = *constructions_.back();
        if (into.is_straight) {
          into.values[field->symbol] = stable(std::move(made), lowering_.field_type(field->symbol), field->range);
        } else {
          emit(build::assign(build::name(into.fields.at(field->symbol), field->range), std::move(made), field->range));
        }
      } else {
        emit(build::assign(
            build::field(build::name(this_, field->range), lowering_.field_name(field->symbol), field->range),
            std::move(made), field->range));
      }
    } else if (const auto* block = std::get_if<Initialiser>(&member)) {
      if (!block->is_static) statement(*block->body);
    }
  }
  visible_ = outside;
}

// What a constructor requires holds where it is called.
void Body::check_requires(const MethodDecl& constructor) {
  Place place;
  place.class_symbol = class_symbol_;
  place.local = [&](const std::string& name) -> std::optional<Place::Variable> {
    for (const Parameter& it : constructor.parameters) {
      if (classes_.symbol(it.symbol).name == name)
        return Place::Variable{locals_.at(it.symbol), classes_.symbol(it.symbol).type};
    }
    return std::nullopt;
  };
  for (const plato::AnnotationText* note : lowering_.annotations().of_method(constructor.symbol)) {
    for (const Value& it : note->contract.requires_) {
      plato::Assert check;
      check.condition = build::copy(*it);
      check.kind = "precondition";
      Clauses(lowering_, place).translate(check.condition);
      emit(build::make(std::move(check), it->range));
    }
  }
}

// Of a class of the library: it runs no code of the program, and changes nothing but the object.
bool Body::constructs_silently(SymbolId class_symbol, const std::vector<TypeId>& given) const {
  static const std::set<std::string> kSilent = {"java.lang.Object", "java.lang.Enum", "java.lang.Record",
                                                "java.lang.Number"};
  if (kSilent.contains(classes_.symbol(class_symbol).qualified)) return true;
  return lowering_.is_throwable(class_symbol) && !classes_.overrides_in_source("fillInStackTrace") &&
         !runs_text_method(given);
}

// An exception may ask what it is given, its cause or detail, for its text.
bool Body::runs_text_method(const std::vector<TypeId>& given) const {
  return std::any_of(given.begin(), given.end(), [&](TypeId type) {
    const JavaType& it = classes_.type(type);
    return it.kind == JavaType::Kind::kClass && lowering_.has_text_method(it.symbol);
  });
}

// The constructor's own statements, those of the superclass first; on locals, or on `this_`.
void Body::run_constructor(SymbolId class_symbol, SymbolId constructor, std::vector<Value> arguments,
                           SourceRange range) {
  if (class_symbol < 0) return;
  if (classes_.declaration(class_symbol) == nullptr) {
    if (!constructs_silently(class_symbol,
                             constructor < 0 ? std::vector<TypeId>{} : classes_.symbol(constructor).parameters)) {
      unsupported("the constructor of the library's class " + classes_.symbol(class_symbol).name, range);
    }
    return;
  }
  const auto outside = std::exchange(visible_, {});
  const SymbolId outer_class = std::exchange(class_symbol_, class_symbol);
  const MethodDecl* declaration = constructor < 0 ? nullptr : classes_.method(constructor);
  const SymbolId above = classes_.symbol(class_symbol).superclass;
  if (declaration == nullptr || !declaration->body) {
    // Not in the source: a default constructor, an anonymous class's (its arguments are the superclass's), a record's.
    const Symbol& symbol = classes_.symbol(class_symbol);
    if (symbol.is_record) {
      std::size_t i = 0;
      for (SymbolId member : symbol.members) {
        const Symbol& field = classes_.symbol(member);
        if (field.kind != Symbol::Kind::kField || field.is_static || i >= arguments.size()) continue;
        Construction& into = *constructions_.back();
        if (into.is_straight) {
          into.values[member] = stable(std::move(arguments[i]), lowering_.type_of(field.type), range);
        } else {
          emit(build::assign(build::name(into.fields.at(member), range), std::move(arguments[i]), range));
        }
        ++i;
      }
    } else {
      SymbolId super = -1;
      if (above >= 0) {
        for (SymbolId member : classes_.symbol(above).members) {
          const Symbol& it = classes_.symbol(member);
          if (it.name == "<init>" && it.parameters.size() == arguments.size()) super = member;
        }
      }
      run_constructor(above, super, std::move(arguments), range);
      run_initialisers(class_symbol);
    }
    class_symbol_ = outer_class;
    visible_ = outside;
    return;
  }
  for (std::size_t i = 0; i < declaration->parameters.size(); ++i) {
    const SymbolId parameter = declaration->parameters[i].symbol;
    const auto* name = std::get_if<plato::NameExpr>(&arguments[i]->node);
    if (classes_.is_fixed(parameter) && name != nullptr && is_stable(*arguments[i])) {
      locals_[parameter] = name->name;
      visible_.emplace_back(parameter, name->name);
    } else {
      declare_local(parameter, range, std::move(arguments[i]));
    }
  }
  check_requires(*declaration);
  const auto& statements = std::get<Block>(declaration->body->node).statements;
  const Call* first = statements.empty() ? nullptr : constructor_call(*statements.front());
  if (first == nullptr) {
    run_constructor(above, default_constructor(above), {}, range);
    run_initialisers(class_symbol);
  } else {
    const SourceRange at = statements.front()->range;
    std::vector<Value> values =
        this->arguments(classes_.symbol(first->method), first->arguments, first->varargs_element, at);
    if (first->is_this_constructor) {
      run_constructor(class_symbol, first->method, std::move(values), at);
    } else {
      run_constructor(above, first->method, std::move(values), at);
      run_initialisers(class_symbol);
    }
  }
  Context context;
  context.kind = Context::Kind::kReturn;
  context.break_label = names_.fresh("constructor");
  const std::string label = context.break_label;
  contexts_.push_back(std::move(context));
  Statements inner = into_new_list([&] {
    for (std::size_t i = first == nullptr ? 0 : 1; i < statements.size(); ++i) statement(*statements[i]);
  });
  const bool used = contexts_.back().break_used;
  contexts_.pop_back();
  if (used) {
    emit(build::labeled(label, std::move(inner), range));
  } else {
    for (auto& it : inner) emit(std::move(it));
  }
  class_symbol_ = outer_class;
  visible_ = outside;
}

// ------------------------------------------------------------------------------------------------------------------ arrays

Value Body::array_of(TypeId array_type, const std::vector<Value>& sizes, std::size_t from, SourceRange range) {
  const TypeId element = classes_.type(array_type).element;
  plato::NewArray made;
  made.element = lowering_.type_of(element);
  made.size = build::copy(*sizes[from]);
  const std::string array = temporary(lowering_.type_of(array_type), plato::Rhs(std::move(made)), range, "array");
  if (from + 1 < sizes.size()) {
    const std::string index =
        temporary(build::simple(Type::Kind::kInt), plato::Rhs(build::number(0, range)), range, "i");
    assigned_.insert(index);
    Statements round = into_new_list([&] {
      Value inner = array_of(element, sizes, from + 1, range);
      emit(build::assign(build::element(build::name(array, range), build::name(index, range), range), std::move(inner),
                         range));
      emit(build::assign(
          build::name(index, range),
          build::binary(plato::BinaryOp::kAdd, build::name(index, range), build::number(1, range), range), range));
    });
    Value goes_on = build::binary(plato::BinaryOp::kLt, build::name(index, range), build::copy(*sizes[from]), range);
    emit(build::loop_while(std::move(goes_on), std::move(round), range));
  }
  return build::name(array, range);
}

Value Body::array_with(TypeId element, std::vector<std::function<Value()>> elements, SourceRange range) {
  const Type type = lowering_.type_of(element);
  plato::NewArray made;
  made.element = type;
  made.size = build::number(static_cast<std::int64_t>(elements.size()), range);
  const std::string array = temporary(build::array_of(type), plato::Rhs(std::move(made)), range, "array");
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Value it = elements[i]();
    emit(build::assign(
        build::element(build::name(array, range), build::number(static_cast<std::int64_t>(i), range), range),
        std::move(it), range));
  }
  return build::name(array, range);
}

Value Body::new_array(const NewArray& it, const Expr& expr) {
  if (it.initialisers) {
    const TypeId element = classes_.type(expr.type).element;
    std::vector<std::function<Value()>> elements;
    for (const java::ExprPtr& one : *it.initialisers) {
      elements.emplace_back([this, &one, element] { return value_as(*one, element); });
    }
    return array_with(element, std::move(elements), expr.range);
  }
  std::vector<std::function<Value()>> operands;
  std::vector<Type> types;
  for (const java::ExprPtr& size : it.dimensions) {
    operands.emplace_back([this, &size] { return primitive_value(*size); });
    types.push_back(build::simple(Type::Kind::kInt));
  }
  std::vector<Value> sizes = in_order(operands, types, expr.range);
  for (Value& size : sizes) size = stable(std::move(size), build::simple(Type::Kind::kInt), expr.range);
  // All sizes are looked at before anything is made.
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    plato::Assert check;
    check.condition =
        build::binary(plato::BinaryOp::kLe, build::number(0, expr.range), build::copy(*sizes[i]), expr.range);
    check.kind = "negative-array-size";
    emit(build::make(std::move(check), expr.range));
  }
  return array_of(expr.type, sizes, 0, expr.range);
}

// ------------------------------------------------------------------------------------------------------------------- enums

namespace {

std::vector<SymbolId> constants_of(const Classes& classes, SymbolId enum_symbol) {
  std::vector<SymbolId> out;
  for (SymbolId member : classes.symbol(enum_symbol).members) {
    if (classes.symbol(member).is_enum_constant) out.push_back(member);
  }
  return out;
}

}  // namespace

Value Body::enum_constants(SymbolId enum_symbol, SourceRange range) {
  std::vector<std::function<Value()>> elements;
  for (SymbolId it : constants_of(classes_, enum_symbol)) {
    elements.emplace_back([this, it, range] {
      return read(build::name(lowering_.static_name(it), range), lowering_.type_of(classes_.symbol(it).type), range);
    });
  }
  return array_with(classes_.symbol(enum_symbol).type, std::move(elements), range);
}

Value Body::ordinal(Value constant, SymbolId enum_symbol, SourceRange range) {
  const std::vector<SymbolId> constants = constants_of(classes_, enum_symbol);
  const Type type = lowering_.type_of_class(enum_symbol);
  constant = stable(build::unary(plato::UnaryOp::kNonNull, std::move(constant), range), type, range);
  const auto is_it = [&](SymbolId known) {
    return build::binary(plato::BinaryOp::kEq, build::copy(*constant),
                         read(build::name(lowering_.static_name(known), range), type, range), range);
  };
  if (!classes_.all_construct_privately(enum_symbol)) {
    // Its constructor may be running.
    std::vector<Value> any;
    any.reserve(constants.size());
    for (const SymbolId it : constants) any.push_back(is_it(it));
    Statements unknown = into_new_list([&] { unsupported("ordinal() of a constant that is being made", range); });
    emit(build::if_else(build::negation(build::any_of(std::move(any), range), range), std::move(unknown), {}, range));
  }
  Value out = build::number(0, range);
  for (std::size_t i = 1; i < constants.size(); ++i) {
    Value number = build::number(static_cast<std::int64_t>(i), range);
    out = build::conditional(is_it(constants[i]), std::move(number), std::move(out), range);
  }
  return out;
}

// ---------------------------------------------------------------------------------------------------------------- closures

Value Body::make_closure(const Expr& expr) {
  const Closure& closure = lowering_.closure(expr);
  plato::NewObject made;
  made.class_name = closure.class_name;
  made.class_range = expr.range;
  for (SymbolId it : closure.captured) {
    made.inits.push_back({lowering_.captured_field(it), expr.range, local_variable(it, expr.range), -1});
  }
  if (closure.captures_this) made.inits.push_back({"outer", expr.range, this_of(closure.around, expr.range), -1});
  if (closure.reference != nullptr && closure.reference->receiver) {
    Value receiver = build::unary(plato::UnaryOp::kNonNull, value(*closure.reference->receiver), expr.range);
    made.inits.push_back({"receiver", expr.range, std::move(receiver), -1});
  }
  const Type type = build::named(made.class_name);
  return build::name(temporary(type, plato::Rhs(std::move(made)), expr.range, "closure"), expr.range);
}

}  // namespace concord::frontend::java
