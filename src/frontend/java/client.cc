// The most general client of classes without a main method: any number of threads, each of which again and again makes an
// object, calls a public method or static method, or uses a public field, with any values within `requires`.
//
// What clients know is in one table, each object once. Clients know what they make, what public methods return and throw, and
// what is in public fields; they pass null or what they know. Objects go from client to client safely (the table is volatile),
// as a careful user would hand them on. (An object that is not in the table cannot be picked: what a thread made and has not
// stored is its own, for engines too.) Besides objects of the program there are strings, boxes, opaque objects of the library,
// and objects of classes that clients write themselves: ClientObject, one class for all of them, with a flag for each interface.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Type;

namespace {

constexpr const char* kShared = "shared";  // the mark of objects that are in the table
constexpr const char* kOfArrays =
    "clients pass a new array each time and change it no more, and only look at arrays that they were given";

}  // namespace

// ------------------------------------------------------------------------------------------------------------------- values

// All that `work` does is one operation. What it declares for later with `declare_before` is declared before that.
void Body::in_one_step(SourceRange range, const std::function<void()>& work) {
  if (before_step_ != nullptr) return work();
  before_step_ = out_;
  plato::Atomic atomic;
  atomic.body = build::block(into_new_list(work), range);
  before_step_ = nullptr;
  emit(build::make(std::move(atomic), range));
}

std::string Body::declare_before(const Type& type, SourceRange range, const char* wanted) {
  Statements* const inner = before_step_ == nullptr ? out_ : std::exchange(out_, before_step_);
  const std::string name = temporary(type, std::nullopt, range, wanted);
  out_ = inner;
  return name;
}

std::string Body::any_of_type(const Type& type, SourceRange range, const char* wanted) {
  const std::string name = declare_before(type, range, wanted);
  plato::Havoc any;
  any.targets.push_back(build::name(name, range));
  emit(build::make(std::move(any), range));
  return name;
}

void Body::assume_holds(Value condition, SourceRange range) {
  emit(build::make(plato::Assume{std::move(condition)}, range));
}

// In one step: `target`, of that type, becomes some object that clients know and that satisfies the condition.
void Body::pick_known(const std::string& target, const Type& type,
                      const std::function<Value(const std::string&)>& condition, SourceRange range) {
  const Type object = build::named(lowering_.object_class());
  in_one_step(range, [&] {
    const std::string slot = temporary(build::simple(Type::Kind::kInt), std::nullopt, range, "slot");
    plato::Havoc any;
    any.targets.push_back(build::name(slot, range));
    any.low = build::number(0, range);
    any.high = build::binary(plato::BinaryOp::kSub, build::name(lowering_.known_count(), range),
                             build::number(1, range), range);
    emit(build::make(std::move(any), range));
    Value entry = build::element(build::name(lowering_.known_table(), range), build::name(slot, range), range);
    const std::string found = temporary(object, plato::Rhs(std::move(entry)), range, "found");
    assume_holds(condition(found), range);
    Value picked = build::name(found, range);
    if (type.name != object.name) picked = build::cast(std::move(picked), type.name, range);
    emit(build::assign(build::name(target, range), std::move(picked), range));
  });
}

// Any value that a client can have of the type.
Value Body::any_value(TypeId type, SourceRange range) {
  const Type made = lowering_.type_of(type);
  if (made.kind == Type::Kind::kArray) return any_array(type, range);
  if (made.kind != Type::Kind::kNamed) return build::name(any_of_type(made, range, "any"), range);
  const std::string name = declare_before(made, range, "any");
  const SymbolId wanted = classes_.type(type).symbol;
  const bool is_anything =
      made.name == lowering_.object_class() && (wanted < 0 || !classes_.symbol(wanted).is_interface);
  const auto fits = [&](const std::string& found) {
    if (is_anything) return build::negation(build::is_null(build::name(found, range), range), range);
    return lowering_.tests_class(build::name(found, range), wanted, range);
  };
  in_one_step(range, [&] {
    plato::Choose choose;
    Statements none;
    none.push_back(build::assign(build::name(name, range), build::null(range), range));
    choose.branches.push_back(build::block(std::move(none), range));
    Statements some = into_new_list([&] { pick_known(name, made, fits, range); });
    choose.branches.push_back(build::block(std::move(some), range));
    emit(build::make(std::move(choose), range));
  });
  return build::name(name, range);
}

