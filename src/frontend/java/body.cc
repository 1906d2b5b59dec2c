// A procedure from its parameters to its end.
#include <algorithm>
#include <utility>

#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

using plato::Type;

namespace {

const char* const kInitialisers = "static initialisers run before main, each class after those that its own need";

}  // namespace

Body::Body(Lowering& lowering, SymbolId class_symbol, bool has_this)
    : lowering_(lowering), classes_(lowering.classes()), class_symbol_(class_symbol), names_(&lowering.names()) {
  if (has_this) this_ = add_parameter("this_", lowering.type_of_class(class_symbol));
}

std::string Body::add_parameter(const std::string& wanted, Type type) {
  std::string name = names_.fresh(wanted);
  parameters_.push_back({name, std::move(type), {}});
  return name;
}

void Body::add_parameter(SymbolId symbol) { add_lambda_parameter(symbol, classes_.symbol(symbol).type); }

// Parameters cannot be assigned in Plato; one that is gets a local of its own. `given` is the type it is passed as.
void Body::add_lambda_parameter(SymbolId symbol, TypeId given) {
  const Symbol& it = classes_.symbol(symbol);
  const std::string name = add_parameter(it.name, lowering_.type_of(given));
  parameters_.back().range = it.range;
  java_parameters_[it.name] = {name, it.type};
  if (it.type != given) {
    Value passed = cast_to_class(build::name(name, it.range), given, it.type, false, it.range);
    declare_local(symbol, it.range, std::move(passed));
  } else if (classes_.is_fixed(symbol)) {
    locals_[symbol] = name;
    declared_.emplace_back(symbol, name);
    visible_.emplace_back(symbol, name);
  } else {
    declare_local(symbol, it.range, build::name(name, it.range));
  }
}

void Body::use_closure(const std::string& name, const Closure& closure) {
  closure_ = name;
  closure_has_outer_ = closure.captures_this;
  captured_.insert(closure.captured.begin(), closure.captured.end());
  closure_range_ = closure.range;
  for (const Member& member : classes_.declaration(closure.around)->members) {
    const auto* method = std::get_if<MethodDecl>(&member);
    const bool is_around = method != nullptr && method->range.file == closure.range.file &&
                           method->range.begin <= closure.range.begin && closure.range.end <= method->range.end;
    if (is_around) method_around_ = method->symbol;
  }
}

void Body::return_expression(const Expr& expr) {
  if (result_.kind == Type::Kind::kNone) return effect(expr);
  plato::Return out;
  out.value = value_as(expr, java_result_);
  emit(build::make(std::move(out), expr.range));
}

plato::Procedure Body::finish(std::string name, SourceRange range, SourceRange name_range) {
  for (const auto& [symbol, local] : declared_) {
    lowering_.name_is_users(local);
    lowering_.spell(local, classes_.symbol(symbol).name);
  }
  plato::Procedure out;
  out.name = std::move(name);
  out.parameters = std::move(parameters_);
  out.result = result_;
  if (throws_) out.throws = build::named(lowering_.throwable_class());
  emit_before(root_, std::move(at_start_));
  if (!exception_.empty()) {
    emit_before(root_, build::local(exception_, build::named(lowering_.throwable_class()), std::nullopt, name_range));
  }
  out.range = range;
  out.name_range = name_range;
  const std::uint32_t end = range.end > range.begin ? range.end - 1 : range.end;
  out.end_range = {range.file, end, range.end};
  out.body = build::block(std::move(root_), range);
  return out;
}

plato::Procedure Body::finish_without_braces(std::string name, SourceRange range) {
  plato::Procedure out = finish(std::move(name), range, range);
  out.end_range = range;
  return out;
}

std::optional<std::pair<std::string, TypeId>> Body::variable_named(const std::string& java_name, SourceRange at) const {
  const auto found = std::find_if(visible_.rbegin(), visible_.rend(), [&](const auto& it) {
    const Symbol& symbol = classes_.symbol(it.first);
    const bool is_behind = symbol.range.file == at.file && symbol.range.begin >= at.begin;
    return symbol.name == java_name && !is_behind;
  });
  if (found == visible_.rend()) return std::nullopt;
  return std::pair(found->second, classes_.symbol(found->first).type);
}

