// The most general client of classes without a main method: any number of threads, each of which again and again makes an
// object of a public class, or calls a public method of an object that some client made, with any arguments within `requires`.
// Objects go from client to client safely (through a volatile mark), as a careful user would hand them on.
#include <algorithm>
#include <map>
#include <utility>

#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"

namespace concord::frontend::java {

using plato::Type;

namespace {

constexpr const char* kShared = "shared";  // the mark of objects that clients know

bool is_offered(const Classes& classes, SymbolId class_symbol) {
  const Symbol& it = classes.symbol(class_symbol);
  if (it.is_private || it.outer_method >= 0 || it.name.empty() || it.is_interface) return false;
  return it.outer < 0 || (it.is_public && is_offered(classes, it.outer));
}

}  // namespace

std::vector<SymbolId> Lowering::offered_classes() const {
  std::vector<SymbolId> out;
  for (const ClassDecl* it : classes_.all()) {
    const bool is_stub =
        std::find(unit_.stub_files.begin(), unit_.stub_files.end(), it->range.file) != unit_.stub_files.end();
    if (!is_stub && is_offered(classes_, it->symbol)) out.push_back(it->symbol);
  }
  return out;
}

// Any value that a client can have of the type.
Value Body::any_value(TypeId type, SourceRange range) {
  const Type made = lowering_.type_of(type);
  if (made.kind == Type::Kind::kArray) {
    const Type integer = build::simple(Type::Kind::kInt);
    const std::string size = temporary(integer, std::nullopt, range, "size");
    plato::Havoc any;
    any.targets.push_back(build::name(size, range));
    emit(build::make(std::move(any), range));
    emit(build::make(
        plato::Assume{build::binary(plato::BinaryOp::kLe, build::number(0, range), build::name(size, range), range)},
        range));
    plato::NewArray array;
    array.element = *made.first;
    array.size = build::name(size, range);
    lowering_.assume("clients pass arrays that nobody else has, filled with defaults");
    return build::name(temporary(made, plato::Rhs(std::move(array)), range, "array"), range);
  }
  const std::string name = temporary(made, std::nullopt, range, "any");
  plato::Havoc any;
  any.targets.push_back(build::name(name, range));
  emit(build::make(std::move(any), range));
  if (made.kind == Type::Kind::kNamed) {
    // Null, or an object that a client may know.
    std::vector<Value> known;
    known.push_back(build::is_null(build::name(name, range), range));
    for (SymbolId it : lowering_.offered_classes()) {
      if (!classes_.is_subclass(it, classes_.type(type).symbol)) continue;
      std::vector<Value> both;
      const std::string class_name = lowering_.class_name(it);
      Value object = build::name(name, range);
      if (made.name != class_name) {
        both.push_back(build::instance_of(build::name(name, range), class_name, range));
        object = build::cast(std::move(object), class_name, range);
      } else {
        both.push_back(build::negation(build::is_null(build::name(name, range), range), range));
      }
      both.push_back(build::field(std::move(object), kShared, range));
      known.push_back(build::all_of(std::move(both), range));
    }
    emit(build::make(plato::Assume{build::any_of(std::move(known), range)}, range));
  }
  return build::name(name, range);
}

// An object of the class that some client has made.
Value Body::known_object(SymbolId class_symbol, SourceRange range) {
  const std::string name = temporary(lowering_.type_of_class(class_symbol), std::nullopt, range, "object");
  plato::Havoc any;
  any.targets.push_back(build::name(name, range));
  emit(build::make(std::move(any), range));
  std::vector<Value> both;
  both.push_back(build::negation(build::is_null(build::name(name, range), range), range));
  both.push_back(build::field(build::name(name, range), kShared, range));
  emit(build::make(plato::Assume{build::all_of(std::move(both), range)}, range));
  return build::name(name, range);
}

// One call with arguments within `requires`.
void Body::call_as_client(SymbolId method) {
  const Symbol& symbol = classes_.symbol(method);
  const SourceRange range = symbol.range;
  const bool is_constructor = symbol.name == "<init>";
  std::string self;
  Value receiver;
  if (!symbol.is_static && !is_constructor) {
    receiver = known_object(symbol.owner, range);
    self = std::get<plato::NameExpr>(receiver->node).name;
  }
  std::vector<Value> arguments;
  std::map<std::string, Place::Variable> given;
  const MethodDecl* declaration = classes_.method(method);
  for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
    Value it = any_value(symbol.parameters[i], range);
    if (declaration != nullptr && i < declaration->parameters.size()) {
      given[classes_.symbol(declaration->parameters[i].symbol).name] = {std::get<plato::NameExpr>(it->node).name,
                                                                        symbol.parameters[i]};
    }
    arguments.push_back(std::move(it));
  }
  Place place;
  place.class_symbol = symbol.owner;
  place.self = self;
  place.has_this = !self.empty();
  place.local = [&](const std::string& name) -> std::optional<Place::Variable> {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional(found->second);
  };
  for (const plato::AnnotationText* note : lowering_.annotations().of_method(method)) {
    for (const Value& it : note->contract.requires_) {
      Value required = build::copy(*it);
      Clauses(lowering_, place).translate(required);
      emit(build::make(plato::Assume{std::move(required)}, range));
    }
  }
  if (is_constructor) {
    Value object = make_object(symbol.owner, method, std::move(arguments), nullptr, range);
    emit(build::assign(build::field(std::move(object), kShared, range), build::truth(true, range), range));
    return;
  }
  std::vector<Value> all;
  if (receiver) all.push_back(std::move(receiver));
  for (Value& it : arguments) all.push_back(std::move(it));
  call_procedure(lowering_.procedure_of(method), std::move(all), lowering_.type_of(symbol.type), false, range,
                 classes_.may_throw(method));
}

