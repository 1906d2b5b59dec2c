// Calls: which procedures a call may reach, and what the library's few primitives mean.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

// -------------------------------------------------------------------------------------------------------------------- this

Value Body::this_value(SourceRange range) {
  if (!closure_.empty() && !closure_has_outer_) return nullptr;
  if (!closure_.empty()) return build::field(build::name(closure_, range), "outer", range);
  if (this_.empty()) return nullptr;
  return build::name(this_, range);
}

// `this`, or what is around it while its fields are still locals; null: nothing.
std::pair<SymbolId, Value> Body::innermost_instance(SourceRange range) {
  if (constructions_.empty()) return {class_symbol_, this_value(range)};
  const auto found = constructions_.back()->outers.find(class_symbol_);
  const bool is_known = found != constructions_.back()->outers.end() && found->second;
  return {classes_.symbol(class_symbol_).outer, is_known ? build::copy(*found->second) : nullptr};
}

// The instance of `wanted` (or of a subclass) among `object`, of class `at`, and those around it; null: none. `exactly`: of
// the class itself, as in C.this, not of one below it that is nearer.
Value Body::instance_around(SymbolId at, Value object, SymbolId wanted, SourceRange range, bool exactly) {
  while (at >= 0 && object) {
    if (exactly ? at == wanted : classes_.is_subclass(at, wanted)) return object;
    if (!classes_.symbol(at).has_outer_instance) break;
    object = build::field(std::move(object), lowering_.outer_field(at), range);
    at = classes_.symbol(at).outer;
  }
  return nullptr;
}

Value Body::this_of(SymbolId wanted, SourceRange range, bool exactly) {
  auto [at, object] = innermost_instance(range);
  if (Value found = instance_around(at, std::move(object), wanted, range, exactly)) return found;
  base::internal_error(__FILE__, __LINE__, "no instance of " + classes_.symbol(wanted).qualified + " is around");
}

namespace {

// Types of the library that strings, boxes and exceptions of the library have: objects whose methods are not known.
bool may_be_foreign(const Classes& classes, SymbolId type) {
  const Symbol& it = classes.symbol(type);
  if (it.is_from_source) return false;
  // No object of the library that a program can have without a stub is of these types.
  static const std::set<std::string> kClosed = {"java.lang.Runnable",      "java.util.concurrent.Callable",
                                                "java.lang.AutoCloseable", "java.io.Closeable",
                                                "java.lang.Iterable",      "java.util.Iterator"};
  return !kClosed.contains(it.qualified) && !it.qualified.starts_with("java.util.function.");
}

bool is_equals(const Classes& classes, const Symbol& method) {
  return method.name == "equals" && method.parameters.size() == 1 && !method.is_static &&
         !classes.symbol(method.owner).is_from_source &&
         classes.is_class(classes.type(method.parameters.front()).symbol, "java.lang.Object");
}

}  // namespace

// Private members are not inherited.
Value Body::this_with(const Symbol& member, SourceRange range) {
  return this_of(member.owner, range, member.is_private);
}

// ------------------------------------------------------------------------------------------------------------------- calls

Value Body::call_procedure(const std::string& procedure, std::vector<Value> arguments, const Type& result,
                           bool may_throw, SourceRange range, bool ignored, bool within_requires) {
  plato::CallTarget target = build::target(procedure, std::move(arguments), range);
  target.is_within_requires = within_requires;
  if (may_throw || ignored) {
    if (exception_.empty()) {
      exception_ = names_.fresh("thrown");
      assigned_.insert(exception_);
    }
    target.catches = exception_;
    target.catch_range = range;
  }
  std::string local;
  if (result.kind == Type::Kind::kNone) {
    emit(build::make(plato::Call{std::move(target)}, range));
  } else {
    local = temporary(result, plato::Rhs(plato::CallExpr{std::move(target)}), range, "r");
  }
  if (may_throw) {
    Statements handled = into_new_list([&] { handle_exception(build::name(exception_, range), range); });
    emit(build::if_else(build::negation(build::is_null(build::name(exception_, range), range), range),
                        std::move(handled), {}, range));
  }
  return local.empty() ? nullptr : build::name(local, range);
}

