// Procedures: of methods, those that the compiler or the library makes included, of constructors, and of threads.
#include <algorithm>
#include <utility>

#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

void Lowering::emit_procedure(plato::Procedure procedure) {
  add_item(plato::Item::Kind::kProcedure, program_.procedures.size());
  program_.procedures.push_back(std::move(procedure));
}

std::string Lowering::procedure_of(SymbolId method) {
  if (const auto found = procedures_.find(method); found != procedures_.end()) return found->second;
  const Symbol& it = classes_.symbol(method);
  const std::string name = names_.fresh(name_of_class(it.owner) + "_" + it.name);
  procedures_[method] = name;
  tasks_.emplace_back([this, method, name] { lower_method(method, name); });
  return name;
}

void Lowering::lower_method(SymbolId method, const std::string& name) {
  const Symbol& symbol = classes_.symbol(method);
  const MethodDecl* declaration = classes_.method(method);
  if (declaration == nullptr || !declaration->body) return lower_generated(method, name);
  Body body(*this, symbol.owner, !symbol.is_static);
  for (const Parameter& it : declaration->parameters) body.add_parameter(it.symbol);
  body.set_result(type_of(symbol.type), symbol.type);
  if (classes_.may_throw(method)) body.set_throws();
  if (!symbol.is_static) body.assume_outer();
  const bool on_class = symbol.is_synchronized && symbol.is_static;
  body.lower_body(*declaration->body, symbol.is_synchronized && !symbol.is_static,
                  on_class ? class_monitor(symbol.owner) : "");
  plato::Procedure made = body.finish(name, declaration->range, symbol.range);
  add_contract(made, method, body);
  emit_procedure(std::move(made));
}

bool Lowering::has_contract(SymbolId method) {
  const std::vector<plato::AnnotationText*> notes = annotations_.of_method(method);
  return std::any_of(notes.begin(), notes.end(), [](const plato::AnnotationText* it) { return it->has_contract; });
}

SymbolId Lowering::specified_by(SymbolId method) {
  const Symbol& symbol = classes_.symbol(method);
  if (has_contract(method)) {
    const std::vector<SymbolId> running = classes_.reachable_from(method);
    const bool is_alone = running.size() == 1 && running.front() == method;
    return is_alone && closures_for(method).empty() ? -1 : method;
  }
  std::vector<SymbolId> nearest;
  for (SymbolId above : symbol.overrides) {
    const auto hides = [&](SymbolId other) {
      const std::vector<SymbolId>& hidden = classes_.symbol(other).overrides;
      return has_contract(other) && std::find(hidden.begin(), hidden.end(), above) != hidden.end();
    };
    if (has_contract(above) && std::none_of(symbol.overrides.begin(), symbol.overrides.end(), hides))
      nearest.push_back(above);
  }
  if (nearest.size() > 1) {
    error(symbol.range, "this method overrides two methods with contracts",
          "say with a contract of its own what it does");
  }
  return nearest.empty() ? -1 : nearest.front();
}

std::string Lowering::dispatcher_of(SymbolId specified) {
  if (const auto found = dispatchers_.find(specified); found != dispatchers_.end()) return found->second;
  const Symbol& it = classes_.symbol(specified);
  const std::string name = names_.fresh(name_of_class(it.owner) + "_" + it.name + "_of_any");
  dispatchers_[specified] = name;
  tasks_.emplace_back([this, specified, name] { lower_dispatcher(specified, name); });
  return name;
}

bool Lowering::dispatcher_may_throw(SymbolId specified) {
  const std::vector<SymbolId> running = classes_.reachable_from(specified);
  const std::vector<const Closure*> closures = closures_for(specified);
  return std::any_of(running.begin(), running.end(), [&](SymbolId it) { return classes_.may_throw(it); }) ||
         std::any_of(closures.begin(), closures.end(), [](const Closure* it) { return it->may_throw; });
}