// Null, or a new array with any elements.
Value Body::any_array(TypeId type, SourceRange range) {
  const Type made = lowering_.type_of(type);
  const Type integer = build::simple(Type::Kind::kInt);
  const std::string array = names_.fresh("array");
  assigned_.insert(array);
  emit(build::local(array, made, std::nullopt, range));
  Statements filled = into_new_list([&] {
    const std::string size = any_of_type(integer, range, "size");
    assume_holds(build::binary(plato::BinaryOp::kLe, build::number(0, range), build::name(size, range), range), range);
    plato::NewArray fresh;
    fresh.element = *made.first;
    fresh.size = build::name(size, range);
    emit(build::assign(build::name(array, range), plato::Rhs(std::move(fresh)), range));
    Statements round = into_new_list([&] {
      Value element = any_value(classes_.type(type).element, range);
      emit(build::assign(build::element(build::name(array, range), any_index(array, range), range), std::move(element),
                         range));
    });
    emit(build::loop_while(build::make(plato::Star{}, range), std::move(round), range));
  });
  emit(build::if_else(build::make(plato::Star{}, range), std::move(filled), {}, range));
  lowering_.assume(kOfArrays);
  return build::name(array, range);
}

// An index of the array; blocks if it is empty.
Value Body::any_index(const std::string& array, SourceRange range) {
  const std::string index = any_of_type(build::simple(Type::Kind::kInt), range, "index");
  std::vector<Value> within;
  within.push_back(build::binary(plato::BinaryOp::kLe, build::number(0, range), build::name(index, range), range));
  within.push_back(build::binary(plato::BinaryOp::kLt, build::name(index, range),
                                 build::field(build::name(array, range), "length", range), range));
  assume_holds(build::all_of(std::move(within), range), range);
  return build::name(index, range);
}

// An object that clients know, of one of the classes; its variable has the type of `declared`.
Value Body::known_object(SymbolId declared, const std::vector<std::string>& classes, SourceRange range) {
  const Type type = lowering_.type_of_class(declared);
  const std::string name = declare_before(type, range, "object");
  const std::vector<std::string> below = lowering_.classes_below(declared);
  pick_known(
      name, type,
      [&](const std::string& found) {
        std::vector<Value> any;
        for (const std::string& it : classes) {
          std::vector<Value> exactly;
          exactly.push_back(build::instance_of(build::name(found, range), it, range));
          for (const std::string& other : below) {
            const bool is_wanted = std::find(classes.begin(), classes.end(), other) != classes.end();
            if (is_wanted || !lowering_.extends(other, it)) continue;
            exactly.push_back(build::negation(build::instance_of(build::name(found, range), other, range), range));
          }
          any.push_back(build::all_of(std::move(exactly), range));
        }
        return build::any_of(std::move(any), range);
      },
      range);
  return build::name(name, range);
}

// In one step: the object is in the table, if it is not null.
void Body::make_known(const std::string& object, SourceRange range) {
  const auto count = [&] { return build::name(lowering_.known_count(), range); };
  const auto mark = [&] { return build::field(build::name(object, range), kShared, range); };
  std::vector<Value> is_new;
  is_new.push_back(build::negation(build::is_null(build::name(object, range), range), range));
  is_new.push_back(build::negation(mark(), range));
  Statements enter;
  enter.push_back(build::assign(mark(), build::truth(true, range), range));
  enter.push_back(build::assign(build::element(build::name(lowering_.known_table(), range), count(), range),
                                build::name(object, range), range));
  enter.push_back(
      build::assign(count(), build::binary(plato::BinaryOp::kAdd, count(), build::number(1, range), range), range));
  in_one_step(range,
              [&] { emit(build::if_else(build::all_of(std::move(is_new), range), std::move(enter), {}, range)); });
}

// What a client was given it knows, and what is in an array that it was given.
void Body::make_known(Value given, const Type& type, SourceRange range) {
  const std::string& name = std::get<plato::NameExpr>(given->node).name;
  if (type.kind == Type::Kind::kNamed) return make_known(name, range);
  if (type.kind != Type::Kind::kArray || type.first->kind != Type::Kind::kNamed) return;
  Statements look = into_new_list([&] {
    assume_holds(build::negation(build::is_null(build::name(name, range), range), range), range);
    Value element = build::element(build::name(name, range), any_index(name, range), range);
    make_known(read(std::move(element), *type.first, range), *type.first, range);
  });
  emit(build::if_else(build::make(plato::Star{}, range), std::move(look), {}, range));
  lowering_.assume(kOfArrays);
}