std::vector<Value> Body::arguments(const Symbol& method, const std::vector<java::ExprPtr>& given,
                                   TypeId varargs_element, SourceRange range) {
  std::vector<std::function<Value()>> operands;
  std::vector<Type> types;
  const std::size_t fixed = varargs_element < 0 ? given.size() : method.parameters.size() - 1;
  for (std::size_t i = 0; i < fixed; ++i) {
    const TypeId type = i < method.parameters.size() ? method.parameters[i] : given[i]->type;
    operands.emplace_back([&, i, type] { return value_as(*given[i], type); });
    types.push_back(lowering_.type_of(type));
  }
  if (varargs_element >= 0) {
    operands.emplace_back([&, fixed] {
      std::vector<std::function<Value()>> rest;
      for (std::size_t i = fixed; i < given.size(); ++i) {
        rest.emplace_back([&, i] { return value_as(*given[i], varargs_element); });
      }
      Value array = array_with(varargs_element, std::move(rest), range);
      return elements_as(std::move(array), varargs_element, method.parameters.back(), range);
    });
    types.push_back(lowering_.type_of(method.parameters.back()));
  }
  return in_order(operands, types, range);
}

Value Body::call_method(SymbolId method, Value receiver, std::vector<Value> arguments, SourceRange range) {
  const Symbol& symbol = classes_.symbol(method);
  std::vector<Value> all;
  if (receiver) all.push_back(std::move(receiver));
  for (Value& it : arguments) all.push_back(std::move(it));
  return call_procedure(lowering_.procedure_of(method), std::move(all), lowering_.type_of(symbol.type),
                        classes_.may_throw(method), range);
}

Value Body::call(const Call& it, const Expr& expr, TypeId wanted) {
  const Symbol& method = classes_.symbol(it.method);
  if (method.name == "<init>")
    base::internal_error(__FILE__, __LINE__, "a constructor call that is no first statement");
  if (const SymbolId field = it.receiver ? atomic_variable(*it.receiver) : -1; field >= 0) {
    return atomic_call(it, field, expr.range);
  }
  if (auto done = intrinsic(it, expr)) return std::move(*done);
  const MethodDecl* declaration = classes_.method(it.method);
  const bool is_of_class = !it.receiver || classes_.type(it.receiver->type).kind == JavaType::Kind::kClass;
  const bool has_targets = (is_equals(classes_, method) && is_of_class) ||
                           (declaration != nullptr && (declaration->body || method.is_abstract)) ||
                           !classes_.reachable_from(it.method).empty() || !lowering_.closures_for(it.method).empty() ||
                           (method.is_generated && (!method.is_static || lowering_.has_procedure(it.method)));
  if (!has_targets || (it.is_super && !lowering_.has_procedure(it.method))) {
    if (auto done = library_call(it, expr)) return std::move(*done);
  }

  Value receiver;
  bool is_this = false;
  if (!method.is_static) {
    if (it.receiver) {
      const auto* self = std::get_if<This>(&it.receiver->node);
      is_this = self != nullptr;  // or one around it: never null
      receiver = value(*it.receiver);
    } else {
      is_this = true;
      receiver = this_with(method, expr.range);
    }
    if (!is_this)
      receiver = stable(std::move(receiver),
                        it.receiver ? lowering_.type_of(it.receiver->type) : lowering_.type_of_class(method.owner),
                        expr.range);
  } else if (it.receiver) {
    effect(*it.receiver);
  }
  std::vector<Value> values = arguments(method, it.arguments, it.varargs_element, expr.range);
  Value out;
  if (method.is_static) {
    out = call_method(it.method, nullptr, std::move(values), expr.range);
  } else if (it.is_super || method.is_private) {
    if (!is_this) receiver = build::unary(plato::UnaryOp::kNonNull, std::move(receiver), expr.range);
    out = call_method(it.method, std::move(receiver), std::move(values), expr.range);
  } else {
    const JavaType* type = it.receiver ? &classes_.type(it.receiver->type) : nullptr;
    const SymbolId known = type != nullptr && type->kind == JavaType::Kind::kClass ? type->symbol : -1;
    out = call_virtual(it.method, std::move(receiver), known, is_this, std::move(values), expr.range);
  }
  if (!out || wanted < 0) return out;
  return cast_to_class(std::move(out), method.type, wanted, false, expr.range);
}

// It is not overridden by a class of the library above it.
bool Body::has_plain_equals(SymbolId class_symbol) const {
  static const std::set<std::string> kPlain = {"java.lang.Object", "java.lang.Enum", "java.lang.Throwable"};
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.symbol(at).is_from_source) continue;
    return kPlain.contains(classes_.symbol(at).qualified) || lowering_.is_throwable(at);
  }
  return true;
}

