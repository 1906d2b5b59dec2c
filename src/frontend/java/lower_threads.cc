// `threads n`: static methods that a number of threads run each, given or not. Nothing else runs, but for the static initialisers before them.
//
// The parameters are what each thread is given: any values, the same in all of a run, so a final map each, from the number of the
// thread. Clauses know it by the name of the parameter.
#include <algorithm>
#include <utility>

#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Type;

void Lowering::find_entries() {
  for (const ClassDecl* declaration : classes_.all()) {
    for (const Member& member : declaration->members) {
      const auto* method = std::get_if<MethodDecl>(&member);
      if (method == nullptr) continue;
      for (const plato::AnnotationText* note : annotations_.of_method(method->symbol)) {
        if (note->threads) numbered_.push_back({method->symbol, &*note->threads});
      }
    }
  }
  if (sink_.has_errors()) numbered_.clear();
  for (const Entry& it : numbered_) {
    if (it.threads->count != plato::Thread::Count::kSymbol) continue;
    const SymbolId owner = classes_.symbol(it.method).owner;
    for (SymbolId member : classes_.symbol(owner).members) {
      const Symbol& field = classes_.symbol(member);
      if (field.kind != Symbol::Kind::kField || field.name != it.threads->symbol) continue;
      error(it.threads->symbol_range, "`" + field.name + "` is a field; the number of threads has a name of its own",
            "");
    }
    std::string& name = counts_[it.threads->symbol];
    if (name.empty()) {
      name = names_.fresh(it.threads->symbol);
      plato::Const made;
      made.name = name;
      made.type = build::simple(Type::Kind::kInt);
      made.range = made.name_range = it.threads->symbol_range;
      add_item(plato::Item::Kind::kConst, program_.consts.size());
      program_.consts.push_back(std::move(made));
    }
  }
  for (const Entry& it : numbered_) {
    for (const Parameter& one : classes_.method(it.method)->parameters) {
      const Symbol& symbol = classes_.symbol(one.symbol);
      const std::string& name = inputs_[one.symbol] = names_.fresh(symbol.name);
      emit_variable(name, build::map_of(build::simple(Type::Kind::kInt), type_of(symbol.type)), -1);
      plato::Variable& made = program_.variables.back();
      made.is_final = true;
      made.init = build::make(plato::Star{}, one.range);
      made.range = made.name_range = symbol.range;
      name_is_users(name);
    }
  }
}

std::string Lowering::count_named(const std::string& name) const {
  const auto found = counts_.find(name);
  return found == counts_.end() ? "" : found->second;
}

std::vector<SymbolId> Lowering::given(const std::string& name) const {
  std::vector<SymbolId> out;
  for (const auto& [parameter, map] : inputs_) {
    if (classes_.symbol(parameter).name == name) out.push_back(parameter);
  }
  return out;
}

std::string Lowering::input(SymbolId parameter) const { return inputs_.at(parameter); }

std::string Lowering::thread_number() {
  if (thread_number_.empty()) thread_number_ = names_.fresh("thread_number");
  return thread_number_;
}

void Lowering::lower_entries() {
  for (const Entry& it : numbered_) procedure_of(it.method);
  run_tasks();
  initialise_before_entries();
  for (const Entry& it : numbered_) lower_entry(it);
}