// ------------------------------------------------------------------------------------------------------------- what is done

namespace {

bool names_thread(const plato::Expr& clause) {
  bool out = false;
  plato::for_each_expr(clause, [&](const plato::Expr& it) {
    const auto* name = std::get_if<plato::NameExpr>(&it.node);
    const auto* field = std::get_if<plato::FieldExpr>(&it.node);
    out = out || std::holds_alternative<plato::TidExpr>(it.node) || std::holds_alternative<plato::HoldsExpr>(it.node) ||
          (name != nullptr && name->name == "main") ||
          (field != nullptr && (field->field == "holder" || field->field == "depth"));
  });
  return out;
}

// Who calls matters: clients of ours hold no locks and are no threads of the program, so that they never call a method that
// asks for one who does or is. That somebody is another thread than the caller they can satisfy. `denied`: the clause
// holds if this does not.
bool asks_for_caller(const plato::Expr& clause, bool denied = false) {
  if (!names_thread(clause)) return false;
  const auto is_tid = [](const plato::Expr& it) { return std::holds_alternative<plato::TidExpr>(it.node); };
  if (const auto* it = std::get_if<plato::UnaryExpr>(&clause.node); it != nullptr && it->op == plato::UnaryOp::kNot) {
    return asks_for_caller(*it->operand, !denied);
  }
  if (std::holds_alternative<plato::HoldsExpr>(clause.node)) return !denied;
  if (const auto* it = std::get_if<plato::InstanceOf>(&clause.node)) return !denied || !is_tid(*it->thread);
  const auto* it = std::get_if<plato::BinaryExpr>(&clause.node);
  if (it == nullptr) return true;
  switch (it->op) {
    case plato::BinaryOp::kAnd:
    case plato::BinaryOp::kOr: return asks_for_caller(*it->left, denied) || asks_for_caller(*it->right, denied);
    case plato::BinaryOp::kImplies: return asks_for_caller(*it->left, !denied) || asks_for_caller(*it->right, denied);
    case plato::BinaryOp::kEq:
    case plato::BinaryOp::kNe: {
      const bool is_other = (it->op == plato::BinaryOp::kNe) != denied;
      return !is_other || is_tid(*it->left) == is_tid(*it->right);
    }
    default: return true;
  }
}

// It speaks of nothing but these variables, which nobody changes.
bool is_about(const std::set<std::string>& variables, const plato::Expr& clause) {
  bool out = true;
  plato::for_each_expr(clause, [&](const plato::Expr& it) {
    const auto* name = std::get_if<plato::NameExpr>(&it.node);
    out = out && (name == nullptr || variables.contains(name->name)) &&
          !std::holds_alternative<plato::FieldExpr>(it.node) && !std::holds_alternative<plato::IndexExpr>(it.node) &&
          !std::holds_alternative<plato::ShapeExpr>(it.node);
  });
  return out;
}

}  // namespace

// What `requires` says of them alone is looked at when they are chosen; the rest when a method is called, since others may
// change it until then. (A constructor has no call of its own.)
std::vector<Value> Body::any_arguments(SymbolId method, SymbolId known, const std::string& self) {
  const Symbol& symbol = classes_.symbol(method);
  std::vector<Value> arguments;
  std::map<std::string, Place::Variable> given;
  const MethodDecl* declaration = known < 0 ? nullptr : classes_.method(known);
  for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
    Value it = any_value(symbol.parameters[i], symbol.range);
    if (declaration != nullptr && i < declaration->parameters.size()) {
      given[classes_.symbol(declaration->parameters[i].symbol).name] = {std::get<plato::NameExpr>(it->node).name,
                                                                        symbol.parameters[i]};
    }
    arguments.push_back(std::move(it));
  }
  if (known < 0) return arguments;
  Place place;
  place.class_symbol = classes_.symbol(known).owner;
  place.self = self;
  place.has_this = !self.empty();
  place.local = [&](const std::string& name) -> std::optional<Place::Variable> {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt : std::optional(found->second);
  };
  for (const plato::AnnotationText* note : lowering_.annotations().of_method(known)) {
    for (const Value& it : note->contract.requires_) {
      Value required = build::copy(*it);
      Clauses(lowering_, place).translate(required);
      if (asks_for_caller(*required)) {
        unsupported("clients that call " + symbol.name + " as the thread or with the lock that it requires",
                    symbol.range);
      }
      std::set<std::string> chosen = {self};
      for (const auto& [name, variable] : given) chosen.insert(variable.name);
      if (symbol.name == "<init>" || is_about(chosen, *required)) assume_holds(std::move(required), symbol.range);
    }
  }
  return arguments;
}