// What the library's method does for an object of that class, or of one of its own (-1): as a rule anything, but a few methods
// only answer, unless they ask methods of the program.
Value Body::unknown_answer(const Symbol& method, SymbolId class_symbol, SourceRange range) {
  static const std::map<std::string, std::set<std::string>> kAsks = {
      {"toString", {"toString", "hashCode", "getMessage", "getLocalizedMessage"}},
      {"getLocalizedMessage", {"getMessage"}},
      {"getMessage", {}},
      {"hashCode", {"hashCode"}},
      {"equals", {"equals"}}};
  const auto asked = kAsks.find(method.name);
  const bool only_answers =
      asked != kAsks.end() && (method.name == "equals" || method.parameters.empty()) &&
      (class_symbol < 0 || (has_plain_superclass(class_symbol) && !lowering_.has_own(class_symbol, asked->second)));
  const std::string what = "the method " + classes_.symbol(method.owner).name + "." + method.name + " of the library";
  return only_answers ? unknown_value(what, method.type, range) : unsupported(what, method.type, range);
}

// Its methods that are inherited from the library are those of Object, a record, an enum or an exception.
bool Body::has_plain_superclass(SymbolId class_symbol) const {
  return has_plain_equals(class_symbol) || classes_.symbol(class_symbol).is_record;
}

// compareTo of a string or box, which casts what it is given to its own class.
Value Body::compare_in_library(const Symbol& method, const Value& receiver, const plato::Expr& given,
                               SourceRange range) {
  const Type object = build::named(lowering_.object_class());
  Value other = build::name(temporary(object, build::copy(given), range), range);
  other = stable(build::unary(plato::UnaryOp::kNonNull, std::move(other), range), object, range);
  expect_class(lowering_.are_comparable(build::copy(*receiver), std::move(other), range),
               !classes_.unit().unchecked.empty(), range);
  return unknown_value("the method Comparable.compareTo of the library", method.type, range);
}

// A method of an object that is of no class of the program: of the library, or of a client's own class.
Value Body::call_foreign(SymbolId method, const Value& receiver, const std::vector<Value>& arguments, SymbolId type,
                         SourceRange range) {
  const Symbol& symbol = classes_.symbol(method);
  if (is_equals(classes_, symbol)) {
    std::vector<Value> both;
    both.push_back(build::copy(*receiver));
    both.push_back(build::copy(*arguments.front()));
    return call_procedure(lowering_.library_equals(range), std::move(both), lowering_.type_of(symbol.type), false,
                          range);
  }
  const auto of_library = [&] {
    const bool compares = symbol.name == "compareTo" && classes_.is_class(symbol.owner, "java.lang.Comparable");
    return compares ? compare_in_library(symbol, receiver, *arguments.front(), range)
                    : unknown_answer(symbol, -1, range);
  };
  const std::string client = lowering_.client_class(type);
  if (client.empty()) return of_library();
  if (!may_be_foreign(classes_, type)) return clients_answer(symbol, range);
  const Type made = lowering_.type_of(symbol.type);
  std::string result;
  if (made.kind != Type::Kind::kNone) {
    result = names_.fresh("r");
    assigned_.insert(result);
    emit(build::local(result, made, std::nullopt, range));
  }
  const auto branch_of = [&](const std::function<Value()>& work) {
    return into_new_list([&] {
      Value out = work();
      if (!result.empty()) emit(build::assign(build::name(result, range), std::move(out), range));
    });
  };
  Statements own = branch_of([&] { return clients_answer(symbol, range); });
  Statements other = branch_of(of_library);
  emit(build::if_else(build::instance_of(build::copy(*receiver), client, range), std::move(own), std::move(other),
                      range));
  return result.empty() ? nullptr : build::name(result, range);
}

// The body of a procedure that stands for all methods that may run.
void Body::dispatch(const MethodDecl& specified) {
  const Symbol& symbol = classes_.symbol(specified.symbol);
  dispatched_ = specified.symbol;
  std::vector<Value> passed;
  for (const Parameter& it : specified.parameters) passed.push_back(local_variable(it.symbol, symbol.range));
  plato::Return out;
  out.value = call_virtual(specified.symbol, build::name("this_", symbol.range), symbol.owner, true, std::move(passed),
                           symbol.range);
  emit(build::make(std::move(out), symbol.range));
}