// By a thread of its own, that does nothing else.
void Lowering::initialise_before_entries() {
  const Symbol& first = classes_.symbol(numbered_.front().method);
  Body body(*this, first.owner, false);
  body.initialise_classes(first.owner);
  run_tasks();
  const std::size_t initialised = body.root_.size();
  if (initialised == 0 && strings_.empty()) return;
  plato::Thread thread;
  thread.name = main_thread_ = names_.fresh("main");
  const std::string name = names_.fresh("main_thread");
  end_initialisation(body, initialised, first.range);
  body.make_strings(strings_);
  if (has_thread_map()) body.make_own_thread();
  emit_procedure(body.finish_without_braces(name, first.range));
  thread.target = build::target(name, {}, first.range);
  thread.range = first.range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

void Lowering::lower_entry(const Entry& entry) {
  const Symbol& method = classes_.symbol(entry.method);
  const std::vector<Parameter>& parameters = classes_.method(entry.method)->parameters;
  const std::string name = names_.fresh(name_of_class(method.owner) + "_" + method.name + "_thread");
  Body body(*this, method.owner, false);
  const bool is_numbered = !parameters.empty() || !thread_number_.empty();
  const std::string number = is_numbered ? body.add_parameter("number", build::simple(Type::Kind::kInt)) : "";
  std::vector<Value> given;
  for (const Parameter& it : parameters) {
    given.push_back(build::element(build::name(input(it.symbol), it.range), build::name(number, it.range), it.range));
  }
  body.call_procedure(procedure_of(entry.method), std::move(given), type_of(method.type), false, method.range,
                      classes_.may_throw(entry.method));
  body.leave_uncaught();
  run_tasks();
  if (has_thread_map()) body.make_own_thread();
  own_numbers_[name] = number;
  emit_procedure(body.finish_without_braces(name, method.range));
  plato::Thread thread;
  thread.count = entry.threads->count;
  thread.number = entry.threads->number;
  thread.symbol = count_named(entry.threads->symbol);
  thread.symbol_range = entry.threads->symbol_range;
  thread.has_brackets = true;
  std::vector<Value> arguments;
  if (is_numbered) arguments.push_back(build::make(plato::ThreadIndex{}, method.range));
  thread.target = build::target(name, std::move(arguments), method.range);
  thread.range = method.range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

// `\index` in annotations of code: every procedure is told who runs it. Static initialisers are run by none of the threads.
void Lowering::pass_thread_number() {
  if (thread_number_.empty()) return;
  const std::string initialiser = main_thread_.empty() ? "" : program_.threads.front().target.procedure;
  for (plato::Procedure& procedure : program_.procedures) {
    const bool is_first = procedure.name == initialiser;
    const auto own = own_numbers_.find(procedure.name);
    const std::string number = own == own_numbers_.end() ? thread_number_ : own->second;
    if (!is_first && own == own_numbers_.end()) {
      procedure.parameters.push_back({number, build::simple(Type::Kind::kInt), procedure.name_range});
    }
    plato::for_each_stmt(*procedure.body, [&](const plato::Stmt& statement) {
      const plato::CallTarget* called = plato::called(statement);
      if (called == nullptr) return;
      if (plato::starts_thread(statement)) {
        error(called->range, "threads that are started have no number, and some annotation asks for `\\index`", "");
      }
      auto* target = const_cast<plato::CallTarget*>(called);  // NOLINT: the program is ours
      target->arguments.push_back(is_first ? build::number(-1, target->range) : build::name(number, target->range));
    });
  }
}

Clauses::Typed Clauses::thread_number(Value& expr) {
  if (!lowering_.has_entries() || !place_.local) {
    lowering_.error(expr->range, "`\\index` is the number of the running thread, and known only where threads run",
                    "annotations of code know it, in programs with `threads`");
    return {Typed::Kind::kRefused};
  }
  expr = named(lowering_.thread_number(), expr->range);
  return {};
}

std::optional<Clauses::Typed> Clauses::of_threads(Value& expr) {
  const std::string name = std::get<plato::NameExpr>(expr->node).name;
  const SourceRange range = expr->range;
  if (const std::string count = lowering_.count_named(name); !count.empty()) {
    expr = named(count, range);
    return Typed{};
  }
  const std::vector<SymbolId> given = lowering_.given(name);
  if (given.empty()) return std::nullopt;
  if (given.size() > 1) {
    lowering_.error(range, "threads of several methods are given `" + name + "`, so it is not clear which is meant",
                    "give the parameters different names");
    return Typed{Typed::Kind::kRefused};
  }
  const Typed element = of_type(classes_.symbol(given.front()).type);
  expr = named(lowering_.input(given.front()), range);
  return Typed{Typed::Kind::kMap, -1, std::make_shared<const Typed>(element)};
}

}  // namespace concord::frontend::java