// In one step, unless there is an array among them, which is filled in many, or nothing to be chosen.
void Body::choose_values(SymbolId method, bool of_object, const std::function<void()>& choose) {
  const Symbol& symbol = classes_.symbol(method);
  const bool has_array = std::any_of(symbol.parameters.begin(), symbol.parameters.end(),
                                     [&](TypeId it) { return classes_.type(it).kind == JavaType::Kind::kArray; });
  if (has_array || (!of_object && symbol.parameters.empty())) return choose();
  in_one_step(symbol.range, choose);
}

// An exception ends the making only.
void Body::make_as_client(SymbolId constructor) {
  const Symbol& symbol = classes_.symbol(constructor);
  const SourceRange range = symbol.range;
  const Symbol& owner = classes_.symbol(symbol.owner);
  Value outer;
  std::vector<Value> arguments;
  choose_values(constructor, owner.has_outer_instance, [&] {
    if (owner.has_outer_instance) outer = known_object(owner.outer, lowering_.classes_below(owner.outer), range);
    arguments = any_arguments(constructor, constructor, "");
  });
  std::string thrown;
  const auto make = [&] {
    Value object = make_object(symbol.owner, constructor, std::move(arguments), std::move(outer), range);
    make_known(std::get<plato::NameExpr>(object->node).name, range);
  };
  if (guarded(make, thrown, range) && lowering_.has_own_exceptions()) {
    make_known(build::name(thrown, range), build::named(lowering_.throwable_class()), range);
  }
}

// `receivers`: the classes of which the object may be; none: a static method. `known`: the method whose contract the client
// knows, of the type by which it knows the object; -1: none.
void Body::call_as_client(SymbolId method, SymbolId known, const std::vector<std::string>& receivers) {
  const Symbol& symbol = classes_.symbol(method);
  const SourceRange range = symbol.range;
  if (symbol.is_native) return unsupported("the native method " + symbol.name, range);
  const bool is_of_any = known >= 0 && known == lowering_.specified_by(known);
  const bool may_throw = is_of_any ? lowering_.dispatcher_may_throw(known) : classes_.may_throw(method);
  std::vector<Value> all;
  choose_values(method, !symbol.is_static, [&] {
    std::string self;
    if (!symbol.is_static) {
      all.push_back(known_object(symbol.owner, receivers, range));
      self = std::get<plato::NameExpr>(all.front()->node).name;
    }
    for (Value& it : any_arguments(method, known, self)) all.push_back(std::move(it));
  });
  const Type type = lowering_.type_of(classes_.symbol(is_of_any ? known : method).type);
  const std::string procedure = is_of_any ? lowering_.dispatcher_of(known) : lowering_.procedure_of(method);
  Value result =
      call_procedure(procedure, std::move(all), type, false, range, may_throw, lowering_.has_requires(known));
  if (result) make_known(std::move(result), type, range);
  if (may_throw && lowering_.has_own_exceptions()) {
    make_known(build::name(exception_, range), build::named(lowering_.throwable_class()), range);
  }
}

// What a lambda does that a client was given.
void Body::call_as_client(const Closure& closure, SymbolId known) {
  const SourceRange range = closure.range;
  const Type own = build::named(closure.class_name);
  const std::string self = declare_before(own, range, "object");
  const auto is_own = [&](const std::string& found) {
    return build::instance_of(build::name(found, range), closure.class_name, range);
  };
  pick_known(self, own, is_own, range);
  std::vector<Value> all;
  all.push_back(build::name(self, range));
  for (Value& it : any_arguments(closure.method, known, "")) all.push_back(std::move(it));
  const bool may_throw = known < 0 ? closure.may_throw : lowering_.dispatcher_may_throw(known);
  const Type type = lowering_.type_of(classes_.symbol(known < 0 ? closure.method : known).type);
  const std::string procedure = known < 0 ? closure.procedure : lowering_.dispatcher_of(known);
  Value result =
      call_procedure(procedure, std::move(all), type, false, range, may_throw, lowering_.has_requires(known));
  if (result) make_known(std::move(result), type, range);
}