std::optional<std::pair<std::string, TypeId>> Body::parameter_named(const std::string& java_name) const {
  const auto found = java_parameters_.find(java_name);
  return found == java_parameters_.end() ? std::nullopt : std::optional(found->second);
}

// The method that a method reference stands for.
void Body::call_referenced(const MethodRef& reference, const Symbol& method) {
  const SourceRange range = closure_range_;
  std::vector<Value> given;
  for (std::size_t i = 0; i < method.parameters.size(); ++i) {
    given.push_back(
        build::name(add_parameter("p" + std::to_string(i), lowering_.type_of(method.parameters[i])), range));
  }
  if (reference.target < 0) {
    if (given.size() != 1 || reference.of < 0 || classes_.type(reference.of).kind != JavaType::Kind::kArray) {
      return unsupported("this method reference", range);
    }
    return make_referenced_array(reference.of, method, std::move(given.front()), range);
  }
  const Symbol& target = classes_.symbol(reference.target);
  const ClassDecl* made = reference.is_constructor ? classes_.declaration(target.owner) : nullptr;
  const bool is_known =
      reference.is_constructor
          ? made != nullptr && !classes_.symbol(target.owner).has_outer_instance && classes_.captured(*made).empty()
          : (target.is_from_source && !(target.is_static && target.is_generated)) ||
                lowering_.has_procedure(reference.target);
  if (!is_known || target.is_varargs) return unsupported("this method reference", range);
  Value receiver;
  std::size_t next = 0;
  std::vector<Value> passed;
  const auto pass = [&](TypeId to) {
    const TypeId from = method.parameters[next];
    Value it = cast_to_class(std::move(given[next++]), from, to, false, range);
    return convert(std::move(it), from, to, range);
  };
  if (!target.is_static && !reference.is_constructor) {
    if (reference.receiver) {
      receiver = build::field(build::name(closure_, range), "receiver", range);
    } else if (method.parameters.empty()) {
      return unsupported("this method reference", range);
    } else {
      receiver = build::unary(plato::UnaryOp::kNonNull, pass(classes_.symbol(target.owner).type), range);
    }
  }
  for (TypeId to : target.parameters) {
    if (next >= given.size()) return unsupported("this method reference", range);
    passed.push_back(pass(to));
  }
  if (reference.is_constructor) {
    Value object = make_object(target.owner, reference.target, std::move(passed), nullptr, range);
    if (result_.kind == Type::Kind::kNone) return;
    plato::Return back;
    back.value = std::move(object);
    return emit(build::make(std::move(back), range));
  }
  const bool is_fixed = target.is_static || target.is_private || reference.is_super;
  Value out = is_fixed ? call_method(reference.target, std::move(receiver), std::move(passed), range)
                       : call_virtual(reference.target, std::move(receiver), -1, true, std::move(passed), range);
  if (!out || result_.kind == Type::Kind::kNone) return;
  plato::Return back;
  back.value = convert(std::move(out), target.type, java_result_, range);
  emit(build::make(std::move(back), range));
}

// T[]::new
void Body::make_referenced_array(TypeId array, const Symbol& method, Value size, SourceRange range) {
  const JavaType& given = classes_.type(method.parameters.front());
  if (given.kind != JavaType::Kind::kPrimitive) return unsupported("this method reference", range);
  std::vector<Value> sizes;
  sizes.push_back(std::move(size));
  Value made = array_of(array, sizes, 0, range);
  if (result_.kind == Type::Kind::kNone) return;
  plato::Return back;
  back.value = convert(std::move(made), array, java_result_, range);
  emit(build::make(std::move(back), range));
}

// Static initialisers of all classes. A field that has its constant from the start needs none.
void Body::initialise_classes(SymbolId first) {
  for (const ClassDecl* declaration : classes_.in_order_of_initialisation(first)) {
    class_symbol_ = declaration->symbol;
    if (classes_.needs_itself(*declaration)) {
      const Symbol& symbol = classes_.symbol(declaration->symbol);
      unsupported("static initialisers of " + symbol.name + " and of another class that need each other", symbol.range);
    }
    for (const Member& member : declaration->members) {
      if (const auto* field = std::get_if<FieldDecl>(&member)) {
        const Symbol& symbol = classes_.symbol(field->symbol);
        if (!symbol.is_static || !field->init || symbol.constant) continue;
        run_static_initialiser(declaration->symbol, field->range, [&] {
          Value made = value_as(*field->init, symbol.type);
          emit(build::assign(build::name(lowering_.static_name(field->symbol), field->range), std::move(made),
                             field->range));
        });
      } else if (const auto* block = std::get_if<Initialiser>(&member)) {
        if (!block->is_static) continue;
        run_static_initialiser(declaration->symbol, block->body->range, [&] { statement(*block->body); });
      }
    }
  }
}