// One alternative for each method that may run, the most derived classes first. `type`: what the receiver is known to be.
Value Body::call_virtual(SymbolId method, Value receiver, SymbolId type, bool is_this, std::vector<Value> arguments,
                         SourceRange range) {
  const Symbol& symbol = classes_.symbol(method);
  if (const SymbolId specified = lowering_.specified_by(method); specified >= 0 && specified != dispatched_) {
    if (!is_this) receiver = build::unary(plato::UnaryOp::kNonNull, std::move(receiver), range);
    arguments.insert(arguments.begin(), std::move(receiver));
    const TypeId result = classes_.symbol(specified).type;
    Value out = call_procedure(lowering_.dispatcher_of(specified), std::move(arguments), lowering_.type_of(result),
                               lowering_.dispatcher_may_throw(specified), range);
    return out ? cast_to_class(std::move(out), result, symbol.type, false, range) : nullptr;
  }
  if (type < 0 || !classes_.is_subclass(type, symbol.owner)) type = symbol.owner;
  struct Alternative {
    std::string class_name;
    SymbolId class_symbol = -1;  // -1: of a lambda expression
    SymbolId implementation = -1;
    const Closure* closure = nullptr;  // whose own code runs
  };
  std::vector<Alternative> alternatives;
  std::set<SymbolId> implementations;
  for (SymbolId it : classes_.instances_of(type)) {
    const SymbolId implementation = classes_.implementation(method, it);
    if (implementation < 0 && is_equals(classes_, symbol) && has_plain_equals(it)) continue;  // as of the library
    alternatives.push_back({lowering_.class_name(it), it, implementation, nullptr});
    implementations.insert(implementation);
  }
  const std::vector<const Closure*> closures = lowering_.closures_for(method);
  for (const Closure* it : lowering_.closures_of(type)) {
    if (std::find(closures.begin(), closures.end(), it) != closures.end()) {
      alternatives.push_back({it->class_name, -1, -1, it});
      implementations.insert(-1);
      continue;
    }
    const SymbolId implementation = classes_.implementation(method, it->interface_symbol);  // a default method
    alternatives.push_back({it->class_name, -1, implementation, nullptr});
    implementations.insert(implementation);
  }
  const bool is_open =
      is_equals(classes_, symbol) || ((!is_this || dispatched_ == method) &&
                                      (may_be_foreign(classes_, type) || !lowering_.client_class(type).empty()));

  const auto object_as = [&](const std::string& class_name, SymbolId owner) {
    Value object = build::copy(*receiver);
    if (!is_this) object = build::unary(plato::UnaryOp::kNonNull, std::move(object), range);
    const bool is_known = owner >= 0 && (classes_.symbol(owner).is_interface ||
                                         (!classes_.symbol(type).is_interface && classes_.is_subclass(type, owner)));
    if (is_known) return object;
    return build::cast(std::move(object), class_name, range);
  };
  // The parameters of what runs may be narrower, where the method called is generic.
  const auto copies = [&](SymbolId target) {
    std::vector<Value> out;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const TypeId to = classes_.symbol(target).parameters[i];
      out.push_back(cast_to_class(build::copy(*arguments[i]), symbol.parameters[i], to, false, range));
    }
    return out;
  };
  const auto run = [&](const Alternative& it) -> Value {
    if (it.closure != nullptr) {
      std::vector<Value> all = copies(it.closure->method);
      all.insert(all.begin(), object_as(it.class_name, -1));
      return call_procedure(it.closure->procedure, std::move(all),
                            lowering_.type_of(classes_.symbol(it.closure->method).type), it.closure->may_throw, range);
    }
    if (it.implementation < 0 || !lowering_.has_procedure(it.implementation)) {
      return unknown_answer(symbol, it.class_symbol, range);
    }
    std::vector<Value> passed = copies(it.implementation);
    return call_method(it.implementation, object_as(it.class_name, classes_.symbol(it.implementation).owner),
                       std::move(passed), range);
  };
  if (alternatives.empty() && !is_open) {
    // Nothing of this class is ever made: the receiver is null.
    Value object = build::unary(plato::UnaryOp::kNonNull, std::move(receiver), range);
    emit(build::make(plato::Assume{build::binary(plato::BinaryOp::kEq, std::move(object), build::null(range), range)},
                     range));
    const Type result = lowering_.type_of(symbol.type);
    return result.kind == Type::Kind::kNone ? nullptr : default_value(result, range);
  }
  if (implementations.size() == 1 && !is_open && dispatched_ != method) {
    Alternative only = alternatives.front();
    if (only.implementation >= 0) {
      // The class that declares what runs.
      const SymbolId owner = classes_.symbol(only.implementation).owner;
      if (!classes_.symbol(owner).is_interface) only.class_name = lowering_.class_name(owner);
      return run(only);
    }
    if (only.closure == nullptr || alternatives.size() == 1) return run(only);
  }

  const Type type_made = lowering_.type_of(symbol.type);
  std::string result;
  if (type_made.kind != Type::Kind::kNone) {
    result = names_.fresh("r");
    assigned_.insert(result);
    emit(build::local(result, type_made, std::nullopt, range));
  }
  if (!is_this)
    receiver = stable(build::unary(plato::UnaryOp::kNonNull, std::move(receiver), range), lowering_.type_of_class(type),
                      range);
  is_this = true;  // known not to be null from here on
  const auto branch_of = [&](const std::function<Value()>& work) {
    return into_new_list([&] {
      Value out = work();
      if (!result.empty()) emit(build::assign(build::name(result, range), std::move(out), range));
    });
  };
  Statements rest;
  if (is_open) rest = branch_of([&] { return call_foreign(method, receiver, arguments, type, range); });
  for (std::size_t i = alternatives.size(); i-- > 0;) {
    Statements branch = branch_of([&] { return run(alternatives[i]); });
    Value test = build::instance_of(build::copy(*receiver), alternatives[i].class_name, range);
    if (i + 1 == alternatives.size() && !is_open) {
      // The hierarchy is closed: one of them it is.
      emit_before(branch, build::make(plato::Assume{std::move(test)}, range));
      lowering_.is_dispatch(*branch.front());
      rest = std::move(branch);
    } else {
      Statements next;
      next.push_back(build::if_else(std::move(test), std::move(branch), std::move(rest), range));
      lowering_.is_dispatch(*next.back());
      rest = std::move(next);
    }
  }
  for (auto& it : rest) emit(std::move(it));
  return result.empty() ? nullptr : build::name(result, range);
}