Value Body::field_as_client(SymbolId field) {
  const Symbol& symbol = classes_.symbol(field);
  if (symbol.is_static) return build::name(lowering_.static_name(field), symbol.range);
  Value object = known_object(symbol.owner, lowering_.classes_below(symbol.owner), symbol.range);
  return build::field(std::move(object), lowering_.field_name(field), symbol.range);
}

void Body::read_as_client(SymbolId field) {
  const Symbol& symbol = classes_.symbol(field);
  const Type type = lowering_.type_of(symbol.type);
  make_known(read(field_as_client(field), type, symbol.range), type, symbol.range);
}

void Body::write_as_client(SymbolId field) {
  const Symbol& symbol = classes_.symbol(field);
  Value place = field_as_client(field);
  emit(build::assign(std::move(place), any_value(symbol.type, symbol.range), symbol.range));
}

// A new object that clients know, of a class of which nothing else is known.
void Body::make_opaque(const std::string& class_name, std::map<std::string, Value>&& fields, SourceRange range) {
  plato::NewObject made;
  made.class_name = class_name;
  made.class_range = range;
  for (auto& [field, value] : fields) made.inits.push_back({field, range, std::move(value), -1});
  in_one_step(range, [&] {
    make_known(temporary(build::named(class_name), plato::Rhs(std::move(made)), range, "made"), range);
  });
}

// ------------------------------------------------------------------------------------------------------- clients' own classes

std::string Lowering::client_class(SymbolId type) const {
  if (!surface_) return "";
  const bool is_object = classes_.is_class(type, "java.lang.Object");
  const bool is_possible = is_object ? has_client_objects() : surface_->may_be_implemented(type);
  return is_possible ? client_class_ : "";
}

bool Lowering::has_client_objects() const {
  return surface_ && std::any_of(surface_->taken().begin(), surface_->taken().end(), [&](SymbolId it) {
           return classes_.is_class(it, "java.lang.Object") || surface_->may_be_implemented(it);
         });
}

std::string Lowering::client_flag(SymbolId interface_symbol) {
  if (const auto found = client_flags_.find(interface_symbol); found != client_flags_.end()) return found->second;
  return client_flags_[interface_symbol] = names_.fresh("is_" + classes_.symbol(interface_symbol).name);
}

plato::Variable Lowering::mark_of_known() {
  plato::Variable out;
  out.name = kShared;
  out.type = build::simple(Type::Kind::kBool);
  out.is_volatile = true;
  return out;
}

void Lowering::emit_client_class(std::vector<plato::Class>& to) {
  if (!has_client_objects()) return;
  plato::Class out;
  out.name = client_class_;
  for (const auto& [symbol, name] : client_flags_) {
    plato::Variable flag;
    flag.name = name;
    flag.type = build::simple(Type::Kind::kBool);
    flag.is_final = true;
    out.fields.push_back(std::move(flag));
  }
  to.push_back(std::move(out));
}

// What a client's own class does when the program calls its method.
Value Body::clients_answer(const Symbol& method, SourceRange range) {
  static const std::set<std::string> kPlain = {"hashCode", "compareTo", "compare"};
  const bool is_of_library = !classes_.symbol(method.owner).is_from_source;
  const Type type = lowering_.type_of(method.type);
  if (is_of_library && kPlain.contains(method.name) && type.kind == Type::Kind::kInt) {
    return build::name(any_of_type(type, range, "answer"), range);
  }
  if (is_of_library && method.name == "toString" && method.parameters.empty()) {
    plato::NewObject text;
    text.class_name = lowering_.string_class();
    const Type string = build::named(text.class_name);
    return build::name(temporary(string, plato::Rhs(std::move(text)), range, "text"), range);
  }
  // Anything may happen in it.
  return unsupported("what a client does in " + classes_.symbol(method.owner).name + "." + method.name, method.type,
                     range);
}

// --------------------------------------------------------------------------------------------------------------- as a whole