// After an exception the class cannot be used, and what was to use it gets an error; that is not followed.
void Body::run_static_initialiser(SymbolId class_symbol, SourceRange range, const std::function<void()>& run) {
  lowering_.assume(kInitialisers);
  std::string exception;
  if (!guarded(run, exception, range)) return;
  const std::string what =
      "an exception that a static initialiser of " + classes_.symbol(class_symbol).name + " throws";
  Statements thrown = into_new_list([&] { unsupported(what, range); });
  Value is_thrown = build::negation(build::is_null(build::name(exception, range), range), range);
  emit(build::if_else(std::move(is_thrown), std::move(thrown), {}, range));
}

void Body::make_strings(const std::map<std::string, std::string>& strings) {
  std::int64_t number = 0;
  Statements first = into_new_list([&] {
    for (const auto& [text, name] : strings) {
      plato::NewObject made;
      made.class_name = lowering_.string_class();
      if (lowering_.knows_content())
        made.inits.push_back({lowering_.content_field(), {}, build::number(++number, {}), -1});
      if (!lowering_.has_client()) {
        emit(build::assign(build::name(name, {}), plato::Rhs(std::move(made)), {}));
        continue;
      }
      const Type type = build::named(made.class_name);
      const std::string local = temporary(type, plato::Rhs(std::move(made)), {}, "text");
      make_known(local, {});
      emit(build::assign(build::name(name, {}), build::name(local, {}), {}));
    }
  });
  emit_before(root_, std::move(first));
}

void Body::make_own_thread() {
  plato::NewObject made;
  made.class_name = lowering_.class_name(lowering_.thread_symbol());
  const Type type = build::named(made.class_name);
  Statements first;
  const std::string name = names_.fresh("own");
  first.push_back(build::local(name, type, plato::Rhs(std::move(made)), {}));
  first.push_back(
      build::assign(build::field(build::name(name, {}), lowering_.identity_field(), {}), build::tid({}), {}));
  first.push_back(build::assign(build::element(build::name(lowering_.thread_map(), {}), build::tid({}), {}),
                                build::name(name, {}), {}));
  emit_before(root_, std::move(first));
  note_end(*build::name(name, {}), {});
}

// A new array of new strings; null among them, so that it can be filled in any order.
Value Body::command_line(const MethodDecl& main) {
  const SymbolId parameter = main.parameters.front().symbol;
  bool is_used = false;
  walk(
      *main.body,
      [&](const Expr& expr) {
        const auto* name = std::get_if<Name>(&expr.node);
        is_used = is_used || (name != nullptr && name->symbol == parameter);
      },
      [](const Stmt&) {}, [](const ClassDecl&) {});
  const SourceRange range = main.parameters.front().range;
  if (!is_used) return build::null(range);
  std::vector<Value> count;
  count.push_back(unknown_value("arguments of the command line", lowering_.primitive_type(Prim::kInt), range));
  assume_holds(build::binary(plato::BinaryOp::kLe, build::number(0, range), build::copy(*count.front()), range), range);
  Value all = array_of(classes_.symbol(parameter).type, count, 0, range);
  Statements round = into_new_list([&] {
    plato::NewObject made;
    made.class_name = lowering_.string_class();
    const Type type = build::named(made.class_name);
    Value text = build::name(temporary(type, plato::Rhs(std::move(made)), range, "text"), range);
    Value index = any_index(std::get<plato::NameExpr>(all->node).name, range);
    emit(build::assign(build::element(build::copy(*all), std::move(index), range), std::move(text), range));
  });
  emit(build::loop_while(build::make(plato::Star{}, range), std::move(round), range));
  return all;
}

}  // namespace concord::frontend::java