void Body::emit_before(Statements& list, plato::StmtPtr statement) { list.insert(list.begin(), std::move(statement)); }

void Body::emit_before(Statements& list, Statements first) {
  list.insert(list.begin(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
}

// -------------------------------------------------------------------------------------------------------- library primitives

// What is written in terms of Plato's own operations: monitors, and the primitives of concord.Concord that stubs are made of.
std::optional<Value> Body::intrinsic(const Call& it, const Expr& expr) {
  const Symbol& method = classes_.symbol(it.method);
  const std::string& owner = classes_.symbol(method.owner).qualified;
  const SourceRange range = expr.range;
  const auto receiver = [&] {
    if (!it.receiver) return this_with(method, range);
    return stable(value(*it.receiver), lowering_.type_of(it.receiver->type), range);
  };
  if (owner == "java.lang.Object") {
    const bool is_monitor = method.name == "wait" || method.name == "notify" || method.name == "notifyAll";
    const SymbolId type = it.receiver ? classes_.type(it.receiver->type).symbol : class_symbol_;
    if (is_monitor && lowering_.is_lock(type)) return unsupported("the monitor of a Lock", expr.type, range);
    if (is_monitor && !method.parameters.empty()) return std::nullopt;
    if (is_monitor) {
      Value object = receiver();
      refuse_locks(*object, it.receiver.get(), range);
      check_not_freed(*object, type, false, range);
      if (method.name == "wait") {
        wait_at(std::move(object), range);
      } else {
        emit(build::make(plato::Notify{std::move(object), method.name == "notifyAll"}, range));
      }
      return nullptr;
    }
    return std::nullopt;
  }
  if (owner == "concord.PerThread") {
    Value own = build::element(target(*it.receiver).place, build::tid(range), range);
    if (method.name == "get") return read(std::move(own), lowering_.type_of(method.type), range);
    Value number = value_as(*it.arguments.front(), method.parameters.front());
    emit(build::assign(std::move(own), std::move(number), range));
    return nullptr;
  }
  if (owner != "concord.Concord") return std::nullopt;
  const auto argument = [&](std::size_t i) {
    return stable(value_as(*it.arguments[i], method.parameters[i]), lowering_.type_of(method.parameters[i]), range);
  };
  if (method.name == "free") {
    free_object(it, range);
    return nullptr;
  }
  if (method.name == "reused") return reused_object(it, expr);
  if (method.name == "acquire") {
    emit(build::make(plato::Acquire{argument(0)}, range));
    return nullptr;
  }
  if (method.name == "release") {
    emit(build::make(plato::Release{argument(0)}, range));
    return nullptr;
  }
  if (method.name == "depth") {
    Value lock = argument(0);
    Value mine = build::binary(plato::BinaryOp::kEq, build::field(build::copy(*lock), "holder", range),
                               build::tid(range), range);
    Value depth = build::conditional(std::move(mine), build::field(std::move(lock), "depth", range),
                                     build::number(0, range), range);
    depth = narrow(std::move(depth), Prim::kInt, range);
    return build::name(temporary(lowering_.type_of(method.type), plato::Rhs(std::move(depth)), range, "depth"), range);
  }
  if (method.name == "isFree") {
    Value holder = build::field(argument(0), "holder", range);
    const std::string by = temporary(build::simple(Type::Kind::kTid), plato::Rhs(std::move(holder)), range, "holder");
    return build::binary(plato::BinaryOp::kOr,
                         build::binary(plato::BinaryOp::kEq, build::name(by, range), build::none(range), range),
                         build::binary(plato::BinaryOp::kEq, build::name(by, range), build::tid(range), range), range);
  }
  if (method.name == "assumption") {
    lowering_.assume(*it.arguments.front()->constant);
    return nullptr;
  }
  if (method.name == "unsupported") {
    unsupported(*it.arguments.front()->constant, range);
    return nullptr;
  }
  if (classes_.waits_interruptibly(it.method) || method.name == "endWaiting") {
    std::vector<Value> given;
    if (!it.arguments.empty()) given.push_back(argument(0));
    call_of_interrupts(method.name.c_str(), std::move(given), range);
    return nullptr;
  }
  if (method.name == "assume") {
    emit(build::make(plato::Assume{argument(0)}, range));
    return nullptr;
  }
  if (method.name == "anyInt" || method.name == "anyLong" || method.name == "anyBoolean") {
    const std::string name = temporary(lowering_.type_of(method.type), std::nullopt, range, "any");
    plato::Havoc havoc;
    havoc.targets.push_back(build::name(name, range));
    emit(build::make(std::move(havoc), range));
    return build::name(name, range);
  }
  if (method.name == "start") {
    start_thread(argument(0), false, range);
    return nullptr;
  }
  if (method.name == "join") {
    Value joined = argument(0);
    if (lowering_.locks_threads()) {
      // The library waits at the monitor of the thread, and gives it back meanwhile.
      Value mine = build::binary(plato::BinaryOp::kEq, build::field(build::copy(*joined), "holder", range),
                                 build::tid(range), range);
      Statements then = into_new_list([&] { unsupported("join with the monitor of the thread held", range); });
      emit(build::if_else(std::move(mine), std::move(then), {}, range));
    }
    Value identity = build::field(std::move(joined), lowering_.identity_field(), range);
    const Type tid = build::simple(Type::Kind::kTid);
    const std::string thread = temporary(tid, plato::Rhs(std::move(identity)), range, "joined");
    Statements wait;
    wait.push_back(build::make(plato::Join{build::name(thread, range)}, range));
    Value started = build::binary(plato::BinaryOp::kNe, build::name(thread, range), build::none(range), range);
    emit(build::if_else(std::move(started), std::move(wait), {}, range));
    return nullptr;
  }
  if (method.name == "isStarted") {
    Value identity = build::field(argument(0), lowering_.identity_field(), range);
    Value started = build::binary(plato::BinaryOp::kNe, std::move(identity), build::none(range), range);
    return read(std::move(started), build::simple(Type::Kind::kBool), range);
  }
  if (method.name == "currentThread") {
    Value map = build::name(lowering_.thread_map(), range);
    Value current = build::element(std::move(map), build::tid(range), range);
    Value out = read(std::move(current), lowering_.type_of(method.type), range);
    // It is there before anything else in the thread happens.
    emit(build::make(plato::Assume{build::negation(build::is_null(build::copy(*out), range), range)}, range));
    return out;
  }
  return std::nullopt;
}

// Methods without a body here and without a specification: a few whose effect cannot matter, the rest is named.
std::optional<Value> Body::library_call(const Call& it, const Expr& expr) {
  const Symbol& method = classes_.symbol(it.method);
  const std::string& owner = classes_.symbol(method.owner).qualified;
  if (owner == "java.lang.Enum" && method.name == "ordinal") {
    const TypeId type = it.receiver ? it.receiver->type : classes_.symbol(class_symbol_).type;
    SymbolId constants = classes_.type(type).symbol;
    while (constants >= 0 && !classes_.symbol(constants).is_enum) constants = classes_.symbol(constants).superclass;
    // The class of a constant with a body is an enum too, below the one that has the constants.
    while (constants >= 0 && classes_.symbol(classes_.symbol(constants).superclass).is_enum) {
      constants = classes_.symbol(constants).superclass;
    }
    if (constants >= 0 && classes_.symbol(constants).is_from_source) {
      return ordinal(it.receiver ? value(*it.receiver) : this_of(constants, expr.range), constants, expr.range);
    }
  }
  if (owner == "java.io.PrintStream" && (method.name == "println" || method.name == "print")) {
    const auto* stream = it.receiver ? std::get_if<Select>(&it.receiver->node) : nullptr;
    const bool is_standard = stream != nullptr && stream->symbol >= 0 &&
                             classes_.is_class(classes_.symbol(stream->symbol).owner, "java.lang.System");
    const bool is_plain = std::all_of(it.arguments.begin(), it.arguments.end(), [&](const java::ExprPtr& argument) {
      const JavaType& type = classes_.type(argument->type);
      return type.kind == JavaType::Kind::kPrimitive || classes_.is_class(type.symbol, "java.lang.String");
    });
    if (is_standard && is_plain) {
      for (const java::ExprPtr& argument : it.arguments) effect(*argument);
      return nullptr;
    }
  }
  if (auto done = known_library_call(it, expr)) return std::move(*done);
  if (is_equals(classes_, method) && it.is_super && has_plain_equals(method.owner)) {
    Value other = value_as(*it.arguments.front(), method.parameters.front());
    return build::binary(plato::BinaryOp::kEq, this_of(class_symbol_, expr.range), std::move(other), expr.range);
  }
  if (it.receiver) effect(*it.receiver);
  for (const java::ExprPtr& argument : it.arguments) effect(*argument);
  if (owner == "java.lang.System" && (method.name == "nanoTime" || method.name == "currentTimeMillis")) {
    const std::string name = temporary(lowering_.type_of(method.type), std::nullopt, expr.range, "time");
    plato::Havoc havoc;
    havoc.targets.push_back(build::name(name, expr.range));
    emit(build::make(std::move(havoc), expr.range));
    return build::name(name, expr.range);
  }
  // Nothing is known of what it does.
  lowering_.note_unknown();
  return unsupported("the method " + classes_.symbol(method.owner).name + "." + method.name + " of the library",
                     expr.type, expr.range);
}

// ---------------------------------------------------------------------------------------------------------------- monitors

// The monitor of a Lock stands for the lock; the one that the object has besides cannot be told from it.
void Body::refuse_locks(const plato::Expr& object, const Expr* written, SourceRange range) {
  SymbolId type = class_symbol_;
  if (written != nullptr) {
    type = classes_.class_made(*written);
    if (type < 0) type = classes_.type(written->type).symbol;
  }
  std::vector<Value> any;
  for (const std::string& lock : lowering_.locks_among(type)) {
    any.push_back(build::instance_of(build::copy(object), lock, range));
  }
  if (any.empty()) return;
  Statements then = into_new_list([&] { unsupported("the monitor of a Lock", range); });
  emit(build::if_else(build::any_of(std::move(any), range), std::move(then), {}, range));
}

void Body::wait_at(Value object, SourceRange range) {
  if (classes_.interrupts()) {
    // Before anything else: whoever waits holds the monitor.
    plato::Assert holds;
    holds.condition = build::binary(plato::BinaryOp::kEq, build::field(build::copy(*object), "holder", range),
                                    build::tid(range), range);
    holds.kind = "monitor-state";
    emit(build::make(std::move(holds), range));
  }
  call_of_interrupts("beginWaiting", {}, range);
  emit(build::make(plato::Wait{std::move(object)}, range));
  call_of_interrupts("endWaiting", {}, range);
}

// A method of the stub of Thread that has something to do only where threads are interrupted.
void Body::call_of_interrupts(const char* name, std::vector<Value> arguments, SourceRange range) {
  lowering_.note_wait();
  if (!classes_.interrupts()) return;
  const SymbolId method = lowering_.member_of_thread(name);
  call_procedure(lowering_.procedure_of(method), std::move(arguments), build::simple(Type::Kind::kNone),
                 classes_.may_throw(method), range);
}

// ----------------------------------------------------------------------------------------------------------------- threads

void Body::leave_uncaught() {
  const SymbolId method = exception_.empty() ? -1 : lowering_.method_for_uncaught();
  if (method < 0) return;
  const Symbol& symbol = classes_.symbol(method);
  const std::string called = classes_.symbol(symbol.owner).name + "." + symbol.name;
  Statements report =
      into_new_list([&] { unsupported("what " + called + " does when nobody catches an exception", symbol.range); });
  Value is_thrown = build::negation(build::is_null(build::name(exception_, symbol.range), symbol.range), symbol.range);
  emit(build::if_else(std::move(is_thrown), std::move(report), {}, symbol.range));
}

// What the JVM does last in a thread, as far as anybody looks at it: it is not alive any more, and whoever waits at its monitor is
// notified.
void Body::note_end(const plato::Expr& thread, SourceRange range) {
  const auto note = [&] {
    if (!classes_.calls_thread("isAlive") && !classes_.calls_thread("setDaemon") && !classes_.interrupts()) return;
    const std::string ended = lowering_.field_name(lowering_.member_of_thread("ended"));
    emit(build::assign(build::field(build::copy(thread), ended, range), build::truth(true, range), range));
  };
  if (!lowering_.waits_at_threads()) return note();
  emit(build::make(plato::Acquire{build::copy(thread)}, range));
  note();
  emit(build::make(plato::Notify{build::copy(thread), true}, range));
  emit(build::make(plato::Release{build::copy(thread)}, range));
}

// In one step: the thread exists, and its object knows it.
void Body::start_thread(Value thread, bool only_new, SourceRange range) {
  const SymbolId base = lowering_.thread_symbol();
  const std::vector<SymbolId> all = classes_.instances_of(base);
  Statements rest;
  for (std::size_t i = all.size(); i-- > 0;) {
    const std::string class_name = lowering_.class_name(all[i]);
    Statements inside;
    Value is_new =
        build::binary(plato::BinaryOp::kEq, build::field(build::copy(*thread), lowering_.identity_field(), range),
                      build::none(range), range);
    if (only_new) {
      inside.push_back(build::make(plato::Assume{std::move(is_new)}, range));
    } else {
      plato::Assert fresh;
      fresh.condition = std::move(is_new);
      fresh.kind = "thread-state";
      inside.push_back(build::make(std::move(fresh), range));
    }
    const std::string name = names_.fresh("started");
    std::vector<Value> self;
    self.push_back(all[i] == base ? build::copy(*thread) : build::cast(build::copy(*thread), class_name, range));
    plato::StartExpr start{build::target(lowering_.thread_entry(all[i]), std::move(self), range)};
    inside.push_back(build::local(name, build::simple(Type::Kind::kTid), plato::Rhs(std::move(start)), range));
    inside.push_back(build::assign(build::field(build::copy(*thread), lowering_.identity_field(), range),
                                   build::name(name, range), range));
    if (lowering_.has_thread_map()) {
      inside.push_back(
          build::assign(build::element(build::name(lowering_.thread_map(), range), build::name(name, range), range),
                        build::copy(*thread), range));
    }
    Statements branch;
    plato::Atomic atomic;
    atomic.body = build::block(std::move(inside), range);
    branch.push_back(build::make(std::move(atomic), range));
    Value test = build::instance_of(build::copy(*thread), class_name, range);
    if (i + 1 == all.size()) {
      if (all.size() > 1) emit_before(branch, build::make(plato::Assume{std::move(test)}, range));
      rest = std::move(branch);
    } else {
      Statements next;
      next.push_back(build::if_else(std::move(test), std::move(branch), std::move(rest), range));
      lowering_.is_dispatch(*next.back());
      rest = std::move(next);
    }
  }
  for (auto& it : rest) emit(std::move(it));
}

}  // namespace concord::frontend::java