// Strings and static initialisers are the work of a thread of their own, which clients wait for.
void Lowering::initialise_first(SymbolId class_symbol) {
  Body boot(*this, class_symbol, false);
  boot.initialise_classes(class_symbol);
  run_tasks();
  const SourceRange range = classes_.symbol(class_symbol).range;
  const std::size_t initialised = boot.root_.size();
  if (initialised == 0 && strings_.empty()) return;
  end_initialisation(boot, initialised, range);
  boot.make_strings(strings_);
  plato::Thread thread;
  thread.name = names_.fresh("main");
  const std::string name = names_.fresh("initialise");
  thread.target = build::target(name, {}, range);
  thread.range = range;
  emit_procedure(boot.finish(name, range, range));
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

void Lowering::lower_client() {
  const std::vector<SymbolId> offered = offered_classes();
  if (offered.empty()) return;
  for (SymbolId it : offered) {
    if (!classes_.symbol(it).is_abstract) classes_.instantiate(it);
  }
  shared_mark_ = kShared;
  const SourceRange range = classes_.symbol(offered.front()).range;
  plato::Thread thread;
  thread.count = plato::Thread::Count::kUnbounded;
  thread.has_brackets = true;
  Body body(*this, offered.front(), false);
  Body::Statements choices;
  plato::Choose choose;
  const auto add = [&](SymbolId method) {
    Body::Statements branch = body.into_new_list([&] { body.call_as_client(method); });
    choose.branches.push_back(build::block(std::move(branch), classes_.symbol(method).range));
  };
  for (SymbolId it : offered) {
    class_name(it);
    const Symbol& symbol = classes_.symbol(it);
    for (SymbolId member : symbol.members) {
      const Symbol& method = classes_.symbol(member);
      if (method.kind != Symbol::Kind::kMethod || method.is_private || method.is_abstract) continue;
      const bool is_constructor = method.name == "<init>";
      if (is_constructor ? symbol.is_abstract || symbol.has_outer_instance || symbol.is_enum : !has_procedure(member))
        continue;
      if (!method.is_public && !is_constructor) continue;
      add(member);
    }
  }
  plato::Unsupported rest;
  rest.reason =
      "what else a client can do (inherited methods, strings and objects of classes that are not public as arguments)";
  rest.reason_range = range;
  Body::Statements unknown;
  unknown.push_back(build::make(std::move(rest), range));
  choose.branches.push_back(build::block(std::move(unknown), range));
  Body::Statements round;
  round.push_back(build::make(std::move(choose), range));
  body.emit(build::loop_while(build::make(plato::Star{}, range), std::move(round), range));
  run_tasks();
  initialise_first(offered.front());
  if (has_thread_map()) body.make_own_thread();
  const std::string name = names_.fresh("client");
  emit_procedure(body.finish(name, range, range));
  thread.target = build::target(name, {}, range);
  thread.range = range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
  assume("clients hand objects on safely, and pass arguments within `requires`");
}

}  // namespace concord::frontend::java