void Lowering::lower_dispatcher(SymbolId specified, const std::string& name) {
  const Symbol& symbol = classes_.symbol(specified);
  const MethodDecl& declaration = *classes_.method(specified);
  Body body(*this, symbol.owner, true);
  for (const Parameter& it : declaration.parameters) body.add_parameter(it.symbol);
  body.set_result(type_of(symbol.type), symbol.type);
  if (dispatcher_may_throw(specified)) body.set_throws();
  body.dispatch(declaration);
  plato::Procedure made = body.finish(name, declaration.range, symbol.range);
  add_contract(made, specified, body);
  emit_procedure(std::move(made));
}

std::string Lowering::library_equals(SourceRange call) {
  object_class();
  const std::string name = names_.fresh("library_equals");
  library_equals_.emplace_back(name, call);
  return name;
}

// equals(Object) of strings, boxes, clients' own classes, and of classes that do not override it. When all classes are known.
void Lowering::lower_library_equals(const std::string& procedure, SourceRange range) {
  Body body(*this, -1, false);
  const std::string self = body.add_parameter("self", build::named(object_class()));
  const std::string other = body.add_parameter("other", build::named(object_class()));
  body.set_result(build::simple(Type::Kind::kBool), -1);
  const auto answer = [&](Value value) {
    plato::Return out;
    out.value = std::move(value);
    body.emit(build::make(std::move(out), range));
  };
  const auto is_of = [&](const std::string& object, const std::string& class_name) {
    return build::instance_of(build::name(object, range), class_name, range);
  };
  const auto when = [&](Value condition, const std::function<void()>& work) {
    Body::Statements inside = body.into_new_list(work);
    body.emit(build::if_else(std::move(condition), std::move(inside), {}, range));
  };
  const auto unknown = [&](const std::string& what) {
    const std::string result = body.temporary(build::simple(Type::Kind::kBool), std::nullopt, range, "unknown");
    plato::Unsupported out;
    out.reason = what;
    out.targets.push_back(build::name(result, range));
    body.emit(build::make(std::move(out), range));
    answer(build::name(result, range));
  };
  if (has_client_objects()) {
    when(is_of(self, client_class_),
         [&] { answer(build::name(body.any_of_type(build::simple(Type::Kind::kBool), range, "any"), range)); });
  }
  const auto same = [&] {
    return build::binary(plato::BinaryOp::kEq, build::name(self, range), build::name(other, range), range);
  };
  when(same(), [&] { answer(build::truth(true, range)); });
  if (!string_class_.empty() || class_names_.contains(find_class("java.lang.String"))) {
    Value both = build::binary(plato::BinaryOp::kAnd, is_of(self, string_class()), is_of(other, string_class()), range);
    when(std::move(both), [&] { unknown("the content of strings"); });
  }
  for (const auto& it : boxes_) {
    const std::string& name = it.second;
    Value both = build::binary(plato::BinaryOp::kAnd, is_of(self, name), is_of(other, name), range);
    when(std::move(both), [&] {
      const auto value = [&](const std::string& object) {
        return build::field(build::cast(build::name(object, range), name, range), "value", range);
      };
      answer(build::binary(plato::BinaryOp::kEq, value(self), value(other), range));
    });
  }
  if (has_client()) {
    for (SymbolId it : classes_of_library()) {
      if (is_throwable(it)) continue;
      when(is_of(self, class_names_.at(it)), [&] { unknown("the method equals of " + classes_.symbol(it).qualified); });
    }
  }
  answer(build::truth(false, range));
  emit_procedure(body.finish_without_braces(procedure, range));
}