bool Lowering::has_own_exceptions() const {
  return surface_ && std::any_of(classes_.all().begin(), classes_.all().end(),
                                 [&](const ClassDecl* it) { return is_throwable(it->symbol); });
}

std::vector<std::string> Lowering::classes_below(SymbolId type) {
  std::vector<std::string> out;
  for (SymbolId it : classes_.instances_of(type)) out.push_back(class_name(it));
  for (const Closure* it : closure_order_) {
    if (it->is_used && classes_.is_subclass(it->interface_symbol, type)) out.push_back(it->class_name);
  }
  return out;
}

bool Lowering::extends(const std::string& derived, const std::string& base) const {
  const auto symbol_of = [&](const std::string& name) {
    const auto found =
        std::find_if(class_names_.begin(), class_names_.end(), [&](const auto& it) { return it.second == name; });
    return found == class_names_.end() ? -1 : found->first;
  };
  const SymbolId below = symbol_of(derived), above = symbol_of(base);
  return below >= 0 && above >= 0 && below != above && classes_.is_subclass(below, above);
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
  if (has_thread_map()) boot.make_own_thread();
  plato::Thread thread;
  thread.name = names_.fresh("main");
  const std::string name = names_.fresh("initialise");
  thread.target = build::target(name, {}, range);
  thread.range = range;
  emit_procedure(boot.finish_without_braces(name, range));
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

// A client may know an object by any type that it has, and then knows the contract there: those contracts, by their methods;
// -1: none, because a type has none or because there is nothing to know.
std::set<SymbolId> Lowering::contracts_for_clients(SymbolId method) {
  std::vector<SymbolId> known_as = classes_.stands_for(method);
  // A contract is checked even if no client can name its method.
  std::erase_if(known_as,
                [&](SymbolId it) { return !has_contract(it) && !surface_->is_accessible(classes_.symbol(it).owner); });
  known_as.push_back(method);
  std::set<SymbolId> out;
  for (SymbolId it : known_as) {
    const SymbolId specified = specified_by(it);
    out.insert(specified >= 0 ? specified : has_contract(it) ? it : -1);
  }
  // What comes without a contract is no other call if none requires anything.
  const bool asks = std::any_of(out.begin(), out.end(), [&](SymbolId it) { return has_requires(it); });
  if (!asks && out.size() > 1) out.erase(-1);
  return out;
}

bool Lowering::has_requires(SymbolId method) {
  if (method < 0) return false;
  const std::vector<plato::AnnotationText*> notes = annotations_.of_method(method);
  return std::any_of(notes.begin(), notes.end(),
                     [](const plato::AnnotationText* it) { return !it->contract.requires_.empty(); });
}

// Methods of objects: one alternative for each method that may run, with the classes for which it does.
std::map<SymbolId, std::vector<std::string>> Lowering::methods_for_clients() {
  std::map<SymbolId, std::vector<std::string>> out;
  const auto add = [&](SymbolId type, const std::string& name) {
    for (SymbolId method : surface_->methods_of(type)) {
      if (has_procedure(method) || classes_.symbol(method).is_native) out[method].push_back(name);
    }
  };
  for (SymbolId it : classes_.instances_of(find_class("java.lang.Object"))) {
    if (surface_->may_be_known(it)) add(it, class_name(it));
  }
  for (Closure* it : closure_order_) {
    if (!surface_->may_be_known(it->interface_symbol)) continue;
    use(*it);
    add(it->interface_symbol, it->class_name);
  }
  return out;
}

namespace {

bool may_wait(const plato::Stmt& statement) {
  const auto* havoc = std::get_if<plato::Havoc>(&statement.node);
  return std::holds_alternative<plato::Assume>(statement.node) || (havoc != nullptr && havoc->low != nullptr);
}

// Of what clients choose there may be nothing. Who waits for that has no lock, and might as well have ended.
void let_choices_block(const plato::Stmt& round) {
  std::set<const plato::Stmt*> inside;  // `atomic`, which waits as a whole
  plato::for_each_stmt(round, [&](const plato::Stmt& it) {
    bool waits = may_wait(it);
    if (std::holds_alternative<plato::Atomic>(it.node)) {
      plato::for_each_stmt(it, [&](const plato::Stmt& inner) {
        if (&inner != &it) inside.insert(&inner);
        waits = waits || may_wait(inner);
      });
    }
    if (waits && !inside.contains(&it)) const_cast<plato::Stmt&>(it).may_block = true;  // NOLINT: it is ours
  });
}

}  // namespace

void Lowering::lower_client() {
  surface_ = std::make_unique<Surface>(classes_);
  if (surface_->offered().empty()) return;
  client_class_ = names_.fresh("ClientObject");
  known_table_ = names_.fresh("known");
  known_count_ = names_.fresh("known_count");
  emit_variable(known_table_, build::map_of(build::simple(Type::Kind::kInt), build::named(object_class())), -1);
  program_.variables.back().is_volatile = true;
  emit_variable(known_count_, build::simple(Type::Kind::kInt), -1);
  program_.variables.back().is_volatile = true;
  name_boxes();
  for (SymbolId it : surface_->offered()) {
    if (!classes_.symbol(it).is_abstract) classes_.instantiate(it);
    class_name(it);
  }
  for (SymbolId it : surface_->of_library()) classes_.instantiate(it);
  const SymbolId first = surface_->offered().front();
  const SourceRange range = classes_.symbol(first).range;
  Body body(*this, first, false);
  plato::Choose choose;
  const auto add = [&](SourceRange at, const std::function<void()>& work) {
    choose.branches.push_back(build::block(body.into_new_list(work), at));
  };
  add_calls(body, add);
  if (choose.branches.size() == surface_->constructors().size()) {
    assume("clients make objects and do nothing with them, since no method and no field is public");
  }
  const std::vector<std::string> not_followed = surface_->not_followed();
  if (!not_followed.empty()) note_unsupported();
  run_tasks();
  initialise_first(first);
  add_other_objects(body, add, range);
  for (const std::string& it : not_followed) {
    add(range, [&] { body.unsupported(it, range); });
  }
  if (surface_->has_arrays()) assume(kOfArrays);
  Body::Statements round;
  round.push_back(build::make(std::move(choose), range));
  let_choices_block(*round.back());
  body.emit(build::loop_while(build::make(plato::Star{}, range), std::move(round), range));
  if (has_thread_map()) body.make_own_thread();
  const std::string name = names_.fresh("client");
  emit_procedure(body.finish_without_braces(name, range));
  plato::Thread thread;
  thread.count = plato::Thread::Count::kUnbounded;
  thread.has_brackets = true;
  thread.target = build::target(name, {}, range);
  thread.range = range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
  assume("clients hand objects on safely, and pass arguments within `requires`");
  assume("clients use what is public, and in classes that are public or in no other class");
  assume("clients extend none of the classes, and leave monitors and locks of these objects to their methods");
}

// Uses of the program's classes.
void Lowering::add_calls(Body& body, const AddBranch& add) {
  for (SymbolId it : surface_->constructors()) {
    add(classes_.symbol(it).range, [&] { body.make_as_client(it); });
  }
  for (SymbolId it : surface_->static_methods()) {
    if (!has_procedure(it) && !classes_.symbol(it).is_native) continue;
    add(classes_.symbol(it).range, [&] { body.call_as_client(it, it, {}); });
  }
  for (const auto& it : methods_for_clients()) {
    for (SymbolId known : contracts_for_clients(it.first))
      add(classes_.symbol(it.first).range, [&] { body.call_as_client(it.first, known, it.second); });
  }
  for (const Closure* it : closure_order_) {
    if (!surface_->may_be_known(it->interface_symbol)) continue;
    for (SymbolId known : contracts_for_clients(it->method)) add(it->range, [&] { body.call_as_client(*it, known); });
  }
  for (SymbolId it : surface_->fields()) {
    const Symbol& field = classes_.symbol(it);
    if (!field.is_final || (classes_.is_reference(field.type) && !field.constant)) {
      add(field.range, [&] { body.read_as_client(it); });
    }
    if (!field.is_final) add(field.range, [&] { body.write_as_client(it); });
  }
  for (SymbolId it : surface_->offered()) {
    SymbolId above = it;
    while (above >= 0 && classes_.symbol(above).is_from_source) above = classes_.symbol(above).superclass;
    static const std::set<std::string> kHarmless = {"java.lang.Object", "java.lang.Enum", "java.lang.Record"};
    if (above < 0 || is_throwable(above) || kHarmless.contains(classes_.symbol(above).qualified)) continue;
    const SourceRange at = classes_.symbol(it).range;
    add(at, [&] { body.unsupported("what " + classes_.symbol(above).qualified + " does for its subclasses", at); });
  }
  std::vector<std::string> threads;
  for (SymbolId it : classes_.instances_of(thread_symbol())) {
    if (surface_->may_be_known(it)) threads.push_back(class_name(it));
  }
  if (threads.empty()) return;
  const SourceRange range = classes_.symbol(thread_symbol()).range;
  add(range, [&] { body.start_thread(body.known_object(thread_symbol(), threads, range), true, range); });
}

// What else clients can pass: strings, boxes, objects of the library and of their own classes.
void Lowering::add_other_objects(Body& body, const AddBranch& add, SourceRange range) {
  const SymbolId string = find_class("java.lang.String");
  const bool has_strings = string >= 0 || !string_class_.empty();
  if (has_strings && (string < 0 ? surface_->takes_anything() : surface_->takes(string))) {
    add(range, [&] { body.make_opaque(string_class(), {}, range); });
  }
  static const std::set<std::string> kOfBoxes = {"java.lang.Object", "java.lang.Number", "java.lang.Comparable",
                                                 "java.io.Serializable"};
  for (const auto& box : boxes_) {
    const bool is_taken = std::any_of(surface_->taken().begin(), surface_->taken().end(), [&](SymbolId it) {
      const auto found = class_names_.find(it);
      return kOfBoxes.contains(classes_.symbol(it).qualified) ||
             (found != class_names_.end() && found->second == box.second);
    });
    if (!is_taken) continue;
    add(range, [&] {
      std::map<std::string, Value> fields;
      const Type type = box_field(box.first, range).type;
      fields["value"] = build::name(body.any_of_type(type, range, "value"), range);
      body.make_opaque(box.second, std::move(fields), range);
    });
  }
  for (SymbolId it : classes_of_library()) {
    if (surface_->takes(it)) add(range, [&] { body.make_opaque(class_name(it), {}, range); });
  }
  if (!has_client_objects()) return;
  add(range, [&] {
    std::map<std::string, Value> fields;
    for (const auto& [symbol, name] : client_flags_) {
      fields[name] = build::name(body.any_of_type(build::simple(Type::Kind::kBool), range, "flag"), range);
    }
    for (const auto& [symbol, name] : client_flags_) {
      for (const auto& [above, implied] : client_flags_) {
        if (symbol == above || !classes_.is_subclass(symbol, above)) continue;
        body.assume_holds(build::binary(plato::BinaryOp::kOr, build::negation(build::copy(*fields[name]), range),
                                        build::copy(*fields[implied]), range),
                          range);
      }
    }
    body.make_opaque(client_class_, std::move(fields), range);
  });
  assume("equals, hashCode, compareTo, compare and toString of clients' own classes return something, and do no more");
}

// Boxes that the program only asks for may come from clients.
void Lowering::name_boxes() {
  static const std::map<std::string, Prim> kBoxes = {
      {"java.lang.Boolean", Prim::kBoolean}, {"java.lang.Byte", Prim::kByte},    {"java.lang.Short", Prim::kShort},
      {"java.lang.Character", Prim::kChar},  {"java.lang.Integer", Prim::kInt},  {"java.lang.Long", Prim::kLong},
      {"java.lang.Float", Prim::kFloat},     {"java.lang.Double", Prim::kDouble}};
  for (SymbolId it : surface_->asked()) {
    if (const auto found = kBoxes.find(classes_.symbol(it).qualified); found != kBoxes.end()) box_class(found->second);
  }
}

// Classes of the library without a stub that the program asks objects for by name, or takes as arguments. Other ones cannot be
// told from clients' own classes.
std::vector<SymbolId> Lowering::classes_of_library() const {
  std::vector<SymbolId> out;
  for (const auto& named : class_names_) {
    const SymbolId symbol = named.first;
    const Symbol& it = classes_.symbol(symbol);
    const bool is_box =
        std::any_of(boxes_.begin(), boxes_.end(), [&](const auto& box) { return box.second == named.second; });
    if (it.is_from_source || is_box || it.qualified == "java.lang.String" || is_throwable(symbol)) continue;
    if (surface_->asked().contains(symbol)) out.push_back(symbol);
  }
  return out;
}

}  // namespace concord::frontend::java