// The accessor of a record, or values() of an enum.
void Lowering::lower_generated(SymbolId method, const std::string& name) {
  const Symbol& symbol = classes_.symbol(method);
  Body body(*this, symbol.owner, !symbol.is_static);
  for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
    body.add_parameter("p" + std::to_string(i), type_of(symbol.parameters[i]));
  }
  body.set_result(type_of(symbol.type), symbol.type);
  plato::Return out;
  if (const SymbolId field = record_field(method); field >= 0) {
    out.value = build::field(build::name("this_", symbol.range), field_name(field), symbol.range);
  } else {
    out.value = body.enum_constants(symbol.owner, symbol.range);
  }
  body.emit(build::make(std::move(out), symbol.range));
  emit_procedure(body.finish_without_braces(name, symbol.range));
}

std::string Lowering::initialiser_of(SymbolId class_symbol, SymbolId constructor) {
  const std::pair key{class_symbol, constructor};
  if (const auto found = initialisers_.find(key); found != initialisers_.end()) return found->second;
  const std::string name = names_.fresh(name_of_class(class_symbol) + "_init");
  initialisers_[key] = name;
  tasks_.emplace_back([this, class_symbol, constructor, name] { lower_initialiser(class_symbol, constructor, name); });
  return name;
}

void Lowering::lower_initialiser(SymbolId class_symbol, SymbolId constructor, const std::string& name) {
  Body body(*this, class_symbol, true);
  const Symbol& symbol = classes_.symbol(class_symbol);
  std::vector<Value> arguments;
  const Symbol* method = constructor < 0 ? nullptr : &classes_.symbol(constructor);
  if (method != nullptr) {
    for (std::size_t i = 0; i < method->parameters.size(); ++i) {
      const std::string given = body.add_parameter("p" + std::to_string(i), type_of(method->parameters[i]));
      arguments.push_back(build::name(given, symbol.range));
    }
    if (classes_.may_throw_in_constructor(constructor)) body.set_throws();
  }
  const MethodDecl* declaration = constructor < 0 ? nullptr : classes_.method(constructor);
  const SourceRange range = declaration != nullptr ? declaration->range : symbol.range;
  body.run_constructor(class_symbol, constructor, std::move(arguments), symbol.range);
  emit_procedure(body.finish(name, range, symbol.range));
}

std::string Lowering::thread_entry(SymbolId thread_class) {
  if (const auto found = entries_.find(thread_class); found != entries_.end()) return found->second;
  const std::string name = names_.fresh(name_of_class(thread_class) + "_thread");
  entries_[thread_class] = name;
  tasks_.emplace_back([this, thread_class, name] { lower_thread_entry(thread_class, name); });
  return name;
}

// What Thread.start runs: the object's own run, under the identity that the object knows.
void Lowering::lower_thread_entry(SymbolId thread_class, const std::string& name) {
  const SymbolId implementation = classes_.implementation(member_of_thread("run"), thread_class);
  const Symbol& symbol = classes_.symbol(implementation);
  Body body(*this, thread_class, true);
  std::vector<Value> self;
  self.push_back(build::name("this_", symbol.range));
  body.call_procedure(procedure_of(implementation), std::move(self), build::simple(Type::Kind::kNone), false,
                      symbol.range, classes_.may_throw(implementation));
  body.leave_uncaught();
  body.note_end(*build::name("this_", symbol.range), symbol.range);
  plato::Procedure made = body.finish_without_braces(name, symbol.range);
  made.contract.requires_.push_back(build::binary(
      plato::BinaryOp::kEq, build::field(build::name("this_", symbol.range), identity_field(), symbol.range),
      build::tid(symbol.range), symbol.range));
  // Whoever starts the thread answers for what `run` requires.
  Place place;
  place.class_symbol = symbol.owner;
  place.self = "this_";
  place.has_this = true;
  for (const plato::AnnotationText* note : annotations_.of_method(implementation)) {
    if (!note->abstracted.by.empty()) made.abstracted = abstraction(note->abstracted, symbol.owner);
    for (const Value& it : note->contract.requires_) {
      Value required = build::copy(*it);
      Clauses(*this, place).translate(required);
      made.contract.requires_.push_back(std::move(required));
    }
  }
  emit_procedure(std::move(made));
}

}  // namespace concord::frontend::java
